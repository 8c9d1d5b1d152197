#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --check: its findings agree with the machine; without a certain permission, it names what is missing, and the remedy.
# shellcheck source=lib.sh disable=SC2016,SC2086,SC3045 # $as_nobody is several words, all shells in use know ulimit -n
. "$(dirname "$0")/lib.sh"

confine=$builddir/tests/program/confine
# diagnose STATUS NAME COMMAND...: the report, which ends the command with this status.
diagnose() {
	diagnose_status=$1 diagnose_name=$2
	shift 2
	"$@" >"$out" 2>"$err" </dev/null
	is "$diagnose_name: exit status" $? "$diagnose_status"
}

# unwrap: the report, each text on one line.
unwrap() {
	awk '/^                    [^ ]/ && $1 != "remedy:" { sub(/^ */, " "); printf "%s", $0; next }
		{ printf "%s%s", (NR > 1 ? "\n" : ""), $0 }
		END { print "" }' "$out"
}

# says NAME PATTERN: some line, unwrapped, is "MARK LABEL TEXT"; blanks count as one.
says() {
	unwrap | tr -s ' ' | grep -Eqx -- " ?$2"
	ok "$1" $?
}
# says_not NAME PATTERN
says_not() {
	! unwrap | grep -Eq -- "$2"
	ok "$1" $?
}

# marks PATTERN: how many lines outside of the screens have one of these marks.
marks() {
	awk '/^[A-Z]/ { screens = $1 == "Screens" } !screens' "$out" | grep -Ec "^  ($1) "
}

