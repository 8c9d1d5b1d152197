#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A command after "--": its counts from the first instruction to the last, its exit status, its environment and
# descriptors.
# shellcheck source=lib.sh disable=SC2086 # $counters are several words
. "$(dirname "$0")/lib.sh"

N=1000 # pages

# run OPTION... -- COMMAND...: the program's text goes to $out, messages to $err, what the command prints to $printed.
printed=$dir/reports
run() {
	stolen_before=$(stolen)
	rm -f "$out"
	"$tiptop" -b -o "$out" -d 0.1 "$@" >"$printed" 2>"$err" </dev/null
	status=$?
}
# final FIELD: the cell of the command's last row.
final() {
	awk -v field="$1" 'NF && !/^#/ { v = $field } END { printf "%s", v }' "$out"
}

# Counting.
if reason=$("$work" can-count); then
	run $counters -- "$work" report
	base=$(final 2)
	within "count: page faults of a start, from the first instruction on" "$base" 30 1000
	# The program's own clock begins with the child that tiptop makes, which prepares before it executes the program.
	before_ms=$(calc "$(report 1 3) / 1e6 - $(final 3)")
	run $counters -- "$work" touch=$N spin=300 report
	is "count: exit status" $status 0
	within "count: page faults" "$(($(final 2) - base))" $((N - SLACK)) $((N + SLACK))
	cpu_ms "count: CPU time" "$(final 3)" "$(calc "$(report 1 3) / 1e6 - $before_ms")"
	is "count: the last row says DEAD" "$(final 9)" DEAD
	is "count: increments sum up to the total" \
		"$(awk 'body && !/^#/ { s += $4 } $1 == "PID" { body = 1 } END { printf "%d", s }' "$out")" "$(final 2)"
	is "count: no row of anyone else" "$(awk 'body && NF && !/^#/ { sub(/[+-]$/, "", $1); print $1 } $1 == "PID" { body = 1 }' \
		"$out" | sort -u | wc -l)" 1

	run $counters -- "$work" pool=3 each-touch=$N each-spin=100 report
	within "threads: page faults" "$(($(final 2) - base))" $((3 * N - SLACK)) $((3 * (N + SLACK) + SLACK))
	cpu_ms "threads: CPU time" "$(final 3)" "$(calc "$(report 1 3) / 1e6 - $before_ms")"

	run $counters -H -- "$work" pool=3 each-touch=$N each-spin=500 report
	is "rows of threads: four" "$(awk 'body && NF && !/^#/ { print $1 } $1 == "PID" { body = 1 }' "$out" | tr -d +- | sort -u | wc -l)" 4

	run $counters -- "$work" exec exec touch=$N report
	within "exec: a chain is counted as a whole" "$(($(final 2) - base))" $((N + 60)) $((N + 2000))

	run $counters -- "$work" fork touch=$N spin=200 exit=4
	is "fork: exit status" $status 4
	within "fork: children are tasks of their own" "$(($(final 2) - base))" 0 100

	run $counters -- "$work" touch=$N
	within "short: counted, however soon it ends" "$(($(final 2) - base))" $((N - SLACK)) $((N + SLACK))
else
	skip "count" "$reason"
fi

# Its end is that of the program.
for number in 0 3 255; do
	run -S software -- "$work" exit=$number
	is "status: exit $number" $status $number
done
for number in 9 15 11; do
	run -S software -- "$work" kill=$number
	is "status: signal $number" $status $((128 + number))
done
is "status: no message for that" "$(cat "$err")" ""

# begin OPTION... -- COMMAND...: runs tiptop -b in the background until it shows a row; its pid is $pid, the command's
# is $command.
begin() {
	rm -f "$out" "$dir/ended"
	"$work" ended="$dir/ended" "$tiptop" -b -o "$out" -d 0.1 "$@" </dev/null >"$printed" 2>"$err" &
	monitor=$!
	await has_row
	pid=$(awk '$1 == "pid" { print $2 }' "$dir/ended")
	command=$(row_pid)
	worker=$command
}
row_pid() {
	awk 'body && NF && !/^#/ { print $1; exit } $1 == "PID" { body = 1 }' "$out" 2>/dev/null
}
has_row() {
	[ -n "$(row_pid)" ]
}
# end NAME HOW: tiptop ends like that.
end() {
	await told 2
	is "$1" "$(tail -n 1 "$dir/ended")" "$2"
	kill -KILL $monitor $worker 2>/dev/null
	wait $monitor
	monitor='' worker=''
}
told() {
	[ "$(wc -l <"$dir/ended")" -ge "$1" ]
}
in_state() {
	[ "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat")" = "$2" ]
}
for signal in TERM:143 HUP:129 INT:130; do
	begin -- "$work" spin=60000
	kill -"${signal%:*}" "$pid"
	end "signal: SIG${signal%:*} is handed on, and ends both" "exit ${signal#*:}"
	is "signal: SIG${signal%:*}: the last row says DEAD" "$(awk 'NF && !/^#/ { last = $NF } END { print last }' "$out")" DEAD
	begin -- "$work" spin=60000
	kill -STOP "$command"
	await in_state "$command" T
	kill -"${signal%:*}" "$pid"
	end "signal: SIG${signal%:*} ends a command that was stopped, too" "exit ${signal#*:}"
