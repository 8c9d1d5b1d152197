#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop system: rows of CPUs. The counts of software events lie between the numbers of /proc before and after.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cat >"$dir/cpus.xml" <<'XML'
<tiptop>
  <screen name="kernel" rows="CPU" desc="What the kernel counts">
    <counter alias="cs" config="CONTEXT_SWITCHES" type="SOFTWARE"/>
    <counter alias="fault" config="PAGE_FAULTS" type="SOFTWARE"/>
    <column header=" busy" format="%5.1f" expr="CPU_TOT"/>
    <column header="        cs" format="%10.0f" expr="delta(cs)"/>
    <column header="     fault" format="%10.0f" expr="delta(fault)"/>
    <column header="     ratio" format="%10.4f" expr="delta(fault) / delta(cs)"/>
  </screen>
  <screen name="of-both" rows="process CPU" desc="Of tasks and of CPUs">
    <column header=" busy" format="%5.1f" expr="CPU_TOT"/>
  </screen>
  <screen name="of-sockets" rows="socket" desc="Of sockets">
    <counter alias="cs" config="CONTEXT_SWITCHES" type="SOFTWARE"/>
    <column header="number" format="%6.0f" expr="SOCKET"/>
    <column header="    cs" format="%6.0f" expr="delta(cs)"/>
  </screen>
  <screen name="of-tasks" desc="Of tasks">
    <column header=" busy" format="%5.1f" expr="CPU_TOT"/>
  </screen>
</tiptop>
XML
# in_time: a line that came late on a busy machine is one like others.
in_time() {
	sed -i '/^# late/d' "$out"
}
# system OPTION...: with that file and its screen.
system() {
	"$tiptop" system -W "$dir/cpus.xml" -S kernel "$@" >"$out" 2>"$err" </dev/null
	system_status=$?
	in_time
	return $system_status
}
# refuses NAME STATUS SENTENCE OPTION...
refuses() {
	refuses_name=$1 refuses_status=$2 refuses_text=$3
	shift 3
	system "$@"
	is "$refuses_name: exit status" $? "$refuses_status"
	matches "$refuses_name: the sentence" "$(head -n 1 "$err")" "$refuses_text"
}

# Options of the configuration file are for the monitor; keys are for the live screens of both.
sed 's|<tiptop>|&<options><option name="delay" value="3"/></options><key name="odd" action="help"/>|' \
	"$dir/cpus.xml" >"$dir/.tiptoprc"
"$tiptop" system -W "$dir" -S kernel 0.1 1 >"$out" 2>"$err"
is "options of a configuration file are passed over, but not keys" "$? $(grep "$dir" "$err")" \
	"0 tiptop: $dir/.tiptoprc:1: there is no key 'odd': write an ASCII character, or a name such as F5, Ctrl-R, SPACE, LEFT: left out"
rm "$dir/.tiptoprc"

refuses "an interval that is none" 2 "tiptop: the interval must be a number, not .x." x
refuses "a count that is none" 2 "tiptop: the count must be from 1 to .*" 1 0
refuses "two modes" 2 "tiptop: -u and -k exclude each other: .*" -u -k
"$tiptop" system -i -s >"$out" 2>"$err"
is "two units" "$? $(cat "$err")" "2 tiptop: -r, -i, -s, --breakdown and -S exclude each other: each is a screen"
refuses "a unit and a screen" 2 "tiptop: -r, -i, -s, --breakdown and -S exclude each other: .*" --breakdown
refuses "a list of CPUs that is none" 2 "tiptop: --cpus: 'a' is not a list of CPUs, such as 0-3,8" --cpus a
refuses "a spread that there is not" 2 "tiptop: --spread: 'x' is not one of avg, all, max and min" --spread x
refuses "the largest for programs" 2 "tiptop: --spread max is for lines: .*" --spread max --format csv
refuses "groups of tasks" 2 "tiptop: CPUs cannot be grouped by 'user': name one of process, core, .*" --group user 0.1 1
refuses "a command alone, and none" 2 "tiptop: --only is for a command: .*" --only
refuses "a command alone on the live screen" 2 "tiptop: --only counts from the first instruction, .*" --only -l -- true
refuses "a command alone CPU by CPU" 2 "tiptop: --only is one line over a command, .*" --only --spread all -- true
refuses "a screen of tasks" 2 "tiptop: .*of-tasks.* its rows are of another kind: .*" -S of-tasks 0.1 1
refuses "a screen of sockets" 2 "tiptop: .* 'tiptop system --group socket -S of-sockets' has them" -S of-sockets 0.1 1
refuses "sockets in a mode" 2 "tiptop: -u, -k, --cpus and --cgroup are for CPUs: .*" --group socket -S of-sockets -u 0.1 1
"$tiptop" -b -n 1 -W "$dir/cpus.xml" -S kernel >"$out" 2>"$err"
is "a screen of CPUs is none of tasks" $? 2

