#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The bytes written to the terminal when only the clock and tiptop's own cost change; and the acknowledgement of a key that
# takes a while.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# refreshes: how many the file has.
refreshes()
{
	cut -d, -f1 "$dir/$starts/rows.csv" | uniq | wc -l
}
more_than()
{
	[ "$(refreshes)" -gt "$1" ]
}
listen()
{
	: >"$dir/bytes"
	mux pipe-pane "cat >>'$dir/bytes'"
}
heard()
{
	grep -q "$1" "$dir/bytes"
}

sleep 1000 &
victim=$!
# CPUs, and how many tasks run, are those of the whole machine, and change.
echo "-i -p $victim --layout title,tabs,note,total,footer --format csv -o rows.csv -d 0.1" >"$dir/options"
start run "one that sleeps"
await "refreshes go to the file" more_than 3
n=$(refreshes)
listen
await "and go on" more_than $((n + 30))
# tmux starts a program that gets them, which takes its time.
await "some bytes go to the terminal" test -s "$dir/bytes"
mux pipe-pane
n=$(($(refreshes) - n))
check "at most 100 for each of $n refreshes: $(wc -c <"$dir/bytes")" test "$(wc -c <"$dir/bytes")" -le $((100 * n))
press q
await "q ends it" ended

mkfifo "$dir/end"
"${builddir:?}/tests/program/work" crowd=1200 wait <"$dir/end" >"$dir/crowd" 2>"$dir/why" &
stranger=$!
exec 3>"$dir/end"
gathered()
{
	[ -s "$dir/crowd" ] || ! kill -0 $stranger 2>/dev/null
}
await "a crowd has been started" gathered
if [ -s "$dir/crowd" ]; then
	: >"$dir/options"
	start run "many tasks"
	listen
	press H
	await "a key that takes a while has its word at once" heard 'one moment'
	await "and then its effect" shows '\[threads\]'
	await "the word has gone" hides 'one moment'
	press q
	await "q ends it" ended
else
	ok "a key that takes a while # SKIP $(cat "$dir/why")"
fi
exec 3>&-
echo "1..$count"
exit $failed
