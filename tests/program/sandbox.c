/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox - a program that sets a seccomp filter for itself, which allows all of its own calls.
 *
 *   sandbox ACTION [DEED]
 *
 * ACTION is the action for a call that is not allowed: kill, errno or trap; strict is the seccomp
 * mode of that name; loose allows all but ptrace(2). The kernel refuses these: bad has no return
 * instruction at its end, the instructions of code are at an unmapped address, lost is at one
 * itself, and null at address 0, which libseccomp uses to probe the kernel. The default is to set
 * the filter with prctl(2); DEED "call" uses seccomp(2), and "threads" that for all threads.
 *
 * It acquires locks and calls functions before and after. DEED: "threads" has a thread that runs
 * all the time, and creates another one afterwards; "enough" the same, with the calls allowed that
 * tiptop-locks(1) lists; "forks" creates a child afterwards; "vfork" sets the filter in a child by
 * vfork(2), which then ends; "dlclose" closes a library afterwards. Its status is 7, or 99 if a
 * step fails.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inject/lib/arch.h"

#define LOCKS    3000
#define MAX_CODE 64

/* The system calls of the program by itself, with threads, and with children. */
static const unsigned own[] = {SYS_write, SYS_exit, SYS_exit_group, SYS_rt_sigreturn};
static const unsigned of_threads[] = {
	ARCH_SYS_MMAP, SYS_mprotect, SYS_munmap,         SYS_madvise, SYS_clone,
	SYS_clone3,    SYS_rseq,     SYS_rt_sigprocmask, SYS_futex,   SYS_set_robust_list,
};
static const unsigned of_tiptop[] = {
	SYS_gettid, SYS_prctl, SYS_openat,          SYS_read,  SYS_pread64,
	SYS_close,  SYS_ioctl, SYS_perf_event_open, SYS_fcntl, SYS_prlimit64,
};
static const unsigned of_loader[] = {SYS_munmap};
static const unsigned of_children[] = {SYS_clone, SYS_set_robust_list, SYS_wait4};

static struct sock_filter code[MAX_CODE];
static unsigned short n_code;

static void add(unsigned short what, unsigned k, unsigned char yes, unsigned char no)
{
	code[n_code++] = (struct sock_filter)BPF_JUMP(what, k, yes, no);
}

static void add_list(const unsigned *call, size_t n)
{
	while (n--) {
		add(BPF_JMP | BPF_JEQ | BPF_K, *call++, 0, 1);
		add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	}
}

static bool has_threads(const char *deed)
{
	return !strcmp(deed, "threads") || !strcmp(deed, "enough");
}

static void make(const char *action, const char *deed)
{
	const unsigned last = !strcmp(action, "kill")    ? SECCOMP_RET_KILL_PROCESS
			      : !strcmp(action, "errno") ? SECCOMP_RET_ERRNO | EPERM
			      : !strcmp(action, "trap")  ? SECCOMP_RET_TRAP
							 : SECCOMP_RET_ALLOW;

	add(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
	if (last == SECCOMP_RET_ALLOW) {
		add(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1);
		add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
	}
	add_list(own, sizeof own / sizeof *own);
	if (has_threads(deed))
		add_list(of_threads, sizeof of_threads / sizeof *of_threads);
	if (!strcmp(deed, "enough"))
		add_list(of_tiptop, sizeof of_tiptop / sizeof *of_tiptop);
	if (!strcmp(deed, "forks"))
		add_list(of_children, sizeof of_children / sizeof *of_children);
	if (!strcmp(deed, "dlclose"))
		add_list(of_loader, sizeof of_loader / sizeof *of_loader);
	if (strcmp(action, "bad") != 0)
		add(BPF_RET | BPF_K, last, 0, 0);
}

static bool is_refused(const char *action)
{
	return !strcmp(action, "bad") || !strcmp(action, "code") || !strcmp(action, "lost") ||
	       !strcmp(action, "null");
}

/* Sets the filter that the action names. Returns whether the kernel accepts it, or refuses it if
 * is_refused(). */
static bool confine(const char *action, const char *deed)
{
	const bool is_code = !strcmp(action, "code"), is_null = !strcmp(action, "null");
	const bool is_lost = !strcmp(action, "lost") || is_null;
	char *nowhere =
		mmap(NULL, MAX_CODE * sizeof *code, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct sock_fprog filter = {.len = n_code,
					  .filter = is_code ? (void *)nowhere : code};

	if (is_refused(action))
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
			     is_null   ? NULL
			     : is_lost ? (void *)(nowhere + 1)
				       : (const void *)&filter,
			     0, 0) &&
		       errno == (is_code || is_lost ? EFAULT : EINVAL);
	if (!strcmp(action, "strict"))
		return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
	if (has_threads(deed))
		return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
				&filter);
	if (!strcmp(deed, "call"))
		return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
	return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

/* The child shares the memory, and its filter is its own. */
static bool confine_child(const char *action)
{
	int status;
	const pid_t pid = vfork();

	if (!pid)
		_exit(confine(action, "") ? 5 : 6);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 5;
}

static void say(const char *text)
{
	const size_t len = strlen(text);

	if (write(STDOUT_FILENO, text, len) != (ssize_t)len)
		_exit(99);
}

/* Locks and calls that were not seen before. */
static void work(pthread_mutex_t *lock)
{
	for (int i = 0; i < LOCKS; i++) {
		pthread_mutex_lock(&lock[i]);
		if (strtol("7", NULL, 10) != 7)
			_exit(99);
		pthread_mutex_unlock(&lock[i]);
	}
}

static pthread_mutex_t locks[5][LOCKS];
static sem_t confined;

static void *live(void *unused)
{
	work(locks[2]);
	while (sem_wait(&confined))
		;
	work(locks[3]);
	return unused;
}

static void *follow(void *unused)
{
	work(locks[4]);
	return unused;
}

static bool go_on(const char *deed, pthread_t old)
{
	pthread_t new;
	int status;
	pid_t pid;

	if (has_threads(deed))
		return sem_post(&confined) || pthread_join(old, NULL) ||
		       pthread_create(&new, NULL, follow, NULL) || pthread_join(new, NULL);
	if (strcmp(deed, "forks") != 0)
		return false;
	pid = fork();
	if (!pid) {
		work(locks[2]);
		_exit(5);
	}
	return pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
	       WEXITSTATUS(status) != 5;
}

int main(int argc, char **argv)
{
	const char *deed = argc > 2 ? argv[2] : "";
	pthread_t old = pthread_self();
	void *library = !strcmp(deed, "dlclose") ? dlopen("libutil.so.1", RTLD_NOW) : NULL;

	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || sem_init(&confined, 0, 0))
		return 99;
	make(argv[1], deed);
	if (has_threads(deed) && pthread_create(&old, NULL, live, NULL))
		return 99;
	work(locks[0]);
	say("before\n");
	if (strcmp(deed, "vfork") ? !confine(argv[1], deed) : !confine_child(argv[1]))
		return 99;
	work(locks[1]);
	if (go_on(deed, old) || (library && dlclose(library)))
		say("cannot\n");
	say("behind\n");
	if (!strcmp(argv[1], "strict"))
		syscall(SYS_exit, 7);
	return 7;
}
