#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop import: converts files of likwid and perf, written by hand, to screens that tiptop reads.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# import NAME STATUS FILE OPTION...: with this status.
import() {
	import_name=$1 import_status=$2 import_file=$3
	shift 3
	"$tiptop" import "$@" "$import_file" >"$out" 2>"$err" </dev/null
	is "$import_name: exit status" $? "$import_status"
}
# loaded NAME CPU: what was printed is read without a message, as the only screen.
loaded() {
	cp "$out" "$dir/screen.xml"
	"$tiptop" -W "$dir/screen.xml" --only-conf --for-cpu "$2" --list-screens >"$dir/list" 2>"$err"
	is "$1: it is read, without a message" "$? $(cat "$err")" "0 "
}

cat >"$dir/FLOPS.txt" <<'EOF'
SHORT Floating point, "double" & <more>

EVENTSET
FIXC0 INSTR_RETIRED_ANY
FIXC1 CPU_CLK_UNHALTED_CORE
PMC0  FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE
PMC1  FP_ARITH_INST_RETIRED_SCALAR_DOUBLE
MBOX0C0 CAS_COUNT_RD

METRICS
Runtime (RDTSC) [s] time
CPI  FIXC1/FIXC0
DP [MFLOP/s]  1.0E-06*((PMC0*2.0)+PMC1)/time
Bandwidth [MBytes/s] 1.0E-06*MBOX0C0*64.0/time
LONG
EOF
import "likwid" 0 "$dir/FLOPS.txt" --for-cpu 06_9E
is "likwid: what is left out is said with its line" "$(sed "s|$dir/||; s/: column.*//" "$err")" \
	"tiptop: FLOPS.txt:11: metric 'Runtime (RDTSC)'
tiptop: FLOPS.txt:14: metric 'Bandwidth'"
is "likwid: and in comments" "$(grep -c '<!-- metric ' "$out")" 2
loaded "likwid" 06_9E
is "likwid: its name and what it is" "$(tail -n +2 "$dir/list" | head -n 1)" " 0: 'FLOPS', Floating point, \"double\" & <more>"
"$tiptop" -W "$dir/screen.xml" --only-conf --for-cpu 06_9E --encodings | cut -f 3-7 >"$out"
is "likwid: what it counts" "$(tail -n +2 "$out" | tr '\t' ' ')" \
	"cpi cpu_clk_unhalted_core cycles 0x0 0x0
cpi instr_retired_any instructions 0x0 0x1
dp fp_arith_inst_retired_128b_packed_double FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE 0x4 0x4c7
dp fp_arith_inst_retired_scalar_double FP_ARITH_INST_RETIRED.SCALAR_DOUBLE 0x4 0x1c7"
import "likwid, a CPU without the events" 1 "$dir/FLOPS.txt" --for-cpu zen4 --metric DP
is "likwid, a CPU without the events: nothing is printed" "$(cat "$out")" ""
matches "likwid, a CPU without the events: a sentence" "$(tail -n 1 "$err")" "tiptop: .*: none of its metrics has a counterpart"

cat >"$dir/metrics.json" <<'EOF'
[
    {
        "MetricName": "tma_retiring",
        "MetricExpr": "topdown\\-retiring / (topdown\\-fe\\-bound + topdown\\-retiring) + 0 * slots",
        "BriefDescription": "Slots that retired -- all of them",
        "MetricThreshold": "tma_retiring > 0.7 | tma_other > 0.1",
        "ScaleUnit": "100%"
    },
    {
        "MetricName": "rest",
        "MetricExpr": "max(1 - tma_retiring, 0) if #core_wide < 1 else NO.EVENT",
        "MetricThreshold": "rest > 0.05",
        "ScaleUnit": "100%"
    },
    {
        "MetricName": "smt",
        "MetricExpr": "slots / 2 if #smt_on else slots"
    }
]
EOF
import "perf" 0 "$dir/metrics.json" --for-cpu 06_8F
is "perf: the constant has no counterpart" "$(sed "s|.*/||" "$err")" \
	"metrics.json: metric 'smt': column 14: '#smt_on' has no counterpart: screens do not know whether the cores have several threads: it is left out"
grep -q "<!-- tma_retiring: the vendor's threshold is tma_retiring > 0.7 | tma_other > 0.1 -->" "$out"
ok "perf: a threshold of several metrics is a comment" $?
is "perf: one of the metric itself is that of the column" "$(grep -c 'warn="&gt; 5"' "$out")" 1
loaded "perf" 06_8F
"$tiptop" -W "$dir/screen.xml" --only-conf --for-cpu 06_8F --list-columns | sed -n 's/^column *\(\[[^]]*\]\).* = \(.*\)/\1 \2/p' >"$out"
is "perf: its columns" "$(cat "$out")" \
	"[%CPU] CPU_TOT
[tma_retiring] (delta(topdown_retiring) / (delta(topdown_fe_bound) + delta(topdown_retiring)) + 0 * delta(slots)) * 100
[rest] max(1 - (delta(topdown_retiring) / (delta(topdown_fe_bound) + delta(topdown_retiring)) + 0 * delta(slots)), 0) * 100"
import "perf, one metric" 0 "$dir/metrics.json" --for-cpu 06_8F -m rest
is "perf, one metric: no message" "$(cat "$err")" ""
loaded "perf, one metric" 06_8F
is "perf, one metric: no other" "$(grep -c '<column' "$dir/screen.xml")" 2

