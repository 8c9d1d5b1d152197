#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The layout of batch mode, line by line, and its end.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

number='[0-9]+(\.[0-9]+)?'
line() {
	sed -n "$1p" "$out"
}
# body: what follows the head, whose last line has the names of the columns.
body() {
	awk 'body; /^ *PID / { body = 1 }' "$out"
}
# run OPTION...: until it ends; the exit status is $status.
run() {
	"$tiptop" -b "$@" >"$out" 2>"$err" </dev/null
	status=$?
}
software=$("$tiptop" --list-screens | sed -n "s/^ *\([0-9]*\): 'software'.*/\1/p")
me=$(id -u)

# The head, with all of its lines.
work_start name=worker wait
run -i -S software -d 0.1 -n 3 -p "$worker" -u "$me"
is "exit status" $status 0
is "no message" "$(cat "$err")" ""
matches "line 1: uptime and load" "$(line 1)" \
	'tiptop - up [0-9]+ days, [0-9]{1,2}:[0-9]{2}, load average: [0-9]+\.[0-9]{2}, [0-9]+\.[0-9]{2}, [0-9]+\.[0-9]{2}'
matches "line 2: date" "$(line 2)" \
	'(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ 1-3][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} UTC [0-9]{4}'
is "line 3: options" "$(line 3)" "delay: 0.10  idle: 1  threads: 0"
is "line 4: -p" "$(line 4)" "only pid $worker"
is "line 5: -u" "$(line 5)" "watching uid $me '$(id -un)'"
is "line 6: screen" "$(line 6)" "Screen $software: software"
is "line 7: empty" "$(line 7)" ""
is "line 8: columns" "$(line 8)" \
	"$(printf '%*s  [ %%CPU] %%SYS %%CHLD    P  VCSW/s NVCSW/s MIGR/s  MINFL/s MAJFL/s WAITms/s COMMAND ' 5 PID | sed 's/PID  /PID /')"
matches "a row" "$(line 9)" " *$worker  $(printf '( +%s){10}' "$number") worker"
is "a row: as wide as the names of the columns" "$(line 9 | sed 's/worker$//' | wc -c)" "$(line 8 | sed 's/COMMAND $//' | wc -c)"
is "-n 3: three refreshes, each with an empty line behind it" "$(body | sed "s/^ *$worker .* worker$/row/" | tr '\n' ,)" "row,,row,,row,,"

run -S software -d 0.1 -n 1 -p worker
is "without -u: no such line" "$(line 4) $(line 5)" "only pid 'worker' Screen $software: software"
run -S software -d 0.1 -n 1
is "without -p and -u: no such lines, as root" \
	"$(line 4)" "Screen $software: software"
run -S software -d 0.1 -n 2 -p "$worker"
is "idle tasks are not shown" "$(body | tr '\n' ,)" ",,"
run -S tasks -d 0.1 -n 2 -p "$worker"
is "idle tasks are shown by a screen that wants them" "$(rows "$worker" | wc -l)" 2
is "and it says so" "$(line 3)" "delay: 0.10  idle: 1  threads: 0"
run -S software -i -d 0.1 -n 1 -p workers-of-nobody
is "-p text: no task has this name" "$(body | tr '\n' ,)" ","
run -S software -i -d 0.1 -n 1 -p worker -U
matches "-U: the user" "$(line 7)" ' +PID +user +\[.*'
matches "-U: the user of a row, in 10 characters or more" "$(body | grep "^ *$worker ")" " *$worker  .{10,} .*"
is "-U: it is this user" "$(body | awk -v pid="$worker" '$1 == pid { print $2 }')" "$(id -un)"
run -S software -i -d 0.1 -n 1 -p "$worker" -c
matches "-c: the command line" "$(body | head -n 1)" ".* $work name=worker wait"
run -S software -i -d 0.1 -n 1 -c -p "name=worker wait"
is "-c -p: searches in the command line" "$(rows "$worker" | wc -l)" 1
work_end

work_start pool=2 wait
run -S software -i -d 0.1 -n 1 -H -p "$worker"
is "-H: the third line says so" "$(line 3)" "delay: 0.10  idle: 1  threads: 1"
is "-H: a row for each thread" "$(body | grep -c .)" 3
pids() {
	run -S software -i -d 0.1 -n 1 -H -p "$worker" --sort "$1"
	body | awk 'NF { print $1 + 0 }'
}
is "--sort PID: the largest first" "$(pids PID)" "$(pids PID | sort -rn)"
is "--sort pid:asc: the smallest" "$(pids pid:asc)" "$(pids PID | sort -n)"
matches "--sort: the column is between brackets" "$(line 7)" "\[ +PID\] .*"
run -S software -i -d 0.1 -n 1 -p "$worker"
matches "threads: + behind the pid" "$(body | head -n 1)" " *$worker\+ .*"
work_end

