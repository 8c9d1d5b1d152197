#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Hardware counters of a board: a loop of known length, on all ways that tiptop has; and what its PMU does not have.
# shellcheck source=../../program/lib.sh
. "${srcdir:?}/tests/program/lib.sh"

N=200000000 # instructions of the loop

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
# of_loop NAME NUMBER: it is the loop, within 0.2 %.
of_loop() {
	within "$1: the instructions of the loop" "$2" $N $((N + N / 500))
}

"$tiptop" --check >"$out" 2>"$err"
is "--check: exit status" $? 0
grep -E '^ +(ok|no|warn)? +(libpfm4|user mode|and kernel|groups) ' "$out" | sed 's/^/# /'

for options in "" -H --exact; do
	# shellcheck disable=SC2086 # words, or none
	"$tiptop" -b -d 0.05 $options -e instructions,cycles --format json -- /test/loop >"$out" 2>"$err"
	is "batch mode${options:+, $options}: the command's status" $? 0
	of_loop "batch mode${options:+, $options}" "$(total instructions)"
	# Interrupts take more of them: half a percent.
	within "batch mode${options:+, $options}: one cycle for each" "$(total cycles)" $N $((N + N / 200))
done
"$tiptop" -b -d 0.05 --values total -- /test/loop >"$out" 2>"$err"
is "the first screen" "$(sed -n 's/^Screen //p' "$out")" "0: default"
is "the first screen: IPC of the loop" "$(awk '$NF == "DEAD" { print $7 }' "$out")" 1.00
"$tiptop" -b -d 0.05 -S software --format csv -- "$work" touch=500 >"$out" 2>"$err"
is "software: exit status, and lines" "$? $(wc -l <"$out" | sed 's/^[2-9].*/some/')" "0 some"

"$tiptop" follow -T 0 -c instructions,cycles --format csv -o "$dir/rows" -- /test/loop >"$out" 2>"$err"
is "follow: exit status" $? 0
of_loop follow "$(column instructions "$dir/rows")"
"$tiptop" -b -i -d 0.05 -e instructions --format json --record "$dir/recording" -- /test/loop >"$out" 2>"$err"
recorded=$(total instructions)
of_loop --record "$recorded"
"$tiptop" -b -i --values total -e instructions --format json --replay "$dir/recording" >"$out" 2>"$err"
is "--replay: the same" "$(total instructions)" "$recorded"
"$tiptop" -b -i -d 0.05 -e instructions --metrics "$dir/metrics" -- /test/loop >"$out" 2>"$err"
cp "$dir/metrics" "$out"
of_loop --metrics "$(metric instructions_total)"
"$tiptop" locks --format csv -o "$dir/locks" -- "${builddir:?}/tests/program/locker" mutex >"$out" 2>"$err"
is "locks: exit status, and acquisitions" "$? $(column acquisitions "$dir/locks")" "0 $(sed -n 's/^plain //p' "$out")"

# An event that can be opened has a number, if it is 0. What cannot be counted is unknown.
case $("$tiptop" --list-events 2>"$err" | awk '$1 == "cache-misses" { print $4 }') in
yes) want=0 ;;
*) want= ;;
esac
"$tiptop" -b -d 0.05 -e instructions,cache-misses --format csv -- /test/loop >"$out" 2>"$err"
is "cache misses: the number of the PMU, or none" "$(cut -d , -f 10 "$out" | sed 1d | sort -u)" "$want"
"$tiptop" -b -d 0.05 -e instructions,ref-cycles --format json -- /test/loop >"$out" 2>"$err"
is "an event that the PMU does not have: unknown, and said once" "$? $(total ref-cycles) $(grep -c "^tiptop: .*'ref-cycles'" "$err")" "0 null 1"
of_loop "the other one" "$(total instructions)"
finish