# What is printed for a CPU that is not here is read back for it: of one kind of cores, and with modes.
cat >"$dir/kinds.json" <<'EOF'
[
    {"MetricName": "atom", "MetricExpr": "cpu_atom@BR_MISP_RETIRED.ALL_BRANCHES@ / cpu_atom@INST_RETIRED.ANY@"},
    {"MetricName": "core", "MetricExpr": "cpu_core@CPU_CLK_UNHALTED.THREAD@k / cpu_core@MEM_LOAD_RETIRED.L1_MISS@"}
]
EOF
import "kinds of cores" 0 "$dir/kinds.json" --for-cpu 06_97
loaded "kinds of cores" 06_97
"$tiptop" -W "$dir/screen.xml" --only-conf --for-cpu 06_97 --encodings | cut -f 3,6,7 | grep 0x | tr '\t' ' ' >"$out"
is "kinds of cores: codes" "$(cat "$out")" "atom cpu_atom 0xc5
atom cpu_atom 0xc0
core 0x4 0x3c
core 0x4 0x8d1"

# libpfm4's events that need more than a code keep their names; tables of this CPU are played.
cat >"$dir/more.json" <<'EOF'
[{"MetricName": "sequencer", "MetricExpr": "cpu@UOPS_RETIRED.MS\\,cmask\\=1\\,edge@ / UOPS_RETIRED.MS"}]
EOF
as_spr() {
	TIPTOP_CPU=x86:06_8F LIBPFM_FORCE_PMU=spr "$tiptop" "$@" 2>"$err"
}
if as_spr --list-events INST_RETIRED:ANY_P | grep -qv '^#'; then
	as_spr import "$dir/more.json" >"$dir/screen.xml"
	is "more than a code: status, and nothing is said" "$? $(cat "$err")" "0 "
	is "more than a code: what they are" \
		"$(as_spr -W "$dir/screen.xml" --only-conf --encodings | cut -f 5-8 | grep UOPS | sort | tr '\t\n' ' ;')" \
		"UOPS_RETIRED.MS 0x4 0x4c2 0x8;UOPS_RETIRED:MS:c=1:e=1 0x4 0x10404c2 0x8;"
else
	echo "# libpfm4 has no table of Sapphire Rapids here: its events are not imported"
fi

# The events of one's own files.
cat >"$dir/own.xml" <<'EOF'
<tiptop>
  <cpu name="mine" models="06_8F"/>
  <event name="own-thing" unit="things" desc="what this CPU does, too">
    <for model="mine" event="r1b7" name="OWN.THING"/>
  </event>
</tiptop>
EOF
printf '[{"MetricName": "things", "MetricExpr": "OWN.THING / instructions"}]' >"$dir/things.json"
import "an event of the tables only" 1 "$dir/things.json" --for-cpu 06_8F
import "a configuration that is not there" 1 "$dir/things.json" --for-cpu 06_8F -W "$dir/none.xml"
is "a configuration that is not there: the sentence, and nothing is printed" "$(cat "$err" "$out")" \
	"tiptop: cannot open the configuration '$dir/none.xml': No such file or directory"
import "an event of one's own" 0 "$dir/things.json" --for-cpu 06_8F -W "$dir/own.xml"
is "an event of one's own: by its name there" "$(grep -c 'event="own-thing"' "$out")" 1
mkdir -p "$dir/folder/tiptop"
cp "$dir/own.xml" "$dir/folder/tiptop/own.xml"
XDG_CONFIG_HOME=$dir/folder "$tiptop" import --for-cpu 06_8F "$dir/things.json" >"$out" 2>"$err"
is "an event of one's own folder" "$? $(grep -c 'event="own-thing"' "$out")" "0 1"

# What is on this machine: the CPU that is here, whatever it is.
printf '[{"MetricName": "ipc", "MetricExpr": "instructions / cycles"}]' >"$dir/ipc.json"
import "any CPU" 0 "$dir/ipc.json"
cp "$out" "$dir/ipc.xml"
"$tiptop" -W "$dir/ipc.xml" --only-conf -b -n 1 -d 0.01 >"$out" 2>"$err"
is "any CPU: it is shown" $? 0
matches "any CPU: its column" "$(grep -w PID "$out")" ".* %CPU. .* ipc .*"

# What is wrong.
import "no such file" 1 "$dir/none"
is "no such file: the sentence" "$(cat "$err")" "tiptop: cannot read '$dir/none': No such file or directory"
import "no such metric" 2 "$dir/ipc.json" -m cpi
is "no such metric: the sentence" "$(cat "$err")" "tiptop: $dir/ipc.json: it has no metric 'cpi'"
import "no such CPU" 2 "$dir/ipc.json" --for-cpu zen99
matches "no such CPU: the sentence" "$(cat "$err")" "tiptop: --for-cpu: there is no CPU 'zen99' \(did you mean 'zen1'\?\): .*"
printf '[\n{' >"$dir/cut.json"
import "bad JSON" 2 "$dir/cut.json"
matches "bad JSON: its line" "$(cat "$err")" "tiptop: $dir/cut.json:2: bad JSON: .*"
printf 'a\0b' >"$dir/binary"
import "no text" 2 "$dir/binary"
"$tiptop" import >"$out" 2>"$err"
is "no file: exit status and sentence" "$? $(cat "$err")" "2 tiptop: import: a file is missing: 'tiptop help import' says which"
"$tiptop" import "$dir/ipc.json" >/dev/full 2>"$err"
is "a full disk: exit status" $? 1

finish
