#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --list-events, --list-columns and --list-filters: their fields suit grep and awk, and their names work in the options
# that take them.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# The lines of the list, without those that explain it.
entries() {
	grep -v '^#' "$out"
}

# list NAME OPTION...: with status 0, to standard output only; whole lines without blanks at their ends.
list() {
	list_name=$1
	shift
	"$tiptop" "$@" >"$out" 2>"$err" </dev/null
	is "$list_name: exit status" $? 0
	is "$list_name: no message" "$(cat "$err")" ""
	[ -z "$(tail -c 1 "$out")" ] && ! grep -q '[[:blank:]]$' "$out"
	ok "$list_name: whole lines" $?
}

# Events: five fields, of which the last is free text.
events() {
	list "$@"
	entries | awk 'NF < 5' >"$dir/bad"
	is "$1: each has all fields, and a description" "$(head -n 3 "$dir/bad")" ""
	entries | awk '$3 !~ /^0x[0-9a-f]+(:0x[0-9a-f]+)+$/ && ($3 != "-" || $4 !~ /^(absent|unusable)$/)' >"$dir/bad"
	is "$1: each has its code, or a reason" "$(head -n 3 "$dir/bad")" ""
	is "$1: each word is explained" "$(entries | awk '{ print $4 }' | sort -u)" \
		"$(sed -n 's/^# \([a-z]*\): .*/\1/p' "$out" | sort)"
	resolved "$1"
}

# resolved NAME: -e takes each name; forty at a time.
resolved() {
	entries | awk '$4 != "unusable" { printf "%s%s", NR % 40 == 1 ? sep : ",", $1; sep = "\n" } END { print "" }' >"$dir/names"
	resolved_bad=0
	while read -r names; do
		"$tiptop" -e "$names" --list-screens >"$dir/screens" 2>"$err" && [ ! -s "$err" ] && continue
		resolved_bad=1
		break
	done <"$dir/names"
	[ $resolved_bad -eq 0 ] && [ -s "$dir/names" ]
	ok "$1: -e takes each name" $?
}

events "this machine" --list-events
matches "the first line names the fields" "$(head -n 1 "$out")" '#name +pmu +encoding +opens +description'
matches "the last line mentions tracepoints" "$(tail -n 1 "$out")" '# tracepoints, .* --list-events sched:'
grep -q '^# numbers .*r1c2' "$out"
ok "numbers are explained" $?
matches "a software event" "$(grep '^task-clock ' "$out")" 'task-clock +software +0x1:0x1 +(yes|denied) +[^ ].*'
matches "an event with two names" "$(grep '^page-faults ' "$out")" '.*\(also called faults\)'
all=$(entries | wc -l)

# As JSON, read by an independent reader.
if command -v python3 >/dev/null; then
	# json NAME OPTION...: a line for each object, its values with blanks between them.
	json() {
		json_name=$1
		shift
		"$tiptop" --format json "$@" >"$out" 2>"$err" </dev/null
		is "$json_name: exit status and messages" "$? $(cat "$err")" "0 "
		is "$json_name: one line" "$(wc -l <"$out")" 1
		python3 -c '
import json, sys
for o in json.load(sys.stdin):
    print(" ".join(k + "=" + o[k] for k in o if k != "description"))
    assert o["description"]' <"$out" >"$dir/json"
		is "$json_name: it is read" $? 0
	}
	json "JSON" --list-events
	"$tiptop" --list-events >"$out"
	entries | awk '{ split($3, c, ":"); $3 == "-" || $0 = "name=" $1 " pmu=" $2 " type=" c[1] " config=" c[2] " config1=" (c[3] == "" ? "0x0" : c[3]) \
		" config2=" (c[4] == "" ? "0x0" : c[4]) " opens=" $4; if ($3 == "-") $0 = "name=" $1 " pmu=" $2 " opens=" $4; print }' >"$dir/text"
	cmp -s "$dir/text" "$dir/json"
	ok "JSON: the same events as in the text" $?
	json "JSON of a CPU that is not here" --for-cpu 06_97 --list-events l1d-misses
	is "JSON of a CPU that is not here: its events" "$(cat "$dir/json")" \
		"name=l1d-misses pmu=cpu_core type=0x4 config=0x8d1 config1=0x0 config2=0x0 opens=untried
