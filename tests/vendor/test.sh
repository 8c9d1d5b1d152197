#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the script compare with small files in the vendors' formats.
# shellcheck source=../program/lib.sh
. "$(dirname "$0")/../program/lib.sh"

compare=${srcdir:?}/tests/vendor/compare
ENCODINGS=$dir/encodings
export ENCODINGS

# line CPU COUNTER EVENT TYPE CONFIG
line() {
	printf '%s\tscreen\tcolumn\t%s\t%s\t%s\t%s\t0x0\t0x1\t1\n' "$@"
}
# encodings: the lines on standard input behind their head.
encodings() {
	printf 'cpu\tscreen\tcolumn\tcounter\tevent\ttype\tconfig\tconfig1\tgroup\tweight\n' >"$ENCODINGS"
	cat >>"$ENCODINGS"
}
# answers NAME STATUS WANT FOLDER...: the lines that compare prints, their tabs as blanks.
answers() {
	answers_name=$1 answers_status=$2 answers_want=$3
	shift 3
	"$compare" "$@" >"$out" 2>"$err"
	is "$answers_name: exit status and messages" "$? $(cat "$err")" "$answers_status "
	is "$answers_name" "$(tr '\t' ' ' <"$out")" "$answers_want"
}

# Intel's perfmon: a file for each kind of cores, and the fields of PERFEVTSEL.
intel=$dir/intel
mkdir -p "$intel/A/events"
cat >"$intel/mapfile.csv" <<'END'
Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
GenuineIntel-6-97,V1,/A/events/big.json,hybridcore,0x40,0x000001,Core
GenuineIntel-6-97,V1,/A/events/small.json,hybridcore,0x20,0x000001,Atom
GenuineIntel-6-97,V1,/A/events/uncore.json,uncore,,,
GenuineIntel-18-[13],V1,/A/events/old.json,core,,,
GenuineIntel-6-55-[01234],V1,/A/events/old.json,core,,,
END
cat >"$intel/A/events/big.json" <<'END'
{"Header": {"Info": "a \"text\" with {, [ and ]"},
  "Events": [
    {"EventCode": "0xd1", "UMask": "0x08", "EventName": "LOAD.L1_MISS", "CounterMask": "0", "Invert": "0", "EdgeDetect": "0"},
    {"EventCode": "0xa3", "UMask": "0x04", "EventName": "STALLS", "CounterMask": "4", "Invert": "1", "EdgeDetect": "1",
     "Nested": {"EventName": "NONE", "more": [1, {"EventCode": "0x1"}]}},
    {"EventCode": "0xB7,0xBB", "UMask": "0x01", "EventName": "OFFCORE"},
    {"EventName": "TOPDOWN.SLOTS", "UMask": "0x4", "Counter": "Fixed counter 3"},
    {"EventCode": "0xd1", "UMask": "0x11", "EventName": "LOAD.L2_MISS"}
  ]
}
END
echo '[{"EventCode":"0xd1","UMask":"0x80","EventName":"LOAD.DRAM"},{"EventCode":"0xd2","UMask":"0x1","EventName":"LOAD.L1_MISS"}]' >"$intel/A/events/small.json"
echo '[{"EventCode":"0x1","UMask":"0x1","EventName":"ANY"}]' >"$intel/A/events/old.json"
echo '[{"EventCode":"0xff","UMask":"0x1","EventName":"LOAD.L1_MISS"}]' >"$intel/A/events/uncore.json"
{
	line 06_97 l1@cpu_core LOAD.L1_MISS 0x4 0x8d1
	line 06_97 l1@cpu_atom load.l1_miss cpu_atom 0x1d2
	line 06_97 l1@cpu_core LOAD.L1_MISS 0x4 0x8d1
	line 06_97 stall@cpu_core STALLS 0x4 0x48404a3
	line 06_97 off@cpu_core OFFCORE 0x4 0x1b7
	line 06_97 l2@cpu_core LOAD.L2_MISS 0x4 0x10d1
	line 06_97 dram@cpu_core LOAD.DRAM 0x4 0x80d1
	line 06_97 slots@cpu_core 'TOPDOWN.SLOTS, as a leader' 0x4 0x400
	line 06_97 bad@cpu_core PERF_METRICS.BAD_SPECULATION 0x4 0x8100
	line 12_01 any ANY 0x4 0x101
	line 06_97 cycle@cpu_core cycles 0x0 0x400000000
	line 06_97 fault page-faults 0x1 0x2
	line 06_97 - 'counter x: a reason' - -
	line 06_55 any ANY 0x4 0x101
	line 06_9E any ANY 0x4 0x101
} | encodings
answers "Intel's perfmon" 1 "agree 06_97 cpu_core LOAD.L1_MISS 0x8d1 0x8d1
agree 06_97 cpu_atom load.l1_miss 0x1d2 0x1d2
agree 06_97 cpu_core STALLS 0x48404a3 0x48404a3
agree 06_97 cpu_core OFFCORE 0x1b7 0x1b7
differs 06_97 cpu_core LOAD.L2_MISS 0x10d1 0x11d1
absent 06_97 cpu_core LOAD.DRAM 0x80d1 no event of this name
agree 06_97 cpu_core TOPDOWN.SLOTS, as a leader 0x400 0x400
agree 12_01 - ANY 0x101 0x101
agree 06_55 - ANY 0x101 0x101
unknown 06_9E - ANY 0x101 no file for this CPU
# 7 agree, 1 differ, 1 absent, 1 unknown" "$intel"

