#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Real programs with a single kind of work each, and the verdict for it, from /proc, with counters or without. The machine
# may be busy: that a task also waits for a CPU is not an error.
. "$(dirname "$0")/lib.sh"

# explain PID [OPTION...]: what is said of this task in the second refresh.
explain() {
	pid=$1
	shift
	"$tiptop" --explain-verdict -i -p "$pid" -d 0.5 -n 2 "$@" >"$out" 2>"$err"
	awk -v pid="$pid" '/^[A-Z][a-z][a-z] [A-Z][a-z][a-z] / { n++; shown = 0 }
		/^[0-9]+ / { shown = n == 2 && $1 == pid } shown' "$out" >"$dir/said"
}
# rules: the names of the rules that were found, the first one first.
rules() {
	sed -n 's/^  rule  *\([a-z0-9-]*\): .*/\1/p' "$dir/said"
}

# The rules of a task that waits for a CPU: with the pressure of its control group, others than without.
waits_for_cpu='queue|queue-pressure|pinned|pinned-busy|quota|starved|ready'

# named NAME RULE: the rule is among those of the task.
named() {
	rules | grep -qx "$2"
	ok "$1: $2 is named" $?
	rules | grep -qx "$2" || sed 's/^/# said: /' "$dir/said"
}
# unnamed NAME RULE...: none of these is.
unnamed() {
	unnamed_what=$1
	shift
	for rule; do
		! rules | grep -qx "$rule"
		ok "$unnamed_what: $rule is not" $?
	done
}

sleep 1000 &
worker=$!
explain $worker
named "a program that sleeps" timer
unnamed "a program that sleeps" lock pipe device runs nothing computes assists quota
grep -q "^  next .* -p $worker " "$dir/said"
ok "the next step names the task" $?
"$tiptop" --explain-verdict -p "$worker" -d 0.1 -n 1 >"$out" 2>"$err"
is "an idle task that is named by its PID is explained" "$(grep -c "^$worker sleep$" "$out")" 1
"$tiptop" --explain-verdict -p "$worker" --filter 'pid == 1' -d 0.1 -n 1 >"$out" 2>"$err"
is "no row: why" "$(tail -n 2 "$out")" "no task passes the filter"
kill $worker
work_start "name=idle$$" wait
"$tiptop" --explain-verdict -p "idle$$" -d 0.1 -n 1 >"$out" 2>"$err"
is "idle tasks that are named by a text: how to explain them" "$(tail -n 2 "$out")" \
	"no task ran: -i explains idle ones, too"
work_end

# No time is given to it but that of the scheduler: whether it ran or waited, it wanted to.
work_start spin=600000
explain "$worker"
rules | grep -Eqx "runs|nothing|computes|useful|$waits_for_cpu"
ok "a program that spins: it ran, or waited for a CPU" $?
unnamed "a program that spins" lock pipe device timer assists quota page-ins
kill "$worker"
work_end

mkfifo "$dir/empty"
cat <"$dir/empty" >/dev/null &
worker=$!
exec 4>"$dir/empty"
explain $worker
named "a reader of an empty pipe" pipe
exec 4>&-
wait $worker 2>/dev/null

# The first thread waits at a barrier of the C library, while the other one works.
work_start pool=1 each-spin=600000
explain "$worker" -H
named "a thread that waits for another one" lock
kill "$worker"
work_end

# The first thread computes, and holds a mutex that the second one waits for: that one does not run at all.
"$work" hold=600000 &
worker=$!
# two: there are two threads.
# shellcheck disable=SC2317 # await calls it
two() {
	[ "$(ls "/proc/$worker/task" | wc -l)" = 2 ]
}
await two
waiter=$(find "/proc/$worker/task" -mindepth 1 -maxdepth 1 ! -name "$worker" -printf '%f\n')
"$tiptop" --explain-verdict -i -H -p "$worker" -d 0.5 -n 2 >"$out" 2>"$err"
awk -v pid="$waiter" '/^[A-Z][a-z][a-z] [A-Z][a-z][a-z] / { n++; shown = 0 }
	/^[0-9]+ / { shown = n == 2 && $1 == pid } shown' "$out" >"$dir/said"
named "a thread that waits for a mutex" lock
unnamed "a thread that waits for a mutex" pipe timer device
kill "$worker"
wait "$worker" 2>/dev/null

# Fresh pages, given back and taken again.
# shellcheck disable=SC2046 # many words
"$work" $(yes touch=20000 | head -n 5000) &
worker=$!
explain "$worker"
# Where the host of a virtual machine finds memory for each page, that is user time, or makes a fault longer than any
# kernel does: then nothing tells it from other work.
costly=$(awk -v tick_us=$((1000000 / $(getconf CLK_TCK))) '{ print ($15 * 2 < $14 || $15 * tick_us > 4 * $10) ? "|runs|kernel" : "" }' "/proc/$worker/stat")
rules | grep -Eqx "page-faults|$waits_for_cpu$costly"
ok "a program that touches fresh pages: page faults, or it waits for a CPU" $?
unnamed "a program that touches fresh pages" lock pipe timer page-ins
kill "$worker"
wait "$worker" 2>/dev/null

