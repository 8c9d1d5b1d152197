#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Errors are one sentence, with cause and remedy, on standard error; the exit status distinguishes usage errors from others;
# standard output and the output file do not change.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# wrong STATUS PATTERN OPTION...: the sentence, without "tiptop: ", matches the whole extended regular expression.
wrong() {
	wrong_status=$1 wrong_pattern=$2
	shift 2
	"$tiptop" "$@" >"$out" 2>"$err" </dev/null
	is "$*: exit status" $? "$wrong_status"
	matches "$*: one sentence" "$(cat "$err")" "tiptop: $wrong_pattern"
	is "$*: nothing on standard output" "$(cat "$out")" ""
}

# Options.
wrong 2 "unknown option '-x': see 'tiptop --help'" -x
wrong 2 "unknown option '--nonsense': .*--help.*" --nonsense
wrong 2 "--exact is for a command: put it after '--'; 'tiptop follow -p' follows a process that runs" -b --exact
wrong 2 "--repeat shows the summary of a command, and no rows: --exact does not go with it" --exact --repeat 2 -- true
wrong 2 "unknown option '--exact'.*: see 'tiptop follow --help'" follow --exact -- true
wrong 2 ".*--cpu-min.*" --c
wrong 2 "option -d needs an argument: seconds" -d
wrong 2 "option --batch takes no argument" --batch=1
wrong 2 "unknown option '--dely' .did you mean '--delay'..: .*" --dely 1
wrong 2 "unexpected 'sytem' .did you mean 'system'..: .*" sytem
wrong 2 "there is no command 'locsk' .did you mean 'locks'..: .*" help locsk
wrong 2 "there is no screen with 'defautl' in its name .did you mean 'default'..: .*" -b -S defautl
wrong 2 ".*there is no CPU 'nehalme' .did you mean 'nehalem'..: .*" --for-cpu nehalme --list-events
wrong 2 "there is no theme 'defalt' .did you mean 'default'..: .*" -b --theme defalt
wrong 2 "there is no format 'jsn' .did you mean 'json'..: .*" -b --format jsn
wrong 2 "unexpected 'ls': put '--' before a command to run it; those of tiptop itself: help.*" ls
wrong 2 "unexpected 'ls': put '--' before a command" -b ls
wrong 2 "unexpected '': put '--' before a command.*" ""
wrong 2 "there is no command 'ls': tiptop has help.*" help ls
wrong 2 "unknown option '-b': see 'tiptop help --help'" help -b
wrong 2 "unexpected 'help'" help help help
wrong 2 "unexpected '--'" help -- ls
wrong 2 "there is no command after '--'" -b --
for number in 0 0.009 -1 1,5 1s nan inf 1e999 86401 '' ' 1'; do
	wrong 2 "the delay \(-d\) .*" -b -d "$number"
done
for number in -1 1.5 0x10 99999999999999999999; do
	wrong 2 "the number of refreshes \(-n\) .*" -b -n "$number"
done
for number in -1 x; do
	wrong 2 "the threshold of idle tasks \(--cpu-min\) .*" -b --cpu-min "$number"
done
wrong 2 "-p: the pid .*" -b -n 1 -p 99999999999
wrong 2 "-w: the pid .*" -b -n 1 -w 99999999999
wrong 2 "there is no user 'no-such-user-here' \(-u\)" -b -n 1 -u no-such-user-here
wrong 2 "the user .*" -b -n 1 -u 99999999999
wrong 2 "the screen 'software' has no column 'nothing' to sort by: it has PID, user, .*, COMMAND" -b -n 1 -S software --sort nothing
wrong 2 "'csw' is a part of several columns .*: name one of VCSW/s, NVCSW/s" -b -n 1 -S software --sort csw
wrong 2 ".*'no-such-screen'.*" -b -n 1 -S no-such-screen
wrong 2 ".*99.*" -b -n 1 -S 99
wrong 2 "there is no format 'tex'.*: there is text \(.*\).*" -b --format tex
wrong 2 "standard output \(-o -\) has the live screen: name a file, or add -b" -o -
wrong 1 ".*-b.*" -o "$dir/new"

