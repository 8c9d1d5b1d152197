# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop system, the machine on a line: the work of its CPU is known, since a loop keeps it busy.
. ./lib.sh
paranoid 0
cpi=$(awk -v n="$((1 << ns_shift))" 'BEGIN { printf "%.2f", n }')

# line FIELD: of all lines between the first header and the last one, behind '#'; marks of counters that take turns go.
line() {
	awk -v header="$1" '/^#/ { if (/^# all/) exit; next }
		{ for (i = 1; i <= NF; i++) if ($i == header) { at = i; next } }
		at { sub(/~$/, "", $at); print $at }' "$out"
}
# busy COMMAND...: while a loop takes all of the CPU. What the monitor itself does goes in, too.
busy() {
	./loop-long &
	loop=$!
	tiptop "$@" >"$out" 2>"$err"
	kill $loop
	wait $loop
}

busy system -u 0.1 3
for value in $(line cpi); do
	is "system: cycles of an instruction, in user mode" "$value" "$cpi"
done
is "system: the number of lines" "$(line cpi | wc -l)" 3
for value in $(line mips); do
	within "system: mips of a known loop" "$value" "$(calc "900 / $cpi")" "$(calc "1000 / $cpi")"
done
busy system 0.1 3
for value in $(line cpi); do
	is "system: cycles of an instruction, in both modes, as the CPU never idles" "$value" "$cpi"
done
within "system: it is busy" "$(line busy | tail -n 1)" 80 110
busy system -k 0.1 2
within "system: a loop does next to nothing in the kernel" "$(line mips | tail -n 1)" 0 "$(calc "100 / $cpi")"

# Raw counts, of modes that add up.
dd if=/dev/zero of=/dev/null bs=1 count=1000000 2>/dev/null &
writer=$!
tiptop system --raw -c instructions:u,instructions:k,instructions:uk 0.1 3 >"$out" 2>"$err"
kill $writer
wait $writer
u=$(awk '$3 == "total" { print $4 }' "$out") k=$(awk '$3 == "total" { print $5 }' "$out")
uk=$(awk '$3 == "total" { print $6 }' "$out")
within "system: a loop of system calls is in the kernel" "$k" "$u" 1000000000
within "system: both modes add up" "$((u + k))" "$((uk - 1000))" "$((uk + 1000))"
is "system: of one CPU" "$(awk '$3 == "total" { print $2 }' "$out")" 1

# A loop from its first to its last instruction.
: >"$out"
tiptop system --raw -n -c instructions 0.05 >"$out" 2>"$err" &
monitor=$!
until grep -q tick "$out"; do
	sleep 0.05
done
./loop-tenth
n=$(wc -l <"$out")
until [ "$(wc -l <"$out")" -gt $((n + 1)) ]; do
	sleep 0.05
done
kill -TERM $monitor
wait $monitor
within "system: all that a program executes is counted, and little else" \
	"$(awk '$3 == "total" { print $4 }' "$out")" "$loop_tenth_all" "$((loop_tenth_all + 200000000))"

paranoid 2
./loop-long &
loop=$!
as_user user1 "tiptop system -u 0.1 2"
kill $loop
wait $loop
has "system: an ordinary user: the sentence" "$err" "^tiptop: CPUs may not be counted, .*kernel.perf_event_paranoid"
is "system: an ordinary user: whose tasks these are" "$(head -n 1 "$out")" \
	"# sums over your own tasks, as CPUs may not be counted"
paranoid 1
