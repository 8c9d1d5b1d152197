#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The second CPU goes offline and comes back while tasks, CPUs and a command are measured.
# shellcheck source=../../program/lib.sh
. "${srcdir:?}/tests/program/lib.sh"

switch=/sys/devices/system/cpu/cpu1/online
[ -w $switch ] || skip_all "this kernel cannot switch a CPU off"
trap 'echo 1 >$switch; cleanup' EXIT

"$work" duty=100:1000000 &
worker=$!
"$tiptop" -b -i -d 0.2 -e task-clock,page-faults --format json -p $worker >"$dir/tasks" 2>"$dir/tasks.err" &
tasks=$!
"$tiptop" -b -H -i -d 0.2 -S software --format json -p 1 >"$dir/threads" 2>"$dir/threads.err" &
threads=$!
"$tiptop" system -S cpus --spread all --format json 0.2 >"$dir/cpus" 2>"$dir/cpus.err" &
cpus=$!
"$tiptop" system --raw -n -c page-faults 0.2 >"$dir/raw" 2>"$dir/raw.err" &
raw=$!
monitor="$tasks $threads $cpus $raw"

# more FILE N: it has N lines more than when this was begun.
more() {
	more_from=$(wc -l <"$dir/$1")
	more_want=$((more_from + $2))
	await grown "$1"
}
grown() { [ "$(wc -l <"$dir/$1")" -ge $more_want ]; }
# of_cpu N: how many of the rows of the last refreshes are of this CPU with a number.
of_cpu() {
	tail -n 3 "$dir/cpus" | jq -r '.rows[]? | select(.values.busy != null) | .name' 2>"$dir/text" | grep -c "$1\$"
}
numbers() { [ "$(of_cpu 1)" -ge 1 ]; }
no_numbers() { [ "$(of_cpu 1)" -eq 0 ]; }

await numbers
ok "both CPUs have lines" $?
for round in 1 2; do
	echo 0 >$switch
	is "off $round: one CPU is left" "$(getconf _NPROCESSORS_ONLN)" 1
	await no_numbers
	ok "off $round: its lines have no number" $?
	more tasks 3
	ok "off $round: tasks are still shown" $?
	within "off $round: and counted" "$(tail -n 1 "$dir/tasks" | jq '.rows[0].values.task_clock > 0' | sed 's/true/1/')" 1 1
	"$tiptop" -b -d 0.2 -e page-faults --format json -- "$work" touch=1000 >"$out" 2>"$err"
	within "off $round: a new command is counted" "$(jq -r 'select(.type == "summary").events."page-faults".value' "$out")" 1000 3000
	echo 1 >$switch
	await numbers
	ok "on $round: its lines are back" $?
	more raw 6
	ok "on $round: raw lines go on" $?
done
for pid in $tasks $threads $cpus $raw; do
	kill -TERM $pid
	wait $pid 2>"$dir/text"
	statuses="${statuses-} $?"
done
monitor=''
is "all end as they are told" "$statuses" " 143 143 143 143"
is "no interval of a task is unknown" "$(jq '[.rows[]? | select(.values.task_clock == null)] | length' "$dir/tasks" | sort -u)" 0
is "nothing was negative, or more than two CPUs" \
	"$(jq '[.rows[]? | select(.name | test("[01]$")) | .values.busy | select(. != null and (. < 0 or . > 100.5))] | length' "$dir/cpus" | sort -u)" 0
is "and nothing was said" "$(cat "$dir"/*.err)" ""
finish
