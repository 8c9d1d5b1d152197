#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Facts from /proc of unusual tasks: in many groups, without their first thread, or ended.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# The list of the groups makes /proc/PID/status longer than a page, and stands before what is read there.
many=$(seq -s , 100001 102000)
as_many="setpriv --groups $many"
if $as_many true 2>"$err"; then
	real_work=$work
	work=$dir/in-groups
	printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$as_many" "$real_work" >"$work"
	chmod +x "$work"
	work_start wait wait
	work=$real_work
	is "many groups: status is longer than a page" "$(wc -c <"/proc/$worker/status" | awk '{ print ($1 > 8192) }')" 1
	watch -S software -d 0.1 -i -p "$worker"
	feed
	look
	watch_end
	rows "$worker" | awk -v waits="$(column VCSW/s)" -v losses="$(column NVCSW/s)" '{ print $waits, $losses }' \
		>"$dir/switches"
	is "many groups: context switches are known" "$(grep -c '[0-9] [0-9]' "$dir/switches") $(grep -c '?' "$dir/switches")" \
		"$(rows "$worker" | wc -l) 0"
	is "many groups: and were counted" "$(awk '$1 > 0 { n++ } END { print (n > 0) }' "$dir/switches")" 1
	work_end

	"$tiptop" --check 2>/dev/null | grep capabilities >"$dir/few"
	$as_many "$tiptop" --check 2>/dev/null | grep capabilities >"$out"
	is "many groups: own capabilities are known" "$(cat "$out")" "$(cat "$dir/few")"
else
	skip "many groups" "setpriv cannot set them: $(cat "$err")"
fi

# The first thread has ended: its process runs on, under the same command line.
work_start leave wait wait
watch -S software -c -d 0.1 -i -p "$worker"
feed
look
watch_end
is "without the first thread: the command line" "$(rows "$worker" | tail -n 1 | awk '{ print $(NF - 2), $(NF - 1), $NF }')" \
	"leave wait wait"
work_end

# A task that has ended keeps the facts of its last complete interval, in this refresh and in the sticky ones.
mkfifo "$dir/input"
"$work" share=20 <"$dir/input" >"$dir/reports" &
worker=$!
exec 3>"$dir/input"
watch -S software -d 0.3 --sticky -p $worker
look
kill -KILL $worker
wait $worker 2>/dev/null
look
look
watch_end
exec 3>&-
rows $worker | grep 'DEAD$' >"$dir/dead"
within "ended: it stays" "$(wc -l <"$dir/dead")" 2 100
is "ended: nothing is unknown" "$(grep -c '?' "$dir/dead")" 0
is "ended: it used a CPU" "$(awk '$2 + 0 <= 0' "$dir/dead" | wc -l)" 0
is "ended: the numbers stay, too" "$(sort -u "$dir/dead" | wc -l)" 1
worker=''

# Two loops on one CPU, stopped before the first reading and before the last one: between these, the kernel's own file has
# grown by what all refreshes have together. A wait that is longer than the interval in which it ends would be cut.
if [ -r /proc/self/schedstat ] && command -v taskset >/dev/null; then
	first=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
	taskset -c "$first" sh -c 'while :; do :; done' &
	rival=$!
	taskset -c "$first" sh -c 'while :; do :; done' &
	worker=$!
	# stopped, running: in which state the loop is.
	stopped() { grep -q '^State:.T' "/proc/$worker/status"; }
	running() { ! stopped; }
	kill -STOP $rival $worker
	await stopped
	# Else the rows of before could be taken for those of this run, until its shell has opened the file.
	: >"$out"
	"$tiptop" -b -S software -d 2 -i -p "$worker" --format csv --fields mono_s,pid,waitms_s >"$out" 2>"$err" &
	monitor=$!
	# lines N: it has N.
	lines() { [ "$(wc -l <"$out")" -gt "$1" ]; }
	await lines 1
	before=$(cut -d ' ' -f 2 "/proc/$worker/schedstat")
	kill -CONT $rival $worker
	await running
	sleep 1
	kill -STOP $rival $worker
	await stopped
	after=$(cut -d ' ' -f 2 "/proc/$worker/schedstat")
	n=$(wc -l <"$out")
	await lines $((n + 1))
	watch_end
	kill -KILL $rival $worker
	wait $rival $worker 2>/dev/null
	# What began before a refresh, and ended after it, is cut to what the interval has.
	awk -F , -v want="$((after - before))" 'NR > 2 { got += $3 * ($1 - last) } { last = $1 }
		END { print got, want / 1e6; exit !(want > 0 && got - want / 1e6 < 0.5 && want / 1e6 - got < want / 1e7) }' "$out" >"$dir/waited"
	ok "time in the run queue: that of schedstat, in ms: $(cat "$dir/waited")" $?
else
	skip "time in the run queue" "there is no schedstat, or no taskset"
fi

finish
