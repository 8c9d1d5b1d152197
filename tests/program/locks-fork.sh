#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A signal handler forks while its thread waits for a lock: the child acquires locks, the parent continues to wait.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
cat >"$dir/forker.c" <<'CODE'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 20
static pthread_mutex_t wanted = PTHREAD_MUTEX_INITIALIZER, childs = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static pthread_t waiter;
static volatile int n_forks, n_bad;

static void fork_here(int signal)
{
	int status = -1;
	pid_t child = fork();

	(void)signal;
	if (!child) {
		for (int i = 0; i < 5; i++) {
			pthread_mutex_lock(&childs);
			pthread_mutex_unlock(&childs);
		}
		_exit(7);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7)
		n_bad++;
	n_forks++;
}

/* As glibc marks a mutex that has waiters. */
static int is_waited_for(void)
{
	return __atomic_load_n(&wanted.__data.__lock, __ATOMIC_ACQUIRE) == 2;
}

static void *hold(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&wanted);
		pthread_barrier_wait(&both);
		while (!is_waited_for())
			;
		pthread_kill(waiter, SIGUSR1);
		while (n_forks <= i)
			;
		pthread_mutex_unlock(&wanted);
		pthread_barrier_wait(&both);
	}
	return unused;
}

int main(void)
{
	pthread_t holder;

	waiter = pthread_self();
	signal(SIGUSR1, fork_here);
	pthread_barrier_init(&both, NULL, 2);
	if (pthread_create(&holder, NULL, hold, NULL))
		return 1;
	for (int i = 0; i < ROUNDS; i++) {
		pthread_barrier_wait(&both);
		pthread_mutex_lock(&wanted);
		pthread_mutex_unlock(&wanted);
		pthread_barrier_wait(&both);
	}
	pthread_join(holder, NULL);
	return n_bad;
}
CODE
${CC:-cc} -pthread -o "$dir/forker" "$dir/forker.c" 2>"$err" || skip_all "there is no compiler"

# counts LOCK: its acquisitions, and those that had to wait.
counts() {
	awk -F, -v name="$1" '$2 == name { n += $8; contended += $9; pids[$1] } END { for (p in pids) k++; print n + 0, contended + 0, k + 0 }' "$dir/report"
}

"$tiptop" locks --format csv -o "$dir/report" -- "$dir/forker" >"$out" 2>"$err"
is "the program ends well" $? 0
is "all acquisitions, and half of them waited" "$(counts wanted)" "40 20 1"
is "those of the children are none of its own" "$(counts childs)" "0 0 0"
"$tiptop" locks --children --format csv -o "$dir/report" -- "$dir/forker" >"$out" 2>"$err"
is "it does so where children are measured" $? 0
is "and has the same" "$(counts wanted)" "40 20 1"
is "each child has its own" "$(counts childs)" "100 0 20"
of() {
	sed -n '1s/.*"'"$1"'":\([0-9]*\).*/\1/p' "$dir/report"
}

# A program that clears its environment before it forks, as servers do.
cat >"$dir/clearer.c" <<'CODE'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	clearenv();
	if (!fork()) {
		for (int i = 0; i < 5; i++) {
			pthread_mutex_lock(&lock);
			pthread_mutex_unlock(&lock);
		}
		exit(0);
	}
	wait(NULL);
	return 0;
}
CODE
${CC:-cc} -pthread -o "$dir/clearer" "$dir/clearer.c" 2>"$err"
"$tiptop" locks --children -o "$dir/report" -- "$dir/clearer" >"$out" 2>"$err"
is "locks: without an environment, a child is measured" "$? $(grep -c '^# *5 acquisitions of 1 lock' "$dir/report")" "0 1"
"$tiptop" locks -o "$dir/report" -- "$dir/clearer" >"$out" 2>"$err"
is "locks: where children are not measured, it is not" "$? $(grep -c '^# *5 acquisitions' "$dir/report")" "0 0"
for children in --children ''; do
	# shellcheck disable=SC2086 # an option or nothing
	"$tiptop" calls $children -o "$dir/report" -- "$dir/clearer" >"$out" 2>"$err"
	is "calls: the same ($children)" "$? $(grep -c '^# .* of process' "$dir/report")" "0 $((${#children} ? 2 : 1))"
done
# Children that cannot make their tables: without descriptors, or under a filter.
cat >"$dir/full.c" <<'CODE'
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(int argc, char **argv)
{
	const struct rlimit none = {0, 0};
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	const struct sock_fprog program = {1, &allow};

	(void)argv;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	if (argc < 2)
		setrlimit(RLIMIT_NOFILE, &none);
	else if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 77;
	for (int i = 0; i < 2; i++)
		if (!fork()) {
			pthread_mutex_lock(&lock);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
CODE
${CC:-cc} -pthread -o "$dir/full" "$dir/full.c" 2>"$err"
for what in locks calls; do
	"$tiptop" $what --children -o "$dir/report" -- "$dir/full" >"$out" 2>"$err"
	is "$what: children that cannot make a table are counted" "$? $(cat "$err")" "0 tiptop: $what: 2 forked processes are not in this report: \
the folder of the tables cannot be opened there: another user or root directory, or no free descriptor"
	"$tiptop" $what --children -o "$dir/report" -- "$dir/full" filter >"$out" 2>"$err"
	is "$what: and children under a filter" "$? $(cat "$err")" "0 tiptop: $what: 2 forked processes are not in this report: \
their parent had set a filter of system calls (seccomp(2)), which may end them for a call that is needed to begin"
	"$tiptop" $what -o "$dir/report" -- "$dir/full" >"$out" 2>"$err"
	is "$what: but not where they are not to be measured" "$? $(cat "$err")" "0 "
done
for what in locks calls; do
	"$tiptop" $what --children -o "$dir/report" -- "$builddir/tests/program/team" forked >"$out" 2>"$err"
	is "$what: the thread that forked is there, though only its child's other one locks" \
		"$? $(grep -c '^# .* of process [0-9]*: 2 threads' "$dir/report")" "0 1"
done
# A program ends before the command does: it is killed, or executes one that is not measured.
# long: prints for each process whether its threads lived for 2 s.
long() {
	sed -n 's/^{"type":"'$what'","schema":1,"pid":[0-9]*,"threads":\([0-9]*\),.*"unit":"ns","time":\([0-9]*\).*/\1 \2/p' "$dir/report" |
		awk '{ print ($2 / $1 >= 2e9) }' | tr '\n' ' '
}
if "$tiptop" -b -n 1 -e page-faults -- true >"$out" 2>"$err"; then
	for what in locks calls; do
		# shellcheck disable=SC2016 # the inner shell expands
		"$tiptop" $what --children --format json -o "$dir/report" -- sh -c '"$0" killed; exec sleep 2' "$builddir/tests/program/team" >"$out" 2>"$err"
		is "$what: a process that was killed ended then" "$(long | tr -d '1 ')" "$([ $what = locks ] && echo 0 || echo 00)"
		"$tiptop" $what --format json -o "$dir/report" -- env -u LD_PRELOAD sleep 2 >"$out" 2>"$err"
		is "$what: a program that executed another one ended then" "$(long)" "0 "
	done
else
	skip "the ends of programs" "the kernel's software events are refused"
fi
"$tiptop" locks --format json -o "$dir/report" -- "$dir/forker" >"$out" 2>"$err"
within "the states have all of the time" "$(($(of time) - $(of waiting) - $(of holding) - $(of free) - $(of own)))" 0 4
finish
