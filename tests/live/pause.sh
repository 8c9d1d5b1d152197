#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Pause: no byte goes to the terminal, while samples and output files continue. And the mark of the key m.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# refreshes: how many the file has.
refreshes()
{
	cut -d, -f1 "$dir/$starts/rows.csv" | uniq | wc -l
}
# more_than N: refreshes in the file.
more_than()
{
	[ "$(refreshes)" -gt "$1" ]
}
# sent: how many bytes have gone to the terminal since it is looked at.
sent()
{
	wc -c <"$dir/bytes"
}
echo "-i --format csv -o rows.csv -d 0.1" >"$dir/options"
start run "start"
await "refreshes go to the file" more_than 3
press Z
await "Z pauses, and a word says so" shows '\[paused\]'
await "once, in a sentence" shows '^paused: what is shown stays'
: >"$dir/bytes"
mux pipe-pane "cat >>'$dir/bytes'"
n=$(refreshes)
await "refreshes go on in the file" more_than $((n + 10))
check "and none goes to the terminal" test "$(sent)" -eq 0
press R
await "a key works on what is shown" shows '\[reverse\]'
check "which stays paused" shows '\[paused\]'
await "what it changes goes to the terminal" test -s "$dir/bytes"
press m
await "what is over cannot be marked" shows '^what is shown is paused: Z goes on'
n=$(refreshes)
press C-r
await "Ctrl-R shows the present" hides '^what is shown is paused'
check "and stays paused" shows '\[paused\]'
press Z
await "Z goes on" hides '\[paused\]'
press m
await "m marks a moment, which the title says" shows '\[since [0-9:]*\]'
press v
await "v shows other values" hides '\[since'
press v v v
await "and those since the mark again" shows '\[since [0-9:]*\]'
press Z
await "Z pauses again" shows '\[paused\]'
press H
await "what needs other counters ends the pause" hides '\[paused\]'
check "and has its word" shows '\[threads\]'
press q
await "q ends it" ended

"$prog" -b -S one -d 0.1 -n 8 --record "$dir/r.db" -W "$dir/.tiptoprc" >"$dir/out" 2>"$dir/err"
if grep -q 'without SQLite' "$dir/err"; then
	ok "Z in a recording # SKIP built without SQLite"
else
	echo "--replay $dir/r.db -i" >"$dir/options"
	start run "replay"
	press Z
	await "in a recording Z is its pause" shows '^replay of .*, paused'
	check "and no other" hides '\[paused\]'
	press Z
	await "or goes on" hides '^replay of .*, paused'
	await "to the end" shows ', the end'
	press q
	await "q ends that, too" ended
fi
echo "1..$count"
exit $failed