paranoid=/proc/sys/kernel/perf_event_paranoid
hold_level $paranoid
level=$(cat $paranoid 2>/dev/null) || level=none
cores=$(ls -d /sys/bus/event_source/devices/cpu /sys/bus/event_source/devices/*/cpus 2>/dev/null)
can_count=$("$work" can-count >/dev/null && echo yes)

# As it is here, without a configuration.
diagnose 0 "no configuration" "$tiptop" --check
is "no configuration: no message" "$(cat "$err")" ""
is "the sections" "$(grep '^[A-Z]' "$out" | tr '\n' ,)" \
	"Processor,PMUs,Permissions,Hardware counters,Descriptors,Screens,Configuration,"
is "its own version comes first" "$(head -n 1 "$out")" "$("$tiptop" --version | head -n 1)"
is "whole lines without blanks at their ends" "$(grep -c '[[:blank:]]$' "$out"),$(tail -c 1 "$out")" "0,"
is "fits a terminal of 80 columns, but for remedies" "$(grep -v 'remedy: ' "$out" | awk 'length > 80')" ""
is "each line has a mark, or is none of a finding" \
	"$(sed '$d' "$out" | grep -Ev '^(  (ok|warn|no|  ) +|  {18}|[A-Zt]|$)')" ""
is "the last line counts what limits tiptop" "$(tail -n 1 "$out" | sed -E 's/^(all is well|nothing limits).*/0/; s/ .*//')" \
	"$(marks 'warn|no')"
brand=$(sed -n 's/^model name[[:blank:]]*: //p' /proc/cpuinfo | head -n 1 | tr -s ' ' | sed 's/[][(){}.*+?|^$\\]/\\&/g; s/ $//')
says "the processor's name" "name ${brand:-not known}"
says "its model" 'model arch="(x86|arm64|other)"( model="[0-9A-F]+_[0-9A-F]+", .*|, model not known)'
says "the kernel" "kernel Linux $(uname -r)(;.*)?"
says "the level" "level kernel.perf_event_paranoid (is ${level}[:,]|cannot be read).*"
says "the software PMU" "software software, type 1"
says "the limit" "limit $(ulimit -S -n) \(soft\), $(ulimit -H -n) \(hard\), which tiptop takes; fs.nr_open is [0-9]+, fs.file-max [0-9]+"
if [ -z "$cores" ]; then
	says "no PMU of the cores" "core none: .*"
	is "no hardware counters" "$(grep -c '^  no   user mode ' "$out")" 1
else
	says_not "a PMU of the cores" "core +none"
fi
if [ "$(cat /proc/sys/kernel/nmi_watchdog 2>/dev/null)" = 1 ] && [ -n "$cores" ]; then
	says "the watchdog" "warn NMI watchdog on: .*"
	says "the watchdog: remedy" "remedy: .*sysctl kernel.nmi_watchdog=0"
else
	says "the watchdog" "ok NMI watchdog .*"
fi
says "a screen that needs no counter" "ok [0-9]+ software needs no counter"
is "all screens are there" "$(awk '/^[A-Z]/ { screens = $1 == "Screens" } screens && $2 ~ /^[0-9]+$/' "$out" | wc -l)" \
	"$("$tiptop" --list-screens | grep -c "^ *[0-9]*: '")"
says "no configuration: where it was looked for" "file none; looked for ./.tiptoprc, $HOME/.tiptoprc, .*"
says "no configuration: no faults" "ok faults none"
if [ -c /dev/full ]; then
	"$tiptop" --check >/dev/full 2>"$err"
	is "a full disk: exit status" $? 1
else
	skip "a full disk" "no /dev/full"
fi

# Configurations.
diagnose 0 "a good configuration" "$tiptop" --check $counters
says "a good configuration: its name" "file $dir/counters"
says "a good configuration: no faults" "ok faults none"
if [ -n "$can_count" ]; then
	says "a good configuration: its screen" "ok 0 counters 2 counters"
else
	skip "a good configuration: its screen" "nothing can be counted"
fi
cat >"$dir/faulty" <<-XML
	<tiptop>
	  <options><option name="delay" value="soon"/></options>
	  <screen name="mine">
	    <column header="X" format="%s" expr="CPU_TOT"/>
	    <column header="Y" format="%5.1f" expr="NO_SUCH_NAME"/>
	    <column header="Z" format="%5.1f" expr="CPU_TOT"/>
	  </screen>
	</tiptop>
XML
diagnose 1 "a faulty configuration" "$tiptop" --check -W "$dir/faulty"
says "a faulty configuration: the number of faults" "no faults 3: tiptop does not start $dir/faulty:.*"
for line in 2 4 5; do
	grep -q "^tiptop: $dir/faulty:$line: " "$err"
	ok "a faulty configuration: line $line on standard error" $?
	unwrap | grep -q "$dir/faulty:$line: "
	ok "a faulty configuration: line $line in the report" $?
done
sed -i '/soon/d; /%s/d' "$dir/faulty"
diagnose 0 "what is only unknown" "$tiptop" --check -W "$dir/faulty"
says "what is only unknown: the number of faults" "warn faults 1: the faulty parts are left out $dir/faulty:3: .*NO_SUCH_NAME.*"
printf '<tiptop><screen' >"$dir/faulty"
diagnose 1 "no XML" "$tiptop" --check -W "$dir/faulty"
says "no XML: file and line in the report" "no faults 1: tiptop does not start $dir/faulty:1: .*"
says "no XML: which file" "file $dir/faulty"
diagnose 1 "a file that is not there" "$tiptop" --check -W "$dir/none"
says "a file that is not there: in the report" "no faults 1: tiptop does not start .*'$dir/none'.*No such file or directory"
cat >"$dir/lacking" <<-XML
	<tiptop>
	  <screen name="mine">
	    <counter alias="clock" type="SOFTWARE" config="TASK_CLOCK"/>
	    <counter alias="odd" type="SOFTWARE" config="999"/>
	    <column header="     CPU" format="%9.1f" expr="clock + odd"/>
	  </screen>
	</tiptop>
XML
if [ -n "$can_count" ]; then
	diagnose 0 "a counter that is not here" "$tiptop" --check --only-conf -W "$dir/lacking"
	says "a counter that is not here: its name and why" "warn 0 mine 1 of 2 counters are not available odd: this kernel does not have .*"
	matches "a counter that is not here: in the summary" "$(tail -n 1 "$out")" ".*; 0 of 1 screen can show all of its columns"
else
	skip "a counter that is not here" "nothing can be counted"
fi

# Few descriptors: 256, less 20 to 36 for everything else and 2 for tiptop's own events.
if [ -n "$can_count" ]; then
	work_start pool=300 wait
	(
		ulimit -n 256
		exec "$tiptop" --check $counters
	) >"$out" 2>"$err"
	is "few descriptors: exit status" $? 0
	says "few descriptors: the limit" "limit 256 \(soft\), 256 \(hard\), .*"
	says "few descriptors: for how many threads" "warn threads enough for the counters of about 1[01][0-9] threads at once \(screen 'counters', 2 each\); .*"
	says "few descriptors: remedy" "remedy: .*(ulimit -n|nofile).*[0-9]+.*"
	work_end
else
	skip "few descriptors" "nothing can be counted"
fi

# As if on another CPU.
diagnose 0 "another CPU" env TIPTOP_CPU=x86:06_5E "$tiptop" --check
says "another CPU" 'as if arch="x86" model="06_5E", Intel: \$TIPTOP_CPU says so'
says "another CPU: the real one is told, too" 'model arch="[a-z0-9]+".*'
if has_tables; then
	diagnose 0 "another table" env LIBPFM_FORCE_PMU=skl "$tiptop" --check
	says "another table" 'libpfm4 libpfm4( [0-9.]+)? has skl \(.*\), as \$LIBPFM_FORCE_PMU says'
else
	skip "another table" "libpfm4 is not there, or has those of another architecture"
fi

# libpfm4 is loaded where a vendor's name needs it, and only there.
mkdir "$dir/empty"
: >"$dir/empty/libpfm.so.4"
diagnose 0 "no libpfm4" env LD_LIBRARY_PATH="$dir/empty" "$tiptop" --check
says "no libpfm4: it is told" "warn libpfm4 a vendor's name needs libpfm4 .*, which cannot be loaded: .*"
says "no libpfm4: remedy" "remedy: install libpfm4"
LD_LIBRARY_PATH=$dir/empty "$tiptop" -b -n 1 -d 0.1 -e task-clock >"$out" 2>"$err"
is "no libpfm4: other events: exit status" $? 0
LD_LIBRARY_PATH=$dir/empty "$tiptop" -b -n 1 -e no-such::NAME >"$out" 2>"$err"
is "no libpfm4: a vendor's name: exit status" $? 2
grep -q "event 'no-such::NAME': a vendor's name needs libpfm4 (libpfm.so.4), which cannot be loaded" "$err"
ok "no libpfm4: a vendor's name: the cause" $?

# A seccomp filter.
"$confine" true 2>/dev/null
if [ $? -ne 99 ] && [ -n "$can_count" ]; then
	diagnose 0 "a seccomp filter" "$confine" "$tiptop" --check
	says "a seccomp filter: it is seen" "seccomp a filter, which forbids perf_event_open\(2\)"
	says "a seccomp filter: it is the cause" "no own tasks nothing may be counted: a seccomp filter forbids .*"
	says "a seccomp filter: remedy" "remedy: .*(seccomp=unconfined|SystemCallFilter=perf_event_open).*"
	says_not "a seccomp filter: not the level" "remedy: .*perf_event_paranoid"
	says "a seccomp filter: what follows from it" "no 0 default nothing may be counted: .*"
	is "a seccomp filter: what follows from it does not count" "$(tail -n 1 "$out" | cut -d' ' -f1)" \
		"$(($(marks 'warn|no') - $(grep -c '^  no   user mode ' "$out")))"
else
	skip "a seccomp filter" "there can be none here"
fi

# Namespaces.
if unshare -U -r true 2>/dev/null && [ -n "$can_count" ]; then
	diagnose 0 "a user namespace" unshare -U -r "$tiptop" --check
	says "a user namespace: capabilities" "capabilities CAP_.*, valid in this user namespace only: .*"
else
	skip "a user namespace" "there can be none here"
fi
for hidden in /proc /sys; do
	if unshare -rm mount -t tmpfs none $hidden 2>/dev/null; then
		unshare -rm sh -c 'mount -t tmpfs none "$1" && exec "$2" --check' sh $hidden "$tiptop" >"$out" 2>"$err"
		is "without $hidden, this is not known" "$(sed -n 's/^ *\(NMI watchdog\|PMUs\) *\(not known\)/\1 \2/p' "$out" | tr -s ' \n' ' ')" \
			"$([ $hidden = /proc ] && echo 'NMI watchdog not known: /proc/sys/kernel cannot be read ' ||
				echo 'PMUs not known: /sys/bus/event_source/devices cannot be read ')"
	else
		skip "without $hidden" "no namespace can be made"
	fi
