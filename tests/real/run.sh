#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/real/run.sh [--long] [NAME]... - real programs of the distribution, each under "tiptop -b --", --exact, follow,
# locks, calls and --record: nothing crashes, hangs or changes its output and status, and everything that ran is counted.
# Prints TAP. TIPTOP is the program, builddir has tests/program/work: by default both are in build/. Runs the programs of the
# quick form, with --long all programs, or those that are named.
#
# To add a program: one row in tests/real/table, one file in tests/real/programs/, one row for its package in
# tools/lib.sh (scope check for the quick form, real for the other).
#
# tests/real/programs/NAME is a shell script with two steps, run in an empty folder of its own:
#   sh -eu NAME prepare   makes what the program needs (compiles, writes input); not measured. Each cell then runs in a
#                         copy of that folder. Ends with status 77 and a line that says why if it cannot run here.
#   sh NAME run           does the work, in 0.1 to 2 s, without input, and exits. This is what tiptop runs. Its standard
#                         output must be the same each time: print results, not times or numbers of processes. A server
#                         is started, used and ended in this step. Its traffic stays on the loopback interface, its
#                         files in the folder, and what it starts ends with it (a daemon that must be waited for, too).
# $SELF is the path of the script itself, $PYTHON that of a Python interpreter; paths of servers such as /usr/sbin are in PATH.
#
# A row of the table:
#   name    the file in programs/
#   needs   the requirements, separated by commas, as in tools/lib.sh: command:NAME, or option:COMPILER:OPTION, such as
#           option:gcc:-luring to require a library
#   form    quick or long
#   direct run exact follow locks calls record    for each cell the letters of the numbers to compare, each with the number of
#           another tool in the same run (except t). Status, output and sums of rows are compared in each cell. ".": no
#           number; "-": the cell is not run; the script of the program says why.
#     c  CPU time: wait4(2) of the same processes, by witness.c; within 1 % and a tick, and not
#        below what its own counter lacks of it
#     f  page faults in user mode, exactly: a counter that all processes inherit from witness.c
#     s  context switches: the same; but those of each task before it stops for ptrace(2) and gets its counters: one,
#        rarely up to four
#     n  task clock: the same; within 1 % and a tick. Instead of c for programs whose children are not waited for, and for
#        servers: the kernel starts to count after it has switched to a task, a microsecond that wait4(2) includes
#     o  no sums: a task outlives the command, so the counts of its end may be in the summary and in no row yet
#     w  in follow: kernel-created threads are in the rows of processes but, as a tracer gets no event for them, in no row of
#        tasks; so the latter lack the time and the switches of these threads; page faults are the same
#     W  the same, but there may be none: the kernel creates such threads only if it cannot proceed at once; a thread of a
#        program that ends before the thread's first stop counts as one, too
#     p  page faults of perf stat, which runs the program in follow: from the exec of the program on, exactly
#     t  tasks that ended: compared with strace of another run, so only for programs with a constant number
#     a  acquisitions of mutexes, spin locks and read-write locks, exactly: tally.c before the object of tiptop
#     A  the same, except those of an allocator that starts together with the object of tiptop: at most 64
#        in each process
#     l  calls of some 20 functions of the C library, each exactly: the same; malloc() except calls of the loader
#
# Nothing here depends on speed or load: a program that runs longer is measured longer by both. If rows are written in
# several refreshes, their sum is compared.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)} builddir=${builddir:-$srcdir/build}
TIPTOP=${TIPTOP:-$builddir/tiptop}
# shellcheck source=../program/lib.sh
. "$srcdir/tests/program/lib.sh"

# shellcheck source=lib.sh
. "$srcdir/tests/real/lib.sh"

TICK_NS=10000000 # of 1/100 s, the coarsest that kernels have

# --- the tools ---

# build: witness and tally.so go to $dir.
build() {
	${CC:-cc} -O2 -o "$dir/witness" "$here/witness.c" 2>"$err" &&
		${CC:-cc} -O2 -shared -fPIC -fno-builtin -pthread -o "$dir/tally.so" "$here/tally.c" -ldl 2>"$err"
}

cat >"$dir/screen" <<-XML
	<tiptop><screen name="real">
	  <counter alias="fault" type="SOFTWARE" config="PAGE_FAULTS"/>
	  <counter alias="switch" type="SOFTWARE" config="CONTEXT_SWITCHES"/>
	  <counter alias="clock" type="SOFTWARE" config="TASK_CLOCK"/>
	  <column id="faults" header="       FAULTS" format="%13.0f" expr="delta(fault)"/>
	  <column id="switches" header="     SWITCHES" format="%13.0f" expr="delta(switch)"/>
	  <column id="clock" header="        CLOCK" format="%13.0f" expr="delta(clock)"/>
	</screen></tiptop>