done
begin -- sh -c 'trap "" TERM; exec "$0" spin=60000' "$work"
kill -TERM "$pid"
look
is "signal: a command that ignores it goes on, and so does tiptop" "$(wc -l <"$dir/ended")" 1
kill -TERM "$pid"
await told 2
kill -KILL "$command"
is "signal: a second one does not end the command" $? 0
end "signal: but tiptop" 'signal 15'

# Its end may come before anything is taken: a file of faults without a reader holds the start.
rm -f "$out" "$dir/ended"
mkfifo "$dir/faults"
"$work" ended="$dir/ended" "$tiptop" -b -o "$out" -E "$dir/faults" -d 0.1 -- "$work" spin=60000 \
	</dev/null >"$printed" 2>"$err" &
monitor=$!
pid_known() {
	[ -s "$dir/ended" ]
}
child_waits() {
	worker=$(grep -ls "^PPid:[[:blank:]]*$pid\$" /proc/[0-9]*/status | cut -d / -f 3) && [ -n "$worker" ]
}
await pid_known
pid=$(awk '$1 == "pid" { print $2 }' "$dir/ended")
await child_waits
kill -KILL "$worker"
await in_state "$worker" Z
cat "$dir/faults" >"$dir/text" &
end "a command that was ended before its start: tiptop ends, too" 'exit 137'

# -n ends the showing, not the command.
begin -n 1 -- "$work" duty=1:60000 exit=3
is "-n: it is waited for" "$(wc -l <"$dir/ended")" 1
kill -TERM "$pid"
end "-n: a signal is handed on" 'exit 143'
is "-n: this many refreshes, and no more" "$(refreshes)" 1
run -n 1 -- "$work" spin=500 exit=3
is "-n: its status is handed on" $status 3
is "-n: there is one refresh" "$(refreshes)" 1

# What the command is given is what the program was given.
run -- "$work" report
matches "output: the command's own" "$(cat "$printed")" 'report [0-9]+ [0-9]+ [0-9]+'
printf 'input\n' | "$tiptop" -b -o "$out" -- cat >"$printed" 2>"$err"
is "input: the command's own" "$(cat "$printed")" input
for what in "grep ^Sig[PBIC] /proc/self/status" "ls /proc/self/fd" "grep Max.open /proc/self/limits" env pwd; do
	$what | grep -v ^_= >"$dir/want"
	run -- $what
	is "given as it is: $what" "$(grep -v ^_= "$printed")" "$(cat "$dir/want")"
done
(
	trap '' PIPE INT
	"$tiptop" -b -o "$out" -- grep ^SigIgn /proc/self/status >"$printed" 2>"$err"
	grep ^SigIgn /proc/self/status >"$dir/want"
)
is "given as it is: ignored signals" "$(cat "$printed")" "$(cat "$dir/want")"

# But the end of a child is never ignored: neither tiptop nor the command would see it.
if env --block-signal=USR1 --ignore-signal=CHLD true 2>/dev/null; then
	deaf() { timeout 60 env --block-signal=USR1 --ignore-signal=CHLD "$tiptop" -b -d 0.1 -o "$out" "$@"; }
	deaf -- "$work" spin=100 exit=3 >"$printed" 2>"$err"
	is "SIGCHLD was ignored: the end is seen, and its status" $? 3
	deaf -- no-such-command-here >"$printed" 2>"$err"
	is "SIGCHLD was ignored: what cannot be run has status 127" $? 127
	deaf -- grep ^Sig[IB] /proc/self/status >"$printed" 2>"$err"
	# timeout(1), too, changes what is ignored.
	timeout 60 env --block-signal=USR1 grep ^Sig[IB] /proc/self/status >"$dir/want"
	is "SIGCHLD was ignored: in the command it is not; what is blocked stays so" "$(cat "$printed")" "$(cat "$dir/want")"