"$tiptop" -b -n 1 -W "$dir/cpus.xml" -S of-both >"$out" 2>"$err"
is "a screen of both is one of tasks" $? 0
system -S of-both --cpus 0 0.1 1
is "and of CPUs" "$? $(grep -c busy "$out")" "0 1"

# A command alone, with what it makes and what has ended, whatever others do meanwhile: no CPU has to be counted for it.
"$work" touch=40000 touch=40000 touch=40000 &
other=$!
system --only 0.1 -- sh -c "$work touch=30000; $work touch=10000; exit 3"
is "a command alone: its status, and whose sums these are" "$? $(head -n 1 "$out" | sed 's/, in user mode//')" \
	"3 # sums over the tasks of the command alone"
is "a command alone: its faults, and no others" \
	"$(awk '/^# all/ { sum = 1 } sum { n = $3 } END { print (n >= 40000 && n < 42000) }' "$out")" 1
wait "$other"

# Without the right to count CPUs: the sentence, and the own tasks on one line.
nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
if [ "$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo 0)" -ge 1 ] &&
	cp "$tiptop" "$dir/tiptop" && chmod 755 "$dir/tiptop" && $nobody "$dir/tiptop" --version >/dev/null 2>&1; then
	chmod 644 "$dir/cpus.xml"
	$nobody "$dir/tiptop" system -W "$dir/cpus.xml" -S kernel 0.1 2 >"$out" 2>"$err"
	is "an ordinary user: exit status" $? 0
	in_time
	matches "an ordinary user: the sentence" "$(head -n 1 "$err")" "tiptop: CPUs may not be counted, as that includes tasks of all users and .*"
	is "an ordinary user: whose tasks these are" "$(head -n 1 "$out")" "# sums over your own tasks, as CPUs may not be counted"
	is "an ordinary user: no sum of the whole time, as tasks come and go" "$(grep -c '^# all' "$out")" 0
	$nobody "$dir/tiptop" system -W "$dir/cpus.xml" -S kernel --only 0.1 -- sh -c "$work touch=20000" >"$out" 2>"$err"
	is "an ordinary user: a command alone, in user mode" "$? $(grep -c "counting 'cycles' in the kernel" "$err") $(head -n 1 "$out")" \
		"0 1 # sums over the tasks of the command alone, in user mode"
	$nobody "$dir/tiptop" system -W "$dir/cpus.xml" -S kernel --spread all 0.1 2 >"$out" 2>"$err"
	is "an ordinary user: CPU by CPU is refused" "$? $(wc -c <"$out")" "1 0"
else
	skip "an ordinary user" "any user may count CPUs here, or the test cannot change its user"
fi

# The rest needs the right.
if ! system 0.1 1 || grep -q '^# sums' "$out"; then
	skip "what CPUs count" "they may not be counted here"
	finish
fi
n_cpus=$(grep -c '^cpu[0-9]' /proc/stat)

system 0.1 3
is "lines: a header, three lines, and that of the whole time" "$(awk '{ printf "%d ", NF }' "$out")" "4 4 4 4 7 4 "
is "lines: the last one is a sum" "$(awk 'NR > 1 && NR < 5 { n += $2 } NR == 6 { print n - $2 }' "$out")" 0
is "lines: its ratio is one of sums" "$(awk 'NR == 6 { d = $4 - $3 / $2; print (d < 0.001 && d > -0.001) }' "$out")" 1
system -t 0.1 1
is "the time" "$(awk 'NR == 2 { print ($1 > 1600000000) }' "$out")" 1
system --spread all 0.1 2
is "a line for each CPU" "$(awk '$1 ~ /^[0-9]+$/' "$out" | wc -l)" $((3 * n_cpus))
is "by their numbers" "$(awk '$1 ~ /^[0-9]+$/ { print $1 }' "$out" | head -n "$n_cpus" | sort -nc 2>&1)" ""
# Rows that are sockets: what is counted on CPUs is not in them.
sockets=$(cat /sys/devices/system/cpu/cpu[0-9]*/topology/physical_package_id 2>/dev/null | grep -v '^-' | sort -nu)
if [ -n "$sockets" ]; then
	system --group socket -S of-sockets --record "$dir/sockets.db" --metrics "$dir/sockets.prom" 0.1 1
	is "sockets: exit status, and the reason" "$? $(cat "$err")" \
		"0 tiptop: 'SOFTWARE CONTEXT_SWITCHES' is counted on CPUs, and rows of sockets have only what CPUs share: 'tiptop system' shows it"
	is "sockets: a line for each" "$(sed -n '/^#/q; s/^ *\([0-9]\)/\1/p' "$out")" \
		"$(echo "$sockets" | awk '{ printf "%d %6d %6s\n", $1, $1, "?" }')"
	is_well_formed "sockets: promtool has nothing to say" "$dir/sockets.prom"
	is "sockets: metrics of each" "$(sed -n 's/^tiptop_number{socket="\([0-9]*\)",view="system",screen="of-sockets"} .*/\1/p' "$dir/sockets.prom")" "$sockets"
	"$tiptop" -b --replay "$dir/sockets.db" --format csv --fields kind,name,number >"$out"
	is "sockets: recorded, they are the same" "$(sed 1d "$out" | sort -u)" "$(echo "$sockets" | sed 's/.*/socket,&,&/')"
