#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The screen of -e: its columns are the requested events, and their counts are true.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# wrong PATTERN OPTION...: a usage error; the sentence, without "tiptop: ", matches the whole extended regular
# expression.
wrong() {
	wrong_pattern=$1
	shift
	"$tiptop" -b -n 1 "$@" >"$out" 2>"$err" </dev/null
	wrong_status=$?
	is "$(printf '%.40s' "$*"): exit status" "$wrong_status" 2
	matches "its sentence" "$(cat "$err")" "tiptop: $wrong_pattern"
	is "nothing on standard output" "$(cat "$out")" ""
}
# show OPTION...: one refresh.
show() {
	"$tiptop" -b -n 1 -d 0.1 "$@" >"$out" 2>"$err" </dev/null
	is "$*: exit status" $? 0
}
# headers: the names of the columns, without what surrounds them.
headers() {
	sed -n 's/^ *PID *\(.*\) COMMAND *$/\1/p' "$out" | tr -s '][ ' ' ' | sed 's/^ *//; s/ *$//'
}
screen() {
	sed -n 's/^Screen [0-9]*: //p' "$out"
}
names() {
	"$tiptop" --list-screens "$@" | sed -n "s/^ *[0-9]*: '\([^']*\)'.*/\1/p" | tr '\n' ' '
}

# What cannot be read, with its place; and what is not known here, with the remedy.
remedy=": 'tiptop --list-events' lists .*"
wrong "-e: column 1 of ',page-faults': a name is missing.*" -e ,page-faults
wrong "-e: column 7 of 'cs,cs,,cs': a name is missing.*" -e cs,cs, -e cs
wrong "-e: column 4 of 'cs,\{cs': the '\{' has no '}'.*" -e 'cs,{cs'
wrong "-e: column 1 of '}': the '}' has no '\{'.*" -e '}'
wrong "-e: column 2 of '\{\{cs}}': a group cannot be inside another one.*" -e '{{cs}}'
wrong "-e: column 4 of 'cpu/cs': the second '/' is missing.*" -e cpu/cs
wrong "-e: .*'no-such-event'.*$remedy" -e cs,no-such-event
wrong "-e: .*'minor-fault'.*\\(did you mean 'minor-faults'\\?\\)$remedy" -e minor-fault
wrong "-e: none of 'no-such-event', 'nor:this:one' is known here: .*$remedy" -e 'no-such-event;nor:this:one'
wrong "-e: .*'cs:x'.*" -e cs:x
wrong "-e: .*more than 64 .*" \
	-e "$(awk 'BEGIN { for (i = 0; i < 65; i++) printf "%spage-faults;x%d", i ? "," : "", i }')"
wrong "option -e needs an argument: .*" -e
wrong "the events \(-e\) must not be empty" -e ''

# The columns, the list as it comes from several options.
show -e task-clock,page-faults,context-switches
is "three events: their columns" "$(headers)" "%CPU task-clock page-faults context-switches"
is "three events: their screen" "$(screen)" events
show -e 'no-such-event;page-faults,cs' -n 1
is "alternatives: the column has the name of the one that is taken" "$(headers)" "%CPU page-faults cs"
show -e ' page-faults , cs' -e '{task-clock,page-faults}' --event=cs
is "several options: one list, each event once" "$(headers)" "%CPU page-faults cs task-clock"
show -e instructions:u,cycles:u,page-faults:u,LLC-load-misses:u
is "ratios: instructions and what they are compared with" "$(headers)" \
	"%CPU instructions:u cycles:u page-faults:u LLC-load-misses:u IPC:u LLC-load-misses:u/KI"

# With the other options on screens.
conf=$dir/rc
cat >"$conf" <<-XML
	<tiptop>
	  <options><option name="screen" value="mine"/><option name="sort_column" value="X"/></options>
	  <screen name="mine"><column header="X" format="%5.1f" expr="CPU_TOT"/></screen>
	</tiptop>