name=l1d-misses pmu=cpu_atom type=cpu_atom config=0x8d1 config1=0x0 config2=0x0 opens=untried"
	json "JSON of a number" --for-cpu 41_D40 --list-events r4005
	is "JSON of a number: its fields" "$(cat "$dir/json")" "field=event value=0x4005
field=config value=0x4005
field=name value=data-stall-cycles
field=name value=backend-memory-stall-cycles"
else
	skip "JSON" "python3 is not installed"
fi
"$tiptop" --list-events --format xml >"$out" 2>"$err"
is "a list in another format" "$? $(cat "$err" "$out")" "2 tiptop: --format: there is no format 'xml': text, csv, json or html"
"$tiptop" --list-events no-such-event --format json >"$out" 2>"$err"
is "JSON without events: exit status, and nothing is printed" "$? $(cat "$out")" "1 "

# CPUs that this machine is not.
cpus=''
! has_tables || cpus='skl icl amd64_fam19h_zen3'
for cpu in $cpus; do
	LIBPFM_FORCE_PMU=$cpu
	export LIBPFM_FORCE_PMU
	events "$cpu" --list-events
	is "$cpu: has names of its own" "$(entries | awk -v cpu="$cpu" '$2 == cpu { n++ } END { print (n > 100) }')" 1
done
unset LIBPFM_FORCE_PMU
[ -n "$cpus" ] || skip "other CPUs" "libpfm4 is not there, or has the tables of another architecture"

# Those that a text asks for.
list "a name" --list-events page-faults
is "a name: its row" "$(entries | awk '{ print $1 }' | head -n 1)" page-faults
within "a name: few others" "$(entries | wc -l)" 1 "$((all / 2))"
list "in any case" --list-events=PAGE-faults
is "in any case: the same row" "$(entries | awk '{ print $1 }' | head -n 1)" page-faults
list "a PMU" --list-events software
is "a PMU: its rows" "$(entries | awk '$1 == "cpu-clock" || $1 == "emulation-faults" { n++ } END { print n }')" 2
list "a description" --list-events 'called cs)'
is "a description: its row" "$(entries | awk '{ print $1 }')" context-switches
list "no tracepoints unless requested" --list-events
is "no tracepoints unless requested: none" "$(entries | grep -c '^[a-z0-9_]*:[^ ]* *tracepoint ')" 0
"$tiptop" --list-events nonsense-nowhere >"$out" 2>"$err"
is "nothing: exit status" $? 1
matches "nothing: a sentence" "$(cat "$err")" "tiptop: there is no event with 'nonsense-nowhere' .*"
is "nothing: no list" "$(cat "$out")" ""
if [ -r /sys/kernel/tracing/events/sched/sched_switch/id ]; then
	list "a tracepoint" --list-events sched:sched_switch
	matches "a tracepoint: its row" "$(entries | head -n 1)" 'sched:sched_switch +tracepoint +0x2:0x[0-9a-f]+ +[a-z]+ .*'
else
	skip "a tracepoint" "tracefs cannot be read"
fi

# Columns: six fields, of which the last is free text.
cat >"$dir/rc" <<-'XML'
	<tiptop><screen name="mine" desc="My own">
	<counter alias="faults" event="page-faults; faults"/>
	<counter alias="clock" config="TASK_CLOCK" type="SOFTWARE"/>
	<column header="  two words  " format="%5.1f" expr="delta(faults)" desc="Faults"/>
	<column id="own" unit="ns" header="  %X" format="%5.1f" expr="[two words] + clock"/>
	</screen></tiptop>
XML
"$tiptop" -W "$dir/none" --list-events >"$out" 2>"$err"
is "a configuration that is not there: nothing is listed" "$? $(cat "$err" "$out")" \
	"1 tiptop: cannot open the configuration '$dir/none': No such file or directory"
list "columns" -W "$dir/rc" --list-columns
matches "columns: the first line names the fields" "$(head -n 1 "$out")" '#kind +name +of +id +unit +description'
is "columns: each has all fields, and a description" "$(entries | awk 'NF < 6' | head -n 3)" ""
is "columns: the kinds, in their order" "$(entries | awk '{ print $1 }' | uniq | head -n 7 | tr '\n' ' ')" \
	"variable mode function operator screen counter column "
