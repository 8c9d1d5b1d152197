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
	"$work" $threads name=drowsy report wait $spin report wait <>"$dir/go$i" >"$dir/report$i" &
	worker="$worker $!"
done

# reported N: whether all workers have printed N reports.
reported() {
	[ "$(cat "$dir"/report* | grep -c '^report')" -eq $(($1 * N)) ]
}
await reported 1

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
await reported 2
ok "all workers were awake" $?
before=$(grep -c '^$' "$out")
await refreshed $((before + 2))
kill $monitor
wait $monitor

# Of each worker: its PID, and what it used between its reports; then what the rows say of it.
i=0
for pid in $worker; do
	i=$((i + 1))
	awk -v pid="$pid" '$1 == "report" { print "own", pid, $3 - before; before = $3 }' "$dir/report$i" | tail -n 1
done >"$dir/own"
awk '
	$1 == "own" {
		own[$2] = $3
		n++
	}
	{ sub(/[+-]$/, "", $1) } # the mark of threads
	$NF == "drowsy" && ($1 in own) { shown[$1] += $2 }
	END {
		for (pid in own)
			if (shown[pid] < own[pid] - 1e6 || shown[pid] > own[pid] * 1.02 + 1e6) {
				print "# " pid ": " shown[pid] " ns are shown, and it used " own[pid]
				wrong++
			}
		exit n < '$N' || wrong
	}' "$dir/own" "$out"
ok "the time of each is shown" $?
# shellcheck disable=SC2086 # several processes
kill $worker
finish
