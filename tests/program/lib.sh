# shellcheck shell=sh disable=SC2034 # used by the scripts that read it
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shared by the tests of the whole program. They run from any folder, as any user, on a machine with or without a PMU and
# with any other load: each test looks only at its own tasks.
#
# From the environment: TIPTOP, the program; builddir, where tests/program/work is (see work.c).
set -u
umask 022

tiptop=${TIPTOP:?}
work=${builddir:?}/tests/program/work
unset TIPTOP # which tells the program where a configuration file is
# Without these programs, each test would fail, or be skipped, with a different message.
for program in "$tiptop" "$work"; do
	command -v "$program" >/dev/null || { echo "Bail out! $program is missing: \"make check TESTS=\" builds it" && exit 1; }
done
LC_ALL=C TZ=UTC
export LC_ALL TZ

count=0 failed=0 monitor='' worker=''
dir=$(mktemp -d) || exit 1
chmod 755 "$dir"
mkdir "$dir/home" # without a configuration file
HOME=$dir/home
export HOME
cd "$HOME" || exit 1
out=$dir/out err=$dir/err

cleanup() {
	for pid in $monitor $worker; do
		kill -KILL "$pid" 2>/dev/null
	done
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

# ok NAME STATUS: reports a test, passed if the status is 0; else prints the last output of the program, too.
ok() {
	count=$((count + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $count - $1"
		return
	fi
	failed=1
	echo "not ok $count - $1"
	tail -n 12 "$out" 2>/dev/null | sed 's/^/# out: /'
	tail -n 5 "$err" 2>/dev/null | sed 's/^/# err: /'
}

# skip NAME WHY: reports a test as skipped.
skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

finish() {
	echo "1..$count"
	exit $failed
}

# is NAME GOT WANT: a test that two texts are equal.
is() {
	[ "$2" = "$3" ]
	ok "$1" $?
	[ "$2" = "$3" ] || echo "# got '$2', want '$3'"
}

# within NAME GOT LOW HIGH: a test that a number is in this range.
within() {
	awk -v got="$2" -v low="$3" -v high="$4" \
		'BEGIN { exit !(got ~ /^-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?$/ && got + 0 >= low + 0 && got + 0 <= high + 0) }'
	set -- "$1" "$2" "$3" "$4" $?
	ok "$1" "$5"
	[ "$5" -eq 0 ] || echo "# got '$2', want $3 to $4"
}

# matches NAME TEXT PATTERN: a test that the whole text matches the extended regular expression.
matches() {
	printf '%s\n' "$2" | grep -Eqx -- "$3"
	set -- "$1" "$2" "$3" $?
	ok "$1" "$4"
	[ "$4" -eq 0 ] || printf "# got '%s', want '%s'\n" "$2" "$3"
}

# await COMMAND...: repeats a command until it succeeds, for at most a minute.
await() {
	await_tries=0
	until "$@"; do
		await_tries=$((await_tries + 1))
		[ $await_tries -le 1200 ] || return 1
		sleep 0.05
	done
}

# need_nobody: prepares an ordinary user, for root: $as_nobody COMMAND... runs a command as the user $nobody, who owns the
# folder $dir/own.
need_nobody() {
	[ "$(id -u)" -eq 0 ] || skip_all "needs root, who can be an ordinary user"
	for tool in setpriv setcap; do
		command -v $tool >/dev/null || skip_all "$tool is not installed"
	done
	nobody=65534
	as_nobody="setpriv --reuid $nobody --regid $nobody --clear-groups"
	mkdir "$dir/own" && chown $nobody "$dir/own"
}

# own_tables: puts the tables of locks and of calls into a folder of this test: other tests may run at the same time.
own_tables() {
	XDG_RUNTIME_DIR=$(mktemp -d /dev/shm/tests.XXXXXX)
	export XDG_RUNTIME_DIR
	trap 'rm -rf "$XDG_RUNTIME_DIR"; cleanup' EXIT
}

# hold_level FILE: locks kernel.perf_event_paranoid, a setting of the whole machine: one test at a time reads and changes
# it.
hold_level() {
	[ ! -r "$1" ] || ! command -v flock >"$dir/text" || { exec 8<"$1" && flock 8; }
}

# has_tables: succeeds if libpfm4 is available with the tables of x86, which tests can select.
has_tables() {
	case $(uname -m) in
	x86_64 | i?86) ! "$tiptop" -b -n 1 -e no-such::NAME 2>&1 | grep -q 'needs libpfm4 .* cannot be loaded' ;;
	*) false ;;
	esac
}

calc() {
	awk "BEGIN { printf \"%.6f\", $1 }"
}

# work_start STEP...: starts a worker, which feed() controls; its pid is $worker. Returns at its first "wait".
work_start() {
	rm -f "$dir/orders"
	mkfifo "$dir/orders"
	: >"$dir/reports"
	n_waits=0
	"$work" "$@" <"$dir/orders" >"$dir/reports" &
	worker=$!
	exec 3>"$dir/orders"
	case " $* " in
	*" wait "*) arrive ;;
	esac
}

