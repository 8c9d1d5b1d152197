#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The benchmark works with small loads, and the numbers that do not depend on the machine stay small: system calls,
# descriptors, memory. Times are not checked.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v bash >/dev/null || skip_all "bash is not installed"
# They trace themselves and allocate in their own way.
! grep -q __asan_init "$tiptop" || skip_all "what a build with sanitizers takes says nothing"
bench=${srcdir:?}/bench/run
json=$dir/result

# It ends what it has started when it is told to.
TIPTOP=$tiptop "$bench" --small --json "$json" >"$out" 2>"$err" &
running=$!
trap 'kill $running 2>/dev/null; wait $running; cleanup' EXIT
wait $running
status=$?
trap cleanup EXIT
[ $status -ne 3 ] || skip_all "$(tail -n 1 "$err" | sed 's/^bench: //')"
is "exit status" "$status $(grep failed "$err")" "0 "

# value ROW: the median of this row, one on a line.
value() {
	sed -n "s/.*{\"row\": \"$1\", .*\"value\": {[^}]*\"median\": \([-0-9.e+]*\),.*/\1/p" "$json"
}
# measured SET TOOL METRIC
measured() {
	sed -n "s/.*{\"set\": \"$1\", \"metric\": \"$3\", \"tool\": \"$2\", .*\"median\": \([-0-9.e+]*\),.*/\1/p" "$json"
}

"$bench" --only list | cut -d' ' -f2 >"$dir/rows"
is "each row is in the JSON, in its order" "$(sed -n 's/.*{"row": "\([^"]*\)".*/\1/p' "$json" | tr '\n' ' ')" "$(tr '\n' ' ' <"$dir/rows")"
command -v strace >/dev/null && missing=/ || missing='^syscalls\|^opened'
[ -x "$builddir/bench/recording" ] || missing="$missing\|record\|^rea\|^rep\|^jump\|^what\|^long"
if grep -q '^Left out: groups, ' "$out"; then
	skip "a load in control groups" "$(sed -n 's/^Left out: groups, [^:]*: //p' "$out")"
	missing="$missing\|^groups"
fi
is "each row has a value" "$(grep -v "$missing" "$dir/rows" | while read -r row; do
	[ -n "$(value "$row")" ] || printf '%s ' "$row"
done)" ""
is "the JSON is well-formed" "$(tr -d '\n' <"$json" | sed 's/"[^"]*"//g; s/[^][{}]//g
	:again
	s/\[\]//g
	s/{}//g
	t again')" ""
is "the table has each row" "$(awk '/^Targets/ { n = 0; inside = 1; next } inside && !NF { exit } inside { n++ } END { print n - 1 }' "$out")" \
	"$(wc -l <"$dir/rows")"
within "a refresh was measured" "$(measured few "tiptop -b" refresh_us)" 1 10000000

# What is countable: 100 and 1,000 processes, a screen with four counters.
if command -v strace >/dev/null; then
	within "system calls of a refresh, per idle process" "$(value syscalls-process)" 0.9 1.2
	within "system calls of a refresh, per idle thread" "$(value syscalls-thread)" -0.01 0.05
	within "counters opened per process" "$(value opened)" 1 4
else
	skip "system calls of a refresh" "strace is not installed"
fi
within "descriptors per process" \
	"$(calc "($(measured many "tiptop -b" fds) - $(measured few "tiptop -b" fds)) / 900")" 0 4.01
is "rows without counters, when descriptors run short" "$(value descriptors-busy)" 0
if [ -x "$builddir/bench/recording" ]; then
	within "bytes of a reading in a recording" "$(value reading-bytes)" 20 120
else
	skip "bytes of a reading in a recording" "there is no bench/recording: it is built with SQLite"
fi
within "increments that are kept of each of 500 running tasks" "$(value past-increments)" 900 1000
within "KiB of the past of 10,000 tasks" "$(value past-memory)" 1000 65536
# Those 900 have counters; without any it is 300. Pages that happen to be taken make it 1,060 to 1,250; on a busy machine
# the two runs may differ more in them than by the processes: then they are made again.
slope=$(value memory-slope)
for _ in 1 2; do
	awk "BEGIN { exit !($slope >= 1 && $slope <= 1400) }" && break
	TIPTOP=$tiptop "$bench" --small --only memory-slope --json "$json" >"$out" 2>"$err"
	slope=$(value memory-slope)
done
within "memory for one process more, in bytes" "$slope" 1 1400

# A run that goes on measures nothing twice, and only under the same conditions.
TIPTOP=$tiptop "$bench" --small --only empty --resume "$dir/kept" --json "$dir/first" >"$out" 2>"$err"
is "the row is printed once it is measured" "$? $(grep -c '^  empty: .* ms; target <= ' "$err")" "0 1"
TIPTOP=$tiptop "$bench" --small --only empty --only start-screens --resume "$dir/kept" --json "$dir/second" >"$out" 2>"$err"
is "going on: what is there is not measured again" "$? $(grep -cx 'bench: empty' "$err"),$(grep -cx 'bench: start-screens' "$err")" "0 0,1"
is "going on: its numbers are the same" "$(grep '"row": "empty"' "$dir/second" | sed 's/,$//')" "$(grep '"row": "empty"' "$dir/first")"
TIPTOP=$tiptop "$bench" --small --runs 2 --only empty --resume "$dir/kept" >"$out" 2>"$err"
is "going on: not with another number of runs" "$? $(grep -c 'was measured under other conditions: small yes, runs 1' "$err")" "2 1"

# Two builds beside each other.
beside=${srcdir:?}/bench/beside
if command -v taskset >/dev/null; then
	PROCESSES=10 REFRESHES=3 DELAY_MS=100 "$beside" "$tiptop" "$tiptop" 2 >"$out" 2>"$err"
	is "beside: a row for each way to run" "$? $(tail -n +2 "$out" | cut -c 1-10 | sed 's/ *$//' | tr '\n' ',')" "0 -b,-b -i,-b -H,live,live -i,"
else
	skip "beside: a row for each way to run" "taskset is not installed"
fi
finish