else
	skip "SIGCHLD was ignored" "env cannot change signals"
fi

# What cannot be run.
echo old >"$dir/old"
printf '#!%s/none\n' "$dir" >"$dir/script"
chmod 755 "$dir/script"
for how in 127:no-such-command-here "126:$dir" "126:$dir/old" "127:$dir/script"; do
	command=${how#*:}
	PATH=/usr/bin:/bin "$tiptop" -b -o "$dir/old" -- "$command" >"$dir/text" 2>"$err"
	is "cannot run: exit status, as of a shell" $? "${how%%:*}"
	is "cannot run: one sentence" "$(wc -l <"$err")" 1
	matches "cannot run: it names the command" "$(cat "$err")" "tiptop: .*'$command'.*"
	is "cannot run: the output file is as it was" "$(cat "$dir/old")" old
	echo old >"$dir/old"
done

# What cannot be shown any more goes on; that is said.
"$tiptop" -b -d 0.1 -o /dev/full -- sh -c 'echo $$ >"$1" && exec "$0" spin=60000' "$work" "$dir/pid" >"$printed" 2>"$err"
is "a full disk: exit status" $? 1
await test -s "$dir/pid"
worker=$(cat "$dir/pid")
is "a full disk: what becomes of the command" "$(tail -n 2 "$err")" "tiptop: cannot write '/dev/full': No space left on device
tiptop: 'sh' is still running, without tiptop"
kill "$worker"
is "a full disk: the command goes on" $? 0
worker=''

# What is wrong in the options is found before the command runs.
run -S no-such-screen -- "$work" report
is "wrong option: exit status 2" $status 2
is "wrong option: the command has not run" "$(cat "$printed")" ""

# The live screen, in a terminal of its own.
terminal=$builddir/tests/program/terminal
case $("$tiptop" </dev/null 2>&1) in
*"without ncurses"*)
	skip "the live screen" "built without ncurses"
	finish
	;;
esac
export TERM=xterm
# The column is known once there was a refresh.
cat >"$dir/known" <<-XML
	<tiptop><screen name="known"><column header="  KNOWN" format="%7.0f" expr="0 * delta(CPU_NS) + 4711"/></screen></tiptop>
XML
ln -s "$work" "$dir/lastrow"

"$terminal" 'show=ended with status 3' signal=17 type=h 'show=Help: screen' type=h show=lastrow type=q end -- \
	"$tiptop" -d 0.1 --only-conf -W "$dir/known" -- "$dir/lastrow" exit=3 >"$dir/steps" 2>&1
is "live: the last numbers stay, also when another child ends" "$(cat "$dir/steps")" "show ended with status 3: yes
show Help: screen: yes
show lastrow: yes
exit 3"

"$terminal" 'show=ended with status 0' type=R type=h 'show=Help: screen' type=qq end -- \
	"$tiptop" -d 0.1 -E "$dir/remarks" -- true >"$dir/steps" 2>&1
is "live: nothing is said to -E again once the command has ended" "$(sort "$dir/remarks" | uniq -d)" ""

"$terminal" 'show=ended with status 3' end -- "$tiptop" -n 20 -d 0.1 -- "$work" exit=3 >"$dir/steps" 2>&1
is "live, -n: the refreshes are counted beyond the end of the command" "$(cat "$dir/steps")" \
	"show ended with status 3: yes
exit 3"

# last_refresh STEP...: two refreshes, the second is that of the end.
last_refresh() {
	rm -f "$dir/go"
	"$terminal" show=4711 end "$@" -- "$tiptop" -n 2 -d 1000 --only-conf -W "$dir/known" -- \
		sh -c 'until [ -e "$0" ]; do sleep 0.1; done; exit 3' "$dir/go" >"$dir/steps" 2>&1 &
	monitor=$!
	await grep -q 4711 "$dir/steps"
	touch "$dir/go"
	wait $monitor
	monitor=''
}
last_refresh 'rest=goes on'
is "live, -n: a command that has ended is not said to go on" "$(cat "$dir/steps")" "show 4711: yes
exit 3
rest goes on: no"

finish