matches "columns: a state" "$(entries | awk '$2 == "CPU_TOT"')" 'variable +CPU_TOT +state +- +% +.*\(% of one CPU\).*'
matches "columns: a text" "$(entries | awk '$2 == "CONTAINER"')" 'variable +CONTAINER +text +- +text +.*\[cgroup\]'
matches "columns: a counter of the kernel" "$(entries | awk '$2 == "MINFLT"')" 'variable +MINFLT +counter +- +count +.*\[stat: minflt\]'
screen=$(entries | awk -v q="'" '$1 == "screen" && index($0, q "mine" q) { print $2 }')
matches "columns: a counter by its event" "$(entries | awk '$2 == "faults"')" \
	"counter +faults +$screen +- +- +event=\"page-faults; faults\""
matches "columns: a counter by its number" "$(entries | awk '$2 == "clock"')" \
	"counter +clock +$screen +- +- +config=\"TASK_CLOCK\" type=\"SOFTWARE\""
matches "columns: a column" "$(entries | grep -F '[two words] ' | head -n 1)" \
	"column +\[two words\] +$screen +two_words +count +Faults = delta\(faults\)"
matches "columns: a column without a description" "$(entries | grep -F '[%X]')" \
	"column +\[%X\] +$screen +own +ns +.*= \[two words\] \+ clock"

# Each name in an expression, as it stands in the list.
{
	printf '<tiptop><screen name="all">'
	entries | awk '
		$1 == "mode" { sub(/x/, "MINFLT", $2) }
		$1 == "function" { gsub(/[(,][abc]/, "&1", $2); gsub(/[abc]1/, "1", $2) }
		$1 == "operator" { $2 = ($2 ~ /^(not|!)$/ ? "" : "1 ") $2 " 2"; gsub(/&/, "\\&amp;", $2); gsub(/</, "\\&lt;", $2) }
		/^(variable|mode|function|operator) / {
			n++
			printf "<column header=\"c%d\" format=\"%s\" expr=\"%s\"/>", n, ($3 == "text" ? "%9s" : "%5.1f"), $2
		}
		END { if (n < 40) print "too few names" }'
	printf '</screen></tiptop>'
} >"$dir/all"
"$tiptop" -W "$dir/all" --only-conf --list-screens >"$out" 2>"$err"
is "each name can be used in an expression" "$? $(cat "$err")" "0 "

# Filters that have names: four fields.
cat >"$dir/filters" <<-'XML'
	<tiptop>
	<filter name="busy" expr="cpu &gt; 20 and user == 'alice'" desc="Her tasks that run"/>
	<filter name="mine_only" expr="x &gt; 1"/>
	<filter name="text" expr="make"/>
	<filter name="nowhere" expr="nosuch &gt; 1"/>
	<screen name="mine"><column header="X" format="%5.1f" expr="CPU_TOT"/></screen>
	</tiptop>
XML
"$tiptop" -W "$dir/filters" --list-filters >"$out" 2>"$err"
is "filters: exit status" $? 0
is "filters: the order of the file" "$(entries | awk '{ print $1 }' | tr '\n' ' ')" "busy mine_only text nowhere "
matches "filters: the first line names the fields" "$(head -n 1 "$out")" '#name +file +screens +description'
matches "filters: text and description" "$(entries | grep '^busy')" \
	"busy +own +[0-9,-]+ +Her tasks that run = cpu > 20 and user == 'alice'"
is "filters: one for a screen only" "$(entries | awk '$1 == "mine_only" { print $2, $3 }')" \
	"own $("$tiptop" -W "$dir/filters" --list-screens 2>/dev/null | sed -n "s/^ *\([0-9]*\): 'mine'.*/\1/p")"
is "filters: a text is for all" "$(entries | awk '$1 == "text" { print $3 }')" all
matches "filters: one for none, and why" "$(entries | grep '^nowhere')" \
	"nowhere +own +none += nosuch > 1 \(column 1: there is no .* 'nosuch' .*\)"
list "no filters" --only-conf -W "$dir/rc" --list-filters
is "no filters: no entry" "$(entries)" ""
matches "no filters: how one is made" "$(sed -n 2p "$out")" '# there is none: .*<filter>.*'

finish
