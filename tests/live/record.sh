#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The key O: a recording begins and ends while the live screen continues, and no key waits for the disk.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

"$prog" -b -S one -d 0.1 -n 1 --record "$dir/try.db" -W "$dir/.tiptoprc" >"$dir/out" 2>"$dir/err"
! grep -q 'without SQLite' "$dir/err" || skip_all "built without SQLite"
# refreshes FILE: how many a replay of it has.
refreshes()
{
	"$prog" -b -i -S one -W "$dir/.tiptoprc" --replay "$1" 2>"$dir/err" | grep -c '^$'
}
# recorded FILE N: at least N are there.
recorded()
{
	[ "$(refreshes "$1")" -gt "$2" ]
}
# knows_waits FILE: it has the times that tasks waited for a CPU, as far as the kernel has them.
knows_waits()
{
	[ ! -e /proc/self/schedstat ] ||
		"$prog" what -W "$dir/.tiptoprc" "$1" 2>"$dir/err" | grep -q 'time waited for a CPU: .*s, ready to run'
}

echo "-d 0.2 -i" >"$dir/options"
start run "the live screen"
check "nothing is recorded at first" hides 'recording into'
press O
await "O asks for a file, and offers one by the time" shows '^Record into: tiptop-[0-9]*-[0-9]*\.db'
answer "$dir/none/r.db"
await "what cannot be is said" shows "cannot record into '.*none/r.db': No such file"
press Escape
press O
await "once more" shows '^Record into: tiptop-'
answer "$dir/r.db"
await "where it goes to stands above the rows" shows "recording into $dir/r.db"
await "it grows" recorded "$dir/r.db" 4
press O
await "again, it ends" shows "the recording has ended: 'tiptop --replay $dir/r.db' shows it again, 'tiptop what"
await "which shows" hides 'recording into'
check "the file is one, and whole" test "$(echo "$dir"/r.db*)" = "$dir/r.db"
check "it has what the screen does not show" knows_waits "$dir/r.db"
n=$(refreshes "$dir/r.db")
press O
await "it can begin again" shows '^Record into: '
answer "$dir/r.db"
await "in the same file" shows "recording into $dir/r.db"
await "which goes on" recorded "$dir/r.db" $((n + 3))
press q
await "q ends it all" ended
check "the file is good" recorded "$dir/r.db" $((n + 3))

echo "-d 0.2 -i --readonly" >"$dir/options"
start run "where nothing may be done"
press O
await "--readonly refuses it" shows 'O does nothing: tiptop was started with --readonly'
press q
await "q ends that, too" ended

echo "1..$count"
exit $failed
