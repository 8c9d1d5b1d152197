#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks: the counts of locks shared by processes, and of waits with a timeout, agree with the report of the program
# sharer.c.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

sharer=${builddir:?}/tests/program/sharer
report=$dir/report

# measure FORMAT STEP [OPTION...]: the program's words are in $out then, its report in $report.
measure() {
	format=$1 step=$2
	shift 2
	"$tiptop" locks --children --format "$format" -o "$report" "$@" -- "$sharer" "$step" >"$out" 2>"$err"
}

# counts STEP [OPTION...]: each process has acquired what it says, and has failed so often, as told by their callers.
counts() {
	measure csv "$@"
	is "$1: the program ends well" $? 0
	LC_ALL=C sort "$out" >"$dir/said"
	awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	NR == FNR {
		if (NR > 1) {
			sub(/[^a-z0-9_].*/, "", $at["caller"]) # a compiler may have added to it
			key = $at["pid"] " " $at["caller"] " " $at["kind"]
			acquired[key] += $at["acquisitions"]
			failed[key] += $at["failed"]
		}
		next
	}
	{ split($0, word, " "); key = word[1] " " word[2] " " word[3]; print key, acquired[key] + 0, failed[key] + 0 }' \
		"$report" "$dir/said" >"$dir/counted"
	is "$1: what each process did" "$(cat "$dir/counted")" "$(cat "$dir/said")"
}

own_tables
[ -r "$builddir/tiptop-locks.so" ] || skip_all "the object was not built"

# --- two processes and their locks ---
counts shared
is "each has a table of its own" "$(tail -n +2 "$report" | cut -d, -f 1 | sort -u | grep -c .)" 2
counts robust
measure json robust
is "a process that dies with a mutex has not released it" "$(grep -c '"type":"locks".*"held":1,' "$report")" 2

# --- until a time ---
counts timed

# --- many threads ---
counts crowd
for option in "" "-e page-faults"; do
	# shellcheck disable=SC2086 # two words
	measure json crowd $option
	is "1000 threads at the same time $option: the program ends well" $? 0
	is "all of them are known $option" \
		"$(sed -n '1s/.*"threads":\([0-9]*\),"dynamic":\([0-9]*\),.*"threads_left_out":\([0-9]*\).*/\1 \2 \3/p' "$report")" "1001 2000 0"
done
is "each counts, or is said not to" "$(sed -n '1s/.*"threads_without":\([0-9]*\),"threads_in_user_space":\([0-9]*\),"threads_by_system_call":\([0-9]*\).*/\1 \2 \3/p' "$report" |
	awk '{ print $1 + $2 + $3 }')" 1001
finish