else
	skip "sockets" "the kernel does not tell of any"
fi
system --cpus 0 --spread all 0.1 1
is "chosen CPUs" "$(awk '$1 ~ /^[0-9]+$/ { print $1 }' "$out" | sort -u)" 0
system --spread max 0.1 1
matches "the largest, and whose" "$(sed -n 2p "$out")" " *[0-9.]*@[0-9]*  *[0-9]*@[0-9]* .*"
for mode in -u -k; do
	system $mode --cpus 0 0.1 1
	is "$mode: faults are counted in this mode" "$(awk 'NR == 2 { print ($3 ~ /^[0-9]+$/) }' "$out")" 1
done
# $1 of each screen is busy, whatever else there is to count here.
for unit in -r -i -s --breakdown; do
	"$tiptop" system --cpus 0 $unit 0.1 1 >"$out" 2>"$err" </dev/null
	echo "$(grep -c '^# all' "$out") $(awk 'sub(/.* busy  */, "") { print $1 }' "$out")"
done >"$dir/units"
is "each unit has its screen" "$(sort -u "$dir/units")" "1 mips"
# What a mode has counted is a part of what both have: nothing of it is counted twice.
"$tiptop" system --breakdown 0.1 2 >"$out" 2>"$err" </dev/null
in_time
is "--breakdown: user mode and the kernel are a line each" "$(awk '{ print $1 }' "$out" | tr '\n' ' ')" \
	"MODE user kernel user kernel # user kernel "
"$tiptop" system --breakdown -k 0.1 1 >"$out" 2>"$err" </dev/null
is "--breakdown -k: one of them alone" "$(head -n 1 "$out" | awk '{ print $1 }')" busy
system --cpus 0 0.5 1
is "the first interval is a whole one" "$(sed -n 's/^# all of the last \(.*\) s:$/\1/p' "$out" | awk '{ print ($1 >= 0.5) }')" 1
system --group socket 0.1 1
matches "groups of CPUs" "$(head -n 1 "$out")" " *SOCKET  busy .*"
system --format csv --spread all 0.1 1
is "for programs: each CPU by its number" "$(grep -c '^[^,]*,[^,]*,CPU,' "$out")" "$n_cpus"
system --format json --cpus 0 0.1 2
is "JSON: a row of the machine" "$(grep -c '"kind":"machine",.*"values":{"busy":' "$out")" 2
system --metrics "$dir/metrics" 0.1 2
is "metrics: a series of each CPU" "$(grep -c '^tiptop_software_page_faults_total{cpu="[0-9]*",view="system",screen="kernel"} [0-9]*$' "$dir/metrics")" "$n_cpus"
if "$tiptop" --build-info 2>/dev/null | grep -q "SQLite"; then
	system --record "$dir/cpus.db" --spread all 0.1 2
	awk '/^#/ { exit } $1 ~ /^[0-9]+$/ { print $1, $3, $4 }' "$out" | sort >"$dir/shown"
	"$tiptop" -b --replay "$dir/cpus.db" -W "$dir/cpus.xml" -i -S kernel >"$out" 2>"$err"
	is "a recording has all of it, and nothing is said of threads" "$(wc -c <"$err") $(awk '$1 ~ /^[0-9]+$/ && NF > 4 { print $1, $3, $4 }' "$out" |
		sort | cmp - "$dir/shown" && wc -l <"$dir/shown")" "0 $((2 * n_cpus))"
