#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Batch mode with -p and -u: its message if no task passes, and its end when the only selected task ends.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# run OPTION...: until it ends by itself; the exit status is $status, 124 if it did not.
run() {
	timeout 20 "$tiptop" -b -S software -d 0.1 "$@" >"$out" 2>"$err" </dev/null 3>&-
	status=$?
}
# none_is WHAT PATTERN OPTION...: three refreshes without a row, one message, and the status of nothing found.
none_is() {
	none_name=$1 none_want=$2
	shift 2
	run -n 3 -i "$@"
	matches "$none_name: one message" "$(cat "$err")" "tiptop: $none_want"
	is "$none_name: goes on" "$status $(refreshes)" "1 3"
}
# refused NAME PATTERN OPTION...: ends at once.
refused() {
	refused_name=$1 refused_want=$2
	shift 2
	run "$@"
	matches "$refused_name: one message" "$(cat "$err")" "tiptop: $refused_want"
	is "$refused_name: ends" "$status $(refreshes)" "1 1"
}
name=fi$$
me=$(id -un)
[ "$(id -u)" -eq 0 ] && other=nobody || other=root

# No process has such a name, which may still come.
none_is "-p NAME" "no task has '$name' in its name \(-p\)" -p $name
none_is "-c -p TEXT" "no task has '.* $name' in its command line \(-p\)" -c -p "$(printf '\n %s' $name)"
none_is "-p NAME -u USER" "no task of the user '$me' \(-u\) has '$name' in its name \(-p\)" -p $name -u "$me"
none_is "-u NUMBER of no user" "the user '4123456789' \(-u\) has no task" -u 4123456789
run -n 3 -p $name -E "$dir/errors"
matches "-E: the message is on standard error, too" "$(cat "$err")" "tiptop: no task has '$name' in its name \\(-p\\)"
is "and in the file, once" "$status $(grep -c $name "$dir/errors")" "1 1"

# A task that comes later is found.
: >"$out"
"$tiptop" -b -S software -d 0.1 -i -n 30 -p $name >"$out" 2>"$err" </dev/null 3>&- &
monitor=$!
await refreshed 1
work_start name=$name wait
wait $monitor
is "a task that comes later: the status" "$? $(grep -c "$name\$" "$out" | sed 's,[1-9][0-9]*,found,')" "0 found"
monitor=''
work_end

# A number that no task has cannot come any more.
(exit 0) &
gone=$!
wait $gone
refused "-p PID of a task that has ended" "there is no task with the number $gone \(-p\)" -p $gone
none_is "-p PID of a task that has ended, --sticky" "there is no task with the number $gone \(-p\)" -p $gone --sticky

work_start name=$name-a pool=1 wait
thread=$(cd "/proc/$worker/task" && echo * | cut -d ' ' -f 2)
refused "-p NUMBER of a thread" "$thread \(-p\) is a thread of the process $worker: add -H, or give the number of the process" -p "$thread"
refused "-p PID -u USER" "the task $worker \(-p\) is not of the user '$other' \(-u\)" -p "$worker" -u $other
run -i -n 2 -p $name
is "a process has the name: no message" "$(cat "$err")" ""
run -n 2 -p "$worker"
is "it is there and idle: no message" "$status $(refreshes) $(cat "$err")" "0 2 "
work_end

# A task that ends while it is watched. begin OPTION...: both; then work_end ends the task, which is $task.
begin() {
	task=$worker
	: >"$out"
	"$tiptop" -b -S software -d 0.1 -i "$@" >"$out" 2>"$err" 3>&- &
	monitor=$!
	await refreshed 2
}
has_ended() {
	! kill -0 $monitor 2>/dev/null || grep -q '^State:.*zombie' "/proc/$monitor/status" 2>/dev/null
}
# ended NAME: tiptop has ended with the task.
ended() {
	await has_ended
	is "$1: ends" $? 0
	wait $monitor
	is "$1: exit status" $? 0
	monitor=''
	is "$1: its last row is of the end" "$(rows "$task" | tail -n 1 | awk '{ print $NF }')" DEAD
	is "$1: no message" "$(cat "$err")" ""
}
goes_on() {
	look
	ok "$1: goes on" $?
	watch_end
	is "$1: no message" "$(cat "$err")" ""
}
for options in "" -H; do
	work_start name=$name-b pool=1 wait
	# shellcheck disable=SC2086 # $options may be none
	begin $options -p "$worker"
	work_end
	ended "-p PID $options, the task ends"
done
work_start name=$name-b wait
begin -p "$worker" --sticky
work_end
goes_on "-p PID --sticky, the task ends"
work_start name=$name-b wait
begin -p $name-b
work_end
goes_on "-p NAME, the task ends"
work_start name=$name-b pool=1 wait end-pool wait
thread=$(cd "/proc/$worker/task" && echo * | cut -d ' ' -f 2)
begin -H -p "$thread"
task=$thread
feed
ended "-H -p NUMBER, the thread ends"
work_end

finish