sh -c 'sleep 1000; exit' &
worker=$!
await grep -q . "/proc/$worker/task/$worker/children"
explain $worker
named "a shell that waits for a command" child
kill "$(tr -d ' ' <"/proc/$worker/task/$worker/children")"
wait $worker 2>/dev/null

# One CPU for two, of which one has to wait.
if command -v taskset >/dev/null && taskset -c 0 true 2>/dev/null; then
	taskset -c 0 "$work" spin=600000 &
	others=$!
	taskset -c 0 "$work" spin=600000 &
	one=$!
	worker="$one $others"
	explain $one
	rules | grep -Eqx "$waits_for_cpu"
	ok "one of two on one CPU: it waits for a CPU" $?
	kill $one $others
	wait 2>/dev/null
	worker=
else
	skip "one of two on one CPU: it waits for a CPU" "taskset may not be used here"
fi

# A fifth of a CPU.
group=
for parent in /sys/fs/cgroup/cpu /sys/fs/cgroup; do
	[ -z "$group" ] && [ -w "$parent" ] && mkdir "$parent/tiptop-$$" 2>/dev/null && group=$parent/tiptop-$$
done
if [ -n "$group" ] && { echo 20000 >"$group/cpu.cfs_quota_us" || echo "20000 100000" >"$group/cpu.max"; } 2>/dev/null; then
	"$work" spin=600000 &
	worker=$!
	echo $worker >"$group/cgroup.procs"
	explain $worker
	named "a task with a quota" quota
	grep -q "^  next .*cat /proc/$worker/cgroup" "$dir/said"
	ok "and where the quota stands is told" $?
	kill $worker
	wait $worker 2>/dev/null
else
	skip "a task with a quota: quota is named" "no control group of CPU time can be made here"
fi
[ -z "$group" ] || rmdir "$group"

dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
worker=$!
explain $worker
rules | grep -Eqx "kernel|$waits_for_cpu"
ok "a program that asks the kernel all the time: kernel, or it waits for a CPU" $?
unnamed "a program that asks the kernel all the time" page-faults lock pipe timer
kill $worker
wait $worker 2>/dev/null
worker=

# A file as a device, of which 200 kB may be read in a second.
loop='' slow=''
slow_end() {
	[ -z "$worker" ] || { kill -KILL $worker && wait $worker; } 2>/dev/null
	worker=
	[ -z "$slow" ] || rmdir "$slow"
	[ -z "$loop" ] || losetup -d "$loop"
	loop='' slow=''
}
trap 'slow_end; cleanup' EXIT
slow_begin() {
	dd if=/dev/zero of="$dir/disk" bs=1M count=16 && loop=$(losetup -f --show "$dir/disk") || return
	for parent in /sys/fs/cgroup/blkio /sys/fs/cgroup; do
		[ -n "$slow" ] || ! [ -e "$parent/cgroup.procs" ] || ! mkdir "$parent/tiptop-slow-$$" || slow=$parent/tiptop-slow-$$
	done
	[ -n "$slow" ] || return
	number=$(lsblk -dno MAJ:MIN "$loop" | tr -d ' ')
	echo "$number 200000" >"$slow/blkio.throttle.read_bps_device" || echo "$number rbps=200000" >"$slow/io.max" || return
	sh -c 'echo $$ >"$0/cgroup.procs" && exec dd if="$1" of=/dev/null bs=64k iflag=direct' "$slow" "$loop" &
	worker=$!
	await reads_slowly
}
reads_slowly() {
	grep -q '^State:.D' "/proc/$worker/status" || ! kill -0 $worker
}
if slow_begin 2>"$err" >&2 && kill -0 $worker; then
	explain $worker
	is "a reader of a slow device: one verdict says so" "$(rules | grep -Ecx 'device|device-pressure|state-d|ready')" 1
	unnamed "a reader of a slow device" lock pipe timer runs nothing computes quota
else
	skip "a reader of a slow device: one verdict says so" "no device can be made slow here: $(tail -n 1 "$err")"
fi
slow_end

# The column, once it sleeps.
sleep 1000 &
worker=$!
# shellcheck disable=SC2317 # await calls it
is_idle() {
	"$tiptop" -b -n 1 -d 0.1 -i -S why -p "$worker" --fields verdict >"$out" 2>"$err"
	[ "$(sed -n '/^ *VERDICT/,$p' "$out" | sed -n 2p | tr -d ' ')" = idle ]
}
await is_idle
ok "the column of a task that does not run" $?
"$tiptop" -b -n 1 -d 0.1 -i -S why -p $worker --filter "verdict == 'idle'" --fields pid >"$out" 2>"$err"
grep -qx " *$worker *" "$out"
ok "a filter asks for it" $?
kill $worker
worker=

finish
