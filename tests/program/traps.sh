#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tasks created in ways that are easily missed: "tiptop -- command" and "tiptop follow" miss none.
# shellcheck source=lib.sh disable=SC2016 # texts of shells are for these shells
. "$(dirname "$0")/lib.sh"

trap=$builddir/tests/program/trap
EACH=100 # pages that each task touches
# The pages of its own start that it touches beside, and of what it shares.
MOST=2000

reason=$("$work" can-count) || skip_all "$reason"

# --- tiptop -- command ---

# number KEY FILE: of the JSON object in it; of events, their values.
number() {
	sed -n "s/.*\"$1\":\({\"value\":\)\{0,1\}\([-0-9.e+]*\).*/\2/p" "$2"
}
# sum COMMAND...: its summary in parts: $dir/whole and $dir/ended; $own is what the first task has counted itself.
# $way: --exact or nothing.
sum() {
	rm -f "$out"
	# shellcheck disable=SC2086 # nothing is not a word
	"$tiptop" -b $way --format json -o "$out" --values total -e page-faults -d 1000 -- "$@" >"$dir/printed" 2>"$err" </dev/null
	status=$?
	grep '^{"type":"summary"' "$out" >"$dir/json"
	sed 's/"level".*//' "$dir/json" >"$dir/whole"
	sed 's/.*"ended"://' "$dir/json" >"$dir/ended"
	own=$(grep '^{"type":"exit"' "$out" | sed -n 's/.*"page_faults":\([0-9]*\).*/\1/p' | tail -n 1)
}
way=''
sum true
each=$(grep -c '"level":"each"' "$dir/json")

# is_whole NAME TASKS: TASKS tasks have ended, with their pages, and with the first one they are the whole.
is_whole() {
	within "$1: their faults are in the whole" "$(number page-faults "$dir/whole")" $(($2 * EACH)) $((($2 + 1) * MOST))
	if [ "$each" -eq 0 ]; then
		skip "$1: each end" "this kernel does not tell of them"
	elif [ ! "$way" ] && [ "$(number lost "$dir/ended")" -ne 0 ]; then
		skip "$1: each end" "$(number lost "$dir/ended") ends were lost on this busy machine"
	else
		is "$1: the number of ends, and none was lost" "$(number tasks "$dir/ended") $(number lost "$dir/ended")" "$2 0"
		is "$1: they and the first one are the whole" "$((own + $(number page-faults "$dir/ended")))" \
			"$(number page-faults "$dir/whole")"
	fi
}
# of_job NAME TASKS STEP...
of_job() {
	of_name=$1 of_tasks=$2
	shift 2
	sum "$trap" "$@"
	is "$of_name: status" $status 0
	is_whole "$of_name" "$of_tasks"
}
of_all() {
	of_job "$as: vfork" 1 vfork
	of_job "$as: posix_spawn" 1 spawn
	of_job "$as: a process that shares its memory" 1 share
	of_job "$as: a double fork" 2 double
	# The rows of the first task have what its threads count: here, another one makes them.
	# shellcheck disable=SC3045 # dash and busybox have it, too
	if [ "$way" ] && [ "$(ulimit -Hn)" != unlimited ] && [ "$(ulimit -Hn)" -lt 10000 ]; then
		skip "$as: 1,000 threads" "each has its own counters, and $(ulimit -Hn) descriptors are all that one may have"
	else
		sum sh -c '"$0" threads=1000; true' "$trap"
		is "$as: 1,000 threads: status" $status 0
		is_whole "$as: 1,000 threads" 1001
	fi
	sum "$trap" namespace
	if [ $status -eq 77 ]; then
		skip "$as: a pid namespace" "this user may not make one"
	else
		is_whole "$as: a pid namespace" 2
	fi
	# What is in it while the command ends: its pages may come before or after that.
	rm -f "$dir/go"
	sum "$trap" session "$dir/go"
	child=$(cat "$dir/printed")
	is "$as: a session of its own: it is not waited for" "$status $(kill -0 "$child" && echo lives)" "0 lives"
	: >"$dir/go"
	await sh -c '! kill -0 "$0" 2>/dev/null' "$child"
	ok "$as: a session of its own: it goes on to its end" $?
	# Three threads and the first task end, and the one that goes on has the pages of a fourth, and of its new image.
	sum sh -c '"$0" take-over; true' "$trap"
	is "$as: a thread that takes over: status" $status 0
	is_whole "$as: a thread that takes over" 4
	is "$as: which is one process" "$(grep -c '"name":"exe","processes":1,' "$dir/json")" "$each"
	sum "$work" pool=3 each-touch=$EACH leave touch=$EACH spin=50
	is "$as: a leader that ends before its threads: status" $status 0
	within "$as: a leader that ends before its threads" "$(number page-faults "$dir/whole")" $((4 * EACH)) $((5 * MOST))
}
as=tiptop
of_all
# Where each task is followed, the kernel need tell nothing, and nothing is lost.
each=1 way=--exact as='tiptop --exact'
of_all
way=''

