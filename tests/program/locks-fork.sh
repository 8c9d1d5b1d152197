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
# Processes that cannot make a table any more: without descriptors, as another user, in another root directory, under a
# filter. The parent or the child becomes such a process. What is forbidden: the filter kills for this system call.
cat >"$dir/confined.c" <<'CODE'
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int filter(int forbidden)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, forbidden, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {sizeof code / sizeof *code, code};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void confine(const char *how)
{
	const struct rlimit none = {0, 0};

	if ((!strcmp(how, "limit") && setrlimit(RLIMIT_NOFILE, &none)) ||
	    (!strcmp(how, "user") && setuid(65534)) ||
	    (!strcmp(how, "effective") && seteuid(65534)) ||
	    (!strcmp(how, "root") && (chroot("/proc/self/fdinfo") || chdir("/"))) ||
	    (!strcmp(how, "filter") && filter(SYS_ftruncate)) ||
	    (!strcmp(how, "strict") && filter(SYS_openat)))
		_exit(77);
}

static void work(void)
{
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
}

int main(int argc, char **argv)
{
	int status, all = 0;

	(void)argc;
	work();
	if (!strcmp(argv[1], "parent"))
		confine(argv[2]);
	for (int i = 0; i < 2; i++)
		if (!fork()) {
			if (!strcmp(argv[1], "child"))
				confine(argv[2]);
			work();
			_exit(3);
		}
	while (wait(&status) > 0)
		all = 10 * all + (WIFEXITED(status) ? WEXITSTATUS(status) : 9);
	return all;
}
CODE
${CC:-cc} -pthread -o "$dir/confined" "$dir/confined.c" 2>"$err"
ways="limit filter"
[ "$(id -u)" -ne 0 ] || ways="$ways user effective root"
for what in locks calls; do
	for how in $ways; do
		case $how in
		limit) why="they have no free descriptor to open the folder of the tables" ;;
		filter) why="their parent had set a filter of system calls (seccomp(2)), which may end them for a call that is needed to begin" ;;
		root) why="the folder of the tables does not exist there: another root directory or other mounts" ;;
		*) why="another user than that of tiptop cannot make tables: start tiptop as that user" ;;
		esac
		"$tiptop" $what --children -o "$dir/report" -- "$dir/confined" parent $how >"$out" 2>"$err"
		is "$what: $how: children that cannot make a table are counted, and why" "$? $(cat "$err")" \
			"33 tiptop: $what: 2 forked processes are not in this report: $why"
		"$tiptop" $what -o "$dir/report" -- "$dir/confined" parent $how >"$out" 2>"$err"
		is "$what: $how: but not where they are not to be measured" "$? $(cat "$err")" "33 "
		[ $what,$how != locks,limit ] || continue
		"$tiptop" $what --children -o "$dir/report" -- "$dir/confined" child $how >"$out" 2>"$err"
		is "$what: $how: a child makes its table before" "$? $(cat "$err") $(grep -c '^# .* of process' "$dir/report")" "33  3"
		[ $what = calls ] || is "locks: $how: with all of its locks" "$(grep -c '^# *5 acquisitions of 1 lock' "$dir/report")" 3
	done
done
"$tiptop" locks --children -o "$dir/report" -- "$dir/confined" child strict >"$out" 2>"$err"
is "locks: measuring stops before the first lock of a child" \
	"$? $(grep -c 'measuring stopped after .* does not allow openat' "$dir/report")" "33 2"
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
