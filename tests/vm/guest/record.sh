# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A recording of exact counts: its replay equals the live output, to the byte; on a screen that was not shown, it has the
# counts exact to the instruction. (An instruction takes a cycle here.)
. ./lib.sh

both="-W conf/record --only-conf"
# replay FILE OPTION...
replay() {
	file=$1
	shift
	tiptop -b -i $both --replay "$file" "$@" >"$out" 2>"$err" 3>&-
}

worker ./wait-short
tiptop -b -i $both -d 1 -n 6 -p "$worker" -S exact --record /tmp/r.db --record-screens all >/tmp/shown 2>"$err" 3>&- &
tiptop=$!
sleep 2.7
feed
sleep 1
replay /tmp/r.db -S other
is "record: it is replayed while it grows" "$(rows "$worker" 3 | sed -n 4p)" "$wait_short_byte"
feed
wait $tiptop
replay /tmp/r.db -S exact -p "$worker"
cmp /tmp/shown "$out"
ok "record: a replay is what was shown, byte for byte" $?
is "record: the total is what the program executed" "$(last "$worker" 3)" "$((2 * wait_short_byte))"
replay /tmp/r.db -S other
is "record: another screen: an interval with one byte" "$(rows "$worker" 3 | sed -n 4p)" "$wait_short_byte"
is "record: and one in which it waited" "$(rows "$worker" 3 | sed -n 6p)" 0
is "record: half of the instructions" "$(rows "$worker" 2 | sed -n 4p)" "$(awk -v n="$wait_short_byte" 'BEGIN { printf "%.1f", n / 2 }')"
is "record: one in each cycle" "$(rows "$worker" 4 | sed -n 4p)" 1.0000
is "record: all cycles" "$(sum "$worker" 3)" "$((2 * wait_short_byte))"
worker_end

# Of a screen of which nothing was counted, nothing is known.
worker ./wait-short
tiptop -b -i $both -d 1 -n 3 -p "$worker" -S exact --record /tmp/one.db >"$out" 2>"$err" 3>&- &
tiptop=$!
sleep 1.5
feed
wait $tiptop
replay /tmp/one.db -S other
is "record: half of what was counted" "$(sum "$worker" 2)" "$(awk -v n="$wait_short_byte" 'BEGIN { printf "%.0f", n / 2 }')"
is "record: cycles that were not counted are unknown" "$(rows "$worker" 3 | sort -u)" '?'
has "record: which is said" "$err" "lacks counters of the screen 'other'"
worker_end

# A command, from its first instruction to its last.
tiptop -b $both -d 0.5 -S exact --record /tmp/c.db --record-screens all -- ./loop-long >/tmp/shown 2>"$err"
is "record: a command: exit status" $? 0
replay /tmp/c.db -S other
pid=$(pid_of loop-long)
is "record: the cycles of a command" "$(sum "$pid" 3)" "$loop_long_all"
tiptop -b $both -S exact --replay /tmp/c.db >"$out" 2>"$err"
is "record: its last total" "$(last "$pid" 3)" "$loop_long_all"
