#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop calls: the counts agree with the report of the program caller.c, whose behaviour does not change. Times are
# compared with the program's own, so that other load does not matter.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

caller=${builddir:?}/tests/program/caller program=$caller
object=$builddir/tiptop-calls.so
report=$dir/report

# measure FORMAT STEP...: the program's words are in $out then, the report in $report.
measure() {
	format=$1
	shift
	"$tiptop" calls --format "$format" -o "$report" -- "$program" "$@" >"$out" 2>"$err"
}

# of NAME COLUMN: the sum over the processes.
of() {
	awk -F, -v name="$1" -v column="$2" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
	$3 == name && $2 != "group" { n += $at; rows++ }
	END { if (rows) printf "%.0f\n", n; else print "none" }' "$report"
}

# counts STEP...: as often as the program says, each function that it names.
counts() {
	measure csv "$@"
	is "$*: the program ends well" $? 0
	awk '{ n[$1] += $2 } END { for (name in n) print name, n[name] }' "$out" | sort >"$dir/said"
	while read -r name calls; do
		is "$*: $name" "$(of "$name" calls)" "$calls"
	done <"$dir/said"
}

# about KEY: a number of the line about the whole program.
about() {
	sed -n '1s/.*"'"$1"'":\([0-9]*\).*/\1/p' "$report"
}

own_tables
[ -r "$object" ] || skip_all "the object was not built"

# --- what is counted ---
counts io
counts memory
counts string
counts time
counts math
counts other
counts memory string time math other memory
measure csv io memory
is "what the C library calls by itself is nested" "$(($(of malloc calls) - $(of malloc nested)))" 11
"$tiptop" calls --format csv -o "$report" --folded "$dir/folded" -- "$program" io memory >"$out" 2>"$err"
is "lines for flame graphs: the program, and each function with its group" \
	"$(sed 's/^process [0-9]*;//; s/ [0-9]*$//' "$dir/folded" | sort)" \
	"$(awk -F, '$2 == "call" { print $4 ";" $3 } $3 == "program" { print $3 }' "$report" | sort)"
sed 's/.* //' "$dir/folded" >"$dir/numbers"
within "and the time of all of them" \
	"$(awk -F, 'NR == FNR { n += $1; next } $2 == "call" || $3 == "program" { m += $8 } END { printf "%.0f", n - m }' \
		"$dir/numbers" "$report")" -200 200
counts threads
counts cancel
is "who was cancelled is in no call any more" "$(of pause unreturned)" 0
program=$builddir/tests/program/canceller
counts "each cancellation point"
is "no thread is in a call any more" "$(of library unreturned)" 0
# Where POSIX.1-2017 says that a thread is cancelled: those of them that have a wrapper.
for name in accept aio_suspend clock_nanosleep close connect creat fcntl fdatasync fsync lockf mq_receive mq_send mq_timedreceive \
	mq_timedsend msgrcv msgsnd msync nanosleep open openat pause poll pread pselect pthread_cond_timedwait pthread_cond_wait \
	pthread_join pthread_testcancel pwrite read readv recv recvfrom recvmsg select sem_timedwait sem_wait send sendmsg sendto \
	__xpg_sigpause sigsuspend sigtimedwait sigwait sigwaitinfo sleep system tcdrain wait waitid waitpid write writev; do
	grep -q "^$name " "$dir/said" || echo "$name"
done >"$dir/left"
is "no function of POSIX is left out" "$(cat "$dir/left")" ""
program=$caller
counts handlers
counts jump
[ $(($(of program self_ns) - $(of qsort self_ns))) -gt 25000000 ]
ok "behind a jump the time is the program's" $?
counts fork
is "a child is not counted" "$(of strlen calls)" none
"$tiptop" calls --children --format csv -o "$report" -- "$caller" fork >"$out" 2>"$err"
is "or as a process of its own" "$(of strlen calls) $(awk -F, 'NR > 1 { print $1 }' "$report" | sort -u | grep -c .)" "1000 2"
counts exec
is "each program has its part" "$(grep -c ,program, "$report")" 2
counts string _exit
counts string quick_exit
counts setuid
measure csv string kill
is "a program that is killed" $? 137
is "is counted up to its end" "$(of strlen calls) $(of kill unreturned)" "13 1"
counts sleep
[ "$(of usleep self_ns)" -ge 30000000 ] && [ "$(of usleep max_ns)" -ge 30000000 ]
ok "it takes as long as it sleeps" $?