# Another process counts events of two PMUs in threads of the command: their counts stay theirs (inherit_stat of Linux).
sum sh -c '"$0" pool=4 each-spin=100 hand-over each-spin=100 end-pool &
	"$1" -b -n 6 -d 0.05 -e task-clock,page-faults,context-switches -p $! >"$2"; wait' "$work" "$tiptop" "$dir/text"
within "two PMUs: faults are no times" "$(number page-faults "$dir/whole")" 100 50000

# --- tiptop follow ---

# follow NAME ARGUMENT...: rows go to $out.
follow() {
	echo "# follow: $1"
	shift
	"$tiptop" follow -n -o "$out" -c page-faults "$@" >"$dir/printed" 2>"$err" </dev/null
	status=$?
}
# ends: how many processes ended, and of all of them the faults. rows_of KIND: how many there are.
ends() {
	awk '$3 == "exit" { n++; faults += $4 } END { printf "%d %d", n, faults }' "$out"
}
rows_of() {
	awk -v kind="$1" '$3 == kind || $4 == kind { n++ } END { print n + 0 }' "$out"
}
# of_follow NAME PROCESSES STEP...: PROCESSES end, each with its pages.
of_follow() {
	of_name=$1 of_processes=$2
	shift 2
	follow "$of_name" -T 0 -fe -- "$trap" "$@"
	is "follow: $of_name: status, and ends" "$status $(ends | cut -d ' ' -f 1)" "0 $of_processes"
	within "follow: $of_name: faults" "$(ends | cut -d ' ' -f 2)" $(((of_processes - 1) * EACH)) $((of_processes * MOST))
	is "follow: $of_name: forks" "$(rows_of fork)" $((of_processes - 1))
}
of_follow "vfork" 2 vfork
of_follow "posix_spawn" 2 spawn
of_follow "a process that shares its memory" 2 share
of_follow "a double fork" 3 double
follow "1,000 threads" -T 0 -f -- "$trap" threads=1000
is "follow: 1,000 threads: each begins and ends" "$status $(rows_of lwp_create) $(rows_of lwp_exit)" "0 1000 1000"
is "follow: 1,000 threads: each has its pages" "$(awk -v least=$EACH '$4 == "lwp_exit" && $5 >= least { n++ } END { print n + 0 }' "$out")" 1000
follow "a pid namespace" -T 0 -fe -- "$trap" namespace
if [ $status -eq 77 ]; then
	skip "follow: a pid namespace" "this user may not make one"
else
	is "follow: a pid namespace" "$status $(ends | cut -d ' ' -f 1)" "0 3"