# Names as they must not reach a terminal, and as they may.
for name in "$(printf 'a\033[31mb\nc')" "$(printf 'x)\tR 1 (y')" "$(printf 'n\302\233m')" "$(printf '\377\376z')"; do
	work_start "name=$name" wait
	run -S software -i -d 0.1 -n 1 -p "$worker"
	is "control characters in a name: one row" "$(body | grep -c .)" 1
	is "control characters in a name: none is printed" "$(body | LC_ALL=C tr -d '[:print:]\n' | wc -c)" 0
	work_end
done
work_start "name=$(printf 'na\303\257f')" wait
run -S software -i -d 0.1 -n 1 -p "$worker"
matches "UTF-8 in a name is left as it is" "$(body | head -n 1)" ".* $(printf 'na\303\257f')"
work_end

# A time zone may have a name of any length; one that is too long for the date is written as a number.
TZ=$(printf 'LONG%.0s' 1 2 3 4 5 6 7 8 9 10 11)0 "$tiptop" -b -d 0.1 -n 1 -S software -p $$ >"$out" 2>"$err"
matches "a long time zone: the date" "$(line 2)" '(Mon|Tue|Wed|Thu|Fri|Sat|Sun) .* [0-9:]{8} \+0000 [0-9]{4}'

# As a field: the last one, whatever else there is.
work_start "name=two  words" wait
run -S software -i -d 0.1 -n 1 -p "$worker" -w "$worker"
matches "a name with blanks" "$(body | head -n 1)" ".* two  words <---"
run -S software -i -d 0.1 -n 1 -p "$worker" -w "$worker" --safe-names
is "--safe-names: the name is the last field" "$(body | awk 'NF { print $NF }')" two__words
run -S software -i -d 0.1 -n 1 -p "$worker" -c --safe-names
is "--safe-names -c: the command line is" "$(body | awk 'NF { print $NF }')" "${work}_name=two__words_wait"
: >"$out"
"$tiptop" -b -i -S software -d 0.1 -p "$worker" --safe-names >"$out" 2>"$err" 3>&- &
monitor=$!
await refreshed 1
work_end
wait $monitor
monitor=''
is "--safe-names: so it is of a task that has ended" "$(body | awk '/DEAD/ { print $(NF - 1), $NF }')" "DEAD two__words"

# Numbers have a point in every locale.
if command -v localedef >/dev/null && mkdir "$dir/locale" &&
	localedef -i de_DE -f UTF-8 "$dir/locale/de_DE.UTF-8" >"$dir/text" 2>&1 &&
	[ "$(LOCPATH=$dir/locale LC_ALL=de_DE.UTF-8 locale decimal_point)" = , ]; then
	work_start wait
	LOCPATH=$dir/locale LC_ALL=de_DE.UTF-8 "$tiptop" -b -i -d 0.1 -n 1 -S software -p "$worker" >"$out" 2>"$err"
	is "decimal comma: the number of the delay" "$(line 3)" "delay: 0.10  idle: 1  threads: 0"
	matches "decimal comma: the row" "$(body | head -n 1)" " *$worker  $(printf '( +%s){10}' "$number") work"
	matches "decimal comma: the date is in English" "$(line 2)" '(Mon|Tue|Wed|Thu|Fri|Sat|Sun) .*'
	LOCPATH=$dir/locale LC_ALL=de_DE.UTF-8 "$tiptop" -b -n 1 -d 0,5 >"$out" 2>"$err"
	is "decimal comma: not in options either" $? 2
	work_end
else
	skip "decimal comma" "no locale with a decimal comma can be made here"
fi

# Time. The first interval is a quarter of a second at most. It never takes less. On a busy machine it may take more: the
# quickest of a few runs is still far from what it would be with a whole first interval, or with one of the least delay.
# lasts SECONDS WRONG_SECONDS OPTION...
lasts() {
	lasts_least=$1 lasts_wrong=$2 lasts_quickest=1000
	shift 2
	for _ in 1 2 3 4 5; do
		begin=$(date +%s%N)
		run -S software -p $$ "$@"
		lasts_quickest=$(calc "($(date +%s%N) - $begin) / 1e9" | awk -v least="$lasts_quickest" '{ print $1 < least ? $1 : least }')
		awk -v t="$lasts_quickest" -v least="$lasts_least" 'BEGIN { exit t > least + 0.5 }' && break
	done
	within "$*: lasts $lasts_least s" "$lasts_quickest" "$(calc "$lasts_least - 0.05")" "$(calc "$lasts_wrong - 0.1")"
}
lasts 0.25 8 -d 8 -n 1
lasts 2.25 4 -d 2 -n 2
lasts 0.5 5 -d 0.05 -n 10

# -o
run -S software -p $$ -d 0.1 -n 1 -o "$dir/file"
is "-o: standard output stays empty" "$(cat "$out")" ""
matches "-o: the text is in the file" "$(head -n 1 "$dir/file")" 'tiptop - .*'

