/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trap - a program that creates tasks in ways that are easily missed. Each task touches 100 fresh
 * pages, so that a count of page faults shows whether it was counted.
 *
 *   vfork       a child by vfork(2) that executes this program
 *   spawn       one by posix_spawn(3)
 *   share       one by clone(2) that shares its memory and is no thread (no CLONE_THREAD)
 *   double      a child that creates a grandchild and ends before it; prints the pid of the
 *               grandchild and waits until it has ended
 *   session     a child with its own session that outlives its parent, and ends when the file named
 *               behind exists; prints its pid
 *   threads=N   N threads that exist at once
 *   take-over   a thread among others executes this program, and so replaces the first thread
 *   namespace   a child in its own pid namespace, where it is 1, and its child; exits with 77 if
 *               this is not allowed
 *   touch       the step of the children: touches the pages and ends
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGES       100
#define STACK       65536
#define NOT_ALLOWED 77

static char self[] = "/proc/self/exe", touch_word[] = "touch";
static char *child_words[] = {self, touch_word, NULL};
static pthread_barrier_t all_there;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "trap: %s: %s\n", what, strerror(errno));
	exit(99);
}

static void touch_pages(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = PAGES * page;
	char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		die("mmap");
	madvise(pages, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += page)
		*(volatile char *)(pages + i) = 1;
	munmap(pages, size);
}

static void wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, __WALL) < 0)
		if (errno != EINTR)
			die("waitpid");
	if (status)
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : 98);
}

static pid_t make_child(void)
{
	pid_t child = fork();

	if (child < 0)
		die("fork");
	return child;
}

static void do_vfork(void)
{
	pid_t child = vfork();

	if (child == 0) {
		execv(self, child_words);
		_exit(97);
	}
	if (child < 0)
		die("vfork");
	wait_for(child);
}

static void do_spawn(void)
{
	char *environment[] = {NULL};
	pid_t child;

	errno = posix_spawn(&child, self, NULL, NULL, child_words, environment);
	if (errno)
		die("posix_spawn");
	wait_for(child);
}

static int run_clone(void *unused)
{
	(void)unused;
	touch_pages();
	return 0;
}

static void do_share(void)
{
	char *stack = malloc(STACK);
	int flags = CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD;
	pid_t child = stack ? clone(run_clone, stack + STACK, flags, NULL) : -1;

	if (child < 0)
		die("clone");
	wait_for(child);
	free(stack);
}

/* A task closes its files before it ends: only a pidfd tells the end itself. */
static void wait_for_end(pid_t task)
{
	struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, task, 0), .events = POLLIN};

	if (end.fd < 0)
		return; /* it has ended and is gone, or the kernel is older than 5.3 */
	while (poll(&end, 1, -1) < 0)
		if (errno != EINTR)
			die("poll");
	close(end.fd);
}

static void do_double(void)
{
	int reported[2], go[2];
	pid_t child, grandchild;

	if (pipe(reported) || pipe(go))
		die("pipe");
	child = make_child();
	if (child == 0) {
		grandchild = make_child();
		if (grandchild == 0) {
			touch_pages();
			if (read(go[0], &child, 1) != 1)
				die("read");
			_exit(0);
		}
		printf("%d\n", (int)grandchild);
		if (write(reported[1], &grandchild, sizeof grandchild) != sizeof grandchild)
			die("write");
		exit(0);
	}
	if (read(reported[0], &grandchild, sizeof grandchild) != sizeof grandchild)
		die("read");
	wait_for(child);
	if (write(go[1], "", 1) != 1)
		die("write");
	wait_for_end(grandchild);
}

static void do_session(const char *path)
{
	const struct timespec a_while = {0, 10000000};
	pid_t child = make_child();

	if (child) {
		printf("%d\n", (int)child);
		return;
	}
	if (setsid() < 0)
		die("setsid");
	touch_pages();
	for (int i = 0; i < 6000 && access(path, F_OK); i++)
		nanosleep(&a_while, NULL);
	_exit(0);
}

static void *run_thread(void *unused)
{
	touch_pages();
	pthread_barrier_wait(&all_there);
	return unused;
}

static void do_threads(long n)
{
	pthread_t *thread = calloc((size_t)n, sizeof *thread);
	pthread_attr_t small;

	pthread_barrier_init(&all_there, NULL, (unsigned)n);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK);
	for (long i = 0; i < n; i++)
		if (!thread || (errno = pthread_create(&thread[i], &small, run_thread, NULL)))
			die("pthread_create");
	for (long i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	free(thread);
}

static void *run_for_ever(void *unused)
{
	touch_pages();
	pthread_barrier_wait(&all_there);
	for (;;)
		pause();
	return unused;
}

static void *run_take_over(void *unused)
{
	touch_pages();
	pthread_barrier_wait(&all_there);
	execv(self, child_words);
	die("execv");
	return unused;
}

static void do_take_over(void)
{
	pthread_t thread;

	pthread_barrier_init(&all_there, NULL, 4);
	for (int i = 0; i < 3; i++)
		if ((errno = pthread_create(&thread, NULL, i ? run_for_ever : run_take_over, NULL)))
			die("pthread_create");
	run_for_ever(NULL);
}

static void do_namespace(void)
{
	pid_t child;

	if (unshare(CLONE_NEWPID) && unshare(CLONE_NEWUSER | CLONE_NEWPID))
		exit(NOT_ALLOWED);
	child = make_child();
	if (child == 0) {
		touch_pages();
		child = make_child();
		if (child == 0)
			touch_pages();
		else
			wait_for(child);
		_exit(getpid() > 2);
	}
	wait_for(child);
}

int main(int argc, char **argv)
{
	const char *step = argc > 1 ? argv[1] : "";

	if (!strcmp(step, "touch"))
		touch_pages();
	else if (!strcmp(step, "vfork"))
		do_vfork();
	else if (!strcmp(step, "spawn"))
		do_spawn();
	else if (!strcmp(step, "share"))
		do_share();
	else if (!strcmp(step, "double"))
		do_double();
	else if (!strcmp(step, "session") && argc > 2)
		do_session(argv[2]);
	else if (!strncmp(step, "threads=", 8))
		do_threads(strtol(step + 8, NULL, 10));
	else if (!strcmp(step, "take-over"))
		do_take_over();
	else if (!strcmp(step, "namespace"))
		do_namespace();
	else
		return 98;
	return 0;
}
