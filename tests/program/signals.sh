#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Signals from the kernel, such as SIGPIPE, and from users.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# limited OPTION...: no file may be larger than 512 bytes, or 1,024 with some shells.
limited() {
	(
		ulimit -f 1
		exec timeout 60 "$tiptop" -b -i -d 0.01 "$@"
	)
}
limited -o "$dir/large" 2>"$dir/told"
is "a file at its limit: the status is 1" $? 1
matches "a file at its limit: a sentence says so" "$(cat "$dir/told")" "tiptop: cannot write '$dir/large': File too large"
limited >"$dir/large" 2>"$dir/told"
is "standard output at its limit: the status is 1" $? 1
matches "standard output at its limit: a sentence says so" "$(cat "$dir/told")" \
	'tiptop: cannot write to standard output: File too large'
"$tiptop" -b -o "$out" -- grep ^SigIgn /proc/self/status >"$dir/printed" 2>"$err"
is "the command does not ignore it" "$(cat "$dir/printed")" "$(grep ^SigIgn /proc/self/status)"

# Opening a FIFO waits for its reader, after signals have been taken.
mkfifo "$dir/fifo"
"$tiptop" -b -n 1 -o "$dir/fifo" >"$out" 2>"$err" &
monitor=$!
opens() {
	find "/proc/$monitor/fd" -lname '*signalfd*' 2>/dev/null | grep -q . && grep -q '^State:.S' "/proc/$monitor/status"
}
await opens
kill -TERM $monitor
wait $monitor
is "SIGTERM while a FIFO has no reader: the status says so" $? 143
monitor=''

# The first process of a container does not die of a signal that it sends to itself.
first() {
	worker=$(grep -ls "^PPid:[[:blank:]]*$monitor\$" /proc/[0-9]*/status | cut -d / -f 3) && [ -n "$worker" ]
}
if unshare -p -f --mount-proc true 2>/dev/null; then
	: >"$out"
	unshare -p -f --mount-proc "$tiptop" -b -i -d 0.1 -S software >"$out" 2>"$err" &
	monitor=$!
	await refreshed 1
	await first
	kill -TERM "$worker"
	wait $monitor
	is "SIGTERM for the first process of a container: the status says so" $? 143
	monitor='' worker=''
else
	skip "the first process of a container" "there are no namespaces for this user"
fi

# Without signals or time there is nothing to go on with. The kernel refuses the calls.
confine=$builddir/tests/program/confine
if "$confine" true 2>/dev/null; then
	for fault in 'timerfd_settime:cannot set the time of the next refresh' \
		'timerfd_create:cannot take the time of refreshes' 'signalfd4:cannot take signals'; do
		timeout 60 "$confine" "-${fault%%:*}" "$tiptop" -b -n 2 -d 0.1 >"$out" 2>"$dir/told"
		is "${fault%%:*} is refused: the status is 1" $? 1
		is "${fault%%:*} is refused: a sentence says so" "$(grep "^tiptop: ${fault#*:}" "$dir/told")" \
			"tiptop: ${fault#*:}: Operation not permitted"
	done
	# As it is where a file over the network is full, or its server has gone.
	for place in "'$dir/late'" 'to standard output'; do
		output=$dir/late
		[ "$place" != 'to standard output' ] || output=-
		timeout 60 "$confine" -close "$tiptop" -b -n 1 -d 0.1 -S software -i -p $$ -o "$output" >"$out" 2>"$dir/told"
		is "the end of $place fails: the status is 1" $? 1
		is "the end of $place fails: a sentence says so" "$(cat "$dir/told")" \
			"tiptop: cannot write $place: Operation not permitted"
	done
else
	skip "calls are refused" "seccomp filters are not allowed here"
fi

# The live screen in a terminal of its own.
terminal=$builddir/tests/program/terminal
case $("$tiptop" </dev/null 2>&1) in
*"without ncurses"*)
	skip "the live screen" "built without ncurses"
	finish
	;;
esac
export TERM=xterm
# live NAME WANT STEP...: what comes of these steps.
live() {
	live_name=$1 live_want=$2
	shift 2
	"$terminal" "$@" -- "$tiptop" -d 0.1 >"$dir/steps" 2>&1
	is "$live_name" "$(cat "$dir/steps")" "$live_want"
}

live "Ctrl-Z without a shell that could continue it: it goes on" "show COMMAND: yes
show Help: screen: yes
exit 0" show=COMMAND type=^Z type=h 'show=Help: screen' type=qq end

# Sizes that no terminal has.
for size in 0 -1 x 1001 100000 99999999999999999999; do
	"$terminal" 'show=every 0.1 s' type=q end -- env LINES=$size COLUMNS=$size "$tiptop" -d 0.1 >"$dir/steps" 2>&1
	is "LINES=$size COLUMNS=$size are ignored" "$(cat "$dir/steps")" "show every 0.1 s: yes
exit 0"
done
live "a terminal says that it has 65535 columns and rows: ignored" "show COMMAND: yes
show Help: screen: yes
exit 0" show=COMMAND size=65535x65535 type=h 'show=Help: screen' type=qq end

# A job in the background, which may write but not read.
live_as_job="trap '' TTIN TTOU; set -m; '$tiptop' -d 0.1 & wait \$!; echo status \$?; exec sleep 100"
"$terminal" show=COMMAND type=h 'show=status 129' -- sh -c "$live_as_job" >"$dir/steps" 2>&1
is "a terminal that may not be read has gone" "$(cat "$dir/steps")" "show COMMAND: yes
show status 129: yes"

for signal in 1:1 3:3 15:15; do
	live "a terminal that is not read: signal ${signal%:*} ends it" "show COMMAND: yes
full: yes
signal ${signal#*:}
modes same
rest [?1049l: yes" show=COMMAND fill signal="${signal%:*}" end modes 'rest=[?1049l'
done
live "a terminal that is not read: Ctrl-C ends it" "show COMMAND: yes
full: yes
exit 0
modes same
rest [?1049l: yes" show=COMMAND fill type=^C end modes 'rest=[?1049l'
live "a terminal that was stopped by Ctrl-S: SIGTERM ends it" "show COMMAND: yes
full: yes
signal 15
modes same
rest [?1049l: yes" show=COMMAND type=^S fill signal=15 end modes 'rest=[?1049l'
live "a terminal that is not read: a fault ends it" "show COMMAND: yes
full: yes
signal 6
modes same
rest [?1049l: yes" show=COMMAND fill signal=6 end modes 'rest=[?1049l'
# USR1, USR2, ALRM, VTALRM, PROF, XCPU, TRAP, SYS, the first and the last of real time
for signal in 10 12 14 26 27 24 5 31 34 64; do
	live "signal $signal: the terminal is as before" "show COMMAND: yes
signal $signal
modes same
rest [?1049l: yes" show=COMMAND signal=$signal end modes 'rest=[?1049l'
done
"$terminal" show=COMMAND fill signal=15 end -- "$tiptop" -b -i -H -d 0.05 -S software >"$dir/steps" 2>&1
is "batch mode in a terminal that is not read: SIGTERM ends it" "$(cat "$dir/steps")" "show COMMAND: yes
full: yes
signal 15"
live "SIGXFSZ and SIGPIPE end nothing" "show COMMAND: yes
show Help: screen: yes
exit 0" show=COMMAND signal=25 signal=13 type=h 'show=Help: screen' type=qq end

finish