XML
screen="-b --children --only-conf -W $dir/screen -d 0.5"
EVENTS="faults switches clock_ns" # as witness.c calls them
out=$dir/printed written=$dir/written # what tiptop writes is long: a failed test shows what the program has printed

# witnessed NAME: what the witness has measured.
witnessed() {
	awk -v name="$1" '$1 == name { n = $2 } END { printf "%.0f\n", n }' "$dir/witness.out"
}

# --- cells ---

witness="$dir/witness $dir/witness.out"
inner=''

# cell MODE COMMAND...: runs the program by the witness, by these words of tiptop; without words, by itself. What it prints
# goes to $dir/printed.MODE; status and output must be those of the first run, which is by itself.
cell() {
	mode=$1
	shift
	rm -rf "$dir/place" "$written"
	: >"$dir/witness.out"
	cp -a "$dir/prepared" "$dir/place"
	stolen_before=$(stolen)
	(
		cd "$dir/place" || exit
		SELF=$here/programs/$name
		export SELF
		# shellcheck disable=SC2086 # words
		exec timeout -k 5 120 "$@" $witness $inner /bin/sh "$SELF" run
	) >"$out" 2>"$err" </dev/null
	status=$?
	[ "$mode" != plain ] || { plain_status=$status && cp "$out" "$dir/plain" && return; }
	is "$name: $mode: status" $status "$plain_status"
	cmp -s "$dir/plain" "$out"
	ok "$name: $mode: output" $?
	ours_ns=$(calc "($(stolen_ms) + 0) * 1e6")
}

# like NAME GOT WANT [LESS]: CPU times in ns, within 1 %, a tick, and what the host has taken meanwhile; LESS may lack,
# too.
like() {
	within "$1" "$2" "$(calc "${3:-0} * 0.99 - $TICK_NS - $ours_ns - ${4:-0}")" \
		"$(calc "${3:-0} * 1.01 + $TICK_NS + $ours_ns")"
}

# compare LETTERS: $dir/total has the number of each event of all tasks, $dir/own that of the witness itself, which the
# numbers of the witness do not have.
compare() {
	compare_letters=$1
	while [ "$compare_letters" ]; do
		case $compare_letters in
		c*) like "$name: $mode: CPU time is that of wait4(2)" "$(of total clock_ns)" \
			"$(calc "($(witnessed children_us) + $(witnessed self_us)) * 1000")" "$(uncounted)" ;;
		f*) is "$name: $mode: page faults" "$(descendants faults)" "$(witnessed faults)" ;;
		s*) within "$name: $mode: context switches" "$(descendants switches)" \
			$(($(witnessed switches) - 4 * $(of total tasks))) "$(witnessed switches)" ;;
		n*) like "$name: $mode: task clock" "$(descendants clock_ns)" "$(witnessed clock_ns)" ;;
		p*) perf_faults ;;
		t*) tasks ;;
		esac
		compare_letters=${compare_letters#?}
	done
}
# uncounted: the ns that wait4(2) has and the counter of the witness has not, in the same run: the kernel begins to count
# after it has switched to a task. That is a microsecond, or, on a busy virtual machine, a fifth of a ms.
uncounted() {
	uncounted_ns=$(calc "$(witnessed children_us) * 1000 - $(witnessed clock_ns)")
	calc "($uncounted_ns > 0 && $(witnessed clock_ns) > 0) ? $uncounted_ns : 0"
}
# of FILE EVENT
of() {
	awk -v name="$2" '$1 == name { printf "%.0f", $2 }' "$dir/$1"
}
descendants() {
	calc "$(of total "$1") - $(of own "$1")" | sed 's/\..*//'
}

# tasks: but for the witness, those that strace saw are those that tiptop saw. "lost" is only above 0 where a busy machine
# has overrun the rings of the kernel, which tiptop says.
tasks() {
	if [ "$(of total lost)" != 0 ]; then
		skip "$name: $mode: tasks" "ends were lost on this busy machine, as tiptop says"
	else
		is "$name: $mode: tasks that ended, as strace saw them" "$(of total tasks)" "$((plain_tasks + (${#inner} > 0)))"
	fi
}

