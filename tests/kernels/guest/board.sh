#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Hardware counters of a board: a loop of known length, on all ways that tiptop has; and what its PMU does not have.
# shellcheck source=../../program/lib.sh
. "${srcdir:?}/tests/program/lib.sh"

N=200000000 # instructions of the loop
read -r _ _ _ modes </test/expected
machine=$(uname -m)

# total EVENT, column ID FILE, metric NAME: of the command, of CSV, of the loop.
total() {
	jq -r "select(.type == \"summary\").events.\"$1\".value" "$out"
}
column() {
	awk -F, -v id="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == id) at = i; next } { sum += $at } END { printf "%d\n", sum }' "$2"
}
metric() {
	sed -n "s/^tiptop_$1{program=\"loop\".*} //p" "$dir/metrics"
}
# of_loop NAME NUMBER: it is the loop, within 0.2 %; on RISC-V, whose kernel takes more for interrupts, within 0.5 %.
case $machine in
riscv64) above=$((N / 200)) ;;
*) above=$((N / 500)) ;;
esac
of_loop() {
	within "$1: the instructions of the loop" "$2" $N $((N + above))
}
# says NAME TEXT: one sentence on standard error has it.
says() {
	is "$1, in one sentence" "$(grep -c "^tiptop: .*$2" "$err")" 1
}

"$tiptop" --check >"$out" 2>"$err"
is "--check: exit status" $? 0
grep -E '^ +(ok|no|warn)? +(libpfm4|user mode|and kernel|groups) ' "$out" | sed 's/^/# /'
is "--check: user mode alone is not counted" "$(grep -cE '^  (warn|no  ) user mode ' "$out")" 1

# The kernel's own counters, and the locks of a program, need no PMU.
"$tiptop" -b -d 0.05 -S software --format csv -- "$work" touch=500 >"$out" 2>"$err"
is "software: exit status, and lines" "$? $(wc -l <"$out" | sed 's/^[2-9].*/some/')" "0 some"
"$tiptop" locks --format csv -o "$dir/locks" -- "${builddir:?}/tests/program/locker" mutex >"$out" 2>"$err"
is "locks: exit status, and acquisitions" "$? $(column acquisitions "$dir/locks")" "0 $(sed -n 's/^plain //p' "$out")"

# A user may not count the kernel.
if [ "$modes" = refused ] && [ "$(id -u)" -ne 0 ]; then
	"$tiptop" -b -d 0.05 -e instructions,page-faults --format json -- "$work" touch=500 >"$out" 2>"$err"
	is "a user: no instructions" "$(total instructions)" null
	says "a user: the reason is said" "cannot exclude the kernel"
	within "a user: page faults" "$(total page-faults)" 500 800
	"$tiptop" -b -i -n 1 >"$out" 2>"$err"
	matches "a user: a screen that needs no PMU" "$(grep '^Screen ' "$out")" 'Screen [0-9]+: software.*'
	finish
fi

for options in "" -H --exact; do
	name="batch mode${options:+, $options}"
	# shellcheck disable=SC2086 # words, or none
	"$tiptop" -b -d 0.05 $options -e instructions,cycles --format csv -- /test/loop >"$out" 2>"$err"
	is "$name: the command's status" $? 0
	says "$name: that these are all modes" "'instructions' is counted in all modes"
	of_loop "$name" "$(column instructions "$out")"
	# Interrupts take more of them: half a percent.
	within "$name: one cycle for each" "$(column cycles "$out")" $N $((N + N / 200))
done
"$tiptop" -b -d 0.05 --values total -- /test/loop >"$out" 2>"$err"
is "the first screen" "$(sed -n 's/^Screen //p' "$out")" "0: default"
is "the first screen: IPC of the loop" "$(awk '$NF == "DEAD" { print $7 }' "$out")" 1.00

"$tiptop" follow -T 0 -c instructions,cycles --format csv -o "$dir/rows" -- /test/loop >"$out" 2>"$err"
is "follow: exit status" $? 0
of_loop follow "$(column instructions "$dir/rows")"
says "follow: that these are all modes" "'instructions' is counted in all modes"
"$tiptop" -b -i -d 0.05 -e instructions --format csv --record "$dir/recording" -- /test/loop >"$out" 2>"$err"
recorded=$(column instructions "$out")
of_loop --record "$recorded"
"$tiptop" -b -i -e instructions --format csv --replay "$dir/recording" >"$out" 2>"$err"
is "--replay: the same" "$(column instructions "$out")" "$recorded"
"$tiptop" -b -i -d 0.05 -e instructions --metrics "$dir/metrics" -- /test/loop >"$out" 2>"$err"
cp "$dir/metrics" "$out"
of_loop --metrics "$(metric instructions_total)"

# The total of the command is a second counter of the same event. This RISC-V has one: there is none to be had, or the emulator
# leaves it at 0.
"$tiptop" -b -d 0.05 -e instructions -- /test/loop >"$out" 2>"$err"
if [ "$machine" = ppc64le ]; then
	of_loop "the command" "$(awk '$3 == "instructions," { print $2 }' "$out")"
	matches "the command: in all modes" "$(grep ' instructions, ' "$out")" '# +[0-9]+ instructions, in all modes: the PMU can leave none out'
elif [ "$modes" = refused ]; then
	is "the command: unknown, as no counter is left" \
		"$(grep -cE '^# 1 hardware event of the whole command is not counted|^# +\? instructions' "$out")" 2
fi

# An event that can be opened has a number, if it is 0. What cannot be counted is unknown.
case $("$tiptop" --list-events 2>"$err" | awk '$1 == "cache-misses" { print $4 }') in
yes) want=0 ;;
*) want= ;;
esac
"$tiptop" -b -d 0.05 -e instructions,cache-misses --format csv -- /test/loop >"$out" 2>"$err"
is "cache misses: the number of the PMU, or none" "$(cut -d , -f 10 "$out" | sed 1d | sort -u)" "$want"
"$tiptop" -b -d 0.05 -e ref-cycles,page-faults --format csv -- "$work" touch=500 >"$out" 2>"$err"
is "an event that the PMU does not have: exit status, and no number" "$? $(cut -d , -f 9 "$out" | sed 1d | sort -u)" "0 "
says "an event that the PMU does not have" "'ref-cycles'"
within "the other one" "$(column page_faults "$out")" 500 800
finish
