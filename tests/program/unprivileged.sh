#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What an ordinary user can see and count; root runs as one, and sets kernel.perf_event_paranoid.
# shellcheck source=lib.sh disable=SC2086 # $counters and $as_nobody are several words
. "$(dirname "$0")/lib.sh"

[ "$(id -u)" -eq 0 ] || skip_all "needs root, who can be an ordinary user"
command -v setpriv >/dev/null || skip_all "setpriv is not installed"
nobody=65534
as_nobody="setpriv --reuid $nobody --regid $nobody --clear-groups"
chmod 755 "$dir" "$HOME"
# The program where everybody can read it.
cp "$tiptop" "$dir/tiptop" && cp "$work" "$dir/work" && chmod 755 "$dir/tiptop" "$dir/work" || exit 1
tiptop=$dir/tiptop work=$dir/work
$as_nobody "$tiptop" --version >"$out" 2>"$err" || skip_all "another user cannot run the program here"

paranoid=/proc/sys/kernel/perf_event_paranoid
hold_level $paranoid
level=$(cat $paranoid)
restore() {
	[ "$(cat $paranoid)" = "$level" ] || echo "$level" >$paranoid
	cleanup
}
trap restore EXIT

body() {
	awk 'body; /^ *PID / { body = 1 }' "$out"
}
# look_as OPTION...: two refreshes, as an ordinary user; the exit status is $status.
look_as() {
	$as_nobody "$tiptop" -b -i -d 0.1 -n 2 "$@" >"$out" 2>"$err" </dev/null
	status=$?
}

mkdir "$dir/own" && chown $nobody "$dir/own"
# A worker of this user, and one of root, which is this shell.
mkfifo "$dir/orders"
: >"$dir/reports"
$as_nobody "$work" wait <"$dir/orders" >"$dir/reports" &
worker=$! n_waits=0
exec 3>"$dir/orders"
arrive

look_as -S default -U
is "own tasks: exit status" $status 0
is "own tasks: shown" "$(rows "$worker" | wc -l)" 2
is "own tasks: no others" "$(body | awk 'NF { print $2 }' | sort -u)" "$($as_nobody id -un)"
matches "own tasks: no line about a user" "$(sed -n 4p "$out")" 'Screen .*'

look_as -S software -p $$
is "a screen that needs no rights: exit status" $status 0
is "a screen that needs no rights: tasks of others are shown" "$(rows $$ | wc -l)" 2
is "a screen that needs no rights: what comes from /proc is known" "$(rows $$ | grep -c ' ? ')" 0
look_as -S software -H -p $$
is "a screen that needs no rights: so are their threads" "$(rows $$ | grep -c ' ? ')" 0
is "a screen that needs no rights: no message" "$(cat "$err")" ""

# Root that lacks the capability, as in a container, is not told to become root.
setpriv --bounding-set=-perfmon,-sys_admin,-sys_ptrace "$tiptop" -b -i -d 0.1 -n 2 -e page-faults \
	-p "$worker" >"$out" 2>"$err" </dev/null
matches "root without the capability is told that it lacks it" "$(cat "$err")" \
	"tiptop: task $worker may not be counted: .*; run tiptop with the capability CAP_PERFMON, which this root lacks, as in a container"

look_as -S software -u root -p $$
is "-u: the line about the user" "$(sed -n 5p "$out")" "watching uid 0 'root'"
is "-u: tasks of others are shown" "$(rows $$ | wc -l)" 2
is "-u: what comes from /proc is known" "$(rows $$ | grep -c ' ? ')" 0

look_as -S default -p $$
is "a task of another user (-p): ends" $status 1
is "a task of another user (-p): says why" "$(tail -n 1 "$err")" \
	"tiptop: the task $$ (-p) is of another user: -u with that user shows it"

