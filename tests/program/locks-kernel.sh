#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks --kernel: rows of calls of futex(2) that no wrapper sees, with the numbers that the program counted, as an
# ordinary user, with a list of tracepoints made by root.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

need_tracepoints
report=$own/report

# Makes a program that is linked statically, and makes the system calls itself.
cat >"$dir/raw.h" <<'END'
#include <errno.h>
static inline long raw(long n, long a, long b, long c, long d, long e, long f)
{
#ifdef __x86_64__
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	long ret;
	__asm__ volatile("syscall" : "=a"(ret) : "0"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
#else
	register long x8 __asm__("x8") = n, ret __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c,
		x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
	__asm__ volatile("svc 0" : "+r"(ret) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
#endif
	if (ret > -4096 && ret < 0) {
		errno = (int)-ret;
		return -1;
	}
	return ret;
}
#define RAW(n, a, b, c, d, e, f, ...) raw(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define syscall(...) RAW(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)
END
case $(uname -m) in
x86_64 | aarch64) ;;
*) skip_all "system calls are written in the assembler of x86-64 and arm64" ;;
esac
{ echo '#define _GNU_SOURCE' && sed '/^#include <unistd.h>/a #include "raw.h"' "${srcdir:?}/tests/program/futexes.c"; } >"$dir/static.c"
${CC:-cc} -O1 -fno-omit-frame-pointer -static -pthread -o "$dir/static" "$dir/static.c" 2>"$err" || skip_all "no static program can be linked here"

# sums FIELD...: of each futex over all of its rows, in the order of the names; those without a name are left out.
sums() {
	awk -F, -v fields="$*" 'NR == 1 { n = split(fields, field, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["kind"] == "futex" && $at["name"] !~ /^\[/ { names[$at["name"]]; for (k = 1; k <= n; k++) sum[$at["name"], k] += $at[field[k]] }
		END { for (name in names) { line = name; for (k = 1; k <= n; k++) line = line " " sum[name, k]; print line } }' "$report" | sort
}

# locks OPTION...: runs tiptop locks --kernel, and writes the report.
locks() {
	rm -f "$report"
	# shellcheck disable=SC2086 # several words
	$as "$tiptop" locks --kernel -o "$report" "$@" >"$out" 2>"$err"
}

# --- a static program ---
steps="refused wakes lock inherit queue crowd moved reused handler child leave"
# shellcheck disable=SC2086 # several words
locks --format csv --folded "$own/folded" -- "$dir/static" $steps
is "a static program runs as without tiptop" "$?$(cat "$err")" 0
# The address of one of the refused waits is in memory, which the kernel does not record.
sort "$out" | sed 's/^refused 0 3 5 1 10 /refused 0 3 4 1 9 /' >"$dir/want"
sums acquisitions timeouts changed interrupted failed wakes woken | grep -v -e '^forever ' -e '^once' >"$dir/got"
is "each futex has the numbers that the program counted" "$(diff "$dir/want" "$dir/got")" ""
is "threads that wait at the end" "$(sums under_way acquisitions | grep '^forever ')" "forever 2 0"
is "the wait for several futexes" "$(awk -F, '$2 ~ /^\[step_refused/ { print $8, $11 }' "$report")" "0 1"
ok "who waited, and who woke" "$(grep -c '^process [0-9]*;.*take_items;wait_for;\[futex items\];\[woken by [a-z_]*\] ' "$own/folded" | sed 's/^[1-9].*/x/;s/0/1/;s/x/0/')"
head -n 1 "$report" >"$dir/header"
"$tiptop" locks --format csv -o "$dir/plain" -- true >"$out" 2>"$err"
is "the columns are those without --kernel" "$(cat "$dir/header")" "$(head -n 1 "$dir/plain")"
locks --format json -- "$dir/static" queue
is "what is not known is null" "$(head -n 1 "$report" | grep -o '"\(dynamic\|static\|per_10k_ticks\|holding\|free\|own\|held\|unmatched\|halving_reason\|n\|kernel\|kernel_lost\|kernel_unpaired\)":[^,}]*' | tr '\n' ' ')" \
	'"dynamic":null "static":null "per_10k_ticks":null "holding":null "free":null "own":null "held":null "unmatched":null "halving_reason":"how long locks were held is not known" "kernel":"alone" "kernel_lost":0 "kernel_unpaired":0 "n":null "n":null "n":null '
locks --format csv --threads -- "$dir/static" queue
is "nor of a thread" "$(awk -F, 'NR > 1 { print $5 $6 $7 $8 $11 $12 $13 }' "$report" | sort -u)" ""
locks --children --format csv -- sh -c "'$dir/static' queue; '$dir/static' wakes; exit 3"
is "the exit status is that of the command" $? 3
is "the children have reports" "$(awk -F, '$2 == "items" || $2 == "unwaited" { print $2 }' "$report" | sort -u | tr '\n' ' ')" "items unwaited "

# --- a futex in shared memory ---
cat >"$dir/team.c" <<'END'
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	int *word = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), own = 0;
	for (int p = 0; p < 3; p++)
		if (!fork()) {
			for (int i = 0; i < 10; i++)
				syscall(SYS_futex, word, FUTEX_WAKE, 1, 0, 0, 0);
			syscall(SYS_futex, &own, FUTEX_WAKE, 1, 0, 0, 0);
			_exit(0);
		}
	while (wait(0) > 0)
		;
	return 0;
}
END
${CC:-cc} -static -o "$dir/shared" "$dir/team.c" 2>"$err"
locks --children --format csv -- "$dir/shared"
is "it is one row over the processes, and private ones are not" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	NR > 1 { print $at["wakes"], $at["processes"], ($at["pid"] ? "pid" : "-") }' "$report" | sort | uniq -c | tr -s ' ' | tr '\n' ';')" " 3 1 1 pid; 1 30 3 -;"
locks --children --format csv --group process -- "$dir/shared"
is "but with --group process" "$(tail -n +2 "$report" | cut -d, -f 1 | sort -u | grep -c .)" 3

