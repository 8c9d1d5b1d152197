#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --for-cpu: the screens and events of another CPU, the same on every machine; and $TIPTOP_CPU in locks and calls.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# fine NAME OPTION...: status 0 and no message.
fine() {
	fine_name=$1
	shift
	"$tiptop" "$@" >"$out" 2>"$err" </dev/null
	is "$fine_name: exit status and messages" "$? $(cat "$err")" "0 "
}
# refused NAME SENTENCE OPTION...: status 2 and this sentence.
refused() {
	refused_name=$1 refused_text=$2
	shift 2
	"$tiptop" "$@" >"$out" 2>"$err" </dev/null
	is "$refused_name: exit status" $? 2
	matches "$refused_name: the sentence" "$(cat "$err")" "$refused_text"
}
screens() {
	sed -n "s/^ *[0-9]*: '\([^']*\)', .*/\1/p" "$out" | tr '\n' ' '
}

fine "a model of AMD" --for-cpu 19_11 --list-screens
matches "a model of AMD: its screens" "$(screens)" "default branch .*topdown .*software .*"
is "a model of AMD: none of Intel alone" "$(screens | tr ' ' '\n' | grep -x -e uOps -e imix)" ""
cp "$out" "$dir/model"
fine "the name of it" --list-screens --for-cpu=zen4
cmp -s "$dir/model" "$out"
ok "the name of it: the same screens" $?
matches "it says what was not asked" "$(tail -n 1 "$out")" '# this CPU is not here, so only the tables .*'
LIBPFM_FORCE_PMU=skl TIPTOP_CPU=x86:06_9E fine "whatever this machine is said to be" --list-screens --for-cpu=zen4
cmp -s "$dir/model" "$out"
ok "whatever this machine is said to be: the same screens" $?

fine "events" --for-cpu 06_97 --list-events l1d-misses
is "events: on both kinds of cores" "$(sed -n 's/^l1d-misses *\([^ ]*\) *\([^ ]*\) *\([^ ]*\) .*/\1 \2 \3/p' "$out")" \
	"cpu_core 0x4:0x8d1 untried
cpu_atom cpu_atom:0x8d1 untried"
fine "weights" --for-cpu 06_97 --list-events issue-slots
is "weights: of each kind of cores" "$(sed -n 's/^issue-slots *\([^ ]*\) *\([^ ]*\) .* \(\[.*\);.*/\1 \2 \3/p' "$out")" \
	"cpu_core 0x4:0x400 [slots