# --- the times ---
measure csv io memory string threads cancel
sum=$(awk -F, '$2 == "call" || $3 == "program" { n += $9 } END { printf "%.1f", n }' "$report")
is "the program and all functions are the whole time" "$sum" 100.0
sum=$(awk -F, '$2 == "group" || $3 == "program" { n += $9 } END { printf "%.1f", n }' "$report")
is "and so are the program and the groups" "$sum" 100.0
is "modes are not known without counters" "$(awk -F, 'NR > 1 && ($14 != "" || $15 != "")' "$report")" ""
begin=$(date +%s%N)
measure json sleep
end=$(date +%s%N)
[ "$(about time)" -ge 30000000 ] && [ "$(about time)" -le $((end - begin)) ]
ok "the time of the thread is between that within and that from outside" $?
[ "$(about measuring_each)" -ge 1 ] && [ "$(about measuring_inside)" -le "$(about measuring_each)" ]
ok "it says what it costs" $?

# --- formats ---
"$tiptop" calls -- "$caller" io >"$out" 2>"$err"
matches "text says what the times are" "$(grep 'CPU cycles' "$out")" ".*times are clock times, not CPU cycles.*"
is "and has the rows of figure 8" "$(awk '$2 == "part" { print $1 }' "$out" | tr '\n' ' ')" "program library user kernel "
measure json io
if command -v python3 >/dev/null; then
	python3 -c 'import json, sys; [json.loads(line) for line in open(sys.argv[1])]' "$report" 2>"$err"
	ok "each line is JSON" $?
fi

# --- two versions of a program ---
"$tiptop" calls --format json -o "$dir/b" -- "$caller" io io string >"$out" 2>"$err"
"$tiptop" compare --rows 0 --format csv "$report" "$dir/b" >"$out" 2>"$err"
is "compare: the functions of both" "$? $(cat "$err")" "0 "
is "as often as each was called, and what is in one only" \
	"$(awk -F, '($1 == "write" || $1 == "strlen") && $4 == "calls" { print $1, $2, $7, $10 }' "$out" | sort | tr '\n' ';')" \
	"strlen string 0.000 13.000;write io 30.000 60.000;"
"$tiptop" compare --rows 0 --format json "$report" "$report" >"$out" 2>"$err"
is "nothing has changed from a run to itself" "$(grep -v '"change":0,' "$out")" ""
is "each function with its group" "$(sed -n 's/.*"type":"call_change","name":"write","group":"\([a-z]*\)".*/\1/p' "$out")" io
for run in 2 3; do
	ln -s "$report" "$dir/a$run"
	ln -s b "$dir/b$run"
done
"$tiptop" compare --rows 0 --format csv "$report,$dir/a2,$dir/a3" "$dir/b,$dir/b2,$dir/b3" >"$out" 2>"$err"
is "runs of each side" "$? $(awk -F, '$1 == "write" && $4 == "calls" { print $6, $7, $8, $9, $10, $11, $12, $13 }' "$out")" \
	"0 3 30.000 0.000 3 60.000 0.000 100.000 0.000"
"$tiptop" compare "$report,$dir/none" "$dir/b" >"$out" 2>"$err"
is "one of which is not there" "$? $(cat "$err")" "1 tiptop: cannot read '$dir/none': No such file or directory"
"$tiptop" locks --format json -o "$dir/locks" -- "$caller" io >"$out" 2>"$err"
"$tiptop" compare "$report" "$report,$dir/locks" >"$out" 2>"$err"
is "with a report of locks" "$? $(cat "$err")" \
	"2 tiptop: '$report' is a report of tiptop calls, and '$dir/locks' of tiptop locks: they cannot be compared"

# --- what cannot be measured ---
if echo 'int main(void) { return 3; }' >"$dir/static.c" && ${CC:-cc} -static -o "$dir/static" "$dir/static.c" 2>"$err"; then
	"$tiptop" calls -- "$dir/static" >"$out" 2>"$err"
	is "a static program: the status is its own" $? 3
	matches "and says so" "$(cat "$err")" "tiptop: calls: '.*/static' did not load tiptop-calls.so: it is linked statically, .*"
else
	skip "a static program" "none can be linked"
fi
"$tiptop" calls >"$out" 2>"$err"
is "without a command" "$?$(cat "$err")" "2tiptop: calls: there is no command: 'tiptop calls -- command'"

# --- other programs ---
cat >"$dir/throw.cc" <<'EOF'
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
static int compare(const void *, const void *) { throw std::runtime_error("thrown"); }
int main()
{
	int numbers[] = {3, 2, 1};
	std::string all;
	std::thread([&] { all += "thread "; }).join();
	for (int i = 0; i < 100; i++)
		try {
			if (i % 4)
				qsort(numbers, 3, sizeof *numbers, compare);
			else
				bsearch(numbers, numbers, 3, sizeof *numbers, compare);
		} catch (const std::exception &e) {
			all = e.what();
		}
	puts(all.c_str());
}
EOF
if ${CXX:-c++} -pthread -o "$dir/throw" "$dir/throw.cc" 2>"$err"; then
	"$tiptop" calls --format csv -o "$report" -- "$dir/throw" >"$out" 2>"$err"
	is "exceptions go through qsort() and bsearch()" "$? $(cat "$out")" "0 thrown"
	is "which have returned then" "$(of qsort calls) $(of bsearch calls) $(of library unreturned)" "75 25 0"
