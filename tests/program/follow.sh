#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop follow: rows of tasks through fork, exec and exit, on the running kernel.
# shellcheck source=lib.sh disable=SC2016 # texts of shells are for these shells
. "$(dirname "$0")/lib.sh"

# follow STATUS NAME ARGUMENT...: rows go to $out, what the command prints to $dir/printed.
follow() {
	follow_status=$1 follow_name=$2
	shift 2
	"$tiptop" follow -o "$out" "$@" >"$dir/printed" 2>"$err" </dev/null
	is "$follow_name: exit status" $? "$follow_status"
}
# events: the kinds of the rows, in a line, each with P where it is of the command, C where it is of another process.
events() {
	awk 'NR == 2 { first = $2 } NR > 1 { kind = $4 ~ /^[a-z]/ ? $4 : $3; printf "%s%s:%s", n++ ? " " : "", $2 == first ? "P" : "C", kind }' "$out"
}
# sum KIND: of the first counts of these rows.
sum_of() {
	awk -v kind="$1" '$3 == kind { n += $4 } END { printf "%d", n }' "$out"
}

is "nothing to follow: a sentence" "$("$tiptop" follow 2>&1)" \
	"tiptop: follow: there is nothing to follow: 'tiptop follow -- command' or 'tiptop follow -p pid'"
"$tiptop" follow -c bogus -- true >"$out" 2>"$err"
is "no such event: exit status, and nothing was started" "$? $(cat "$out")" "2 "
matches "no such event: the sentence" "$(cat "$err")" "tiptop: -c: .*'bogus'.*--list-events.*"
"$tiptop" follow --format xml -- true >"$out" 2>"$err"
is "no such format: a sentence" "$? $(cat "$err")" "2 tiptop: --format: there is no format 'xml': text, csv, json or html"

for words in "-- true" "-p $$"; do
	# shellcheck disable=SC2086 # of two words
	"$tiptop" follow -T 0 -N 2 $words >"$out" 2>"$err"
	is "a number of intervals without intervals: a sentence" "$? $(cat "$err")" \
		"2 tiptop: follow: -N counts intervals, and with -T 0 there are none: leave one of them out"
done

if ! reason=$("$work" can-count); then
	skip "rows" "$reason"
	finish
	exit
fi
events=page-faults

# The sample of the article on cputrack(1), 'sh -c date', has these rows in this order.
follow 0 "a life" -T 0 -fve -c $events -- sh -c 'date; :'
is "a life: the rows" "$(events)" \
	"P:init_lwp P:fork C:init_lwp C:fini_lwp C:exec C:exec C:init_lwp C:fini_lwp C:exit P:fini_lwp P:exit"
is "a life: the new image" "$(grep -c "exec .*# 'date'$" "$out")" 1
matches "a life: the command's own output" "$(cat "$dir/printed")" ".*[0-9]:[0-9].*"
within "a life: faults of a start" "$(sum_of exit)" 40 2000

printf '#!/bin/sh\n' >"$dir/b$(printf '\033')[2J"
chmod +x "$dir/"b*
follow 0 "a name" -T 0 -fe -c $events -- sh -c '"$0"/b*; :' "$dir"
is "a name: what would command the terminal is made harmless" "$(sed -n "s/.*exec .*# //p" "$out")" "'b?[2J'"

follow 3 "not followed" -T 0 -v -c $events -- sh -c 'date; exit 3'
is "not followed: the command alone" "$(events)" "P:init_lwp P:fini_lwp P:exit"
is "its status" "$(sed -n 's/.* exit .*# //p' "$out")" "status 3"
follow 0 "until exec" -T 0 -f -c $events -- sh -c 'date; :'
is "until exec: the child is left there" "$(events)" "P:fork C:exec P:exit"

