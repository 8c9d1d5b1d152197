# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "Which task has most page faults?"
open_tiptop -S software
key o
await "o: what can be sorted by" shows 'Sort by'
tell "The footer names \`o\`: a list of what can be sorted by."
shot
# What the list has marked, where it is open.
marked() {
	screen | grep '^v '
}
# The list of before may still be on the screen.
has_moved() {
	[ -n "$(marked)" ] && [ "$(marked)" != "$before" ]
}
while ! marked | grep -q '^v *minfl'; do
	before=$(marked)
	key DOWN Enter o
	await "the list is open again, at the next column" has_moved
	[ "$count" -lt 1000 ] || break
done
key ESC
await "the task with most of them stands first" first_row_is fill
await "the column is between brackets" sorted_by_again 'MINFL/s'
tell "\`DOWN\` goes to the line, \`Enter\` takes it."
shot
close_tiptop