# What an argument says does not reach the terminal as a command.
escape=$(printf '\033[31m')
wrong 2 "unknown option '--\?\[31mbad': .*" "--${escape}bad"
wrong 2 "unexpected '\?\[31m': .*" "$escape"
wrong 2 ".*'\?\[31m'.*" -b -n 1 -S "$escape"
wrong 2 ".*'a\?b'.*" -b -n 1 -u "$(printf 'a\342\200\256b')"
wrong 1 ".*'\?\[31m'.*" -b -n 1 -W "$escape"
wrong 1 ".*'\?\[31m'.*" --list-events="$escape"
wrong 127 ".*'\?\[31m'.*" -b -n 1 -- "$escape"

wrong 2 "--check, --show-screen and --encodings print a text of one form: --format does not go with them" \
	--check --format json

# Files.
wrong 1 ".*$dir/none.*No such file or directory.*" -b -n 1 -W "$dir/none"
# What is wrong in the file is said with its name; what is wrong on the command line is not.
for option in group values layout theme screen; do
	printf '<tiptop><options><option name="%s" value="nonsense"/></options></tiptop>' $option >"$dir/nonsense"
	wrong 2 "$dir/nonsense: the option '$option': (there (is|are) no|tasks cannot be) .*" \
		-b -n 1 -W "$dir/nonsense"
done
for option in only_pid watch_name; do
	printf '<tiptop><options><option name="%s" value="99999999999"/></options></tiptop>' $option >"$dir/nonsense"
	wrong 2 "$dir/nonsense: the option '$option': the pid must be .*" -b -n 1 -W "$dir/nonsense"
done
printf '<tiptop><options><option name="group" value="nonsense"/></options></tiptop>' >"$dir/nonsense"
wrong 2 "tasks cannot be grouped by 'colour': .*" -b -n 1 -W "$dir/nonsense" --group colour
# A column to sort by may be one of another screen; one that no screen has is reported.
for column in nonsense PID %CPU:asc VCSW/s; do
	printf '<tiptop><options><option name="sort_column" value="%s"/></options></tiptop>' $column >"$dir/sorted"
	"$tiptop" -b -n 1 -W "$dir/sorted" 2>&1 >/dev/null | grep sort_column | sed "s|'$column'|NAME|" >"$dir/reported-${column%%/*}"
done
is "sort_column: that of no screen is reported" "$(cat "$dir/reported-nonsense")" \
	"tiptop: $dir/sorted: the option 'sort_column': no screen can be sorted by NAME: the first column sorts"
is "sort_column: those of screens are not" "$(cat "$dir/reported-PID" "$dir/reported-%CPU:asc" "$dir/reported-VCSW")" ""
wrong 1 ".*$dir/none/new.*No such file or directory.*" -b -n 1 -o "$dir/none/new"
wrong 1 ".*'?$dir'?.*Is a directory.*" -b -n 1 -o "$dir"
mkfifo "$dir/pipe"
wrong 1 "the configuration '$dir/pipe' is a pipe or a device: name a regular file" -b -n 1 -W "$dir/pipe"

# Files that would be lost: none is changed, none is left behind.
safe="<tiptop><screen name='safe'><column header='x' format='%f' expr='1'/></screen></tiptop>"
echo "$safe" >"$dir/file" && ln -s file "$dir/link" && ln "$dir/file" "$dir/hard"
both="the output \(-o\) and the faults \(-E\) would overwrite each other in '.*': name two files"
for name in file link hard; do
	wrong 1 "$both" -b -n 1 -o "$dir/file" -E "$dir/$name"
	wrong 1 "the faults \(-E\) would overwrite the configuration, '$dir/file': .*" -b -n 1 -W "$dir/file" -E "$dir/$name"
	wrong 1 "the output \(-o\) would overwrite the configuration, '$dir/file': .*" -b -n 1 -W "$dir/file" -o "$dir/$name"
	wrong 1 "the recording \(--record\) and the faults \(-E\) would overwrite each other in '$dir/file': .*" -b -n 1 --record "$dir/file" -E "$dir/$name"
	wrong 1 "the recording \(--record\) and the output \(-o\) would overwrite each other in '.*': .*" -b -n 1 --record "$dir/file" -o "$dir/$name"
	wrong 1 "the recording \(--record\) would overwrite the configuration, '.*': .*" -b -n 1 -W "$dir/file" --record "$dir/$name"
done
for option in --output --record; do
	wrong 1 "the metrics \(--metrics\) would replace the [a-z]* \(.*\), '$dir/file': .*" -b -n 1 $option "$dir/file" --metrics "$dir/link"
