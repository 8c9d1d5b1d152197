#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Processes that were idle for long, whose CPU clocks are no longer read: each wake-up is in the rows, with all of its time.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

N=30
SPIN=4 # ms

cat >"$dir/rc" <<-'C'
	<tiptop><screen name="time" desc="time on a CPU"><column header="           ns" format="%13.0f" expr="delta(CPU_NS)"/></screen></tiptop>
C
# Every second worker has two more threads, which do its work.
for i in $(seq $N); do
	threads='' spin=spin=$SPIN
	[ $((i % 2)) -eq 0 ] || threads=pool=2 spin=each-spin=$SPIN
	mkfifo "$dir/go$i"
	# shellcheck disable=SC2086 # several steps
	"$work" $threads name=drowsy wait $spin wait <>"$dir/go$i" >"$dir/work$i" &
	worker="$worker $!"
done

# Prints for each worker "own PID NS", the CPU time of all its threads.
own_times() {
	for pid in $worker; do
		cat /proc/"$pid"/task/*/schedstat | awk -v pid="$pid" '{ ns += $1 } END { printf "own %d %.0f\n", pid, ns }'
	done
}
# waiting N: whether all workers are in their N-th wait, and sleep.
waiting() {
	[ "$(cat "$dir"/work* | grep -c '^# wait')" -eq $(($1 * N)) ] || return
	own_times >"$dir/own-now"
	sleep 0.05
	own_times | cmp -s - "$dir/own-now"
}
await waiting 1
own_times >"$dir/own-before"

"$tiptop" -W "$dir/rc" --only-conf -b -d 0.05 -p drowsy >"$out" 2>"$err" &
monitor=$!
# refreshed N: whether there were N refreshes; each ends with an empty line.
refreshed() {
	[ "$(grep -c '^$' "$out")" -ge "$1" ]
}
asleep() {
	grep -c 'perf_event' /proc/$monitor/maps
}
all_asleep() {
	[ "$(asleep)" -ge $((2 * N)) ] # an event for each thread
}
await refreshed 30
if [ "$(asleep)" -eq 0 ]; then
	kill $monitor
	wait $monitor
	skip_all "no event of another process can be mapped here"
fi
await all_asleep
ok "all workers are asleep" $?

# A byte wakes a worker.
wake() { # wake FIRST LAST
	for i in $(seq "$1" "$2"); do
		printf x >"$dir/go$i"
		sleep 0.01
	done
}
wake 1 $((N / 2))
before=$(grep -c '^$' "$out")
await refreshed $((before + 5))
wake $((N / 2 + 1)) $N
await waiting 2
ok "all workers were awake" $?
before=$(grep -c '^$' "$out")
await refreshed $((before + 2))
kill $monitor
wait $monitor
own_times >"$dir/own-now"
awk '
	$1 == "own" {
		own[$2] = FILENAME ~ /before/ ? -$3 : own[$2] + $3
		next
	}
	{ sub(/[+-]$/, "", $1) } # the mark of threads
	$NF == "drowsy" && ($1 in own) { shown[$1] += $2 }
	END {
		for (pid in own) {
			n++
			if (shown[pid] != own[pid] || !own[pid]) {
				printf "# %d: %.0f ns are shown, and it used %.0f\n", pid, shown[pid], own[pid]
				wrong++
			}
		}
		exit n != '$N' || wrong
	}' "$dir/own-before" "$dir/own-now" "$out"
ok "the time of each is shown" $?
# shellcheck disable=SC2086 # several processes
kill $worker
finish