done
if [ "$(id -u)" -eq 0 ] && unshare -p -f --mount-proc true 2>/dev/null; then
	diagnose 0 "a pid namespace" unshare -p -f --mount-proc "$tiptop" --check
	says "a pid namespace" "warn container the pid namespace is not the machine's.*: only tasks in it can be seen"
	says "a pid namespace: remedy" "remedy: docker run --pid=host \.\.\."
else
	skip "a pid namespace" "there can be none here"
fi

# An ordinary user: root takes this role.
nobody=65534
as_nobody="setpriv --reuid $nobody --regid $nobody --clear-groups"
if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null || [ -z "$can_count" ] ||
	! { cp "$tiptop" "$dir/tiptop" && chmod 755 "$dir/tiptop" && $as_nobody "$dir/tiptop" --version >"$out" 2>"$err"; }; then
	skip "an ordinary user" "needs root, who can be an ordinary user"
	finish
fi
says_not "root: nothing is refused" "may not be counted"
restore() {
	[ "$(cat $paranoid)" = "$level" ] || echo "$level" >$paranoid
	cleanup
}
trap restore EXIT
# set_level N: whether the level could be set.
set_level() {
	[ "$(cat $paranoid)" = "$1" ] || { echo "$1" >$paranoid && [ "$(cat $paranoid)" = "$1" ]; } 2>/dev/null
}