done
wrong 1 "the metrics \(--metrics\) would replace the configuration, '$dir/file': .*" -b -n 1 -W "$dir/file" --metrics "$dir/hard"
wrong 1 "the picture \(--screenshot\) would replace the recording \(--record\), '$dir/new.svg': .*" -n 1 --record "$dir/new.svg" --screenshot "$dir/new.svg"
"$tiptop" -b -n 2 -d 0.1 -S software --record "$dir/recording" >"$out" 2>"$err"
for words in "what $dir/recording" "report $dir/recording" "compare $dir/recording,to=+0.1 from=+0.1" "plot $dir/recording" \
	"compare --run true --run true" --list-screens --list-events "system --raw -c cpu-clock"; do
	suffix=
	case $words in plot*) ln "$dir/file" "$dir/file.svg" && suffix=.svg ;; esac
	# shellcheck disable=SC2086 # words
	"$tiptop" $words -W "$dir/file" -o "$dir/file$suffix" >"$out" 2>"$err" </dev/null
	matches "$words: the configuration is not overwritten" "$(tail -n 1 "$err")" "tiptop: ('$dir/file' is read, and would .*|.*CPU.*)"
done
mkdir -p "$dir/config/tiptop" && ln "$dir/file" "$dir/config/tiptop/more.xml"
for words in -b --list-screens --list-events; do
	XDG_CONFIG_HOME=$dir/config "$tiptop" $words -n 1 -d 0.1 -o "$dir/file" >"$out" 2>"$err"
	matches "$words: neither is a file of the folder" "$(tail -n 1 "$err")" "tiptop: .*'$dir/config/tiptop/more.xml'.*"
done
is "no file is changed" "$(cat "$dir/file")" "$safe"
wrong 1 "$both" -b -n 1 -o "$dir/fresh" -E "$dir/home/../fresh"
is "no file is left behind" "$(ls "$dir/fresh" 2>/dev/null)" ""
for output in "" "-o -" "-o /dev/stdout"; do
	# shellcheck disable=SC2086 # none or several words
	"$tiptop" -b -n 1 -d 0.1 -S software $output -E "$out" >"$out" 2>"$err"
	matches "-E is the file of standard output ($output)" "$? $(cat "$err")" "1 tiptop: $both"
done
"$tiptop" -b -n 1 -d 0.1 -S software --record "$out" >"$out" 2>"$err"
matches "the recording is the file of standard output" "$? $(cat "$err")" "1 tiptop: the recording \(--record\) and the output \(-o\) would .*"
"$tiptop" -b -n 1 -d 0.1 -S software -o /dev/null -E /dev/null >"$out" 2>"$err"
is "a device takes both" "$? $(cat "$out" "$err")" "0 "

# A disk that is full: what was asked for is not there, and that is said.
echo "<tiptop><option/></tiptop>" >"$dir/faulty"
"$tiptop" -b -n 1 -d 0.1 -E /dev/full -u root -W "$dir/faulty" >"$out" 2>"$err"
is "-E on a full disk: exit status" $? 1
is "-E on a full disk: cause" "$(tail -n 1 "$err")" "tiptop: cannot write '/dev/full': No space left on device"

# Nothing that is opened takes the place of standard input, output or errors that were closed.
timeout 20 sh -c 'exec "$@" <&- >&- 2>&-' sh "$tiptop" -b -n 1 -d 0.1 -S software -p $$ -i
is "all of them closed: exit status" $? 1
"$tiptop" -b -n 1 -d 0.1 -S software -p $$ -i 2>"$err" >&-
matches "standard output closed" "$? $(cat "$err")" "1 tiptop: cannot write to standard output: .*"
timeout 20 sh -c 'exec "$@" <&- 2>&-' sh "$tiptop" -b -o "$dir/closed" -- ls /proc/self/fd >"$out"
matches "the command finds them closed" "$? $(grep -cx 2 "$out")" "0 0"

# -o -
"$tiptop" -b -n 1 -d 0.1 -S software -p $$ -i -o - >"$out" 2>"$err"
is "-o - is standard output" "$? $(grep -c ' COMMAND' "$out") $(cat "$err") $(ls -A)" "0 1  "

# The configuration: the place of each fault.
conf=$dir/rc
# conf_wrong LINE PATTERN: the configuration from standard input has this fault in this line.
conf_wrong() {
	cat >"$conf"
	echo old >"$dir/old"
	"$tiptop" -b -n 1 -W "$conf" -o "$dir/old" >"$out" 2>"$err" </dev/null
	is "configuration: exit status ($2)" $? 1
	matches "configuration: file, line and cause" "$(head -n 1 "$err")" "tiptop: $conf:$1: $2"
	is "configuration: nothing on standard output ($2)" "$(cat "$out")" ""
	is "configuration: the output file is as it was ($2)" "$(cat "$dir/old")" old
}
conf_wrong 3 ".*" <<-XML
	<tiptop>
	  <screen name="x">
