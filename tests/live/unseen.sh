#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The note on CPU time that no row has. The recording is of this machine, with times of the CPUs that are made up: all
# of them busy with user code.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v sqlite3 >"$dir/text" || skip_all "there is no sqlite3"
"$prog" -b -S one -d 0.2 -n 12 --record "$dir/r.db" -W "$dir/.tiptoprc" >"$dir/out" 2>"$dir/err"
! grep -q 'without SQLite' "$dir/err" || skip_all "built without SQLite"
# busy NAME TICKS - a copy of the recording, in which the CPUs were idle but for these ticks of user code. They are eight
# times as many as there are, so that their time is far more than that of the tasks, however busy the machine is.
busy()
{
	cp "$dir/r.db" "$dir/$1.db" &&
		sqlite3 "$dir/$1.db" "UPDATE cpu_use SET user = $2, nice = 0, system = 0, idle = 20 * sample;
			INSERT INTO cpu_use SELECT sample, cpu + 1000 * value, user, nice, system, irq, stolen, idle
			FROM cpu_use, json_each('[1,2,3,4,5,6,7]')" &&
		printf '%s\n' "--replay $dir/$1.db -i" >"$dir/options"
}
# walk - prints what the screen shows at each sample
walk()
{
	press '{'
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		sleep 0.2
		screen
		press .
	done
}
window=140x40
check "times of the CPUs are made up: all intervals are busy" busy all '10000 * sample'
start run "a replay"
await "CPU time without a row is a note" shows '; [0-9.]* CPUs ran tasks too short to have a row$'
press q
await "q ends it" ended

check "one interval is busy" busy one '10000 * (sample >= 6)'
start run "a replay"
press .
await "it pauses" shows ', paused'
walk >"$dir/walk"
check "the samples were shown" grep -q ', paused' "$dir/walk"
check "a single interval makes no note" test -z "$(grep 'too short' "$dir/walk")"
press q
await "q ends it" ended

echo "1..$count"
exit $failed
