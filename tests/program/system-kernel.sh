#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop system without hardware counters: the screen that is shown, and the kernel's numbers of CPUs, which lie between
# those of /proc before and after.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# first: the names of the columns.
first() {
	awk '!/^#/ { print $1, $2, $3; exit }' "$out"
}
# of_cpus WORD: the sum of this column of /proc/stat over all CPUs, in % of one CPU and seconds.
ticks=$(getconf CLK_TCK)
of_cpus() {
	awk -v column="$1" -v ticks="$ticks" '$1 == "cpu" { print 100 * $column / ticks; exit }' "$2"
}
switches() {
	awk '$1 == "ctxt" { print $2 }' "$1"
}

# With hardware counters nothing changes; without, it is said once why, and which screen is shown.
"$tiptop" system 0.1 2 >"$out" 2>"$err" </dev/null
if ! "$tiptop" --check 2>"$dir/text" | grep -q '^  no   user mode'; then
	is "with hardware counters: the screen" "$(first)" "busy mips bus"
else
	is "without hardware counters: the screen" "$(first)" "busy usr sys"
	is "without hardware counters: one sentence says why, and which screen is shown" \
		"$(grep -c "tiptop: .*: the screen 'cpus' in place of 'har'\$" "$err")" 1
	"$tiptop" system --format csv 0.1 1 >"$out" 2>"$err" </dev/null
	matches "without hardware counters: CSV" "$(head -n 1 "$out")" ".*,busy,usr,sys,idle,iowait,steal,.*waitms_s,quality"
	"$tiptop" system --format json 0.1 1 >"$out" 2>"$err" </dev/null
	matches "without hardware counters: JSON" "$(head -n 1 "$out")" '.*"screen":"cpus",.*"values":\{"busy":[0-9.]*,"usr":.*'
fi
# What is asked for is shown as it is.
for option in "-S har" -r; do
	# shellcheck disable=SC2086 # words
	"$tiptop" system $option 0.1 1 >"$out" 2>"$err" </dev/null
	is "$option: the screen, and nothing of another one" "$(first) $(grep -c "'cpus'" "$err")" "busy mips bus 0"
done

# Times are those of /proc/stat, whatever the permissions.
"$work" touch=40000 touch=40000 &
other=$!
cat /proc/stat >"$dir/before"
"$tiptop" system -S cpus --spread all --format csv 1 1 >"$out" 2>"$err" </dev/null
cat /proc/stat >"$dir/after"
wait "$other"
n_cpus=$(grep -c '^cpu[0-9]' /proc/stat)
# sum COLUMN: over the CPUs, for the whole interval.
sum() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column[name] == "" { unknown = 1 } { n += $column[name] * $column["interval_s"] }
		END { if (unknown) print "unknown"; else printf "%.3f\n", n }' "$out"
}
is "a row for each CPU" "$(sed 1d "$out" | wc -l)" "$n_cpus"
for name in usr=2,3 sys=4,7,8 idle=5 iowait=6 steal=9; do
	bound=0
	for column in $(echo "${name#*=}" | tr , ' '); do
		bound=$(awk -v n="$bound" -v a="$(of_cpus "$column" "$dir/before")" -v b="$(of_cpus "$column" "$dir/after")" \
			'BEGIN { print n + b - a }')
	done
	within "${name%=*}: not more than /proc/stat says before and after" "$(sum "${name%=*}")" 0 "$(awk -v n="$bound" \
		-v cpus="$n_cpus" 'BEGIN { print n + 5 * cpus }')"
done
# A CPU is not busier than 100 %, though ticks of an interval may be more.
within "busy is usr and sys" "$(awk -v busy="$(sum busy)" -v usr="$(sum usr)" -v sys="$(sum sys)" 'BEGIN { print usr + sys - busy }')" \
	-0.01 $((5 * n_cpus))
all=$(awk -v a="$(sum busy)" -v b="$(sum idle)" -v c="$(sum iowait)" -v d="$(sum steal)" 'BEGIN { print a + b + c + d }')
seconds=$(awk -F, 'NR == 2 { print $2 }' "$out")
within "all of the time: $all" "$all" "$(awk -v s="$seconds" -v n="$n_cpus" 'BEGIN { print 100 * s * n * 0.9 }')" \
	"$(awk -v s="$seconds" -v n="$n_cpus" 'BEGIN { print 100 * s * n * 1.1 + 5 * n }')"
if [ -r /proc/schedstat ]; then
	matches "waits in the run queues" "$(sum waitms_s)" "[0-9.]+"
else
	is "waits in the run queues: unknown" "$(sum waitms_s)" unknown
	matches "waits in the run queues: why" "$(grep schedstat "$err")" \
		"tiptop: the time that tasks wait for a CPU is not known: this kernel has no /proc/schedstat .*"
fi

if "$tiptop" --build-info 2>/dev/null | grep -q SQLite; then
	"$tiptop" system -S cpus --record "$dir/cpus.db" --spread all --format csv 0.2 1 >"$dir/shown" 2>"$err" </dev/null
	"$tiptop" -b --replay "$dir/cpus.db" --format csv >"$dir/again" 2>"$err"
	is "a recording has all columns" "$(head -n 1 "$dir/again")" "$(head -n 1 "$dir/shown")"
	is "and their numbers" "$(awk -F, 'NR > 1 { print $6, $9, $11 }' "$dir/again" | sort)" \
		"$(awk -F, 'NR > 1 { print $6, $9, $11 }' "$dir/shown" | sort)"
else
	skip "a recording has all columns" "tiptop was built without SQLite"
fi

# The kernel's own events, where CPUs may be counted.
if [ "$(sum switch_s)" = unknown ]; then
	matches "events that may not be counted: why" "$(cat "$err")" ".*CPUs may not be counted.*"
	finish
fi
# tiptop may lose the CPU between the clock and a counter: then an interval is that much shorter than that of its counts.
within "context switches: not more than /proc/stat says" "$(sum switch_s)" 1 \
	"$((($(switches "$dir/after") - $(switches "$dir/before")) * 21 / 20))"
matches "tasks that moved" "$(sum migr_s)" "[0-9.]+"
"$tiptop" system -u -S cpus --format csv 0.3 1 >"$out" 2>"$err" </dev/null
within "in user mode only: switches, which happen in the kernel, are not 0" "$(sum switch_s)" 1 1000000000
"$tiptop" system -S cpus --format csv 0.1 -- "$work" touch=40000 >"$out" 2>"$err" </dev/null
within "page faults: those of a program are in them" "$(sum fault_s)" 40000 1000000000
finish