else
	skip "a recording" "tiptop was built without SQLite"
fi

# The tasks of a control group, and no others; it is made where the hierarchy that counts events may be written to.
hierarchy=$(awk '$3 == "cgroup" && $4 ~ /(^|,)perf_event(,|$)/ { print $2; exit }' /proc/mounts)
[ -n "$hierarchy" ] || hierarchy=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
if [ -n "$hierarchy" ] && mkdir "$hierarchy/tiptop-$$" 2>/dev/null; then
	"$work" touch=40000 touch=40000 touch=40000 &
	other=$!
	system --cgroup "/tiptop-$$" 0.1 -- sh -c "echo \$\$ >'$hierarchy/tiptop-$$/cgroup.procs' && exec $work touch=40000"
	status=$?
	if grep -q 'does not count events' "$err"; then
		skip "a control group" "its controller is not to be had here"
	else
		is "a control group: whose sums these are" "$status $(head -n 1 "$out")" \
			"0 # sums over the tasks of the control group '/tiptop-$$' alone"
		is "a control group: its faults, and no others" \
			"$(awk '/^# all/ { sum = 1 } sum { n = $3 } END { print (n >= 40000 && n < 42000) }' "$out")" 1
		is "a control group: its time is not that of the CPUs" \
			"$(awk '/^# all/ { sum = 1 } sum { n = $1 } END { print (n > 0 && n < 150) }' "$out")" 1
	fi
	wait "$other"
	rmdir "$hierarchy/tiptop-$$"
	refuses "a control group that there is not" 1 "tiptop: --cgroup: there is no control group '/tiptop-$$' .*" \
		--cgroup "/tiptop-$$" 0.1 1
	refuses "a folder that is none" 1 "tiptop: --cgroup: .* is a folder, but no control group" --cgroup .. 0.1 1
else
	skip "a control group" "none can be made here"
fi

# A command bounds the time.
# It ends once there are three lines behind the header and what it has printed itself.
# shellcheck disable=SC2016 # its own
system --cpus 0 0.1 -- sh -c 'echo printed; until [ "$(grep -vc "^# late" "$0")" -ge 5 ]; do sleep 0.05; done; exit 3' "$out"
is "a command: its status, what it prints, and lines until its end" \
	"$? $(grep -c '^printed' "$out") $(awk '/^#/ { exit } NF == 4 && $1 ~ /^[0-9]/ { n++ } END { print (n >= 3) }' "$out")" "3 1 1"
"$tiptop" system --list-columns >"$out" 2>"$err"
matches "the columns" "$(grep -c '\[cpi\]' "$out")" "[1-9].*"
"$tiptop" --list-screens >"$out" 2>"$err"
is "no screen of CPUs is offered for tasks" "$(grep -c "'har" "$out")" 0

# counted COLUMN OUTSIDE INSIDE: what was counted is between what /proc says. Behind many lines, the header stands again.
counted() {
	awk -v c="$1" -v outside="$2" -v inside="$3" '/^# all/ { sum = 1; next }
		sum && $c + 0 { print ($c >= inside * 0.99 && $c <= outside * 1.01) }' "$out"
}
switches() {
	awk '$1 == "ctxt" { print $2 }' /proc/stat
}
faults() {
	awk '$1 == "pgfault" { print $2 }' /proc/vmstat
}
# lines N: waits until there are N.
lines() {
	until [ "$(wc -l <"$out")" -ge "$1" ]; do
		sleep 0.05
	done
}
: >"$out"
cs_before=$(switches) fault_before=$(faults)
"$tiptop" system -W "$dir/cpus.xml" -S kernel 0.1 >"$out" 2>"$err" </dev/null &
monitor=$!
lines 2
cs_begin=$(switches)
# What the kernel faults in for others, as the arguments of an execve(2), is counted by /proc/vmstat alone, which so tells
# how many there are at most. At least this many:
own_faults=120000
"$work" touch=40000 touch=40000 touch=40000
i=0
while [ $i -lt 30 ]; do
	/bin/true
	i=$((i + 1))
done
cs_end=$(switches)
n=$(wc -l <"$out")
lines $((n + 2))
kill -TERM "$monitor"
wait "$monitor"
cs_after=$(switches) fault_after=$(faults)
monitor=
is "context switches are those of /proc/stat" "$(counted 2 $((cs_after - cs_before)) $((cs_end - cs_begin)))" 1
is "page faults are ours at least, and those of /proc/vmstat at most" \
	"$(counted 3 $((fault_after - fault_before)) $own_faults)" 1

finish
