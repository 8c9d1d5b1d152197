# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Counts of programs with threads: created after the attach, before it, and each thread separately.
. ./lib.sh
turns=5000000 # of 2 instructions, for each thread

# thread_id N: of the thread named spinN.
thread_id() {
	basename "$(dirname "$(grep -lx "spin$1" "/proc/$worker/task"/*/comm)")"
}

# Four threads born after the attach, gone before the next refresh.
worker ./threads late $turns
monitor -i $exact -d 1 -n 4 -p "$worker"
sleep 1.7
feed
wait $tiptop
work=$((4 * 2 * turns))
within "threads born after the attach: the process has their counts" "$(last "$worker" 3)" $work "$(calc "$work * 1.001")"
is "threads born after the attach: one row" "$(awk 'NF == 4' "$out" | grep -c threads)" 4
worker_end

# The same, at work during many refreshes, so that tiptop finds them in /proc: counted once, not twice.
worker ./threads late 50000000
monitor -i $exact -d 0.05 -n 30 -p "$worker"
sleep 0.52
feed
wait $tiptop
work=$((4 * 2 * 50000000))
within "threads seen at work: counted once" "$(last "$worker" 3)" $work "$(calc "$work * 1.001")"
within "threads seen at work: the increments add up" "$(sum "$worker" 2)" $work "$(calc "$work * 1.001")"
worker_end

# Four threads that exist at the attach.
worker ./threads early $turns
monitor -i $exact -d 1 -n 4 -p "$worker"
sleep 1.7
feed
wait $tiptop
work=$(((1 + 2 + 3 + 4) * 2 * turns))
within "threads from before the attach: the process has their counts" "$(last "$worker" 3)" $work "$(calc "$work * 1.001")"
has "threads from before the attach: the process is marked with +" "$out" "^ *$worker\\+"
worker_end

# Each thread for itself.
worker ./threads early $turns
tids="$(thread_id 1) $(thread_id 2) $(thread_id 3) $(thread_id 4)"
monitor -i -H $exact -d 1 -n 4 -p "$worker"
sleep 1.7
feed
wait $tiptop
total=$(last "$worker" 3) i=0
for tid in $tids; do
	i=$((i + 1))
	work=$((i * 2 * turns))
	within "-H: thread $i has its own counts" "$(last "$tid" 3)" $work "$(calc "$work + 0.001 * 2 * $turns")"
	total=$((total + $(last "$tid" 3 | grep -x '[0-9]*' || echo 0)))
done
work=$(((1 + 2 + 3 + 4) * 2 * turns))
within "-H: the rows add up to the process" "$total" $work "$(calc "$work * 1.001")"
within "-H: the leader has no other thread's counts" "$(last "$worker" 3)" 0 "$((turns / 100))"
has "-H: a thread is marked with -" "$out" "^ *$(echo "$tids" | cut -d ' ' -f 1)-"
worker_end