XML
conf_wrong 4 ".*column.*" <<-XML
	<tiptop>
	  <screen name="x">
	    <counter alias="a" config="CPU_CYCLES"/>
	    <column header="X" format="%5.1f" expr="delta(a) + * 2"/>
	  </screen>
	</tiptop>
XML
conf_wrong 3 ".*%s.*" <<-XML
	<tiptop>
	  <screen name="x">
	    <column header="X" format="%s" expr="CPU_TOT"/>
	  </screen>
	</tiptop>
XML
conf_wrong 3 ".*HARD.*" <<-XML
	<tiptop>
	  <screen name="x">
	    <counter alias="a" type="HARD" config="1"/>
	    <column header="X" format="%5.1f" expr="a"/>
	  </screen>
	</tiptop>
XML
conf_wrong 2 ".*delay.*" <<-XML
	<tiptop><options>
	  <option name="delay" value="soon"/>
	</options></tiptop>
XML

# What is unknown is reported, and the rest is used.
cat >"$conf" <<-XML
	<tiptop>
	  <options>
	    <option name="unheard_of" value="1"/>
	  </options>
	  <screen name="mine">
	    <column header="  %CPU" format="%6.1f" expr="CPU_TOT"/>
	    <column header="NEW" format="%3.0f" expr="NO_SUCH_NAME"/>
	  </screen>
	</tiptop>
XML
"$tiptop" -b -n 1 -d 0.1 -i -p $$ -S mine -W "$conf" >"$out" 2>"$err"
is "unknown names: exit status" $? 0
grep -q "^tiptop: $conf:3: .*unheard_of" "$err"
ok "unknown names: an option, with its line" $?
grep -q "^tiptop: $conf:7: .*NO_SUCH_NAME" "$err"
ok "unknown names: in an expression, with its line" $?
matches "unknown names: the other columns are there" "$(tail -n 2 "$out" | head -n 1)" " *$$ .*[0-9]+\.[0-9].*"

# one NAME XML...: a file with one mistake, in a screen; one message, with the line.
one() {
	one_name=$1
	shift
	printf '<tiptop>\n%s\n</tiptop>\n' "$*" >"$conf"
	"$tiptop" -b -n 1 -d 0.1 -p $$ -S software -W "$conf" >"$out" 2>"$err"
	is "one mistake, $one_name: one message" "$(grep -c "^tiptop: $conf:2: " "$err") $(wc -l <"$err")" "1 1"
}
counter='<counter alias="u" event="page-faults"/>'
column='<column header=" A" format="%5.1f" expr="delta(u)"/>'
one "a value" '<options><option name="delay" value="x"/></options>'
one "an expression that cannot be read" "<screen>$counter<column header=\" A\" format=\"%5.1f\" expr=\"delta(u\"/></screen>"
one "a name" "<screen>$counter<column header=\" A\" format=\"%5.1f\" expr=\"delta(v)\"/></screen>"
one "a column that another one uses" \
	"<screen>$counter$column<column header=\"B\" format=\"%f\" expr=\"v\"/><column header=\"C\" format=\"%f\" expr=\"B\"/></screen>"
one "a format" "<screen>$counter<column header=\" A\" format=\"%5d\" expr=\"delta(u)\"/></screen>"
one "no format" "<screen>$counter<column header=\" A\" expr=\"delta(u)\"/></screen>"
one "an event" "<screen><counter alias=\"u\" event=\"page-fault\"/>$column</screen>"
one "a type" "<screen><counter alias=\"u\" config=\"PAGE_FAULTS\" type=\"SOFT\"/>$column</screen>"
one "no alias" "<screen><counter event=\"page-faults\"/>$column</screen>"
one "an attribute" "<screen><counter alias=\"u\" even=\"page-faults\"/>$column</screen>"
one "an element" "<screen><count alias=\"u\" event=\"page-faults\"/>$column</screen>"
one "a counter without a use" "<screen>$counter<counter alias=\"w\" event=\"minor-faults\"/>$column</screen>"

