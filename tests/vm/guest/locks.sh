# shellcheck shell=dash disable=SC2154 # constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks: the number of instructions that measuring adds to an uncontended mutex, and the counts while it is held.
. ./lib.sh

export LD_LIBRARY_PATH=/test
echo 1 >/proc/sys/kernel/perf_user_access
alone=$(./pairs 2>"$err")
./tiptop locks -o "$out" -- ./pairs >/tmp/measured 2>"$err"
ok "locks: the program came to its end" $?
has "locks: all of its acquisitions" "$out" '^mutex .* 60000 '
echo "# $alone instructions a pair, $(cat /tmp/measured) where it is measured"
within "locks: instructions that an acquisition and a release have in addition" "$(calc "$(cat /tmp/measured) - $alone")" 300 560
./tiptop locks --sample 1000 -o "$out" -- ./pairs >/tmp/measured 2>"$err"
echo "# $(cat /tmp/measured) where one in 1,000 is timed"
within "locks: where they are counted, and hardly any is timed" "$(calc "$(cat /tmp/measured) - $alone")" 100 400
./tiptop locks -e instructions -o "$out" -- ./pairs >/tmp/measured 2>"$err"
echo "# $(cat /tmp/measured) where an event is counted, too"
within "locks: and with an event" "$(calc "$(cat /tmp/measured) - $alone")" 900 1300

for n in 1000 3000; do
	./tiptop locks -e instructions --format json -o "$out" -- ./pairs $n >/tmp/measured 2>"$err"
	ok "locks: instructions are counted" $?
	hold=$(sed '1d' "$out" | sed -n 's/.*"hold":{"unit":"instructions","n":50,"sum":\([0-9]*\).*/\1/p')
	all=$(sed -n '1s/.*"instructions":{"count":\([0-9]*\).*/\1/p' "$out")
	echo "# 50 holds: $hold; all threads: $all; main(): $(cat /tmp/measured)"
	eval "hold_$n=$hold all_$n=$all"
	within "locks: those of all states are at least those of main()" "$(calc "$all - $(cat /tmp/measured)")" 0 900000
done
within "locks: a hold has the instructions that are executed in it" "$(calc "$hold_3000 - $hold_1000")" 199990 200010
within "locks: and all threads have these more" "$(calc "$all_3000 - $all_1000")" 195000 205000
is "locks: which are read in user space" "$(sed -n '1s/.*"threads_in_user_space":\([0-9]*\).*/\1/p' "$out")" 2
echo 0 >/proc/sys/kernel/perf_user_access
./tiptop locks -e instructions --format json -o "$out" -- ./pairs 1000 >/tmp/measured 2>"$err"
is "locks: else by system calls" "$(sed -n '1s/.*"threads_by_system_call":\([0-9]*\).*/\1/p' "$out")" 2
is "locks: which cannot be read in user space then" "$(sed -n '1s/.*"threads_in_user_space":\([0-9]*\).*/\1/p' "$out")" 0
hold=$(sed '1d' "$out" | sed -n 's/.*"hold":{"unit":"instructions","n":50,"sum":\([0-9]*\).*/\1/p')
within "locks: and a hold has the instructions that are executed in it" "$hold" 100000 1000000
./tiptop locks -e instructions -o "$out" -- ./pairs 1000 >/tmp/measured 2>"$err"
has "locks: as the text says" "$out" '^#   instructions: [0-9]+, waiting '
has_not "locks: nothing is called multiplexed that is counted all the time" "$out" 'multiplexed'