# The kernel's pmu-events: a folder for each CPU, regular expressions of models, and 12 bits of an event of AMD.
kernel=$dir/kernel
mkdir -p "$kernel/x86/zen" "$kernel/x86/adl" "$kernel/arm64/arm/n"
cat >"$kernel/x86/mapfile.csv" <<'END'
Family-model,Version,Filename,EventType
GenuineIntel-6-(97|9A|B7),v1,adl,core
AuthenticAMD-25-([1678a][[:xdigit:]]),v1,zen,core
END
cat >"$kernel/x86/zen/a.json" <<'END'
[
  {
    "EventName": "no_ops",
    "EventCode": "0x1a0",
    "UMask": "0x01"
  },
  { "EventName": "fills.local", "EventCode": "0x44", "UMask": "0x08" },
  { "EventName": "fills.remote", "EventCode": "0x44", "UMask": "0x40" }
]
END
cat >"$kernel/x86/adl/a.json" <<'END'
[{"EventName": "X", "EventCode": "0x10", "UMask": "0x1", "Unit": "cpu_core"},
 {"EventName": "X", "EventCode": "0x10", "UMask": "0x2", "Unit": "cpu_atom"}]
END
cat >"$kernel/arm64/mapfile.csv" <<'END'
# Format: MIDR,Version,JSON/file/pathname,Type
0x00000000410fd490,v1,arm/n,core
END
echo '[{"EventCode": "0x0003", "EventName": "L1D_CACHE_REFILL"},{"EventCode": "0x4005", "EventName": "STALL_MEM"}]' >"$kernel/arm64/common.json"
echo '[{"ArchStdEvent": "L1D_CACHE_REFILL"},{"EventCode": "0x81", "EventName": "OWN"}]' >"$kernel/arm64/arm/n/a.json"
{
	line 19_10 fe no_ops 0x4 0x1000001a0
	line 19_10 fill 'fills.local + remote' 0x4 0x4844
	line 19_50 fe no_ops 0x4 0x1000001a0
	line 06_9A x@cpu_core X 0x4 0x110
	line 06_9A x@cpu_atom X cpu_atom 0x110
	line 41_D49_R03 l1 L1D_CACHE_REFILL 0x4 0x3
	line 41_D49 mem STALL_MEM 0x4 0x4005
	line 41_D49 own OWN 0x4 0x81
	line 41_D40 own OWN 0x4 0x81
} | encodings
answers "the kernel's pmu-events" 1 "agree 19_10 - no_ops 0x1000001a0 0x1000001a0
agree 19_10 - fills.local + remote 0x4844 0x4844
unknown 19_50 - no_ops 0x1000001a0 no file for this CPU
agree 06_9A cpu_core X 0x110 0x110
differs 06_9A cpu_atom X 0x110 0x210
agree 41_D49_R03 - L1D_CACHE_REFILL 0x3 0x3
absent 41_D49 - STALL_MEM 0x4005 no event of this name
agree 41_D49 - OWN 0x81 0x81
unknown 41_D40 - OWN 0x81 no file for this CPU
# 5 agree, 1 differ, 1 absent, 2 unknown" "$kernel"

# Arm's telemetry files say themselves whose they are.
arm=$dir/arm
mkdir "$arm"
cat >"$arm/n2.json" <<'END'
{
    "$schema": "x",
    "product_configuration": {
        "product_name": "Neoverse N2",
        "part_num": "0xd49",
        "implementer": "0x41",
        "major_revision": 0
    },
    "events": {
        "L1D_CACHE_REFILL": { "code": "0x0003", "title": "a, title" },
        "STALL_MEM": { "code": "0x4006" }
    },
    "metrics": { "ipc": { "formula": "A / B", "events": ["A", "B"] } }
}
END
answers "Arm's files" 1 "unknown 19_10 - no_ops 0x1000001a0 no file for this CPU
unknown 19_10 - fills.local + remote 0x4844 no file for this CPU
unknown 19_50 - no_ops 0x1000001a0 no file for this CPU
unknown 06_9A cpu_core X 0x110 no file for this CPU
unknown 06_9A cpu_atom X 0x110 no file for this CPU
agree 41_D49_R03 - L1D_CACHE_REFILL 0x3 0x3
differs 41_D49 - STALL_MEM 0x4005 0x4006
absent 41_D49 - OWN 0x81 no event of this name
unknown 41_D40 - OWN 0x81 no file for this CPU
# 1 agree, 1 differ, 1 absent, 6 unknown" "$arm"

# Several folders at once; where all agree, the status says so.
line 41_D49 l1 L1D_CACHE_REFILL 0x4 0x3 | encodings
answers "all agree" 0 "agree 41_D49 - L1D_CACHE_REFILL 0x3 0x3
# 1 agree, 0 differ, 0 absent, 0 unknown" "$kernel" "$arm"

# What cannot be read.
echo '[{"EventName": "X"' >"$kernel/x86/adl/a.json"
line 06_97 x@cpu_core X 0x4 0x110 | encodings
"$compare" "$kernel" >"$out" 2>"$err"
is "half a file" "$? $(sed "s|$dir/||" "$err")" "2 compare: kernel/x86/adl/a.json ends within a bracket"
echo nonsense >"$ENCODINGS"
"$compare" "$arm" >"$out" 2>"$err"
is "other lines" "$? $(cat "$err")" "2 compare: these are no lines of --encodings"
"$compare" >"$out" 2>"$err"
is "no folder" "$? $(cat "$err")" "2 usage: compare DIR..."
"$compare" "$dir/nowhere" >"$out" 2>"$err"
is "a folder that is not there" $? 2

# The program's own tables.
unset ENCODINGS
TIPTOP=$tiptop "$compare" "$intel" >"$out" 2>"$err"
matches "its own tables" "$(tail -n 1 "$out")" '# [0-9]+ agree, 0 differ, [0-9]+ absent, [0-9]{3,} unknown'

finish