# The live screen needs a terminal, and ncurses.
for term in xterm dumb no-such-terminal ''; do
	TERM=$term "$tiptop" >"$out" 2>"$err" </dev/null
	is "no terminal (TERM=$term): exit status" $? 1
	matches "no terminal (TERM=$term): one sentence, with the remedy" "$(cat "$err")" 'tiptop: .*-b.*'
	is "no terminal (TERM=$term): nothing on standard output" "$(cat "$out")" ""
done

# A file that is the terminal of the live screen would overwrite it, by any name.
case $("$tiptop" </dev/null 2>&1) in
*"without ncurses"*)
	skip "a file that is the terminal" "built without ncurses"
	;;
*)
	for option in "-o:output \(-o\)" "-E:the faults \(-E\)"; do
		TERM=xterm "${builddir:?}/tests/program/terminal" "copy=$dir/copy" 'show=add -b' end -- \
			"$tiptop" -d 0.1 "${option%%:*}" /dev/tty >"$out" 2>"$err"
		is "${option%%:*} /dev/tty: exit status" "$(tail -n 1 "$out")" "exit 1"
		matches "${option%%:*} /dev/tty: the sentence" "$(tr -d '\r' <"$dir/copy")" \
			"tiptop: ${option#*:} would overwrite the live screen: name a file, or add -b"
	done
	;;
esac

# few LIMIT OPTION...: a monitor with so few descriptors.
few() {
	few_limit=$1
	shift
	: >"$out"
	(
		# shellcheck disable=SC3045 # all shells in use have it
		ulimit -n "$few_limit"
		# shellcheck disable=SC2086 # several words
		exec "$tiptop" -b -d 0.3 $counters "$@"
	) >"$out" 2>"$err" 3>&- &
	monitor=$!
	await refreshed 1
}

# Few file descriptors. A task that has not run needs none; who has some keeps them here.
if reason=$("$work" can-count); then
	work_start pool=150 wait each-spin=1 wait each-spin=1 wait
	for limit in 64 100; do
		few $limit -n 1 -i -H -p "$worker"
		wait $monitor
		is "limit of $limit descriptors: exit status" $? 0
		few $limit -i -H --no-collect -p "$worker"
		feed
		look
		watch_end
		is "limit of $limit descriptors: all threads have a row in each refresh" \
			"$(awk 'body && NF { n++ } body && !NF { print n; n = 0 } $1 == "PID" { body = 1 }' "$out" | sort -u)" 151
		unknown=$(awk 'body && $2 == "?" { n++ } !NF { last = n; n = 0 } $1 == "PID" { body = 1 } END { print last }' "$out")
		within "limit of $limit descriptors: some have none" "$unknown" $((151 - limit / 2)) 151
		is "limit of $limit descriptors: one sentence" "$(wc -l <"$err")" 1
		matches "limit of $limit descriptors: number and remedy" "$(cat "$err")" "tiptop: $unknown threads have .*ulimit -n.*"
	done
	work_end

	# It is said once, when it is seen first; a task that comes later, and finds no descriptor either, is one more.
	work_start name=few$$ wait
	others=''
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
		"$work" name=few$$ wait <"$dir/orders" 3>&- &
		others="$others $!"
	done
	worker="$worker$others"
	all_there() {
		[ "$(cat /proc/[0-9]*/comm 2>/dev/null | grep -cx few$$)" -eq 25 ]
	}
	await all_there
	few 44 -i --no-collect -p few$$
	# To stop and to go on, they have to run: all of them between two refreshes.
	all_in() {
		[ "$(for pid in $worker; do grep "^State:.$1" "/proc/$pid/status"; done | wc -l)" -eq 25 ]
	}
	kill -STOP "$monitor"
	# shellcheck disable=SC2086 # several words
	kill -STOP $worker
	await all_in T
	# shellcheck disable=SC2086 # several words
	kill -CONT $worker
	await all_in S
	kill -CONT "$monitor"
	look
	"$work" name=few$$ spin=200 wait <"$dir/orders" 3>&- &
	worker="$worker $!"
	await refreshed 8
	watch_end
	unknown=$(awk 'body && $2 == "?" { n++ } !NF { last = n; n = 0 } $1 == "PID" { body = 1 } END { print last }' "$out")
	matches "limit of descriptors, one more task: the number was that of all without counters" \
		"$(tail -n 1 "$err")" "tiptop: $((unknown - 1)) processes have .*"
	exec 3>&-
	# shellcheck disable=SC2086 # several words
	wait $worker
	worker=''
else
	skip "few file descriptors" "$reason"
fi

[ ! -e "$dir/new" ]
ok "no output file was made" $?
finish
