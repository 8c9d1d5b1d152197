# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-or-later
# --check: the machine, and the permissions of root and an ordinary user, by the level of perf_event_paranoid.
. ./lib.sh

# says NAME PATTERN: some line, its continuations joined and its blanks single, matches as a whole.
says() {
	awk '/^                    [^ ]/ && $1 != "remedy:" { sub(/^ */, " "); printf "%s", $0; next }
		{ printf "%s%s", (NR > 1 ? "\n" : ""), $0 }
		END { print "" }' "$out" | tr -s ' ' | grep -Eqx -- " ?$2"
	ok "$1" $?
}

# diagnose LEVEL USER
diagnose() {
	paranoid "$1"
	as_user "$2" "tiptop --check"
	is "check: level $1, $2: exit status" $? 0
	has_not "check: level $1, $2: nothing on standard error" "$err" .
	who="check: level $1, $2"
}

diagnose 2 root
says "$who: processor" 'model arch="arm64" model="41_D0C(_R41)?", Arm'
says "$who: libpfm4" 'ok libpfm4 libpfm4 [0-9.]+ has arm_n1 .*'
says "$who: PMU" "$pmu core, type $(cat "/sys/bus/event_source/devices/$pmu/type"); .*; CPUs 0; .*"
says "$who: kernel" "kernel Linux $(uname -r | sed 's/[+.]/\\&/g')"
says "$who: level" 'level kernel.perf_event_paranoid is 2: .* in user mode only; this user is not bound by it'
says "$who: own tasks" 'ok own tasks .*'
says "$who: kernel mode" 'ok in kernel .*'
says "$who: others" 'ok others tasks of other users can be counted'
says "$who: groups" 'groups of up to 7 events, cycles and instructions in turn'
says "$who: a whole screen" 'ok [0-9]+ [a-z_]+ [0-9]+ counters?'
says "$who: a screen that lacks something" "warn [0-9]+ default 2 of 4 counters are not available \
miss: this machine has no hardware counter for 'cache-misses' \(ENOENT\) .*"
says "$who: a screen that is not for this processor" 'topdown not for this processor: .*Neoverse V1.*'
says "$who: no configuration" 'file none; looked for .*'
has "$who: nothing else" "$out" '^nothing limits tiptop here; [0-9]+ of [0-9]+ screens can show all of their columns$'

diagnose 2 user1
says "$who: level" 'level kernel.perf_event_paranoid is 2: .* in user mode only'
says "$who: own tasks" "ok own tasks this user's own tasks can be counted, in user mode"
says "$who: kernel mode" 'warn in kernel .*kernel.perf_event_paranoid is 2'
says "$who: kernel mode: remedy" 'remedy: sudo sysctl kernel.perf_event_paranoid=1'
says "$who: others" 'warn others tasks of other users may not be counted: that needs CAP_PERFMON'
says "$who: others: remedy" 'remedy: sudo setcap cap_perfmon=ep /test/tiptop'
says "$who: a whole screen" 'ok [0-9]+ [a-z_]+ [0-9]+ counters?'
says "$who: a screen that counts in the kernel" \
	'no [0-9]+ system 2 of 2 counters are not available .*kernel.perf_event_paranoid is 2.*'
has "$who: two things" "$out" '^2 things limit tiptop here; '

diagnose 3 root
nothing="level kernel.perf_event_paranoid is 3: users count nothing \(a level of Debian's kernels\)"
says "$who: level" "$nothing; this user is not bound by it"
says "$who: own tasks" 'ok own tasks .*'
has "$who: nothing else" "$out" '^nothing limits tiptop here; '

diagnose 3 user1
says "$who: level" "$nothing"
says "$who: own tasks" 'no own tasks nothing may be counted: kernel.perf_event_paranoid is 3'
says "$who: remedy" 'remedy: sudo sysctl kernel.perf_event_paranoid=2'
says "$who: counters" 'no user mode .*kernel.perf_event_paranoid is 3.*'
says "$who: a screen of counters" 'no 0 default nothing may be counted: .*instr.*'
says "$who: a screen that needs none" 'ok [0-9]+ software needs no counter'
has "$who: one thing" "$out" '^1 thing limits tiptop here; 1 of [0-9]+ screens can show all of their columns$'

# What root then does as it is told.
remedy=$(sed -n 's/^ *remedy: sudo //p' "$out" | head -n 1)
sh -c "$remedy" >"$out" 2>"$err"
is "check: the remedy can be run: $remedy" "$? $(cat "$err")" "0 "
as_user user1 "tiptop --check"
says "check: with the remedy: own tasks" 'ok own tasks .*'