fi
rm "$dir/go"
follow "a session of its own" -T 0 -f -- "$trap" session "$dir/go"
child=$(cat "$dir/printed")
is "follow: a session of its own: it is not waited for" "$status $(kill -0 "$child" && echo lives)" "0 lives"
matches "follow: a session of its own: it is said" "$(cat "$err")" "tiptop: follow: the command has ended; 1 task that it made goes on, .*"
: >"$dir/go"
await sh -c '! kill -0 "$0" 2>/dev/null' "$child"
ok "follow: a session of its own: it goes on to its end" $?
follow "a leader that ends" -T 0 -f -- "$work" pool=3 each-touch=$EACH leave touch=$EACH spin=50
is "follow: a leader that ends before its threads: they end, then the process" \
	"$status $(rows_of lwp_exit) $(tail -n 1 "$out" | awk '{ print $3 }')" "0 4 exit"

# Threads of a process that runs are all followed from the start, and those that they make.
work_start pool=5 wait each-touch=$EACH wait hand-over wait each-touch=$EACH wait
"$tiptop" follow -n -T 0 -c page-faults -o "$out" -p "$worker" 2>"$err" 3>&- &
monitor=$!
await grep -q 'TracerPid:.*[1-9]' "/proc/$worker/status"
feed
feed
feed
work_end
wait $monitor
monitor=''
is "follow: a process that has threads: those that are made" "$(rows_of lwp_create)" 5
within "follow: a process that has threads: all faults" "$(ends | cut -d ' ' -f 2)" $((10 * EACH)) $((10 * EACH + 500))

# --- rights ---

# A program that is set-user-ID: under ptrace, it does not get its rights; the counters of an ordinary user stay at its
# door without.
if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >"$dir/text"; then
	skip "a set-user-ID program" "needs root, who can be an ordinary user, and setpriv"
	finish
	exit
fi
cp "$trap" "$dir/suid" && chmod 4755 "$dir/suid"
cp "$trap" "$dir/closed" && chmod 0111 "$dir/closed"
cp "$tiptop" "$dir/tiptop" && chmod 755 "$dir/tiptop"
mkdir "$dir/own" && chown 65534 "$dir/own"
as_nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
# shellcheck disable=SC2086 # several words
if ! $as_nobody "$dir/tiptop" follow -n -T 0 -c page-faults -o "$dir/own/out" -- true 2>"$err"; then
	skip "a set-user-ID program" "an ordinary user may not count here"
	finish
	exit
fi
for program in suid closed; do
	# shellcheck disable=SC2086
	$as_nobody "$dir/tiptop" follow -n -T 0 -fe -c page-faults -o "$dir/own/out" -- sh -c '"$0" touch; true' "$dir/$program" 2>"$err"
	is "follow: $program: the command goes on to its end" $? 0
	cp "$dir/own/out" "$out"
	is "follow: $program: all ends" "$(ends | cut -d ' ' -f 1)" 2
	last=$(awk '$3 == "exit" { print $4; exit }' "$out")
	if [ $program = suid ]; then
		within "follow: $program: it is counted, as it does not get its rights" "$last" $EACH $MOST
	else
		is "follow: $program: its counts are unknown, and no 0" "$last" -
		matches "follow: $program: which is said" "$(cat "$err")" \
			"tiptop: follow: process [0-9]+ is not counted any more: it executes a program that this user may not read; root may"
	fi
	# shellcheck disable=SC2086
	$as_nobody "$dir/tiptop" -b --exact -d 1000 -e page-faults -o "$dir/own/out" -- sh -c '"$0" touch; true' "$dir/$program" 2>"$err"
	is "tiptop --exact: $program: the command goes on to its end" $? 0
	faults=$(sed -n 's/^# *\([0-9?]*\) page-faults.*/\1/p' "$dir/own/out" | head -n 1)
	if [ $program = suid ]; then
		matches "tiptop --exact: set-user-ID programs: it is said before" "$(head -n 1 "$err")" \
			"tiptop: --exact: set-user-ID programs that the command executes get no rights by it unless root runs it, .*"
		within "tiptop --exact: $program: it is counted" "$faults" $EACH $MOST
	else
		is "tiptop --exact: $program: the sum is unknown" "$faults" '?'
		grep -q "task of the command could not be counted: .*may not read" "$dir/own/out"
		ok "tiptop --exact: $program: which is said" $?
	fi
done
finish
