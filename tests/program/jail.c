/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jail - executes a program under a seccomp filter, which the program did not set itself.
 *
 *   jail ACTION CALLS WAY command [argument]...
 *   jail inside [forks]
 *
 * ACTION is the action for a refused call: kill or errno. CALLS is a row of the table below, or
 * all: every call that the loader does not make before a program starts. WAY: "seen" sets the
 * filter with prctl(2), "unseen" with the C library's own syscall(2), bypassing any wrapper; "free"
 * sets none.
 *
 * "inside" is the program: it acquires locks, calls functions, and makes no refused call, except
 * for its child. Its status is 7; 99 if a step fails.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOCKS    3000
#define MAX_CODE 64

static const struct {
	const char *name;
	unsigned number;
} refused[] = {
	{"madvise", SYS_madvise},
	{"gettid", SYS_gettid},
	{"ftruncate", SYS_ftruncate},
	{"perf_event_open", SYS_perf_event_open},
	{"rt_sigprocmask", SYS_rt_sigprocmask},
	{"futex", SYS_futex},
	{"getppid", SYS_getppid},
	{"getpid", SYS_getpid},
	{"getrandom", SYS_getrandom},
	{"prctl", SYS_prctl},
	{"ioctl", SYS_ioctl},
	{"fcntl", SYS_fcntl},
	{"statfs", SYS_statfs},
	{"sched_getaffinity", SYS_sched_getaffinity},
	{"clock_gettime", SYS_clock_gettime},
	{"faccessat", SYS_faccessat},
};
#define N_REFUSED (sizeof refused / sizeof *refused)

static struct sock_filter code[MAX_CODE];
static unsigned short n_code;

static void add(unsigned short what, unsigned k, unsigned char yes, unsigned char no)
{
	code[n_code++] = (struct sock_filter)BPF_JUMP(what, k, yes, no);
}

/* Of openat(2), all that the loader does is allowed. */
static void add_open(unsigned action)
{
	add(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3);
	add(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2]), 0, 0);
	add(BPF_JMP | BPF_JEQ | BPF_K, O_RDONLY | O_CLOEXEC, 1, 0);
	add(BPF_RET | BPF_K, action, 0, 0);
}

static void make(unsigned action, const char *calls)
{
	add(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
	for (size_t i = 0; i < N_REFUSED; i++) {
		if (strcmp(calls, "all") != 0 && strcmp(calls, refused[i].name) != 0)
			continue;
		add(BPF_JMP | BPF_JEQ | BPF_K, refused[i].number, 0, 1);
		add(BPF_RET | BPF_K, action, 0, 0);
	}
	if (!strcmp(calls, "all"))
		add_open(action);
	add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

/* Returns what prctl(2) or seccomp(2) does. */
static long confine(const char *way)
{
	const struct sock_fprog filter = {.len = n_code, .filter = code};
	long (*call)(long, ...);

	if (!strcmp(way, "free"))
		return 0;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	if (!strcmp(way, "seen"))
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
	*(void **)(void *)&call = dlsym(dlopen("libc.so.6", RTLD_NOW), "syscall");
	return call ? call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) : -1;
}

static int work_inside(const char *deed)
{
	static const char text[] = "inside\n";
	static pthread_mutex_t locks[LOCKS];
	int status = 0;
	pid_t pid;

	for (int i = 0; i < LOCKS; i++) {
		pthread_mutex_lock(&locks[i]);
		if (strtol("7", NULL, 10) != 7)
			return 99;
		pthread_mutex_unlock(&locks[i]);
	}
	if (deed && !strcmp(deed, "forks")) {
		pid = fork();
		if (!pid)
			_exit(work_inside(NULL));
		if (waitpid(pid, &status, 0) != pid || status != 7 << 8)
			return 99;
	}
	return write(STDOUT_FILENO, text, sizeof text - 1) == sizeof text - 1 ? 7 : 99;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "inside"))
		return work_inside(argv[2]);
	if (argc < 5)
		return 99;
	make(!strcmp(argv[1], "kill") ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | EPERM,
	     argv[2]);
	if (confine(argv[3]))
		return 99;
	execvp(argv[4], argv + 4);
	return 99;
}