XML
is "--list-screens: the last one" "$(names -e cs | sed 's/.* \(.* \)/\1/')" "events "
is "--only-conf: this one, too" "$(names --only-conf -W "$conf" -e cs)" "mine events "
echo '<tiptop/>' >"$dir/empty"
is "--only-conf without a screen: this one alone" "$(names --only-conf -W "$dir/empty" -e cs)" "events "
show -e cs -S software
is "-S goes before -e" "$(screen)" software
show -e cs -S event
is "-S finds its screen" "$(screen)" events
show -e cs -W "$conf"
is "-e goes before the screen of the file" "$(screen)" events
show -e cs -W "$conf" -S mine
is "-S goes before both" "$(screen)" mine
show -e cs -W "$conf" --only-conf
is "--only-conf: the screen" "$(screen)" events
"$tiptop" -b -n 1 -d 0.1 -i -p $$ -e cs -o "$dir/file" >"$out" 2>"$err"
is "-o: exit status" "$? $(cat "$out" "$err")" "0 "
cp "$dir/file" "$out"
is "-o: the columns" "$(headers)" "%CPU cs"

# What the machine has not: the column is there, with a '?' and a sentence that says why.
show -e cycles -i -p $$
is "cycles: the columns" "$(headers)" "%CPU cycles"
case $(last $$ 3) in
'?') matches "cycles: why there are none" "$(cat "$err")" "tiptop: (.*'cycles'.*|this machine has no hardware counters: only what the kernel counts is shown)" ;;
*)
	matches "cycles: a number" "$(last $$ 3)" '[0-9]+'
	is "cycles: no complaint" "$(cat "$err")" ""
	;;
esac

# A name with a ',' in it.
if [ -e /sys/bus/event_source/devices/msr/events/tsc ]; then
	show -e '{msr/tsc,event=0/,cs},cs'
	is "a ',' between '/': the columns" "$(headers)" "%CPU msr/tsc,event=0/ cs"
else
	skip "a ',' between '/'" "this machine has no msr/tsc/"
fi

# The counts. Alone, as a group, and by the second one of two names.
N=1000 # pages
MS=200 # of CPU time
if reason=$("$work" can-count); then
	for events in task-clock,page-faults '{task-clock,page-faults}' 'task-clock:u,no-such-event; page-faults'; do
		work_start wait report touch=$N spin=$MS report wait
		watch -e "$events" -d 0.1 -i -p "$worker"
		is "$events: nothing while it waits" "$(last "$worker" 3) $(last "$worker" 4)" "0 0"
		feed
		look
		watch_end
		faults "$events: page faults" "$(calc "$(sum "$worker" 4)" | sed 's/\..*//')" $N 1
		cpu_ms "$events: CPU time, in ns" "$(calc "$(sum "$worker" 3) / 1e6")" "$(worked_ms 1 2)"
		work_end
	done
else
	skip "counts" "$reason"
fi

# The live screen, which can make it a screen of the configuration.
mux() {
	tmux -S "$dir/tmux" -f /dev/null "$@" 2>/dev/null
}
shows() {
	mux capture-pane -p | grep -q -e "$1"
}
live() {
	trap 'mux kill-server; cleanup' EXIT
	mux -u new-session -d -x 100 -y 20 "cd '$dir/home' && '$tiptop' -d 0.2 -e '{page-faults,cs},instructions,cycles'"
	await shows '^ *PID \[ %CPU\]  *page-faults  *cs  *instructions  *cycles  *IPC  *COMMAND'
	ok "live: the columns" $?
	mux send-keys h
	await shows '^ *Help: screen'
	mux send-keys /
	await shows 'Search: '
	mux send-keys 'since the last' Enter
	await shows '^ *page-faults  *page-faults since the last refresh  *delta(page_faults)'
	ok "live: the help says what they are" $?
	mux send-keys h W Enter
	await test -s "$dir/home/.tiptoprc"
	ok "live: the key W writes a file" $?
	mux send-keys q
	is "live: which has the screen" "$(names --only-conf)" "events "
	show
	is "live: which is there at the next start" "$(screen): $(headers)" "events: %CPU page-faults cs instructions cycles IPC"
}
if ! command -v tmux >/dev/null; then
	skip "live" "tmux is not installed"
elif "$tiptop" </dev/null 2>&1 | grep -q "without ncurses"; then
	skip "live" "built without ncurses"
else
	live
fi
finish
