# shellcheck shell=dash disable=SC2154 # constants come from lib.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks --kernel on this kernel, as an ordinary user: a command and a process that runs, with the numbers that the
# program counted; and by the level of perf_event_paranoid.
. ./lib.sh
mount -t tracefs tracefs /sys/kernel/tracing
mkdir -p /run/tiptop
for point in /sys/kernel/tracing/events/syscalls/sys_*_futex*; do
	echo "syscalls:${point##*/} $(cat "$point/id")"
done >/run/tiptop/tracepoints
echo "# kernel $(uname -r): $(tr '\n' ' ' </run/tiptop/tracepoints)"
echo x >/tmp/line
cat >/tmp/counts <<'END'
<tiptop><screen name="counts" rows="lock" idle="yes">
<column header="ACQ" format="%8.0f" expr="delta(ACQUISITIONS)" desc="acquisitions"/>
<column header="REL" format="%8.0f" expr="delta(RELEASES)" desc="wakes"/>
</screen></tiptop>
END

# sums FILE ACQUISITIONS WAKES: of the futex of the orders, in these columns.
sums() {
	awk -F, -v a="$2" -v w="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["name"] == "orders" { acquired += $at[a]; woken += $at[w] }
		END { print acquired + 0, woken + 0 }' "$1"
}

paranoid 2
as_user user1 "tiptop locks --kernel --format csv -o /tmp/futexes -- ./futexes 500 </tmp/line"
is "locks --kernel: exit status" $? 0
is "locks --kernel: all waits and wakes" "$(sums /tmp/futexes acquisitions wakes)" "$(cat "$out")"
rm -f /tmp/futexes

worker su user1 -c "exec /test/futexes 500 >/tmp/said"
as_user user1 "tiptop locks --live --kernel -b -d 1 -W /tmp/counts --only-conf -S counts --format csv --fields name,acq,rel -o /tmp/shown $worker" &
monitor=$!
sleep 1.5
echo >&3
wait $monitor
is "locks --live --kernel: it ends with the process" $? 0
read -r woken wakes </tmp/said
is "locks --live --kernel: all but the wait that had begun" "$(sums /tmp/shown acq rel)" "$((woken - 1)) $wakes"
has "locks --live --kernel: which is told" "$err" 'in a call of futex.2. when tiptop attached'
worker_end

paranoid 3
as_user user1 "tiptop locks --kernel -- ./futexes 5 </tmp/line"
is "level 3: exit status" $? 1
has "level 3: cause and remedy" "$err" '^tiptop: .*perf_event_paranoid is 3.*perf_event_paranoid=2'
worker su user1 -c "exec /test/futexes 5 >/tmp/said"
as_user user1 "tiptop locks --live --kernel -b -n 1 $worker"
is "level 3, a process that runs: exit status" $? 1
has "level 3, a process that runs: cause and remedy" "$err" '^tiptop: .*perf_event_paranoid is 3.*perf_event_paranoid=2'
echo >&3
worker_end
./tiptop locks --kernel --format csv -o /tmp/futexes -- ./futexes 500 </tmp/line >"$out" 2>"$err"
is "level 3: root is not affected" "$(sums /tmp/futexes acquisitions wakes)" "$(cat "$out")"
