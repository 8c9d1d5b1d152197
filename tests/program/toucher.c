/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * toucher - a program with a mutex, `touching`: each holder has PAGES page faults while it holds
 * it, and HOLDS times PAGES outside.
 *
 *   toucher STEP...
 *
 *   hold     acquires it HOLDS times
 *   threads  THREADS threads acquire it once each; all exist at the same time
 *   fork     a child acquires it once
 *   close    closes all descriptors, opens a pipe in each of their places, and acquires it HOLDS
 *            times; then each pipe must still have its contents
 *   calls    has PAGES page faults in memset(), PAGES in the kernel for read(), and PAGES in the
 *            function that qsort() calls
 *   handlers HANDLED signals during its acquisitions and calls; the handler has PAGES page faults
 * in memset() while it holds another mutex, `in_handler`
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGES   100
#define HOLDS   20
#define THREADS 40
#define HANDLED 200

static pthread_mutex_t touching = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t in_handler = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all;
static volatile sig_atomic_t n_handled;

static char *map_pages(size_t size)
{
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	madvise(p, size, MADV_NOHUGEPAGE);
	return p;
}

static void touch(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = PAGES * page;
	char *p = map_pages(size);

	for (size_t i = 0; i < PAGES; i++)
		((volatile char *)p)[i * page] = 1;
	munmap(p, size);
}

static void hold(int n)
{
	while (n--) {
		touch();
		pthread_mutex_lock(&touching);
		touch();
		pthread_mutex_unlock(&touching);
	}
}

static void *run(void *unused)
{
	pthread_barrier_wait(&all);
	hold(1);
	pthread_barrier_wait(&all);
	return unused;
}

static void hold_in_threads(void)
{
	pthread_t thread[THREADS];

	pthread_barrier_init(&all, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, run, NULL))
			abort();
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

static void hold_in_child(void)
{
	int status;
	const pid_t child = fork();

	if (!child) {
		hold(1);
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		abort();
}

/* Holds while pipes with one byte each take all descriptors: nothing else may read these bytes. */
static void hold_without_descriptors(void)
{
	struct rlimit limit;
	int end[2], n = 0;
	char c;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		abort();
	for (int fd = 3; fd < (int)limit.rlim_cur; fd++)
		close(fd);
	while (!pipe2(end, O_NONBLOCK))
		n += write(end[1], "x", 1) == 1;
	hold(HOLDS);
	for (int fd = 3; fd < (int)limit.rlim_cur; fd++)
		n -= read(fd, &c, 1) == 1;
	if (n)
		abort();
}

static int compare(const void *a, const void *b)
{
	touch();
	return *(const char *)a - *(const char *)b;
}

static void call(void)
{
	const size_t size = PAGES * (size_t)sysconf(_SC_PAGESIZE);
	const int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	char two[] = "ba";

	memset(map_pages(size), 1, size);
	if (read(zero, map_pages(size), size) != (ssize_t)size)
		abort();
	qsort(two, 2, 1, compare);
}

static void handle(int number)
{
	const size_t size = PAGES * (size_t)sysconf(_SC_PAGESIZE);
	char *p;

	(void)number;
	if (n_handled == HANDLED)
		return;
	p = map_pages(size);
	pthread_mutex_lock(&in_handler);
	memset(p, 1, size);
	pthread_mutex_unlock(&in_handler);
	munmap(p, size);
	n_handled++;
}

/* The first signal comes where nothing is amid. */
static void hold_in_handlers(void)
{
	const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};

	signal(SIGALRM, handle);
	raise(SIGALRM);
	setitimer(ITIMER_REAL, &often, NULL);
	while (n_handled < HANDLED) {
		pthread_mutex_lock(&touching);
		getppid();
		pthread_mutex_unlock(&touching);
	}
	setitimer(ITIMER_REAL, &never, NULL);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "hold"))
			hold(HOLDS);
		else if (!strcmp(argv[i], "threads"))
			hold_in_threads();
		else if (!strcmp(argv[i], "fork"))
			hold_in_child();
		else if (!strcmp(argv[i], "close"))
			hold_without_descriptors();
		else if (!strcmp(argv[i], "calls"))
			call();
		else if (!strcmp(argv[i], "handlers"))
			hold_in_handlers();
		else
			return 2;
	return 0;
}