# --- a command without calls, whose child continues to run ---
cat >"$dir/child.c" <<'END'
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	int own = 0, ends[2];
	char byte;
	if (pipe(ends))
		return 1;
	if (!fork()) {
		syscall(SYS_futex, &own, FUTEX_WAKE, 1, 0, 0, 0);
		write(ends[1], "", 1);
		sleep(1);
		_exit(0);
	}
	return read(ends[0], &byte, 1) != 1;
}
END
${CC:-cc} -static -o "$dir/alone" "$dir/child.c" 2>"$err"
locks --children -- "$dir/alone"
is "only the child has a report" "$? $(grep -c '^# locks of process' "$report")" "0 1"

# --- a program that executes another one ---
cat >"$dir/first.c" <<'END'
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
int main(int argc, char **argv)
{
	if (argc > 2) {
		pthread_mutex_lock(&first);
		pthread_mutex_unlock(&first);
	}
	execl(argv[1], argv[1], (char *)0);
	return 1;
}
END
cat >"$dir/next.c" <<'END'
#include <semaphore.h>
#include <time.h>
int main(void)
{
	struct timespec end;
	sem_t s;
	sem_init(&s, 0, 0);
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec++;
	return !sem_timedwait(&s, &end);
}
END
# of TYPE FIELD: prints the values of a field, in the order of the lines.
of() {
	grep "\"type\":\"$1\"" "$report" | grep -o "\"$2\":[^,}]*" | cut -d: -f 2 | tr '\n' ' '
}
${CC:-cc} -pthread -o "$dir/first" "$dir/first.c" 2>"$err"
${CC:-cc} -static -pthread -o "$dir/next" "$dir/next.c" 2>"$err"
locks --format json -- "$dir/first" "$dir/next" lock
is "both programs have a report" "$(of locks kernel)" '"added" "alone" '
is "the time of the first one ends when it executes the next" "$(of locks time | awk '{ print ($1 < $2) }')" 1
is "the CPU time of the process is that of neither" "$(of locks cpu_time)" "null null "
locks --format json --sample 10 -- "$dir/first" "$dir/next"
is "the first one has none without locks" "$(of locks kernel)" '"alone" '
locks --sample 10 -- "$dir/first" "$dir/next"
is "an option without effect is named" "$(grep -c '^#   --sample has no effect on this program: ' "$report")" 1

# --- a program that the object measures, too ---
futexes=$builddir/tests/program/futexes
steps="refused wakes lock queue foreign reused leave"
# shellcheck disable=SC2086 # several words
locks --format csv -- "$futexes" $steps
sort "$out" >"$dir/want"
sums acquisitions timeouts changed interrupted failed wakes woken | grep -v -e '^forever ' -e '^once' >"$dir/got"
is "no call counts twice" "$(diff "$dir/want" "$dir/got")" ""
is "nor does a mutex" "$(awk -F, '$2 == "foreign" { print $6, $8 }' "$report")" "mutex 1"
is "pthread_join() waits" "$(awk -F, '$6 == "futex" && $2 ~ /^\[~?__/ { n += $8 } END { print (n > 0) }' "$report")" 1
locks --format json -- "$futexes" lock
is "it is said" "$(head -n 1 "$report" | grep -o '"kernel":[^,]*')" '"kernel":"added"'

# --- libgomp ---
cat >"$dir/team.c" <<'END'
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 10; i++) {
#pragma omp parallel num_threads(3)
		usleep(1000);
		usleep(1000);
	}
	return 0;
}
END
if ${CC:-cc} -D_GNU_SOURCE -fopenmp -o "$dir/team" "$dir/team.c" 2>"$err"; then
	OMP_WAIT_POLICY=passive locks --format json -- "$dir/team"
	is "the barriers of OpenMP have rows" "$(grep -c '"kind":"futex".*"acquisitions":[1-9]' "$report" | sed 's/^[1-9].*/1/')" 1
	matches "what they lack is said" "$(head -n 1 "$report" | grep -o '"unseen":[^]]*')" '.*libgomp.*only when a thread waits.*'
else
	skip "the barriers of OpenMP have rows" "there is no libgomp"
	skip "what they lack is said" "there is no libgomp"
fi

# --- refusals ---
if [ -n "$as" ]; then
	# shellcheck disable=SC2086 # several words
	$as_nobody "$tiptop" locks --kernel -- true >"$out" 2>"$err"
	is "without the list, the command does not run" $? 1
	matches "the message names the list" "$(cat "$err")" "tiptop: --kernel: .*'syscalls:sys_enter_futex'.*/run/tiptop/tracepoints.*"
	export LIST_MODE=666
	locks -- true
	is "a list that others may write is refused" $? 1
	matches "the message says why" "$(cat "$err")" "tiptop: --kernel: .*the list /run/tiptop/tracepoints does not help: it may be written by a group or by others.*"
	unset LIST_MODE
else
	skip "without the list, the command does not run" "needs root"
	skip "the message names the list" "needs root"
	skip "a list that others may write is refused" "needs root"
	skip "the message says why" "needs root"
fi
finish