# feed: lets the worker continue to its next "wait", or its end.
feed() {
	printf x >&3
	arrive
}
# arrive: waits until the worker has announced its wait and all of its threads sleep, or it has ended.
arrive() {
	n_waits=$((n_waits + 1))
	await arrived
	await settled
}
arrived() {
	[ "$(grep -c '^# wait' "$dir/reports")" -ge $n_waits ] || ! states | grep -qv '[ZX]'
}
settled() {
	! states | grep -q '[RD]'
}
# states: prints the states of the worker's threads, a letter on each line.
states() {
	cat "/proc/$worker/task"/*/stat 2>/dev/null | sed -n 's/.*) \([A-Za-z]\) .*/\1/p'
}

# ask N: sends a number through descriptor 3 to a program that writes a line to $dir/answers when it has done the step of
# that number, and waits for the line. $asked counts the steps, from 0.
ask() {
	asked=$((asked + 1))
	echo "$1" >&3
	await answered
}
answered() {
	[ "$(wc -l <"$dir/answers")" -ge "$asked" ]
}
# need_tracepoints: sets $as, which runs a command that may record calls of futex(2): for root, as an ordinary user with a
# /run and a tracefs of its own; and $own, a folder that it may write to. Skips all tests if that is not allowed.
need_tracepoints() {
	if [ "$(id -u)" -eq 0 ] && unshare -m sh -c '[ -d /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing' 2>"$err"; then
		need_nobody
		cat >"$dir/as" <<-'END'
			mount -t tmpfs tmpfs /run && mkdir /run/tiptop || exit 9
			[ -d /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing || exit 9
			cd /sys/kernel/tracing/events/syscalls || exit 9
			for point in sys_*_futex*; do read -r id <"$point/id" && echo "syscalls:$point $id"; done >/run/tiptop/tracepoints
			chmod "${LIST_MODE:-644}" /run/tiptop/tracepoints
			cd "$1" && shift && exec "$@"
		END
		own=$dir/own
		as="unshare -m sh $dir/as $own $as_nobody"
	else
		own=$dir as=
	fi
	# shellcheck disable=SC2086 # several words
	$as "$tiptop" locks --kernel -o "$own/report" -- true >"$out" 2>"$err" || skip_all "$(sed 's/^tiptop: //;q' "$err")"
	rm -f "$own/report"
}
# live_rows COMMAND OPTION...: runs "tiptop COMMAND --live" on $dir/victim, which reads what ask() writes, with its output
# in $dir/shown. $counts: options of batch mode that select the columns timestamp,pid,name and more.
live_rows() {
	live_command=$1
	shift
	rm -f "$dir/orders"
	mkfifo "$dir/orders"
	: >"$dir/shown"
	: >"$dir/answers"
	# shellcheck disable=SC2086,SC2154 # several options
	"$tiptop" "$live_command" --live -b -d 0.1 $counts -o "$dir/shown" "$@" -- "$dir/victim" \
		<"$dir/orders" >"$dir/answers" 2>"$err" &
	monitor=$!
	exec 3>"$dir/orders"
	asked=0
}
# is_well_formed NAME FILE: a test that Prometheus' own reader accepts a file of metrics. Some names are older than its
# rule for names.
is_well_formed() {
	if ! command -v promtool >/dev/null; then
		skip "$1" "there is no promtool"
		return
	fi
	promtool check metrics <"$2" 2>&1 |
		grep -vxE 'tiptop_(ms|us_per_call|ever_max_us|ns_per_[a-z0-9_]+)_seconds metric names should not contain abbreviated units' >"$out"
	is "$1" "$(cat "$out")$([ -s "$2" ] || echo no metrics)" ""
}
# metrics_of_two COMMAND LABEL: while two processes of $dir/victim run, waits until series with LABEL are of their two pids.
metrics_of_two() {
	mkfifo "$dir/orders.1" "$dir/orders.2"
	"$tiptop" "$1" --live -b -d 0.1 -o /dev/null --children --rows 1000 --metrics "$dir/two.prom" --metrics-by process \
		-- sh -c "echo \$\$ >'$dir/pids'; '$dir/victim' <'$dir/orders.1' & echo \$! >>'$dir/pids'; exec '$dir/victim' <'$dir/orders.2'" \
		>/dev/null 2>"$err" &
	monitor=$!
	exec 3>"$dir/orders.1" 4>"$dir/orders.2"
	echo 50 >&3
	echo 50 >&4
	label=$2
	await two_pids
	ok "metrics: two processes of one program have series of their own, with their pids" $?
	is "metrics: no series is there twice" "$(grep -v '^#' "$dir/two.prom" | sed 's/ [^ ]*$//' | sort | uniq -d)" ""
	is_well_formed "metrics: promtool has nothing to say" "$dir/two.prom"
	exec 3>&- 4>&-
	wait "$monitor"
	monitor=''
}
two_pids() {
	grep -F 'program="victim"' "$dir/two.prom" 2>/dev/null | grep -F ",$label," | sed 's/.*{pid="\([0-9]*\)".*/\1/' |
		sort -u >"$dir/found"
	sort -u "$dir/pids" 2>/dev/null | cmp -s - "$dir/found"
}
# sum_rows NAME FIELD: prints the sum of a field over all intervals.
sum_rows() {
	awk -F, -v name="$1" -v field="$2" '$3 == name { n += $field } END { printf "%.0f\n", n }' "$dir/shown"
}

work_end() {
	exec 3>&-
	wait "$worker" 2>/dev/null
	worker=''
}

# report N FIELD: prints a field of the worker's Nth report: 2 page faults, 3 CPU time, 4 monotonic time, in ns.
report() {
	awk -v n="$1" -v field="$2" '/^report/ && ++i == n { printf "%s", $field }' "$dir/reports"
}

# watch OPTION...: starts the program in the background, in batch mode; its pid is $monitor. Returns after its first
# refresh.
watch() {
	stolen_before=$(stolen)
	: >"$out"
	"$tiptop" -b "$@" >"$out" 2>"$err" 3>&- &
	monitor=$!
	await refreshed 1
}

# refreshes: prints the number of complete refreshes. Each ends with an empty line, and so does the head.
refreshes() {
	awk '!NF { n++ } END { print (n > 1 ? n - 1 : 0) }' "$out"
}
refreshed() {
	[ "$(refreshes)" -ge "$1" ]
}

# look: waits for two more refreshes; the second one began after this call.
look() {
	look_n=$(refreshes)
	await refreshed $((look_n + 2))
}

watch_end() {
	kill "$monitor" 2>/dev/null
	wait "$monitor" 2>/dev/null
	monitor=''
}

# rows PID: prints the rows of a task, one for each refresh in which it was shown, without the mark behind the pid.
rows() {
	awk -v pid="$1" 'body { sub(/[+-]$/, "", $1) } body && $1 == pid; $1 == "PID" { body = 1 }' "$out"
}

# column HEADER: prints the number of the field with this column. Tests of built-in screens use it, since screens get more
# columns.
column() {
	awk -v header="$1" '$1 == "PID" {
		gsub(/[][]/, "") # the marks of the column that the rows are sorted by
		for (i = 1; i <= NF; i++)
			if ($i == header)
				print i
		exit
	}' "$out"
}

