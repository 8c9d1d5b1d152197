# shellcheck shell=dash disable=SC2154 # constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -e: the count of an event is exactly the same by each of its names; and events that cannot be counted are reported.
. ./lib.sh

# each NAME EVENTS PROGRAM WANT: the increments of each event add up to this.
each() {
	tiptop -b -d 0.04 -e "$2" -- "./$3" >"$out" 2>"$err"
	is "$1: exit status" $? 0
	has_not "$1: nothing to complain of" "$err" .
	pid=$(pid_of "$3") field=2
	for event in $(echo "$2" | tr , ' '); do
		field=$((field + 1))
		is "$1: $event" "$(sum "$pid" $field)" "$4"
	done
	has_not "$1: no mark behind a number" "$out" "^ *$pid .*[0-9][~*']"
}

each "six of instructions" "instructions,inst_retired,r8,0x08,$pmu/event=0x08/,INST_RETIRED" \
	loop-tenth "$loop_tenth_all"
within "six of instructions: in some refreshes" "$(rows "$pid" 3 | wc -l)" 2 6
each "six more names of them" \
	"instructions:u,$pmu/inst_retired/,$pmu/config=0x8/u,r0008:u,arm_n1::INST_RETIRED,perf::INSTRUCTIONS" \
	loop-short "$loop_short_all"
each "cycles and six of their names" "cycles,cpu-cycles,cpu_cycles,$pmu/cpu_cycles/,r11,0x11,CPU_CYCLES:u" \
	loop-short "$loop_short_all"
each "the first of several names that can be counted" \
	"no-such-event;r8,cache-misses;instructions,LLC-loads;NO_SUCH;inst_retired;r11" loop-short "$loop_short_all"
each "no stalls here" "stalled-cycles-frontend,stalled-cycles-backend,stall_frontend,STALL_BACKEND" loop-short 0

# Attached to a task that waits.
worker ./wait-short
monitor -i -d 1 -n 4 -p "$worker" -e r8,INST_RETIRED,cycles
sleep 1.7
feed
wait $tiptop
for event in r8 INST_RETIRED cycles; do
	is "attached: $event" "$(cells "$worker" $event | tr '\n' ' ')" "0 0 $wait_short_byte 0 "
done
worker_end

# What this CPU has no event for.
tiptop -b -d 0.2 -e cache-misses,instructions -- ./loop-short >"$out" 2>"$err"
is "no such event here: exit status" $? 0
pid=$(pid_of loop-short)
is "no such event here: unknown, not 0" "$(cells "$pid" cache-misses) $(cells "$pid" cache-misses/KI)" "? ?"
is "no such event here: the other one is exact" "$(cells "$pid" instructions)" "$loop_short_all"
has "no such event here: it is said" "$err" "^tiptop: this machine has no hardware counter for 'cache.misses'"
is "no such event here: once" "$(wc -l <"$err")" 1

# Common events of Arm that QEMU does not implement: its kernel opens their numbers, and would count 0.
for event in L1D_CACHE_REFILL l1d_cache_refill arm_n1::L1D_CACHE_REFILL r3 0x03 r3:u "$pmu/event=3/" \
	"$pmu/config=0x3/u"; do
	tiptop -b -d 0.2 -e "$event,instructions" -- ./loop-short >"$out" 2>"$err"
	is "not implemented, $event: exit status" $? 0
	pid=$(pid_of loop-short)
	is "not implemented, $event: unknown, and the other one is exact" \
		"$(rows "$pid" 3) $(cells "$pid" instructions)" "? $loop_short_all"
	is "not implemented, $event: it is said, and nothing else" "$(cat "$err")" \
		"tiptop: '$event' cannot be counted: this PMU does not implement event 0x03 (L1D_CACHE_REFILL)"
done
each "a number that is up to the maker is not judged" r40 loop-short 0
tiptop follow -c r3,instructions -- ./loop-short >"$out" 2>"$err"
has "not implemented: follow has no number" "$out" " exit +- +$loop_short_all\$"

# wrong EVENT PATTERN: it does not start, and says why.
wrong() {
	tiptop -b -n 1 -e "instructions,$1" >"$out" 2>"$err"
	is "$1: exit status" $? 2
	is "$1: one sentence, and nothing else" "$(wc -l <"$err") $(wc -c <"$out")" "1 0"
	has "$1: the sentence" "$err" "^tiptop: -e: $2"
}

list=".*'tiptop --list-events' lists "
wrong no-such-event ".*'no-such-event'$list"
wrong arm_n1::NO_SUCH_EVENT ".*'arm_n1::NO_SUCH_EVENT'$list"
wrong arm_v1::INST_RETIRED ".*'arm_v1::INST_RETIRED'$list"
wrong "$pmu/no_such/" "the PMU '$pmu' has no event or term 'no_such': its terms are event,.*$list"
wrong cpu/event=0x08/ "this machine has no PMU 'cpu': there are $pmu,.*$list"
wrong "$pmu/event=0x10000/" "0x10000 does not fit in the 16-bit term 'event' of the PMU '$pmu'"
wrong r8:x "'x' is not a modifier of the event 'r8:x'"
