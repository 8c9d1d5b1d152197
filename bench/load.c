/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load [-g FOLDER -n GROUPS] PROCESSES THREADS BUSY [WAKERS PERIOD_MS [WAKES]] - a load of known
 * size.
 *
 * PROCESSES processes of THREADS threads each. The first BUSY use 2 ms of CPU in every 20 ms;
 * the next WAKERS use 50 us in every PERIOD_MS, spread over the period; all others, and all
 * other threads, sleep. With -g, the processes are divided evenly among the control groups (v2)
 * FOLDER/0 to FOLDER/(GROUPS - 1), in order; the program itself stays in the last one.
 *
 * Prints "ready" once all processes exist; they end when the program ends. With WAKES, the wakers
 * begin after a line on standard input and stop after WAKES periods. Then the program prints "cpu
 * PID NS" for each waker, the CPU time of its work by its own CPU clock, and "done".
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define BUSY_NS        2000000
#define BUSY_PERIOD_NS 20000000
#define WAKE_NS        50000
#define QUIET_US       100000
#define STACK_SIZE     16384

struct load {
	long processes, threads, busy, wakers, period_ms, wakes;
	const char *folder; /* of control groups; NULL: none */
	long groups;
	/* Pipes between the program and its processes. A process writes a byte to `ready` when it
	 * has started, and to `over` when it has worked. The program closes `go` to start the
	 * wakers. */
	int ready[2], go[2], over[2];
	pid_t *pid;
};

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t clock_ns(clockid_t id)
{
	struct timespec t;

	if (clock_gettime(id, &t))
		die("clock_gettime");
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *sleep_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/* Works for this time of the thread's CPU clock: losing the CPU does not shorten the work. */
static void work(int64_t ns)
{
	const int64_t end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

/* Works for ns in every period, this number of times; times 0: for ever. */
static void work_again(int64_t ns, int64_t period_ns, int64_t offset_ns, long times)
{
	int64_t next = clock_ns(CLOCK_MONOTONIC) + offset_ns;

	for (long i = 0; !times || i < times; i++) {
		const struct timespec at = {next / 1000000000, next % 1000000000};

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		work(ns);
		next += period_ns;
	}
}

static void wake_again(const struct load *l, long number)
{
	const int64_t period_ns = l->period_ms * 1000000;
	char c;

	if (l->wakes && read(l->go[0], &c, 1) != 0)
		_exit(1);
	work_again(WAKE_NS, period_ns, number * period_ns / l->wakers, l->wakes);
	if (write(l->over[1], "o", 1) != 1)
		_exit(1);
}

static void run_child(const struct load *l, long i)
{
	bool busy = i < l->busy, waker = !busy && i < l->busy + l->wakers;
	pthread_attr_t small;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, busy ? "busy" : waker ? "waker" : "idle");
	close(l->go[1]);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK_SIZE);
	for (long k = 1; k < l->threads; k++) {
		pthread_t id;

		if (pthread_create(&id, &small, sleep_for_ever, NULL))
			_exit(1);
	}
	if (write(l->ready[1], "r", 1) != 1)
		_exit(1);
	if (busy)
		work_again(BUSY_NS, BUSY_PERIOD_NS, 0, 0);
	if (waker)
		wake_again(l, i - l->busy);
	sleep_for_ever(NULL);
}

/* Waits for this number of bytes. */
static void expect(int fd, long bytes, const char *what)
{
	char buf[4096];

	while (bytes > 0) {
		ssize_t n = read(fd, buf, sizeof buf);

		if (n <= 0)
			die(what);
		bytes -= n;
	}
}

static int64_t cpu_ns(pid_t pid)
{
	clockid_t id;

	errno = clock_getcpuclockid(pid, &id);
	if (errno)
		die("clock_getcpuclockid");
	return clock_ns(id);
}

/* Runs the wakers once; they sleep before and after, so that their clocks stand still when they are
 * read. */
static void run_wakers(struct load *l)
{
	int64_t *before = calloc((size_t)l->wakers, sizeof *before);
	const pid_t *pid = l->pid + l->busy;

	if (!before)
		die("calloc");
	expect(STDIN_FILENO, 1, "standard input");
	for (long i = 0; i < l->wakers; i++)
		before[i] = cpu_ns(pid[i]);
	close(l->go[1]);
	expect(l->over[0], l->wakers, "a waker");
	usleep(QUIET_US);
	for (long i = 0; i < l->wakers; i++)
		printf("cpu %d %lld\n", (int)pid[i], (long long)(cpu_ns(pid[i]) - before[i]));
	puts("done");
	free(before);
}

/* Moves this program, and so its next children, to the control group of the i-th process. */
static void enter_group(const struct load *l, long i)
{
	const long group = i * l->groups / l->processes;
	char path[4096];
	FILE *f;

	if (i && (i - 1) * l->groups / l->processes == group)
		return;
	snprintf(path, sizeof path, "%s/%ld/cgroup.procs", l->folder, group);
	f = fopen(path, "w");
	if (!f || fputs("0", f) < 0 || fclose(f))
		die(path);
}

static void start_all(struct load *l)
{
	if (pipe(l->ready) || pipe(l->go) || pipe(l->over))
		die("pipe");
	l->pid = calloc((size_t)l->processes, sizeof *l->pid);
	if (!l->pid)
		die("calloc");
	for (long i = 0; i < l->processes; i++) {
		if (l->folder)
			enter_group(l, i);
		l->pid[i] = fork();
		if (l->pid[i] < 0)
			die("fork");
		if (l->pid[i] == 0)
			run_child(l, i);
	}
	/* Close the write ends here, so that the pipe ends early if a child fails. */
	close(l->ready[1]);
	close(l->over[1]);
	expect(l->ready[0], l->processes, "a process could not be started");
}

int main(int argc, char **argv)
{
	struct load l = {.threads = 1};
	long *const argument[] = {&l.processes, &l.threads,   &l.busy,
				  &l.wakers,    &l.period_ms, &l.wakes};
	int option;

	while ((option = getopt(argc, argv, "g:n:")) != -1) {
		if (option == 'g')
			l.folder = optarg;
		else if (option == 'n')
			l.groups = strtol(optarg, NULL, 10);
		else
			return 2;
	}
	argc -= optind;
	argv += optind;
	if (argc < 3 || argc > 6 || (l.folder && l.groups < 1)) {
		fprintf(stderr, "usage: load [-g FOLDER -n GROUPS] PROCESSES THREADS BUSY [WAKERS "
				"PERIOD_MS [WAKES]]\n");
		return 2;
	}
	for (int i = 0; i < argc; i++)
		*argument[i] = strtol(argv[i], NULL, 10);
	if (l.processes < 1 || l.busy + l.wakers > l.processes) {
		fprintf(stderr, "load: more busy processes and wakers than processes\n");
		return 2;
	}
	start_all(&l);
	puts("ready");
	fflush(stdout);
	if (l.wakes)
		run_wakers(&l);
	fflush(stdout);
	sleep_for_ever(NULL);
}
