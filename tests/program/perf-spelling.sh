#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Software events and other kernel events in the syntax of perf(1): -e opens the event with the same code as perf and counts
# it, or refuses it with the reason.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# code EVENT: type and config, as tiptop has them.
code() {
	"$tiptop" -e "$1" --encodings 2>"$err" | awk -F '\t' '$2 == "events" { print $6, $7; exit }'
}

# perf_code EVENT: the same of perf.
perf_code() {
	perf stat -vv -e "$1" true 2>&1 | awk '
		/^perf_event_attr:/ { type = config = "0x0"; attr = 1 }
		attr && $1 == "type" { type = sprintf("0x%x", $2) }
		attr && $1 == "config" { config = $2 }
		attr && /^---/ { print type, config; exit }'
}

# For perf, none of these needs a PMU of the cores.
taken='page-faults faults:u page-faults:uk page-faults:ppp page-faults:uP page-faults:SDWe minor-faults:GH
page-faults/name=foo/ page-faults/period=5/u software/config=2/ software/config=2,name=foo/u cpu-clock/name=a:b,period=3/
task-clock:u cs:k context-switches:kp cpu-migrations alignment-faults emulation-faults major-faults:uku'
if perf stat -x , -e page-faults true >"$out" 2>&1; then
	for event in $taken; do
		case $event in
		*uku) ;; # a letter twice is refused by perf, and does no harm
		*) is "$event: as perf" "$(code "$event")" "$(perf_code "$event")" ;;
		esac
	done
else
	skip "codes as perf" "there is no perf that counts"
fi
for event in $taken; do
	matches "$event: a code" "$(code "$event")" '0x1 0x[0-9a-f]+'
done

# refused EVENT SENTENCE: an extended regular expression.
refused() {
	"$tiptop" -b -n 1 -e "$1" >"$out" 2>"$err"
	is "$1: status" $? 2
	matches "$1: why" "$(cat "$err")" "tiptop: -e: $2.*"
}
refused page-faults:I "the modifier 'I' of the event 'page-faults:I' is not supported: it leaves idle CPUs out"
refused page-faults:b "the modifier 'b' of the event 'page-faults:b' is not supported: it makes perf count by a BPF program"
refused page-faults:q "'q' is not a modifier of the event 'page-faults:q'"
refused software/config=2,percore/ "the term 'percore' is not supported: it adds up the threads of a core"
refused '{page-faults,cs}:q' "column 18 of '\\{page-faults,cs\\}:q': 'q' is not a modifier of the event '\\{page-faults,cs\\}'"
refused '{page-faults,cs}:u' "the event 'cs:u' cannot have the modifier 'u': it is not counted by modes"

# What is written.
"$tiptop" -b -n 1 -d 0.1 -e '{page-faults/name=mine,period=7/,minor-faults:k}:upp,{cs,faults}:W' >"$out" 2>"$err"
is "a list of perf: status" $? 0
is "its columns" "$(sed -n 's/^ *PID *\[ *%CPU\] *\(.*\) COMMAND *$/\1/p' "$out" | tr -s ' ')" \
	"mine minor-faults:kupp cs faults"
is "a word about what changes no count" "$(grep -c "^tiptop: -e: left out, since it changes no count: period=7, pp$" "$err")" 1

"$tiptop" -b -n 1 -d 0.1 -e 'one{page-faults,cs}:S' >"$out" 2>"$err"
is "a group with a name" "$(sed -n 's/^ *PID *\[ *%CPU\] *\(.*\) COMMAND *$/\1/p' "$out" | tr -s ' ')" "page-faults:S cs:S"
is "its name changes no count" "$(grep -c "^tiptop: -e: left out, since it changes no count: one{}, S$" "$err")" 1
refused 'one:{page-faults,cs}' "column 4 of 'one:\{page-faults,cs\}': write the name of a group before its '\{' without a ':'"

# Capitals as perf takes them.
if [ -e /sys/bus/event_source/devices/msr/events/tsc ]; then
	is "msr/TSC/" "$(code msr/TSC/)" "$(code msr/tsc/)"
	matches "msr/TSC/ has a code" "$(code msr/TSC/)" '0x[0-9a-f]+ 0x[0-9a-f]+'
else
	skip "msr/TSC/" "there is no msr/tsc/"
fi

# The same in a file.
cat >"$dir/rc" <<'X'
<tiptop><screen name="mine"><counter alias="a" event="page-faults/name=x,period=7/upp"/>
<column header="a" format="%9.0f" expr="delta(a)"/></screen></tiptop>
X
is "in a tiptoprc" "$("$tiptop" -W "$dir/rc" --only-conf --encodings 2>"$err" | awk -F '\t' '$2 == "mine" { print $6, $7 }')" "0x1 0x2"
is "a file says what changes no count, too" "$(grep -c "rc:1: <screen 'mine'>: <counter 'a'>: left out, since it changes no count: period=7, pp$" "$err")" 1
# The commands that count in a program.
for command in locks calls regions; do
	"$tiptop" $command -e cycles:pp -- true >"$out" 2>"$err"
	is "tiptop $command says it, too" "$(grep -c "^tiptop: --events: left out, since it changes no count: pp$" "$err")" 1
done

# Names of makers, of a CPU that is not here.
for event in INST_RETIRED.ANY inst_retired.any INST_RETIRED:ANY inst_retired.any:upp INST_RETIRED.ANY/name=x/ \
	INST_RETIRED:ANY:u cpu/inst_retired.any/ cpu/INST_RETIRED.ANY,name=x/u cpu/inst_retired.any/:k; do
	is "$event of skylake" "$("$tiptop" --for-cpu skylake -e "$event" --encodings 2>"$err" |
		awk -F '\t' '$2 == "events" { print $6, $7; exit }')" "0x0 0x1"
done

finish