# The reader has closed the pipe.
begin=$(date +%s%N)
{
	"$tiptop" -b -i -S software -d 60 2>"$err"
	echo $? >"$dir/status"
} | head -n 3 >"$out"
is "reader gone: exit status" "$(cat "$dir/status")" 0
is "reader gone: no message" "$(cat "$err")" ""
is "reader gone: it got what it read" "$(wc -l <"$out")" 3
within "reader gone: ends at once, not at the next refresh" "$(calc "($(date +%s%N) - $begin) / 1e9")" 0 50

if [ -c /dev/full ]; then
	"$tiptop" -b -S software -d 0.1 -n 2 >/dev/full 2>"$err"
	is "disk full: exit status" $? 1
	is "disk full: one sentence" "$(wc -l <"$err")" 1
	matches "disk full: the cause" "$(cat "$err")" 'tiptop: .*No space left on device.*'
	"$tiptop" -b -S software -d 0.1 -n 2 -o /dev/full >"$out" 2>"$err"
	is "disk full (-o): exit status" $? 1
	matches "disk full (-o): it names the file" "$(cat "$err")" "tiptop: .*/dev/full.*No space left on device.*"
else
	skip "disk full" "no /dev/full"
fi
"$tiptop" -b -S software -d 0.1 -n 2 >&- 2>"$err"
is "standard output closed: exit status" $? 1
matches "standard output closed: one sentence" "$(cat "$err")" 'tiptop: .*'
"$tiptop" -b -S software -i -d 0.1 -n 2 -p $$ <&- >"$out" 2>&-
is "standard input and error closed: exit status" $? 0
is "standard input and error closed: nothing else in the output" "$(body | grep -c .)" 2

# Signals end it as they end any program.
for signal in TERM:15 INT:2 HUP:1 QUIT:3; do
	rm -f "$dir/ended" "$out"
	# shellcheck disable=SC3045 # all shells in use have it
	(cd "$dir" && ulimit -c 0 && exec "$work" ended="$dir/ended" "$tiptop" -b -S software -d 0.1 -p $$ >"$out" 2>"$err") &
	monitor=$!
	await test -s "$dir/ended" -a -s "$out"
	kill "-${signal%:*}" "$(awk '$1 == "pid" { print $2 }' "$dir/ended")"
	wait $monitor
	monitor=''
	is "SIG${signal%:*} ends it" "$(tail -n 1 "$dir/ended")" "signal ${signal#*:}"
	is "SIG${signal%:*}: no message" "$(cat "$err")" ""
done
rm "$out"
(
	trap '' HUP
	exec "$tiptop" -b -S software -d 0.1 -p $$ >"$out" 2>"$err"
) &
monitor=$!
await test -s "$out"
kill -HUP $monitor
look
ok "SIGHUP that was ignored at the start (nohup) stays ignored" $?
watch_end

# It can be ended while the reader of a pipe does not read; 151 rows a refresh fill the pipe soon.
work_start pool=150 wait
mkfifo "$dir/pipe"
rm -f "$dir/ended"
"$work" ended="$dir/ended" "$tiptop" -b -i -H -S software -d 0.01 -p "$worker" >"$dir/pipe" 2>"$err" 3>&- &
monitor=$!
exec 4<"$dir/pipe"
await test -s "$dir/ended"
pid=$(awk '$1 == "pid" { print $2 }' "$dir/ended")
# stuck: it does not come to another refresh for a while.
stuck() {
	stuck_before=$(awk '/^voluntary/ { print $2 }' "/proc/$pid/status")
	sleep 0.5
	[ "$(awk '/^voluntary/ { print $2 }' "/proc/$pid/status")" = "$stuck_before" ]
}
await stuck
kill -TERM "$pid"
await grep -q -e '^signal' -e '^exit' "$dir/ended"
is "SIGTERM ends it while its reader does not read" "$(tail -n 1 "$dir/ended")" "signal 15"
kill -KILL "$pid" 2>/dev/null
wait $monitor
monitor=''
exec 4<&-
work_end

# The same with a command, which one SIGTERM ends: the reader is not waited for.
rm -f "$dir/ended"
"$work" ended="$dir/ended" "$tiptop" -b -i -H -S software -d 0.01 -- "$work" pool=150 spin=60000 >"$dir/pipe" 2>"$err" &
monitor=$!
exec 4<"$dir/pipe"
await test -s "$dir/ended"
pid=$(awk '$1 == "pid" { print $2 }' "$dir/ended")
await stuck
kill -TERM "$pid"
await grep -q -e '^signal' -e '^exit' "$dir/ended"
is "SIGTERM ends it and its command while its reader does not read" "$(tail -n 1 "$dir/ended")" "exit 143"
kill -KILL "$pid" 2>/dev/null
wait $monitor
monitor=''
exec 4<&-

finish