cpu_atom cpu_atom:0x3c [slots, 5 for each count"
"$tiptop" --for-cpu 06_C5 --encodings | grep -c '	topdown	bad	wrong@cpu_[a-z]*	[A-Z_.]*BAD_SPECULATION' >"$out"
is "bad speculation: an event of each of three kinds of cores" "$(cat "$out")" 3
fine "events of Arm" --for-cpu 41_D40 --list-events
grep -q '^backend-memory-stall-cycles  *[^ ]*  *0x4:0x4005  *untried ' "$out"
ok "events of Arm: a code" $?
is "events: nothing is tried" "$(grep -v '^#' "$out" | awk '$4 != "untried" && $4 != "absent"')" ""
grep -qi pfm "$out" && ! grep '^[^#]*libpfm' "$out"
ok "events: libpfm4 is not asked" $?

# libpfm4 encodes what a name with its PMU says, whatever the CPU here is.
if ! "$tiptop" --for-cpu 06_55 --encodings -e skl::NONE 2>&1 | grep -q 'needs libpfm4 .* cannot be loaded'; then
	fine "an event of libpfm4" --for-cpu 06_55 --encodings -e skl::INST_RETIRED:ANY_P
	is "an event of libpfm4: its code" "$(awk -F '\t' '$5 == "skl::INST_RETIRED:ANY_P" { print $6, $7 }' "$out")" "0x4 0xc0"
	# One that is told which PMU is here names the makers of no others.
	[ -n "${LIBPFM_FORCE_PMU-}" ] || for cpu in zen3 41_D0C; do
		refused "an event of Intel's PMU for $cpu" ".*the event 'skl::INST_RETIRED:ANY_P' belongs to a PMU of Intel, but the selected CPU .* is made by A.*" --for-cpu "$cpu" --encodings -e skl::INST_RETIRED:ANY_P
	done
	fine "an event of AMD's PMU" --for-cpu zen3 --encodings -e amd64_fam19h_zen3::RETIRED_INSTRUCTIONS
	refused "an event that libpfm4 has not" ".*libpfm4 knows no event 'skl::NONE'.*" --for-cpu 06_55 --encodings -e skl::NONE
fi
refused "an event without its PMU" '.*libpfm4 needs the name of its PMU.*' --for-cpu 06_55 --encodings -e NO_SUCH:EVENT

fine "columns" --for-cpu 41_D40 --list-columns
grep -q '^column .*LLMPKI' "$out" && ! grep -q '^column .*DRAMPKI' "$out"
ok "columns: of that CPU" $?
fine "a screen" --for-cpu 06_55 --show-screen memory
grep -q '<screen name="memory"' "$out"
ok "a screen: in XML" $?

printf '<tiptop><cpu name="mine" models="06_9E"/></tiptop>' >"$dir/rc"
fine "a CPU of a file" -W "$dir/rc" --for-cpu mine --list-events l3-load-misses
grep -q '^l3-load-misses  *[^ ]*  *0x4:0x20d1 ' "$out"
ok "a CPU of a file: its events" $?

refused "no such CPU" "tiptop: --for-cpu: there is no CPU 'zen99' \(did you mean 'zen1'\?\): give a model, .* zen4, .*" --for-cpu zen99 --list-screens
refused "no such CPU, events" "tiptop: --for-cpu: there is no CPU '06_': .*" --for-cpu 06_ --list-events
# A number is taken apart.
decoded() {
	fine "$1" --list-events "$@"
	grep -v '^#' "$out" | awk '{ print $1, $2 }' | tr '\n' ' ' >"$dir/fields"
}
decoded 0x43412e --for-cpu 06_9E
is "a register of Intel: its fields" "$(cat "$dir/fields")" "event 0x2e umask 0x41 USR 0x1 OS 0x1 edge 0x0 PC 0x0 INT 0x0 ANY 0x0 EN 0x1 inv 0x0 \
cmask 0x0 IN_TX 0x0 IN_TXCP 0x0 config 0x412e name cache-misses "
decoded cpu/event=0x1a0,umask=1/ --for-cpu zen4
is "terms of AMD: their fields" "$(cat "$dir/fields")" \
	"event 0xa0 umask 0x1 edge 0x0 inv 0x0 cmask 0x0 event 0x1 config 0x1000001a0 name frontend-bound-slots "
decoded r4005 --for-cpu 41_D40
is "a raw event of Arm: its fields" "$(cat "$dir/fields")" "event 0x4005 config 0x4005 name data-stall-cycles name backend-memory-stall-cycles "
"$tiptop" --list-events cpu/event=1,nonsense=1/ --for-cpu zen4 >"$out" 2>"$err"
is "a term that is none" "$? $(cat "$err" "$out")" "1 tiptop: this CPU has no term 'nonsense'"

# Codes for programs: ten fields in each line, numbers in hex, the weight in decimal.
encodings() {
	is "$1: ten fields a line" "$(awk -F '\t' 'NF != 10' "$out" | head -n 3)" ""
	is "$1: numbers, or none" "$(tail -n +2 "$out" | cut -f 6- |
		grep -Evx '(0x[0-9a-f]+|[a-z_0-9]+)	0x[0-9a-f]+	0x[0-9a-f]+	0x[0-9a-f]+	[0-9]+|-	-	-	-	-' | head -n 3)" ""
}
head='cpu screen column counter event type config config1 group weight'
fine "codes" --encodings --for-cpu zen4
encodings "codes"
is "codes: the first line names the fields" "$(head -n 1 "$out" | tr '\t' ' ')" "$head"
is "codes: an event" "$(grep -c '	topdown	fe	idle_fe	[a-z_.]*	0x4	0x1000001a0	0x0	0x' "$out")" 1
grep -q '	memory	l3mpki	-	counter .l3.: the event .l3-load-misses. is not known for this CPU	-' "$out"
ok "codes: a hidden column" $?
grep -q '	topdown	-	-	' "$out"
is "codes: no hidden screen that is shown" $? 1
"$tiptop" --for-cpu 06_C5 --encodings | sed -n 's/.*	topdown	ret	all_slots@\([^	]*\)	.*	/\1 /p' | tr '\n' ' ' >"$dir/weights"
is "codes: weights of each kind of cores" "$(cat "$dir/weights")" "cpu_core 1 cpu_lowpower 6 cpu_atom 8 "
# One event of mispredicted branches on all screens, by its own name; where the kernel has no other, its own.
"$tiptop" --encodings --for-cpu 41_D0C | awk -F '\t' '$4 == "br_miss" { print $5, $7 }' | sort -u >"$out"
is "mispredicted branches of Neoverse" "$(cat "$out")" "BR_MIS_PRED_RETIRED 0x22"
for cpu in 61_022 41_D03; do
	"$tiptop" --encodings --for-cpu $cpu | awk -F '\t' '$4 == "br_miss" { print $5, $6, $7 }' | sort -u