# perf_faults: the rows of all below perf stat are what it has counted, from the exec of the program on.
perf_faults() {
	if [ ! "$inner" ]; then
		skip "$name: $mode: page faults of perf stat" "perf is missing"
		return
	fi
	awk -F, -v witness="$(witnessed pid)" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ pid = $at["pid"]; event = $at["event"]; n = $at["page-faults"] }
	pid == witness { next }
	!perf { perf = pid }
	pid == perf { next }
	!program { program = pid }
	event == "exec" && n != "" && pid == program && !begun { begun = 1; next }
	event == "exec" || event == "exit" { sum += n }
	END { print sum + 0 }' "$written" >"$dir/below"
	is "$name: $mode: page faults of perf stat" "$(cat "$dir/below")" "$(awk -F, '$3 == "page-faults:u" { print $1 }' "$dir/perf")"
}

# sums LETTERS: what all rows have is what the summary has.
sums() {
	case $1 in
	*o*) return ;;
	esac
	for event in $EVENTS; do
		is "$name: $mode: rows have the sum of $event" "$(of rows "$event")" "$(of total "$event")"
	done
}

# add_text PID: rows of a text, of all and of the process with this number, and what is in the summary.
add_text() {
	awk -v witness="$1" -v rows="$dir/rows" -v own="$dir/own" -v total="$dir/total" '
	function put(file, a, b, c) { printf "faults %.0f\nswitches %.0f\nclock_ns %.0f\n", a, b, c >file }
	/^# summary:/ { summary = 1 }
	summary && /^# of that, [0-9]+ tasks? that ha(s|ve) ended/ { tasks = $4; part = 1 }
	summary && /lost/ { lost = 1 }
	summary && !part && $3 == "SOFTWARE" { sum[$4] = $2 }
	summary { next }
	/^ *PID / { body = 1; next }
	!NF { next }
	body { f += $2; s += $3; c += $4 }
	body && $1 == witness { own_f += $2; own_s += $3; own_c += $4 }
	END {
		put(rows, f, s, c)
		put(own, own_f, own_s, own_c)
		put(total, sum["PAGE_FAULTS"], sum["CONTEXT_SWITCHES"], sum["TASK_CLOCK"])
		printf "tasks %d\nlost %d\n", tasks, lost >total
	}' "$written"
}

# add_json FILE: the same of JSON, from its refreshes and its summary.
add_json() {
	jq -r -s --argjson witness "$(witnessed pid)" '
	def put($name; $rows): "\($name) faults \([$rows[].faults // 0] | add // 0)",
		"\($name) switches \([$rows[].switches // 0] | add // 0)", "\($name) clock_ns \([$rows[].clock // 0] | add // 0)";
	[.[] | select(.type == "refresh") | .rows[]] as $rows | (.[] | select(.type == "summary")) as $summary |
	put("rows"; [$rows[].values]), put("own"; [$rows[] | select(.pid == $witness) | .values]),
	put("total"; [{faults: $summary.events["SOFTWARE PAGE_FAULTS"].value,
		switches: $summary.events["SOFTWARE CONTEXT_SWITCHES"].value,
		clock: $summary.events["SOFTWARE TASK_CLOCK"].value}]),
	"total tasks \($summary.ended.tasks)", "total lost \($summary.ended.lost)"' "$1" >"$dir/all" 2>"$err"
	for file in rows own total; do
		sed -n "s/^$file //p" "$dir/all" >"$dir/$file"
	done
}

# cell_plain CELLS: by itself; and by strace, where a cell asks how many tasks there are.
cell_plain() {
	cell plain env
	plain_tasks=0
	case $1 in
	*t*)
		cell strace strace -f -e trace=none -o "$dir/strace"
		plain_tasks=$(($(grep -c '+++ \(exited\|killed\)' "$dir/strace") - 1))
		;;
	esac
}

cell_run() {
	# shellcheck disable=SC2086 # several options
	cell run "$tiptop" $screen -o "$written" --
	add_text "$(witnessed pid)"
	sums "$1"
	compare "$1"
}

cell_exact() {
	# shellcheck disable=SC2086 # several options
	cell exact "$tiptop" $screen --exact --format json -o "$written" --
	add_json "$written"
	sums "$1"
	compare "$1"
}

# cell_direct: the program is the command itself, as users start it; nothing stands between.
cell_direct() {
	witness=''
	cell direct "$tiptop" $screen --exact --format json -o "$written" --
	witness="$dir/witness $dir/witness.out"
	add_json "$written"
	sums "$1"
	plain_tasks=$((plain_tasks - 1)) # the first does not count among those that ended
	compare "$1"
	plain_tasks=$((plain_tasks + 1))
}