# last PID FIELD: prints the cell in the last refresh; field 2 is the first column.
last() {
	rows "$1" | tail -n 1 | awk -v field="$2" '{ printf "%s", $field }'
}

# sum PID FIELD: prints the sum of all cells, which must all be numbers.
sum() {
	rows "$1" | awk -v field="$2" '
		$field !~ /^[0-9.]+$/ { bad = 1 }
		{ s += $field }
		END { if (NR && !bad) printf "%.3f\n", s; else print "not all numbers" }'
}

# worked_ms N M: prints the CPU time between the worker's Nth and Mth report.
worked_ms() {
	calc "($(report "$2" 3) - $(report "$1" 3)) / 1e6"
}

# stolen: prints the steal time of a virtual machine, in ticks of 10 ms; 0 on a real one. The kernel's counters include
# it in the time on a CPU, the CPU clocks do not.
stolen() {
	awk '$1 == "cpu" { print $9 + 0 }' /proc/stat
}
# stolen_ms: prints the steal time since $stolen_before, rounded up: each CPU accounts it at its ticks.
stolen_ms() {
	stolen_now=$(stolen)
	[ "$stolen_now" -eq 0 ] && echo 0 || echo $(((stolen_now - stolen_before + $(nproc)) * 10))
}
stolen_before=$(stolen)

