#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Counts are true: the work of a worker is known, and every machine has the kernel's software events.
# shellcheck source=lib.sh disable=SC2086 # $counters are several words
. "$(dirname "$0")/lib.sh"

reason=$("$work" can-count) || skip_all "$reason"

N=1000 # pages
MS=300 # of CPU time

# One thread.
work_start wait report touch=$N spin=$MS report wait
watch $counters -d 0.1 -i -p "$worker"
is "one: nothing is counted while it waits" "$(last "$worker" 2) $(last "$worker" 4)" "0 0"
feed
look
watch_end
faults "one: page faults" "$(last "$worker" 2)" $N 1
is "one: increments of page faults sum up to the total" "$(calc "$(sum "$worker" 4)")" "$(calc "$(last "$worker" 2)")"
cpu_ms "one: CPU time" "$(last "$worker" 3)" "$(worked_ms 1 2)"
within "one: increments of CPU time sum up to the total" "$(calc "$(sum "$worker" 5) - $(last "$worker" 3)")" -0.1 0.1
is "one: it is idle again" "$(last "$worker" 4) $(last "$worker" 5) $(last "$worker" 6)" "0 0.000 0.000"
work_end

# The last counts of a task that has ended.
work_start wait report touch=$N spin=$MS report
watch $counters -d 0.5 -i -p "$worker"
feed
dead=$worker
work_end
# Batch mode ends with the only task that was asked for.
wait $monitor
monitor=''
is "dead: shown so, once" "$(rows "$dead" | grep -c ' DEAD$')" 1
faults "dead: page faults" "$(last "$dead" 2)" $N 2
cpu_ms "dead: CPU time" "$(last "$dead" 3)" "$(worked_ms 1 2)"

# execve(2), by the first thread and by another one, which then becomes the first.
work_start wait touch=$N exec wait report touch=$N report wait
watch $counters -d 0.1 -i -p "$worker"
feed
look
before=$(last "$worker" 2)
within "exec: page faults before and for the new program" "$before" $N $((N + 1000))
is "exec: the new name" "$(rows "$worker" | tail -n 1 | awk '{ print $NF }')" exe
feed
look
watch_end
faults "exec: page faults of the new program" $(($(last "$worker" 2) - before)) $N 1
work_end

# %CPU, on whatever busy machine: who always wants to run either does or waits for a CPU, which the kernel counts, too.
conf_counters "$dir/load" '<column header="   WAIT" format="%7.3f" expr="rate(WAIT_NS) / 1e7"/>
		    <column header="    CLOCK" format="%9.3f" expr="delta(CPU_NS) / 1e6"/>
		    <column header="   RATE" format="%7.3f" expr="rate(CPU_NS) / 1e7"/>'
work_start wait report duty=100:3500 report wait
watch --only-conf -W "$dir/load" -d 1 -i -p "$worker"
feed
look
watch_end
cpu_ms "load: CPU time" "$(last "$worker" 3)" "$(worked_ms 1 2)"
cpu_ms "load: increments of the CPU clock sum up to that, too" "$(sum "$worker" 9)" "$(worked_ms 1 2)"
if [ "$(last "$worker" 8)" = "?" ]; then
	skip "load: %CPU and waiting" "this kernel does not tell how long a task waits for a CPU"
else
	# Not the intervals in which it began and ended. What a host has taken away is neither.
	busy=$(rows "$worker" | awk '$6 > 0 { v[++n] = $6 + $8 } END { for (i = 2; i < n; i++) print v[i] }' | head -n 1)
	within "load: %CPU and waiting are 100 %" "$busy" "$(calc "92 - $(stolen_ms) / 10")" 108
fi
is "load: %CPU is the rate of the CPU clock" \
	"$(rows "$worker" | awk '($6 - $10) ^ 2 > 1e-5 { print $6, $10 }')" ""
work_end

finish