done >"$out"
is "mispredicted branches of Apple, and of Arm where only the kernel has a name" "$(cat "$out")" \
	"BRANCH_MISPRED_NONSPEC 0x0 0x5
BR_MIS_PRED, on wrong paths, too 0x0 0x5"

# Family 18: Intel is the maker, and what comes from generic events needs no table.
fine "Nova Lake" --for-cpu 12_01 --list-columns
is "Nova Lake: columns of generic events" "$(grep -c -e '^column .*%MISP' -e '^column .*TURBO' "$out")" 3
fine "codes of Nehalem" --encodings --for-cpu 06_1A
grep -q "^06_1A	topdown	-	-	counter 'ret': the event 'topdown-retiring' is not in the tables .*; it needs Intel Ice Lake " "$out"
ok "codes of Nehalem: a hidden screen" $?
fine "codes of all" --encodings --for-cpu all
encodings "codes of all"
cp "$out" "$dir/all"
is "codes of all: one head" "$(grep -c "^cpu	" "$out")" 1
within "codes of all: many CPUs" "$(cut -f 1 "$out" | sort -u | wc -l)" 60 1000
"$tiptop" --encodings --for-cpu 06_97 | tail -n +2 | LC_ALL=C sort >"$dir/one"
grep '^06_97	' "$out" | LC_ALL=C sort | cmp -s - "$dir/one"
ok "codes of all: those of each" $?
TIPTOP_CPU=arm64:41_D40 "$tiptop" --encodings --for-cpu all | cmp -s - "$dir/all"
ok "codes of all: the same on each machine" $?
fine "codes of what is here" --encodings
encodings "codes of what is here"
refused "all is no CPU" "tiptop: --for-cpu: there is no CPU 'all': .*" --for-cpu all --list-screens

# Whatever opens counters has none of it.
for option in -b --check; do
	refused "$option" 'tiptop: --for-cpu is for --list-screens, .* only: nothing can be counted or checked .*' --for-cpu zen4 $option -n 1
done
refused "-e" 'tiptop: --for-cpu is for .*' --for-cpu zen4 -e cycles -b -n 1
refused "a command" 'tiptop: --for-cpu is for .*' --for-cpu zen4 -- true

# --- $TIPTOP_CPU: counters are opened here, with the codes of that CPU ---
# told COMMAND CPU: what a program that is measured is told to count.
told() {
	TIPTOP_CPU=$2 "$tiptop" "$1" -e l1d-misses -o "$dir/report" -- /usr/bin/env 2>"$err" | sed -n 's/^TIPTOP_EVENTS=//p'
}
for command in locks calls; do
	[ -r "$builddir/tiptop-$command.so" ] || { skip "$command -e" "the object was not built" && continue; }
	matches "$command -e: on Skylake" "$(told $command x86:06_5E)" '.*,8d1,.*'
	matches "$command -e: on Zen 4" "$(told $command x86:19_11)" '.*,ff44,.*'
	is "$command -e: on one that is not known" "$(told $command other:)$(cat "$err")" \
		"tiptop: --events: the event 'l1d-misses' is not known for this CPU"
done

finish
