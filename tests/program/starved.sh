#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A task that waits for its CPU longer than a refresh, because of another task: the kernel reports the wait at its end. A
# recording has it in the intervals in which the task waited, with the same sum.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

for tool in chrt taskset; do
	command -v $tool >/dev/null || skip_all "$tool is not installed"
done
[ -e /proc/self/schedstat ] || skip_all "the kernel has no /proc/PID/schedstat"
if "$tiptop" -b -n 1 -d 0.1 --record "$dir/try.db" 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip_all "$(cat "$dir/text")"
fi

file=$dir/r.db hog=
trap '[ -z "$hog" ] || kill -KILL $hog; cleanup' EXIT
cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
# booked: how long the task waited in all, as the kernel has told so far, in ns.
booked() {
	cut -d' ' -f2 "/proc/$worker/schedstat"
}
# has_waited NS: the kernel has booked so much since then.
has_waited() {
	[ $(($(booked) - before)) -gt "$1" ]
}
# sum_of FILE NAME: of what was waited, in s.
sum_of() {
	awk -F, -v name="$2" '$2 == name { s += $1 * $3 / 1000 } END { printf "%.3f\n", s }' "$1"
}

taskset -c "$cpu" chrt -i 0 "$work" spin=600000 &
worker=$!
name=work
"$tiptop" -b -S software -d 0.2 -i -p $worker --record "$file" -o "$dir/shown" >"$out" 2>"$err" &
monitor=$!
await grep -qs " $name" "$dir/shown"
before=$(booked)
taskset -c "$cpu" "$work" spin=600000 &
hog=$!
await has_waited 2000000000
kill $hog
wait $hog 2>/dev/null
hog=
# The last wait has ended, and was read.
after=$(booked)
await has_waited $((after - before - 1))
sleep 1
kill $monitor
wait $monitor 2>/dev/null
monitor=
kill $worker
wait $worker 2>/dev/null
worker=

whole="$dir/whole" later="$dir/later"
replay() {
	"$tiptop" -b -S software --format csv --fields interval_s,name,waitms_s,timestamp,quality --replay "$file" "$@" 2>"$err"
}
booked=$(sqlite3 "$file" "SELECT (max(WAIT_NS) - min(WAIT_NS)) / 1e9 FROM reading_1" 2>/dev/null)
longest=$(sqlite3 "$file" "SELECT max(1.0 * (r.WAIT_NS - p.WAIT_NS) / r.facts_ns) FROM reading_1 r JOIN reading_1 p ON p.id = r.previous" 2>/dev/null)
[ -n "$longest" ] || skip_all "sqlite3 is not installed"
echo "# booked: $booked s, at most $longest times an interval"

replay -i >"$whole"
replay >"$out"
told=$(sum_of "$whole" $name)
# What was waited before the first sample is in no interval, and the first one is marked then.
least=$(awk -F, -v booked="$booked" 'NR == 2 { print $5 ~ /waitms_s:unequal/ ? 0.2 : booked - 0.001; exit }' "$whole")
within "what was waited is what the kernel booked" "$told" "$least" "$(calc "$booked + 0.001")"
is "who waits all the time is not hidden as idle" "$(sum_of "$out" $name)" "$told"
is "no interval has more than it can hold" "$(awk -F, 'NR > 1 && $3 > 1010' "$whole" | wc -l | tr -d ' ')" 0
is "nothing is marked but what began before" "$(awk -F, 'NR > 2 && $5 ~ /waitms_s:unequal/' "$whole" | wc -l | tr -d ' ')" 0
within "whole intervals were waited" "$(awk -F, '$3 > 990 { s += $1 } END { print s + 0 }' "$whole")" 0.2 1000

# From the middle on, and to the middle: as in the whole of it.
middle=$(awk -F, 'NR > 1 { t[NR] = $4 } END { print t[int(NR / 2)] }' "$whole")
replay -i --from "$(echo "$middle" | sed 's/T/ /; s/\..*//')" >"$later"
awk -F, 'NR == FNR { seen[$4] = $3; next } FNR > 2 && seen[$4] != $3 { bad = 1 } END { exit bad || FNR < 3 }' "$whole" "$later"
ok "read from the middle on, intervals have the same waits" $?

"$tiptop" what "$file" >"$out" 2>"$err"
within "what tells the same" "$(sed -n 's/.*time waited for a CPU: [a-z ]*\([0-9.]*\) s.*/\1/p' "$out")" \
	"$(calc "$told - 0.011")" "$(calc "$told + 0.011")"
"$tiptop" compare -S software -c waitms_s --format csv "$file" "$file" >"$out" 2>"$err"
mean=$(awk -F, '$2 == "work" { s += $3; n++ } END { print s / n }' "$whole")
within "compare has the mean of these" "$(awk -F, '$3 == "waitms_s" { print $6 }' "$out")" "$(calc "$mean * 0.99")" "$(calc "$mean * 1.01")"
finish
