# shellcheck shell=dash disable=SC2154 # constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Regions of a running program: their counts are exact, and estimates are marked if the kernel multiplexes.
. ./lib.sh
export LD_LIBRARY_PATH=/test
want=$(awk -v cycles="$((1 << ns_shift))" 'BEGIN { printf "%.2f", 1 / cycles }')

# watch EVENTS: a program with these, and tiptop beside it. The last moments of a program may be too short for an estimate:
# nothing is asked of the row that has them.
watch() {
	TIPTOP_REGIONS=$1 TIPTOP_REPORT=/tmp/report TIPTOP_FORMAT=json ./reads live 3>&- &
	program=$!
	tiptop regions "$program" -b -d 0.2 -n 5 >/tmp/regions 2>"$err" 3>&-
	is "regions: exit status" $? 0
	grep -v 'DEAD$' /tmp/regions >"$out"
	wait "$program"
}

watch instructions,cycles
within "regions: rows of it while it runs" "$(rows "$program" 2 | wc -l)" 2 5
is "regions: instructions per cycle, live" "$(cells "$program" IPC | sed 1d | sort -u)" "$want"
has "regions: its own report is exact" /tmp/report '"instructions":.*"state":"exact".*"cycles":.*"state":"exact"'
rm -f /tmp/report

watch instructions,cycles,r8,r11,r8:uh,r11:uh,instructions:uh,cycles:uh
# Two estimates, of counters that take turns.
is "regions: with more events than counters, an estimate" "$(cells "$program" IPC | sed 1d | awk -v want="$want" '
	{ near = /~$/ && $1 + 0 >= want * 0.98 && $1 + 0 <= want * 1.02 }
	{ print (near ? "near~" : $0) }' | sort -u)" "near~"
has "regions: which its own report says" /tmp/report '"instructions":.*"state":"scaled".*"cycles":.*"state":"scaled"'