else
	skip "exceptions" "there is no compiler for C++"
fi
sort /etc/passwd >"$dir/sorted"
for command in "sort /etc/passwd" "git --version" "python3 -c pass"; do
	command -v "${command%% *}" >/dev/null || continue
	# shellcheck disable=SC2086 # words
	$command >"$dir/without" 2>&1
	# shellcheck disable=SC2086 # words
	"$tiptop" calls -o "$report" -- $command >"$dir/with" 2>&1
	is "$command: ends as without it" $? 0
	cmp "$dir/without" "$dir/with" >"$err"
	ok "and says the same" $?
done

# --- references without a version ---
cat >"$dir/weak.c" <<'EOF'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int pthread_yield(void) __attribute__((weak));
int pthread_atfork(void (*)(void), void (*)(void), void (*)(void)) __attribute__((weak));
int no_such_function(void) __attribute__((weak));
static void prepare(void) { write(1, "prepare\n", 8); }
int main(void)
{
	printf("%d %d %d\n", pthread_yield ? pthread_yield() : -1,
	       pthread_atfork ? pthread_atfork(prepare, NULL, NULL) : -1, no_such_function != NULL);
	fflush(stdout);
	if (!fork())
		_exit(0);
	wait(NULL);
	return 7;
}
EOF
if ${CC:-cc} -fPIE -pie -o "$dir/weak" "$dir/weak.c" 2>"$err"; then
	"$dir/weak" >"$dir/without"
	for command in calls locks; do
		"$tiptop" $command -o "$report" -- "$dir/weak" >"$dir/with" 2>"$err"
		is "$command: weak references to functions with an old version only" "$?$(cat "$err")" 7
		is "find what they find without it" "$(cat "$dir/with")" "$(cat "$dir/without")"
	done
else
	skip "weak references" "there is no compiler"
fi

# --- the object ---
if command -v readelf >/dev/null; then
	readelf --dyn-syms -W "$object" | awk '$7 != "UND" && $5 == "GLOBAL" { print $8 }' >"$dir/names"
	is "names have no version, so that they stand for all" "$(grep -c @ "$dir/names")" 0
	is "what returns twice, or looks at its caller, is not in it" \
		"$(grep -xE 'v?fork|_*setjmp|_*sigsetjmp|getcontext|dlsym|dlvsym|dlopen' "$dir/names")" fork
	# Without a version, a reference finds the default one, or the first one that the library has.
	# shellcheck disable=SC2013 # paths of libraries have no blanks
	for library in $(ldd "$object" | sed -n 's/.*=> \(.*lib[cm]\.so[^ ]*\) .*/\1/p'); do
		first=$(readelf -VW "$library" | sed -n 's/.* Index: 2 .*Name: //p' | head -n 1)
		readelf --dyn-syms -W "$library" | awk -v first="$first" '$7 != "UND" && $8 ~ "@@|@" first "$" { sub(/@.*/, "", $8); print $8 }'
	done | LC_ALL=C sort -u >"$dir/found"
	for other in "$object" "$builddir/tiptop-locks.so"; do
		is "${other##*/}: a program would find each name without it, too" \
			"$(readelf --dyn-syms -W "$other" | awk '$7 != "UND" && $5 == "GLOBAL" { print $8 }' |
				grep -v '^tiptop_\|^__asan_default_options$' | LC_ALL=C sort -u | LC_ALL=C comm -23 - "$dir/found")" ""
	done
	is "nothing of a thread is found by a call" "$(readelf -rW "$object" | grep -cE 'DTPMOD|TLSDESC')" 0
	is "versions are asked for" "$(strings -a "$object" | grep -cx 'GLIBC_2.3.2')" 1
fi
# --- a full disk ---
TMPDIR=$dir "$tiptop" calls --format csv -o /dev/full --folded /dev/full -- true >"$out" 2>"$err"
kept="$? $(sed "s|$dir/tiptop-report.......|KEPT|" "$err")"
is "a disk that is full at the end: the report and the stacks are kept" "$kept" \
	"1 tiptop: cannot write '/dev/full': No space left on device; the file of stacks is in 'KEPT' instead
tiptop: cannot write '/dev/full': No space left on device; the report is in 'KEPT' instead"
is "both are whole" "$(cat "$dir"/tiptop-report.* | grep -cE '^pid,|^process [0-9]+;program ')" 2
is "nothing is left behind" "$(find "$XDG_RUNTIME_DIR" -name "tiptop-*")" ""
finish