# cell_record: rows go to CSV and a recording. What is replayed has the same sums, and so has SQLite of the tables.
cell_record() {
	rm -f "$dir/r.db"
	# shellcheck disable=SC2086 # several options
	cell record "$tiptop" $screen --format csv --record "$dir/r.db" -o "$written" --
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ f += $at["faults"]; s += $at["switches"]; c += $at["clock"] }
		END { printf "faults %.0f\nswitches %.0f\nclock_ns %.0f\n", f, s, c }' "$written" >"$dir/csv"
	"$tiptop" -b --only-conf -W "$dir/screen" --replay "$dir/r.db" --format json -o "$dir/replayed" >"$dir/text" 2>"$err"
	ok "$name: record: it is replayed" $?
	add_json "$dir/replayed"
	cp "$dir/csv" "$dir/rows"
	sums "$1"
	is "$name: record: SQLite has what is in the summary" "$(recorded)" "$(of total faults) $(of total switches) $(of total clock_ns)"
	compare "$1"
}
# recorded: what the recording has of the whole command: between two readings, which are in the table of some layout.
recorded() {
	for layout in $(sqlite3 "$dir/r.db" "select id from layout"); do
		echo "select ifnull(e.count_0, 0) - ifnull(b.count_0, 0), ifnull(e.count_1, 0) - ifnull(b.count_1, 0),
			ifnull(e.count_2, 0) - ifnull(b.count_2, 0) from ending
			join reading_$layout b on b.id = ending.begin_reading join reading_$layout e on e.id = ending.end_reading;"
	done >"$dir/sql"
	sqlite3 -separator ' ' "$dir/r.db" <"$dir/sql" 2>"$dir/text"
}

# tasks_of_processes LETTERS EVENT: what processes have beyond it is that of threads that the kernel has made; n and c say
# of the sum of processes whether it is true.
tasks_of_processes() {
	case $1,$2 in
	*,faults) ;;
	*w*,*)
		within "$name: follow: tasks have less $2 than processes, which have those of the kernel" "$(of rows "$2")" 1 $(($(of total "$2") - 1))
		return
		;;
	*W*,*)
		within "$name: follow: tasks have no more $2 than processes" "$(of rows "$2")" 1 "$(of total "$2")"
		return
		;;
	esac
	is "$name: follow: tasks have the sum of $2 of processes" "$(of rows "$2")" "$(of total "$2")"
}

# cell_follow: with p, perf stat is the parent of the program.
cell_follow() {
	perf=$(command -v perf)
	case $1 in
	*p*) [ ! "$perf" ] || inner="$perf stat -x , -o $dir/perf -e page-faults:u --" ;;
	esac
	cell follow "$tiptop" follow -T 0 -fev -c page-faults,context-switches,task-clock --format csv -o "$written" --
	follow_rows "$(witnessed pid)"
	for event in $EVENTS; do
		tasks_of_processes "$1" "$event"
	done
	compare "$1"
	inner=''
}
# follow_rows PID: what ends of tasks have, and what execs and ends of processes have.
follow_rows() {
	awk -F, -v witness="$1" -v dir="$dir" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ pid = $at["pid"]; event = $at["event"]; f = $at["page-faults"]; s = $at["context-switches"]; c = $at["task-clock"] }
	event == "lwp_exit" || event == "fini_lwp" { add("rows") }
	event == "lwp_exit" || event == "exit" { tasks++ }
	event == "exec" && f != "" || event == "exit" { add("total"); if (pid == witness) add("own") }
	function add(what) { faults[what] += f; switches[what] += s; clock[what] += c }
	function put(what) {
		printf "faults %.0f\nswitches %.0f\nclock_ns %.0f\n", faults[what], switches[what], clock[what] >(dir "/" what)
	}
	END { put("rows"); put("total"); put("own"); printf "tasks %d\nlost 0\n", tasks - 1 >(dir "/total") }' "$written"
}

# --- locks and calls ---

# tallied FILE KIND: the names of the lines of tally.c, LOCK or CALL, and their numbers.
tallied() {
	sed -n -e 's/^\(LOCK\)(\([a-z_0-9]*\), (.*/\1 \2/p' -e 's/^\(CALL\)([^,]*, \([a-z_0-9]*\), (.*/\1 \2/p' "$here/tally.c" >"$dir/names"
	od -An -v -t u8 -w8 "$dir/tally" | paste -d ' ' "$dir/names" - |
		awk -v kind="$1" '$1 == kind && $3 > 0 { print $2, $3 }' | sort
}