# How each has ended, in the order of their ends: 0 is no remark in text.
ends='true; (exit 7); sh -c "kill -TERM \$\$"; exit 4'
follow 4 "ends" -T 0 -fe -c $events --record "$dir/ends.db" -- sh -c "/bin/$ends"
is "ends: text" "$(sed -n 's/.* exit  *[0-9]*//p' "$out" | tr '\n' ',')" ", # status 7, # signal 15, # status 4,"
follow 4 "ends in csv" -T 0 -fe --format csv -c $events -- sh -c "/bin/$ends"
is "ends: csv" "$(sed -n 's/.*,exit,.*,//p' "$out" | tr '\n' ',')" "status 0,status 7,signal 15,status 4,"
follow 4 "ends in json" -T 0 -fe --format json -c $events -- sh -c "/bin/$ends"
is "ends: json" "$(sed -n '/"exit"/s/.*},"\([a-z]*":[0-9]*\)}$/\1/p' "$out" | tr '\n' ',')" \
	'status":0,status":7,signal":15,status":4,'
if "$tiptop" --build-info | grep -q ' SQLite [0-9]'; then
	is "ends: replayed" "$("$tiptop" follow --replay "$dir/ends.db" --format csv | sed -n 's/.*,exit,.*,//p' | tr '\n' ',')" \
		"status 0,status 7,signal 15,status 4,"
else
	skip "ends: replayed" "this tiptop was built without SQLite"
fi

# Lists as those of cputrack.
follow 0 "in user mode" -T 0 -n -c pic0=$events -- "$work" touch=1000
within "in user mode: faults" "$(sum_of exit)" 1000 2000
if "$tiptop" follow -T 0 -n -K -c $events -- true >"$out" 2>"$err"; then
	follow 0 "in the kernel" -T 0 -n -c "$events,nouser,sys" -- "$work" touch=1000
	within "in the kernel alone: faults" "$(sum_of exit)" 0 999
else
	follow 1 "not in the kernel" -T 0 -n -c "$events,nouser,sys" -- "$work" touch=1000
	matches "not in the kernel: the sentence, as with -K" "$(cat "$err")" \
		"tiptop: follow: counting '$events' in the kernel .*perf_event_paranoid is [0-9].*"
fi
follow 2 "no mode" -c "$events,nouser" -- true
is "no mode: the sentence" "$(cat "$err")" "tiptop: -c: nouser without sys leaves no mode in which events are counted"
follow 2 "out of order" -c "pic1=$events" -- true
matches "out of order: the sentence" "$(cat "$err")" "tiptop: -c: 'pic1=$events' stands where pic0 is expected: .*"

# Many short lives: not one is lost.
follow 0 "many" -T 0 -fe -n -c $events -- sh -c 'i=0; while [ $i -lt 300 ]; do /bin/true; i=$((i + 1)); done'
is "many: forks, execs, ends" \
	"$(grep -c ' fork ' "$out") $(grep -c " exec .*'true'" "$out") $(grep -c ' exit ' "$out")" "300 300 301"

# Threads: each has its own counts.
follow 0 "threads" -T 0 -v -c $events -- "$work" pool=3 each-touch=1000
is "threads: created and ended" "$(grep -c ' lwp_create ' "$out") $(grep -c ' lwp_exit ' "$out")" "3 3"
is "threads: what each has counted" "$(awk '$4 == "lwp_exit" && $5 >= 1000 && $5 < 1100' "$out" | wc -l)" 3
is "threads: the sum is that of the process" "$(sum_of exit)" \
	"$(awk '$4 == "lwp_exit" || $4 == "fini_lwp" { n += $5 } END { print n }' "$out")"

# Ticks add up to the end.
follow 0 "ticks" -T 0.05 -v -c $events -- "$work" touch=500 spin=300 touch=500
is "ticks: they and the rest are the total" \
	"$(awk '$4 == "tick" { n += $5 } $4 == "fini_lwp" { total = $5 } END { print (total >= n && total - n < 600 && n > 0) }' "$out")" 1

# What ends a command.
follow 143 "a signal ends it" -T 0 -c $events -- sh -c 'kill -TERM $$'
follow 5 "its signals are its own" -T 0 -c $events -- sh -c 'trap "exit 5" USR1; kill -USR1 $$; sleep 5'
follow 6 "not followed any more: its end is waited for" -T 0 -c $events -- sh -c 'exec sh -c "sleep 0.3; exit 6"'
is "not followed any more: up to the exec" "$(events | sed 's/P:init_lwp //')" "P:exec"
follow 127 "no such command" -T 0 -c $events -- "$dir/none"
matches "no such command: the sentence" "$(cat "$err")" "tiptop: cannot run '$dir/none': No such file or directory"
echo "old" >"$dir/kept"
follow 127 "no such command, with -o" -T 0 -c $events -o "$dir/kept" -- "$dir/none"
is "no such command: the file is as before" "$(cat "$dir/kept")" "old"
"$tiptop" follow -T 0 -c $events --record "$dir/none.db" -- "$dir/none" >"$out" 2>"$err"
is "no such command, with --record: no recording is made" "$? $(ls "$dir/none.db" 2>/dev/null)" "127 "
"$tiptop" follow -T 0 -c $events -o "$dir/kept" --append --record "$dir/none.db" -- true >"$out" 2>"$err"
is "a file with another header, with --record: no recording is made" "$? $(ls "$dir/none.db" 2>/dev/null)" "1 "
follow 126 "a file that cannot be executed, with -o" -T 0 -c $events -o "$dir/kept" -- "$dir/kept"
is "a file that cannot be executed: the file is as before" "$(cat "$dir/kept")" "old"
follow 0 "stopped and continued" -T 0 -f -c $events -- sh -c '(sleep 0.2; kill -CONT $$) & kill -STOP $$; wait'
mkfifo "$dir/held"
follow 4 "a child that stays" -T 0 -f -c $events -- sh -c "(read x <'$dir/held' &) ; exit 4"
matches "a child that stays: it is said" "$(cat "$err")" "tiptop: follow: the command has ended; 1 task that it made goes on, .*"
echo go >"$dir/held"

# A process that runs.
sleep 60 &
pid=$!
await grep -qx sleep "/proc/$pid/comm"
"$tiptop" follow -T 0.1 -N 2 -c $events -p $pid >"$out" 2>"$err" &
wait $!
is "a process that runs: the ticks that were wanted" "$? $(grep -c ' tick ' "$out")" "0 2"
is "a process that runs: it goes on" "$(cut -d ' ' -f 3 /proc/$pid/stat)" S
is "a process that runs: it is not held" "$(sed -n 's/^TracerPid:[^0-9]*//p' /proc/$pid/status)" 0
"$tiptop" follow -T 0 -c $events -p $pid >"$out" 2>"$err" &
holder=$!
await grep -q 'TracerPid:.*[1-9]' /proc/$pid/status
"$tiptop" follow -T 0 -c $events -p $pid >"$dir/second" 2>"$err"
is "held by a debugger: exit status" $? 1
matches "held by a debugger: the sentence" "$(cat "$err")" "tiptop: task $pid cannot be followed: process $holder \(.*\) traces it, .*"
kill $pid
wait $holder
is "its end is the end" "$(grep -c ' exit ' "$out")" 1
"$tiptop" follow -T 0 -p 2147483647 -c $events >"$out" 2>"$err"
is "no such process" "$? $(cat "$err")" "1 tiptop: there is no process 2147483647"
sh -c 'sleep 60 & echo $! >"$1"; exec sleep 60' sh "$dir/ended" &
worker=$!
until [ "$(cat /proc/$worker/comm)" = sleep ]; do
	sleep 0.05
done
ended=$(cat "$dir/ended")
kill -KILL "$ended"
until [ "$(sed 's/.*) \(.\).*/\1/' "/proc/$ended/stat")" = Z ]; do
	sleep 0.05
done
"$tiptop" follow -T 0 -p "$ended" -c $events >"$out" 2>"$err"
is "a process that no parent has waited for" "$? $(cat "$err")" "1 tiptop: the process $ended has ended"
kill $worker
worker=

# Recorded and replayed, byte for byte.
if "$tiptop" follow -T 0 -c $events --record "$dir/f.db" -- true 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip "recordings" "$(cat "$dir/text")"
else
	for format in text csv json; do
		rm -f "$dir/f.db"
		follow 4 "recorded as $format" -T 0.05 -fve --format $format -c $events,task-clock -c $events --record "$dir/f.db" -- \
			sh -c '"$0" touch=50 spin=150; "$0" pool=2 each-touch=20 end-pool; exit 4' "$work"
		"$tiptop" follow --replay "$dir/f.db" --format $format -o "$dir/again" 2>"$err"
		is "replayed as $format: exit status, and nothing is said" "$? $(cat "$err")" "0 "
		cmp "$dir/again" "$out" >"$dir/text" && [ "$(wc -l <"$out")" -gt 10 ]
		ok "replayed as $format: the same rows" $?
	done
	follow 0 "recorded without a header" -n -T 0 -c $events --record "$dir/f.db" -- true
	"$tiptop" follow --replay "$dir/f.db" -n >"$dir/again" 2>"$err"
	is "another run comes behind it" "$(tail -n 1 "$dir/again")" "$(cat "$out")"
	"$tiptop" follow --replay "$dir/f.db" >"$dir/again" 2>"$err"
	is "each run has its header" "$(grep -c '^ *time ' "$dir/again")" 2
	"$tiptop" follow --replay "$dir/f.db" --format html >"$dir/again" 2>"$err"
	is "as a page: one beginning, and each run has its heading" \
		"$(grep -c '<!DOCTYPE' "$dir/again") $(grep -c '"heading":' "$dir/again")" "1 2"
	"$tiptop" follow --replay "$dir/f.db" >/dev/full 2>"$err"
	is "a replay to a full disk: exit status" $? 1
	follow 2 "-f beside --replay" --replay "$dir/f.db" -f
	is "-f beside --replay: the sentence" "$(cat "$err")" \
		"tiptop: follow: -f does not go with --replay, which writes what was recorded: -n, -o, --format, --fields and --anonymize do"
	follow 2 "rows over the recording" -c $events --record "$out" -- true
	matches "rows over the recording: the sentence" "$(cat "$err")" "tiptop: follow: the recording \(--record\) and the rows \(-o\) would .*"
	"$tiptop" -b --replay "$dir/f.db" >"$out" 2>"$err"
	is "it is not a recording of samples" "$? $(cat "$err")" \
		"1 tiptop: the recording has no samples but rows of tiptop follow: 'tiptop follow --replay $dir/f.db' shows them"
	for words in "what" "compare $dir/f.db" "report -o $dir/page.html" "plot -o $dir/plot.svg"; do
		# shellcheck disable=SC2086 # of several words
		"$tiptop" $words "$dir/f.db" >"$out" 2>"$err"
		is "$words: it is not one of samples, either" "$? $(cat "$err")" \
			"1 tiptop: the recording has no samples but rows of tiptop follow: 'tiptop follow --replay $dir/f.db' shows them"
	done
	"$tiptop" -b -n 1 -d 0.1 -p $$ --record "$dir/samples.db" >"$out" 2>"$err" 3>&-
	echo old >"$out"
	follow 1 "a recording of samples" --replay "$dir/samples.db"
	matches "a recording of samples: the sentence" "$(cat "$err")" "tiptop: the recording '.*' has no rows of tiptop follow: .*"
	is "a recording of samples: the file is as before" "$(cat "$out")" old
	follow 1 "a field that was not recorded" --replay "$dir/ends.db" --fields nonsense
	is "a field that was not recorded: the file is as before" "$(cat "$out")" old
	rm "$out"
	follow 1 "a recording of samples, to a new file" --replay "$dir/samples.db"
	[ ! -e "$out" ]
	ok "a recording of samples: no empty file is left" $?

	# Killed, and cut or damaged.
	rm -f "$dir/f.db"
	mkfifo "$dir/cut"
	"$tiptop" follow -T 0 -fve -c $events -o "$out" --record "$dir/f.db" -- sh -c "date; read x <'$dir/cut'" >"$dir/printed" 2>"$err" 3>&- &
	monitor=$!
	await grep -qs " exit " "$out"
	"$tiptop" follow --replay "$dir/f.db" >"$dir/again" 2>"$err"
	is "while it is written: nothing is said" "$(cat "$err")" ""
	cmp "$dir/again" "$out"
	ok "while it is written: the rows so far" $?
	kill -KILL "$monitor"
	wait "$monitor" 2>/dev/null
	monitor=''
	kill "$(awk 'NR == 2 { print $2 }' "$out")"
	"$tiptop" follow --replay "$dir/f.db" >"$dir/again" 2>"$err"
	matches "killed: it is said" "$? $(cat "$err")" "0 tiptop: the recording '.*' was ended before what it followed: the last rows are not in it"
	cmp "$dir/again" "$out"
	ok "killed: nothing is lost" $?
	if command -v sqlite3 >"$dir/text"; then
		cp "$dir/ends.db" "$dir/damaged.db"
		sqlite3 "$dir/damaged.db" "DELETE FROM follow_counter"
		for format in text csv json html; do
			"$tiptop" follow --replay "$dir/damaged.db" --format $format >"$dir/again" 2>"$err"
			matches "no list of counters, $format: it is said" "$? $(cat "$err")" \
				"0 tiptop: the recording '.*damaged.db' is damaged: a run has no list of counters"
			[ "$(grep -c 'fork' "$dir/again")" -ge 1 ]
			ok "no list of counters, $format: the rows without counts" $?
		done
		echo old >"$out"
		sqlite3 "$dir/damaged.db" "UPDATE follow_row SET made = -1"
		follow 1 "no row that makes sense" --replay "$dir/damaged.db"
		is "no row that makes sense: it is said, and the file is as before" "$(cat "$err") $(cat "$out")" \
			"tiptop: the recording '$dir/damaged.db' is damaged: a row makes no sense old"
	else
		skip "no list of counters" "there is no sqlite3"
	fi
	head -c 20000 "$dir/samples.db" >"$dir/half.db"
	follow 1 "cut in two" --replay "$dir/half.db"
	matches "cut in two: the sentence" "$(cat "$err")" "tiptop: the recording '.*half.db': it is damaged"
fi

# A reader that has enough is no failure, and the command continues.
mkfifo "$dir/enough"
# shellcheck disable=SC2094 # the FIFO
{
	"$tiptop" follow -T 0 -fe -n -c $events -- sh -c '/bin/true; read -r x <"$0"; /bin/true; echo done >"$1"' "$dir/enough" "$dir/goes-on" 2>"$err"
	echo $? >"$dir/status"
} | {
	head -n 1 >"$out"
	exec <&-
	echo go >"$dir/enough"
}
is "a reader that has enough: exit status, and nothing is said" "$(cat "$dir/status") $(cat "$err")" "0 "
await [ -e "$dir/goes-on" ]
ok "a reader that has enough: the command continues" $?

# Many tasks find no descriptor: that is said once. The sleeps end when all have begun.
cat >"$dir/crowd" <<'END'
i=0
while [ $i -lt 40 ]; do sleep 60 & i=$((i + 1)); all="$all $!"; done
kill $all
wait
END
prlimit --nofile=24 "$tiptop" follow -fe -T 0 -c $events -- sh "$dir/crowd" >"$out" 2>"$err" </dev/null
is "few descriptors: exit status, and one line is said" "$? $(wc -l <"$err")" "0 1"
matches "few descriptors: the sentence has the options of this command" "$(cat "$err")" \
	"tiptop: follow: tasks are not counted from task [0-9]+ on, while there is no file descriptor left \(the limit is 24\): raise it with 'ulimit -n', or leave out -f, or count fewer events with -c"

# For programs.
follow 0 "csv" -T 0 -fe --format csv -c $events -- sh -c 'date; :'
is "csv: a header, and as many fields in each line" "$(awk -F, 'NR == 1 { n = NF } NF != n' "$out" | wc -l) $(head -n 1 "$out")" \
	"0 time_s,pid,lwp,event,page-faults,quality,remark"
follow 0 "csv of several sets" -T 0 --format csv -c $events,context-switches -c task-clock -- true
is "csv: what has a comma is quoted" "$(sed -n 's/.*,exit,.*,"/"/p' "$out" | head -n 1)" \
	'"pic0=page-faults,pic1=context-switches status 0"'
follow 0 "json" -T 0 -fe --format json -c $events -- sh -c 'date; :'
if command -v python3 >/dev/null; then
	is "json: each line is an object" "$(python3 -c 'import json, sys
print(*[json.loads(line)["event"] for line in open(sys.argv[1])])' "$out")" "fork exec exec exit exit"
else
	skip "json: each line is an object" "python3 is missing"
fi
"$tiptop" follow -T 0 -c $events -- true >/dev/full 2>"$err"
is "a full disk: exit status" $? 1
matches "a full disk: the sentence" "$(cat "$err")" ".*No space left.*"
finish
