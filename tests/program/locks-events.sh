#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks -e: the counts of each lock agree with the work of the program toucher.c while it holds the lock, for an event
# that needs no PMU. tests/vm/guest/locks.sh tests events that need one.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

toucher=${builddir:?}/tests/program/toucher
report=$dir/report
descriptors=1024

# measure FORMAT STEP...
measure() {
	format=$1
	shift
	prlimit --nofile="$descriptors" "$tiptop" locks -e page-faults --format "$format" -o "$report" -- "$toucher" "$@" >"$out" 2>"$err"
}

# sum COLUMN [LOCK]: over all rows of the lock.
sum() {
	awk -F, -v column="$1" -v lock="${2:-touching}" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
	$2 == lock { n += $at; known += $at != "" }
	END { print known ? n : "none" }' "$report"
}

# of KEY: a number of the event in the line about the whole program.
of() {
	sed -n '1s/.*"page-faults":{\([^{]*\).*/\1/p' "$report" | sed 's/.*"'"$1"'":\([^,]*\).*/\1/'
}

[ -r "$builddir/tiptop-locks.so" ] || skip_all "the object was not built"
"$tiptop" -b -n 1 -e page-faults -p $$ 2>/dev/null | grep -q '[0-9]' || skip_all "no page faults are counted here"

# --- what is counted ---
measure csv hold
is "the program ends well" $? 0
is "its faults are those of who holds the lock" "$(sum hold_page-faults) $(sum hold_page-faults_max)" "2000 100"
is "not of who acquires or releases it" "$(sum acquire_page-faults) $(sum release_page-faults)" "0 0"
is "in each of its calls" "$(sum acquire_page-faults_n) $(sum hold_page-faults_n) $(sum release_page-faults_n)" "20 20 20"
measure json hold
is "and of its threads, in the same state" "$(of holding)" 2000
within "those outside are in the other one" "$(of free)" 2000 2200
is "all states are what is counted" "$(of count)" "$(($(of waiting) + $(of holding) + $(of free) + $(of own)))"
is "which is read by system calls, and said" "$(of threads_by_system_call) $(of threads_without) $(of reason)" "1 0 null"
measure csv threads
is "threads have counters of their own" "$? $(sum hold_page-faults) $(sum hold_page-faults_max)" "0 4000 100"
"$tiptop" locks --children -e page-faults --format csv -o "$report" -- "$toucher" hold fork >"$out" 2>"$err"
is "a child has, too" "$? $(awk -F, '$2 == "touching" { n[$1]++ } END { print length(n) }' "$report") $(sum hold_page-faults)" "0 2 2100"
measure csv fork
is "but where it is not measured, nothing is" "$? $(sum hold_page-faults)" "0 none"

# --- signals: what comes amid the writing may be unknown, and then it is in no sum ---
measure csv handlers
is "each acquisition of a handler is there" "$? $(sum acquisitions in_handler)" "0 200"
n=$(sum hold_page-faults_n in_handler)
within "what some counted is known" "$n" 1 200
is "and exact" "$(sum hold_page-faults in_handler) $(sum hold_page-faults_max in_handler)" "$((100 * n)) 100"
measure json handlers
is "all states are what is counted, with handlers, too" "$? $(of count)" "0 $(($(of waiting) + $(of holding) + $(of free) + $(of own)))"
within "which is all that they have touched" "$(of count)" 20000 21000

# --- two reports ---
measure json hold
cp "$report" "$dir/a"
measure json hold threads
"$tiptop" compare --event page-faults --rows 0 --format csv "$dir/a" "$report" >"$out" 2>"$err"
is "compare: what an event counted" "$? $(cat "$err") $(awk -F, '$1 == "touching" && $4 == "hold" { a += $6 * $7; b += $9 * $10; } END { print a, b }' "$out")" \
	"0  2000 6000"
is "in place of times" "$(awk -F, 'NR > 1 && $5 == "ns"' "$out")" ""
"$tiptop" compare -e cycles "$dir/a" "$report" >"$out" 2>"$err"
is "one that was not counted" "$? $(cat "$err")" "2 tiptop: --event: '$dir/a' has not counted 'cycles', but 'page-faults'"

# --- descriptors ---
descriptors=64
measure csv threads
is "where descriptors are few, the program has its own" "$? $(sum acquisitions)" "0 40"
n=$(sum hold_page-faults_n)
within "some threads have none" "$n" 1 39
is "and what is counted is exact" "$(sum hold_page-faults)" $((100 * n))
measure json threads
is "as is said" "$(of threads_without) $(of reason)" "$((40 - n)) \"no descriptor was left for it: raise the limit (ulimit -n)\""
measure csv close
is "a program that closes all has what it opens there" $? 0
is "and counts are not known from then on" "$(sum acquisitions) $(sum hold_page-faults)" "20 none"

# --- while it runs ---

# totals: of all rows of `touching`, by their last lines: @acquire, @hold, @release. Compilers put callers into others.
totals() {
	awk -F, '
	/^time/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ row = $at["name"] ("caller" in at ? $at["caller"] : ""); acquire[row] = $at["page_faults_acquire"]; hold[row] = $at["page_faults_hold"]
	  release[row] = $at["page_faults_release"]; touching[row] = $at["name"] == "touching" }
	END { for (row in touching) if (touching[row]) { a += acquire[row]; h += hold[row]; r += release[row] }; print a + 0, h + 0, r + 0 }' "$out"
}
"$tiptop" locks --live -b -e page-faults --format csv --values total -d 0.05 --record "$dir/live.db" -o "$out" -- "$toucher" hold threads 2>"$err"
is "live: what is counted while it is held, and released" "$? $(totals | cut -d " " -f 2-)" "0 6000 0"
within "live: and while it is acquired" "$(totals | cut -d " " -f 1)" 0 200
kept=$(totals)
"$tiptop" -b -i -e page-faults@acquire,page-faults@hold,page-faults@release --replay "$dir/live.db" --group lock --format csv \
	--values total -o "$out" 2>"$err"
is "live: a recording has the same" "$? $(totals)" "0 $kept"
is "live: of which no summary is missed" "$(cat "$err")" ""
"$tiptop" -b -n 1 -d 0.1 -e page-faults@hold -p $$ >"$out" 2>"$err"
is "tasks have no phases, which is said" "$(grep -c "'page-faults@hold' is counted in rows of locks only" "$err")" 1

# --- what cannot be counted ---
"$tiptop" locks -e no-such-event -- "$toucher" hold >"$out" 2>"$err"
is "an unknown name" "$? $(grep -c no-such-event "$err")" "2 1"
"$tiptop" locks -e page-faults,a,b,c,d,e,f,g,h -- "$toucher" hold >"$out" 2>"$err"
is "too many events" $? 2
"$tiptop" locks -e software/config=0x77/ -- "$toucher" hold >"$out" 2>"$err"
is "an event that the kernel refuses is none, and the times are there" \
	"$? $(grep -c '^#   software/config=0x77/: -$' "$out") $(grep -c '^touching ' "$out")" "0 1 1"
finish