# Why a task cannot be followed.
if $as_nobody "$work" can-count >/dev/null; then
	$as_nobody "$tiptop" follow -c task-clock -p $$ >"$out" 2>"$err"
	is "follow, a task of root: the sentence" "$? $(cat "$err")" \
		"1 tiptop: task $$ cannot be followed: it belongs to user 0: root and that user can follow it"
	cp "$tiptop" "$dir/unreadable" && chmod 711 "$dir/unreadable"
	# A shell stands between: setpriv still may read all files, and the kernel asks what starts a program.
	# shellcheck disable=SC2016 # the inner shell's
	$as_nobody sh -c '"$0" "$@"; exit $?' "$dir/unreadable" follow -c task-clock -- true >"$out" 2>"$err"
	is "follow with a program that may not be read: exit status" $? 1
	if [ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" -lt 2 ]; then
		is "follow with a program that may not be read: the sentence" "$(cat "$err")" \
			"tiptop: the command cannot be followed: the kernel protects tiptop, since you may not read its file: \
'chmod a+r $dir/unreadable' allows it"
	else
		skip "follow with a program that may not be read" "kernel.yama.ptrace_scope is above 1"
	fi
else
	skip "follow" "an ordinary user may not count here"
fi

# set_level N: whether the level could be set.
set_level() {
	[ "$(cat $paranoid)" = "$1" ] || { echo "$1" >$paranoid && [ "$(cat $paranoid)" = "$1" ]; } 2>/dev/null
}

if reason=$("$work" can-count) && set_level 2; then
	look_as $counters -p "$worker"
	is "level 2: own tasks are counted" "$(last "$worker" 4) $(cat "$err")" "0 "
	look_as $counters -u root -p $$
	is "level 2: tasks of others are not, and that is no 0" "$(last $$ 2) $(last $$ 3) $(last $$ 4)" "? ? ?"
	is "level 2: their threads are known" "$(last $$ 7)" 1
	# Three of root's, under a name of their own.
	cp "$work" "$dir/w$$"
	many=''
	while [ "$(echo $many | wc -w)" -lt 3 ]; do
		"$dir/w$$" wait <"$dir/orders" &
		many="$many $!"
	done
	await eval '[ "$(cat $(printf "/proc/%s/comm " $many) | sort -u)" = "w$$" ]'
	look_as $counters -u root -p "w$$" -E "$dir/own/faults"
	kill -KILL $many
	matches "level 2: many refusals are one line" "$(cat "$dir/own/faults")" \
		'tiptop: task [0-9]+ may not be counted: .* \(and 2 more tasks\)'
	look_as $counters -K -p "$worker"
	is "level 2, -K: exit status" $status 0
	is "level 2, -K: not counted, and that is no 0" "$(last "$worker" 2) $(last "$worker" 4)" "? ?"
	is "level 2, -K: one sentence" "$(wc -l <"$err")" 1
	matches "level 2, -K: cause and remedy" "$(cat "$err")" \
		'tiptop: .*-K.*perf_event_paranoid is 2.*perf_event_paranoid=1.*'
	if [ -e /sys/bus/event_source/devices/msr/events/tsc ]; then
		look_as -e msr/tsc/ -p "$worker"
		is "level 2, an event that knows no modes: exit status" $status 0
		matches "level 2, an event that knows no modes: cause and remedy" "$(cat "$err")" \
			"tiptop: 'msr/tsc/' cannot be counted in user mode alone, .*perf_event_paranoid is 2.*perf_event_paranoid=1.*"
	else
		skip "level 2, an event that knows no modes" "this machine has no PMU msr"
	fi
	look_as -S software -K -p "$worker"
	is "level 2, -K: a screen without counters needs no right" "$(rows "$worker" | grep -c ' ? ')" 0
else
	skip "level 2" "${reason:-the level cannot be set}"
fi

if "$work" can-count >/dev/null && set_level 1; then
	look_as $counters -K -p "$worker"
	is "level 1, -K: counted" "$(last "$worker" 2 | tr 0-9 n | cut -c 1) $(cat "$err")" "n "
else
	skip "level 1" "${reason:-the level cannot be set}"
fi

if "$work" can-count >/dev/null && set_level 3 && ! $as_nobody "$work" can-count >/dev/null; then
	look_as $counters -p "$worker"
	is "level 3: exit status" $status 0
	is "level 3: nothing is counted, and that is no 0" "$(last "$worker" 2) $(last "$worker" 4)" "? ?"
	matches "level 3: cause and remedy" "$(cat "$err")" 'tiptop: .*perf_event_paranoid is 3.*perf_event_paranoid=2.*'
	is "level 3: %CPU is known all the same" "$(last "$worker" 6)" 0.000
	look_as -S software -p "$worker"
	is "level 3: a screen without counters needs no right" "$(rows "$worker" | grep -c ' ? ')" 0
else
	skip "level 3" "${reason:-the level cannot be set, or this kernel does not have it}"
fi

finish
