#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Counts of the kernel's own events for programs with known work: page faults, context switches, creations of tasks; in batch
# mode, of processes and threads, by ptrace(2), and in a recording.
# shellcheck source=../../program/lib.sh
. "${srcdir:?}/tests/program/lib.sh"

N=2000 # pages
S=300  # sleeps, each of which is a switch
# Where there is no compiler, the program is there.
sleeps=/test/sleeps
[ -x $sleeps ] || { sleeps=$dir/sleeps && cc -O1 -o "$sleeps" /test/sleeps.c 2>"$err"; } || skip_all "there is no compiler"

# total EVENT: of the command.
total() {
	jq -r "select(.type == \"summary\").events.\"$1\".value" "$out"
}
# column ID FILE: the sum of this column of CSV.
column() {
	awk -F, -v id="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == id) at = i; next } { sum += $at } END { printf "%d\n", sum }' "$2"
}

# Switches happen in the kernel.
kernel=''
[ "$(id -u)" -ne 0 ] || kernel=-K
for options in "" -H --exact; do
	name="batch mode${options:+, $options}"
	# shellcheck disable=SC2086 # words, or none
	"$tiptop" -b -d 0.2 $options -e page-faults --format json -- "$work" touch=$N >"$out" 2>"$err"
	within "$name: page faults" "$(total page-faults)" $N $((N + 300))
	[ "$kernel" ] || continue
	# shellcheck disable=SC2086
	"$tiptop" -b -d 0.2 $options -K -e context-switches --format json -- "$sleeps" $S >"$out" 2>"$err"
	within "$name: context switches" "$(total context-switches)" $S $((S + 60))
done

"$tiptop" follow -fe -T 0 -c page-faults --format csv -o "$dir/rows" -- "$work" touch=$N children=40 >"$out" 2>"$err"
is "follow: exit status, creations and ends" "$? $(grep -c ,fork, "$dir/rows") $(grep -c ,exit, "$dir/rows")" "0 40 41"
"$tiptop" follow -T 0 -c page-faults --format csv -o "$dir/rows" -- "$work" touch=$N >"$out" 2>"$err"
within "follow: page faults" "$(column page-faults "$dir/rows")" $N $((N + 300))

"$tiptop" -b -i -d 0.2 -e page-faults --format json --record "$dir/recording" -- "$work" touch=$N spin=300 touch=$N >"$out" 2>"$err"
recorded=$(total page-faults)
within "--record: page faults" "$recorded" $((2 * N)) $((2 * N + 300))
"$tiptop" -b -i --values total -e page-faults --format json --replay "$dir/recording" >"$dir/replayed" 2>"$err"
is "--replay: the same" "$(jq -r '.rows[]?.values.page_faults // empty' "$dir/replayed" | tail -n 1)" "$recorded"
"$tiptop" what "$dir/recording" >"$out" 2>"$err"
is "what: exit status, and the program" "$? $(grep -c ' work$\| work ' "$out" | sed 's/^[1-9].*/some/')" "0 some"

"$tiptop" -b -i -n 3 -d 0.2 --metrics "$dir/metrics" -p $$ >"$out" 2>"$err"
is "--metrics: exit status, and this shell" "$? $(grep -c '^tiptop_threads{.*} 1$' "$dir/metrics")" "0 1"
# A first page of rows comes at once.
"$tiptop" -b -i -n 1 -S software --format json >"$out" 2>"$err"
within "first rows: all tasks" "$(head -n 1 "$out" | jq '.rows | length')" $(($(find /proc -maxdepth 1 -name '[0-9]*' | wc -l) / 2)) 10000

if [ "$kernel" ]; then
	"$tiptop" follow -K -T 0 -c context-switches --format csv -o "$dir/rows" -- "$sleeps" $S >"$out" 2>"$err"
	within "follow: context switches" "$(column context-switches "$dir/rows")" $S $((S + 60))
else
	"$tiptop" -b -d 0.2 -K -e context-switches -- "$sleeps" 1 >"$out" 2>"$err"
	is "-K: refused in one sentence, with the remedy" "$(grep -c 'perf_event_paranoid is 2: .*perf_event_paranoid=1' "$err")" 1
fi
finish