# cpu_ms NAME GOT WANT: a test that CPU times agree within 2 %, plus a ms for other work of the worker.
cpu_ms() {
	within "$1" "$2" "$(calc "$3 * 0.98")" "$(calc "$3 * 1.02 + 1 + $(stolen_ms)")"
}

# faults NAME GOT WANT THREADS: a test that page faults are exact, except for some in each thread, for its stack and code.
SLACK=12
faults() {
	within "$1" "$2" "$3" $(($3 + SLACK * $4))
}

# conf_counters FILE [COLUMN]: writes a configuration with software counters. Columns: 2 page faults and 3 CPU time in ms
# since the attach, 4 and 5 the same since the last refresh, 6 %CPU, 7 the number of threads; one more if given.
conf_counters() {
	cat >"$1" <<-XML
		<tiptop>
		  <screen name="counters">
		    <counter alias="fault" type="SOFTWARE" config="PAGE_FAULTS"/>
		    <counter alias="clock" type="SOFTWARE" config="TASK_CLOCK"/>
		    <column header="   FAULTS" format="%9.0f" expr="fault"/>
		    <column header="      CPU" format="%9.3f" expr="clock / 1e6"/>
		    <column header="   dFAULT" format="%9.0f" expr="delta(fault)"/>
		    <column header="     dCPU" format="%9.3f" expr="delta(clock) / 1e6"/>
		    <column header="   %CPU" format="%7.3f" expr="CPU_TOT"/>
		    <column header="  N" format="%3.0f" expr="NUM_THREADS"/>
		    ${2-}
		  </screen>
		</tiptop>
	XML
}
counters="--only-conf -W $dir/counters"
conf_counters "$dir/counters"
# The same with a fact that the kernel keeps for each thread: then threads are read one by one.
by_thread="--only-conf -W $dir/by-thread"
conf_counters "$dir/by-thread" '<column header=" VCSW" format="%5.0f" expr="delta(VCSW)"/>'

# without_waits FILE: prints the file without the waits for a CPU: live, a wait is only known at its end; a recording moves
# it to the intervals in which it was.
without_waits() {
	awk '/WAITms/ { n = 0; for (i = 1; i <= NF; i++) { n += $i != "["; if ($i ~ /^WAITms/) at = n } }
		at && /^ *[0-9]/ && NF >= at { $at = "" } { print }' "$1"
}
