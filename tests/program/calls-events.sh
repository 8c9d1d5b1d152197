#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop calls -e: the counts of each call in user mode and in the kernel agree with the work of the program toucher.c, for
# an event that needs no PMU.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

toucher=${builddir:?}/tests/program/toucher
report=$dir/report

# measure FORMAT STEP...
measure() {
	format=$1
	shift
	"$tiptop" calls -e page-faults --format "$format" -o "$report" -- "$toucher" "$@" >"$out" 2>"$err"
}

# cell NAME COLUMN...: of a line, by its name.
cell() {
	awk -F, -v name="$1" -v columns="$2" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	$3 == name { n = split(columns, c, " "); for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") $at[c[i]]; print line }' "$report"
}

[ -r "$builddir/tiptop-calls.so" ] || skip_all "the object was not built"
"$tiptop" -b -n 1 -e page-faults -p $$ 2>/dev/null | grep -q '[0-9]' || skip_all "no page faults are counted here"

both="page-faults_user page-faults_kernel"
measure csv calls
is "the program ends well" $? 0
is "what memset() does is the user's" "$(cell memset "$both")" "100 0"
is "in each call" "$(cell memset page-faults_user_mean)" 100.000
is "what the kernel does for read() is its own" "$(cell read "$both")" "0 100"
is "what qsort() calls is within it" "$(cell qsort "$both")" "100 0"
is "the first event is that of the columns user and kernel" "$(cell read "user kernel") $(cell memset "user kernel")" "0 100 100 0"
user=$(cell user page-faults_user) kernel=$(cell kernel page-faults_kernel)
is "all of it is the user's or the kernel's" "$(cell user "$both") $(cell kernel "$both")" "$user   $kernel"
is "and the program's or the library's" \
	"$(($(cell program page-faults_user) + $(cell library page-faults_user))) $(($(cell program page-faults_kernel) + $(cell library page-faults_kernel)))" "$user $kernel"
is "which is all functions" "$(awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	$2 == "call" { n += $at["page-faults_user"]; k += $at["page-faults_kernel"] }
	END { print n + 0, k + 0 }' "$report")" "$(cell library "$both")"
measure csv hold threads
is "threads have counters of their own" "$? $(($(cell program page-faults_user) >= 12000))" "0 1"
measure csv handlers
is "each call of a handler is there" "$? $(cell memset calls)" "0 200"
faults=$(cell memset page-faults_user)
within "what it counted is its own, unless it came amid the writing" "$faults" 100 20000
is "as a whole" "$((faults % 100)) $(cell memset page-faults_kernel)" "0 0"
within "and all of it is the program's or the library's" "$(($(cell program page-faults_user) + $(cell library page-faults_user)))" 20000 21000
measure json calls
is "JSON has the same" "$? $(grep -c '"name":"read".*"user":0,"kernel":100,"events":{"page-faults":{"user":{"count":0,"mean":0,"share":0},"kernel":{"count":100,' "$report")" "0 1"
is "and how it was read" "$(grep -c '"page-faults":{"user":{"count":[0-9]*,"measuring_each":[0-9.]*,"threads_without":0,"threads_in_user_space":0,"threads_by_system_call":1,"threads_in_all_modes":0,"reason":null,"reason_id":null}' "$report")" 1
for by in "" "--event=page-faults"; do
	"$tiptop" compare ${by:+"$by"} --rows 0 --format csv "$report" "$report" >"$out" 2>"$err"
	is "compare${by:+ $by}: what each call counted in each mode" \
		"$? $(awk -F, '($1 == "memset" || $1 == "read") && $5 == "page-faults" { print $1, $4, $7, $10, $12 }' "$out" | sort | tr '\n' ';')" \
		"0 memset kernel 0.000 0.000 ;memset user 100.000 100.000 0.000;read kernel 100.000 100.000 0.000;read user 0.000 0.000 ;"
done
is "and nothing else by event" "$(awk -F, 'NR > 1 && $5 == "ns"' "$out")" ""
measure text calls
is "text has a table of the event" "$? $(grep -c '^# page-faults of each call$' "$report")" "0 1"
"$tiptop" calls -e cycles --format csv -o "$report" -- "$toucher" calls >"$out" 2>"$err"
if [ -n "$(cell program user)" ]; then
	skip "an event that cannot be counted is unknown" "cycles are counted here"
else
	is "an event that cannot be counted is unknown" "$(cell qsort "calls user kernel cycles_user")" "1   "
fi

# --- while it runs ---

# last NAME: of a row, the totals of its last line, in user mode and in the kernel.
last() {
	awk -F, -v name="$1" '
	/^time/ { for (i = 1; i <= NF; i++) at[$i] = i }
	$at["name"] == name { line = $at["page_faults_u"] " " $at["page_faults_k"] } END { print line }' "$out"
}
"$tiptop" calls --live -b -e page-faults --format csv --values total -d 0.05 --record "$dir/live.db" -o "$out" -- "$toucher" calls 2>"$err"
is "live: the program ends well" $? 0
is "live: each function has its own" "$(last memset), $(last read), $(last qsort)" "100 0, 0 100, 100 0"
"$tiptop" -b -e page-faults:u,page-faults:k --replay "$dir/live.db" --format csv --values total -o "$out" 2>"$err"
is "live: a recording has the same" "$? $(last memset), $(last read), $(last qsort)" "0 100 0, 0 100, 100 0"
"$tiptop" calls --live -b -e page-faults --format csv --values total -d 0.05 -o "$out" -- "$toucher" hold threads 2>"$err"
within "live: threads have counters of their own" "$(last "(program)" | cut -d " " -f 1)" 12000 20000

# --- what is refused ---

for wrong in task-clock page-faults:u no-such-event page-faults,a,b,c,d; do
	"$tiptop" calls -e "$wrong" -- "$toucher" calls >"$out" 2>"$err"
	is "refused: $wrong" "$? $(grep -c -- '^tiptop: --events: ' "$err")" "2 1"
	"$tiptop" calls --live -b -e "$wrong" -- "$toucher" calls >"$out" 2>"$err"
	is "live: refused: $wrong" "$? $(grep -c -- '^tiptop: --events: ' "$err")" "2 1"
done
finish
