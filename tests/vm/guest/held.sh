# shellcheck shell=dash disable=SC2086,SC2154 # pids are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Counters that another program holds: the others have numbers from the first refresh on; if the program opens them later,
# one refresh has no numbers. The machine has six counters, and one for cycles.
. ./lib.sh
# Other modes make another event of one number: there is no hypervisor, and no guest.
five="r8,r8:uh,r8:uk,r8:ukh,r8:uGH"
six="$five,r8:uhGH"
eleven="$six,r8:ukGH,r8:ukhGH,instructions:uh,instructions:uk,instructions:ukh"

# hold N [PID]: as the program, in the background, until let_go.
hold() {
	: >/tmp/held
	./hold "$@" >/tmp/held 3>&- &
	holder=$!
	until grep -q held /tmp/held; do
		sleep 0.01
	done
}

let_go() {
	kill $holder
	wait $holder 2>/dev/null || true
}

# numbers PID FIELDS: how many rows of the task have a number in each of FIELDS fields from the third on, and how many
# have none in one of them.
numbers() {
	rows "$1" 0 | awk -v last="$(($2 + 2))" '{
		bad = 0
		for (i = 3; i <= last; i++)
			bad += $i !~ /^[0-9]+~?$/ || $i + 0 < 1000
		n[bad > 0]++
	} END { print n[0] + 0, n[1] + 0 }'
}

# work: a busy task, until rest.
work() {
	./loop-long 3>&- &
	busy=$!
}

rest() {
	kill $busy
	wait $busy 2>/dev/null || true
}

# watch EVENTS: a busy task, three refreshes.
watch() {
	work
	tiptop -b -d 0.2 -n 3 -p "$busy" -e "$1" >"$out" 2>"$err"
	rest
}

watch "$six"
is "held: none: six events, all rows have numbers" "$(numbers "$busy" 6)" "3 0"
has_not "held: none: without turns" "$out" "^ *$busy .*[0-9]~"

for n in 1 2 5; do
	hold $n
	watch "$six"
	is "held: $n of 6: six events, all rows have numbers" "$(numbers "$busy" 6)" "3 0"
	has "held: $n of 6: in turns" "$out" "^ *$busy .*[0-9]~"
	has_not "held: $n of 6: nothing to complain of" "$err" .
	watch "$eleven"
	is "held: $n of 6: eleven events, all rows have numbers" "$(numbers "$busy" 11)" "3 0"
	let_go
done
hold 1
watch "$five"
has_not "held: 1 of 6: five events have no need for turns" "$out" "^ *$busy .*[0-9]~"
let_go

# --check knows it, too.
tiptop --check | tr -s '\n ' ' ' >"$out" 2>"$err"
has "held: none: --check" "$out" "of up to 7 events, cycles and instructions in turn [^;]"
hold 2
tiptop --check | tr -s '\n ' ' ' >"$out" 2>"$err"
has "held: 2 of 6: --check" "$out" "of up to 7 events, cycles and instructions in turn; now of 5, since others hold"
let_go

# Taken while tiptop runs: it is noticed in the refresh in which nothing is counted.
work
monitor -d 0.2 -n 6 -p "$busy" -e "$six"
sleep 0.5
hold 2
wait $tiptop
is "held: taken later: every refresh has its row" "$(rows "$busy" 0 | grep -c .)" 6
is "held: taken later: one refresh without numbers at most" "$(numbers "$busy" 6 | awk '{ print $2 <= 1 }')" 1
has "held: taken later: then in turns" "$out" "^ *$busy .*[0-9]~"
let_go
rest

# Given back: the groups grow, and no refresh is lost by that.
hold 2
work
monitor -d 0.04 -n 30 -p "$busy" -e "$six"
sleep 0.15
let_go
wait $tiptop
is "held: given back: all rows have numbers" "$(numbers "$busy" 6)" "30 0"
is "held: given back: without turns in the end" "$(rows "$busy" 0 | tail -n 1 | grep -c '[0-9]~')" 0

rest

# Events of another process are pinned on the watched task itself.
work
hold 3 "$busy"
tiptop -b -d 0.2 -n 6 -p "$busy" -e "$six" >"$out" 2>"$err"
is "held: on the task: two refreshes without numbers at most" "$(numbers "$busy" 6 | awk '{ print $2 <= 2 }')" 1
is "held: on the task: every refresh has its row" "$(rows "$busy" 0 | grep -c .)" 6
let_go
rest