for wanted in -1 1 2 3; do
	if ! set_level $wanted; then
		skip "level $wanted" "it cannot be set"
		continue
	fi
	diagnose 0 "level $wanted" $as_nobody "$dir/tiptop" --check
	if [ $wanted -eq 3 ] && grep -q '^  no   own tasks' "$out"; then
		says "level 3, which this kernel has: remedy" "remedy: .*sysctl kernel.perf_event_paranoid=2"
		continue
	fi
	says "level $wanted: own tasks" "ok own tasks .*"
	if [ $wanted -ge 2 ]; then
		says "level $wanted: not in the kernel" "warn in kernel .*perf_event_paranoid is $wanted"
		says "level $wanted: remedy" "remedy: .*sysctl kernel.perf_event_paranoid=1"
	else
		says "level $wanted: in the kernel" "ok in kernel .*"
	fi
	says "level $wanted: tasks of others" "warn others tasks of other users may not be counted: that needs CAP_.*"
	says "level $wanted: remedy for these" "remedy: .*sudo (setcap cap_perfmon.*=ep )?$dir/tiptop"
done
[ "$(cat $paranoid)" = "$level" ] || echo "$level" >$paranoid

diagnose 0 "no_new_privs" $as_nobody --no-new-privs "$dir/tiptop" --check
says "no_new_privs: no use of file capabilities" "capabilities none of .*; no_new_privs is set: .*"
says "no_new_privs: remedy" "remedy: .*(where no_new_privs is not set|outside of the container): sudo .*"

finish
