#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Counts of programs with threads: threads that exist at the attach, start later, have ended, or call execve(2).
# shellcheck source=lib.sh disable=SC2086 # options are several words
. "$(dirname "$0")/lib.sh"

reason=$("$work" can-count) || skip_all "$reason"

N=1000 # pages
MS=300 # of CPU time

for conf in "$counters" "$by_thread"; do
	case $conf in
	*by-thread) how="looked at one by one, " ;;
	*) how='' ;;
	esac

	# Threads that were there at the attach, and threads that came later: in the row of the process.
	work_start pool=3 wait report each-touch=$N each-spin=$MS report wait
	watch $conf -d 0.1 -i -p "$worker"
	feed
	look
	watch_end
	faults "${how}threads before: page faults" "$(last "$worker" 2)" $((3 * N)) 3
	cpu_ms "${how}threads before: CPU time" "$(last "$worker" 3)" "$(worked_ms 1 2)"
	is "${how}threads before: how many" "$(last "$worker" 7)" 4
	work_end

	work_start wait report pool=3 each-touch=$N each-spin=$MS report wait
	watch $conf -d 0.1 -i -p "$worker"
	feed
	look
	watch_end
	faults "${how}threads later: page faults" "$(last "$worker" 2)" $((3 * N)) 4
	cpu_ms "${how}threads later: CPU time" "$(last "$worker" 3)" "$(worked_ms 1 2)"
	is "${how}threads later: increments sum up to the total" "$(calc "$(sum "$worker" 4)")" "$(calc "$(last "$worker" 2)")"
	work_end

	# Threads that have ended stay in the total of their process.
	work_start pool=2 wait report each-touch=$N each-spin=$MS end-pool report wait report touch=$N report wait
	watch $conf -d 0.1 -i -p "$worker"
	feed
	look
	faults "${how}ended threads: page faults" "$(last "$worker" 2)" $((2 * N)) 3
	cpu_ms "${how}ended threads: CPU time" "$(last "$worker" 3)" "$(worked_ms 1 2)"
	feed
	look
	watch_end
	faults "${how}ended threads: page faults afterwards" "$(last "$worker" 2)" $((3 * N)) 4
	work_end

	# Threads that were there at the attach start others and end: those are counted, too.
	work_start pool=2 wait hand-over wait report each-touch=$N each-spin=$MS report wait
	watch $conf -d 0.1 -i -p "$worker"
	feed
	look
	before=$(last "$worker" 2) before_ms=$(last "$worker" 3)
	feed
	look
	watch_end
	faults "${how}successors: page faults" $(($(last "$worker" 2) - before)) $((2 * N)) 3
	cpu_ms "${how}successors: CPU time" "$(calc "$(last "$worker" 3) - $before_ms")" "$(worked_ms 1 2)"
	work_end

	# The first thread ends, the others go on.
	work_start wait leave report touch=$N spin=$MS report wait
	watch $conf -d 0.1 -i -p "$worker"
	feed
	look
	watch_end
	is "${how}first thread ended: the process lives" "$(rows "$worker" | grep -c ' DEAD$')" 0
	faults "${how}first thread ended: page faults" "$(last "$worker" 2)" $N 2
	cpu_ms "${how}first thread ended: CPU time" "$(last "$worker" 3)" "$(worked_ms 1 2)"
	work_end

	for before_exec in "pool=1 wait other exec" "wait other exec" "other wait exec" "pool=1 wait leave exec"; do
		work_start $before_exec wait report touch=$N spin=$MS report wait
		watch $conf -d 0.1 -i -p "$worker"
		feed
		look
		before=$(last "$worker" 2) before_ms=$(last "$worker" 3)
		feed
		look
		watch_end
		faults "${how}exec by another thread ($before_exec): page faults" $(($(last "$worker" 2) - before)) $N 1
		cpu_ms "${how}exec by another thread ($before_exec): CPU time" "$(calc "$(last "$worker" 3) - $before_ms")" "$(worked_ms 1 2)"
		work_end
	done
done

# Rows of threads; one that is told to work knows its own share.
work_start pool=2 wait report each-touch=$N each-spin=$MS touch=$N report wait
watch $counters -d 0.1 -i -H -p "$worker"
tids=$(cd "/proc/$worker/task" && echo *)
feed
look
watch_end
total_ms=0
for tid in $tids; do
	faults "rows of threads: page faults of thread $((tid - worker))" "$(last "$tid" 2)" $N 1
	total_ms="$total_ms + $(last "$tid" 3)"
	# The pages take time, too: a virtual machine may have to ask its host for each.
	[ "$tid" = "$worker" ] || within "rows of threads: CPU time of thread $((tid - worker))" "$(last "$tid" 3)" \
		"$(calc "$MS * 0.98")" "$(calc "$(worked_ms 1 2) - 0.98 * $MS + $(stolen_ms)")"
done
cpu_ms "rows of threads: their CPU times sum up to that of the process" "$(calc "$total_ms")" "$(worked_ms 1 2)"
marks=$(awk -v tids=" $tids " 'body { tid = $1; sub(/[+-]$/, "", tid)
	if (index(tids, " " tid " ")) { sub(tid, "", $1); print tid, $1 } } $1 == "PID" { body = 1 }' "$out" | sort -u)
is "rows of threads: + marks the first, - the others" "$(printf '%s\n' "$marks" | cut -d' ' -f2 | tr -d '\n')" "+--"
work_end

work_start wait pool=2 each-touch=$N wait each-touch=$N end-pool wait
watch $counters -d 0.1 -i -H -p "$worker"
feed
look
tids=$(cd "/proc/$worker/task" && echo *)
feed
look
watch_end
for tid in $tids; do
	[ "$tid" = "$worker" ] && continue
	rows "$tid" | tail -n 1 | grep -q ' DEAD$'
	ok "rows of threads: thread $((tid - worker)) came later and is shown as dead" $?
	# It may have been seen amid its first pages, where each takes long.
	within "rows of threads: what it did after it was seen" "$(last "$tid" 2)" $N $((2 * N + SLACK))
done
work_end

# A thread alone.
work_start pool=2 wait each-touch=$N wait
tid=$(cd "/proc/$worker/task" && echo * | cut -d' ' -f2)
watch $counters -d 0.1 -i -H -p "$tid"
feed
look
watch_end
faults "the number of a thread (-p): its row" "$(last "$tid" 2)" $N 1
is "the number of a thread (-p): no other row" "$(awk 'body && NF { print $1 } $1 == "PID" { body = 1 }' "$out" | sort -u)" "$tid-"
work_end

finish