# tallied_cell MODE: by the object of tiptop and that of tally.c, which counts for all but the witness.
tallied_cell() {
	head -c 4096 /dev/zero >"$dir/tally"
	TALLY=$dir/tally TALLY_OBJECT=$dir/tally.so
	export TALLY TALLY_OBJECT
	cell "$1" "$tiptop" "$1" --children --format json -o "$written" --
	unset TALLY TALLY_OBJECT
}

cell_locks() {
	tallied_cell locks
	jq -r -s --argjson witness "$(witnessed pid)" '
	[.[] | select(.pid != $witness)] |
	"total \([.[] | select(.type == "locks") | .dynamic] | add // 0)",
	"processes \([.[] | select(.type == "locks")] | length)",
	"rows \([.[] | select(.type == "lock" and (.kind | IN("cond", "semaphore", "barrier", "futex") | not)) | .acquisitions] | add // 0)"
	' "$written" >"$dir/all" 2>"$err"
	is "$name: locks: rows have the sum of acquisitions" "$(of all rows)" "$(of all total)"
	tallied LOCK | awk '{ n += $2 } END { printf "acquisitions %.0f\n", n }' >"$dir/want"
	case $1 in
	*a*) is "$name: locks: acquisitions" "$(of all total)" "$(of want acquisitions)" ;;
	*A*)
		within "$name: locks: acquisitions" "$(of all total)" \
			$(($(of want acquisitions) - 64 * $(of all processes))) "$(of want acquisitions)"
		;;
	esac
}

cell_calls() {
	tallied_cell calls
	jq -r -s --argjson witness "$(witnessed pid)" '
	"threads \([.[] | select(.type == "calls") | .threads] | add)",
	([.[] | select(.pid != $witness and .calls)] | group_by([.type, .name])[] | "\(.[0].type) \(.[0].name) \([.[].calls] | add)")
	' "$written" >"$dir/all" 2>"$err"
	for sum in part group call; do
		awk -v type=$sum '$1 == type { n += $3 } END { printf "%s %.0f\n", type, n }' "$dir/all"
	done >"$dir/sums"
	is "$name: calls: functions, groups and the library have the same sum" "$(cut -d ' ' -f 2 "$dir/sums" | sort -u | wc -l)" 1
	case $1 in
	*l*)
		tallied CALL >"$dir/want"
		sed -n 's/^call //p' "$dir/all" | sort | join - "$dir/want" >"$dir/both" # the name, what tiptop has, what tally.c has
		is "$name: calls: each as often as tally.c has counted" "$(sed 's/ [0-9]*$//; /^malloc /d' "$dir/both")" "$(sed '/^malloc /d' "$dir/want")"
		# The loader allocates what is local to a thread in the object of tiptop: not by the program.
		within "$name: calls: malloc() likewise, but for the loader" "$(awk '$1 == "malloc" { print $2 }' "$dir/both")" \
			"$(awk -v threads="$(of all threads)" '$1 == "malloc" { print $3 - 8 * threads }' "$dir/both")" "$(awk '$1 == "malloc" { print $3 }' "$dir/both")"
		;;
	esac
}

# --- programs ---

# program NAME NEEDS DIRECT RUN EXACT FOLLOW LOCKS CALLS RECORD
program() {
	name=$1
	prepare "$2" || return 0
	shift 2
	began=$(date +%s)
	cell_plain "$*"
	for mode_of in direct run exact follow locks calls record; do
		[ "$1" = - ] || "cell_$mode_of" "$1"
		shift
	done
	echo "# $name: $(($(date +%s) - began)) s, $plain_tasks tasks"
}

form=quick
[ "${1-}" != --long ] || { form=long && shift; }
wanted=" $* "
reason=$("$work" can-count) || skip_all "$reason"
for tool in strace jq sqlite3; do
	command -v $tool >"$dir/text" || skip_all "$tool is missing"
done
build || skip_all "there is no C compiler: $(tail -n 1 "$err")"
own_tables
echo "# Python is ${PYTHON:-missing}"
while read -r row_name needs row_form cells; do
	case $row_name,$wanted,$form,$row_form in
	,* | '#'*) continue ;;
	*,"  ",quick,long) continue ;;
	*,"  ",*) ;;
	*) [ "${wanted#* "$row_name" }" != "$wanted" ] || continue ;;
	esac
	# shellcheck disable=SC2086 # words
	program "$row_name" "$needs" $cells
done <"$here/table"
finish
