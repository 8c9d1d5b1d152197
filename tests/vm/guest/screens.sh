# shellcheck shell=dash disable=SC2154 # constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each built-in screen: those that are listed work, the others give the reason why not.
. ./lib.sh

tiptop --list-screens >"$out" 2>"$err"
sed -n "s/^ *\([0-9]*\): '\([^']*\)'.*/\1 \2/p" "$out" >/tmp/screens
is "screens: those for this CPU" "$(cut -d ' ' -f 2 /tmp/screens | tr '\n' ' ')" \
	"default branch memory stalls frontend fp system software tasks why "

while read -r number name; do
	tiptop -b -i -S "$number" -d 0.2 -n 2 >"$out" 2>"$err"
	is "screens: $name: exit status" $? 0
	has "screens: $name: it is this one" "$out" "^Screen $number: $name\$"
	is "screens: $name: two refreshes, with tasks" "$(grep -c ' init$' "$out")" 2
	text=
	[ "$name" != why ] || text="|[a-zA-Z/?]+"
	[ "$name" != tasks ] || text="|root|[A-Z]|[0-9]+:[0-9.]+'?|[0-9.]+[KMG]'?"
	is "screens: $name: no cell without a number or a mark" \
		"$(awk '/ init$/' "$out" | sed 's/ init$//' | tr -s ' ' '\n' | grep -Evx -- "|-?[0-9]+(\.[0-9]+)?'?|[-?]$text")" ""
	is "screens: $name: no other complaint than what this machine lacks" \
		"$(grep -Ev "^tiptop: (this machine has no hardware counter for '[^']+' \(ENOENT\)|'r3' cannot be counted: this PMU does not implement event 0x03 \(L1D_CACHE_REFILL\))\$" "$err")" ""
done </tmp/screens

# Their columns, of a program that executes instructions and nothing else: one in each cycle, of 1 ns.
# shown SCREEN HEADER WANT
shown() {
	if [ "$1" != "$screen" ]; then
		screen=$1
		tiptop -b --safe-names -S "$1" -d 0.04 -- ./loop-tenth >"$out" 2>"$err"
		pid=$(pid_of loop-tenth)
	fi
	is "screens: $1, $2" "$(cells "$pid" "$2" | sed -n 2p)" "$3"
}
screen=none
shown default IPC 1.00
shown default %MISS '?'
# QEMU implements no event of caches and TLBs, which is not 0: one column says so, the others are left out.
shown memory L1MPKI '?'
shown memory L2MPKI ''
shown memory LLMPKI ''
shown memory dTLBPKI ''
shown stalls IPC 1.00
shown stalls %BE 0.0
shown frontend IPC 1.00
# QEMU counts neither BR_RETIRED nor BR_MIS_PRED_RETIRED, which is not 0.
shown frontend BRMPKI "?"
shown frontend iTLBPKI ''
shown frontend %FE 0.0
shown fp %VFP 0.0
shown why IPC 1.00
shown why LLMPKI ''
shown fp %ASE 0.0
shown system FAULT/s 0.0
within "screens: system, GHz" "$(cells "$pid" GHz | sed -n 2p)" 0.98 1.01
within "screens: system, %KERN" "$(cells "$pid" %KERN | sed -n 2p)" 0 2

# Those for other CPUs.
for name in imix FP uOps topdown flops_dp flops_sp fetch memops walks simd numa; do
	tiptop -b -n 1 -S $name >"$out" 2>"$err"
	is "screens: $name: exit status" $? 2
	has "screens: $name: a sentence says why" "$err" "^tiptop: the screen '$name' cannot be shown here: .*(Intel|Arm)"
done
