/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * work - a program with exactly known work, one step for each argument, in order:
 *
 *   wait           prints "# wait" and reads a byte from standard input; at end of file, exits
 *   touch=N        touches N fresh pages in user mode
 *   spin=MS        uses MS of CPU time
 *   duty=PCT:MS    uses PCT percent of a CPU for MS
 *   share=PCT      uses PCT percent of a CPU, catching up after waits for a CPU, until a byte or
 *                  the end of standard input; prints "lag NS", the longest delay
 *   crowd=N        starts N processes that sleep until this one ends; prints "crowd" when all are
 *                  started
 *   children=N     creates N children as fast as it can, on all CPUs; each ends at once
 *   pool=N         starts N threads, which sleep between the following steps:
 *   each-touch=N, each-spin=MS
 *                  each thread of the pool does that; ends when all have done it
 *   hand-over      each thread of the pool starts another one that replaces it, and ends
 *   end-pool       the threads of the pool end
 *   hold=MS        uses MS of CPU time while it holds a mutex that another thread waits for
 *   fork           a child carries out the rest; exits with its status
 *   other          another thread carries out the rest, the first one sleeps
 *   leave          another thread carries out the rest, the first one ends
 *   exec           carries out the rest as a new program, whose name is "exe"
 *   name=TEXT      the name of the thread becomes TEXT
 *   report         prints "report MINFLT CPU_NS MONOTONIC_NS", all of the process
 *   exit=N, kill=N ends with this status, or by this signal
 *   can-count      exits with 0, or prints why perf_event_open(2) is refused and exits with 1
 *   ended=FILE     the rest is a command: runs it with all signals as usual; writes "pid N", and
 *                  "exit N" or "signal N" when it has ended
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define POOL_MAX 600

enum order { ORDER_TOUCH, ORDER_SPIN, ORDER_HAND_OVER, ORDER_END };

static struct {
	pthread_barrier_t begin, done; /* of an order */
	pthread_t thread[POOL_MAX];
	int n;
	enum order order;
	long number;
} pool;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "work: %s: %s\n", what, strerror(errno));
	exit(99);
}

static uint64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void touch(long n)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (size_t)n * page;
	char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		die("mmap");
	/* A huge page would be one fault; where the kernel knows none, EINVAL. */
	madvise(pages, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += page)
		*(volatile char *)(pages + i) = 1;
	munmap(pages, size);
}

static void spin(long ms)
{
	const uint64_t end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + (uint64_t)ms * 1000000u;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_mutex(void *nothing)
{
	pthread_mutex_lock(&held);
	pthread_mutex_unlock(&held);
	return nothing;
}

static void hold(long ms)
{
	pthread_t thread;

	pthread_mutex_lock(&held);
	if (pthread_create(&thread, NULL, wait_for_mutex, NULL))
		die("pthread_create");
	spin(ms);
	pthread_mutex_unlock(&held);
	pthread_join(thread, NULL);
}

#define DUTY_PERIOD_MS 20

static void duty(long percent, long ms)
{
	const uint64_t begin = clock_ns(CLOCK_MONOTONIC);

	for (long t = DUTY_PERIOD_MS; t <= ms; t += DUTY_PERIOD_MS) {
		const uint64_t next = begin + (uint64_t)t * 1000000u;
		const struct timespec at = {(time_t)(next / 1000000000u),
					    (long)(next % 1000000000u)};

		/* Work that a busy machine has delayed is left out: the program ends in time. */
		if (clock_ns(CLOCK_MONOTONIC) >= next)
			continue;
		spin(percent * DUTY_PERIOD_MS / 100);
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
	}
}

#define SHARE_PERIOD_NS 5000000u

/* Waits until a moment; whether there is input. */
static bool input_before(uint64_t ns)
{
	const uint64_t now = clock_ns(CLOCK_MONOTONIC), left = ns > now ? ns - now : 0;
	const struct timespec timeout = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};

	return ppoll(&input, 1, &timeout, NULL) > 0;
}

static void share(long percent)
{
	const uint64_t begin = clock_ns(CLOCK_MONOTONIC),
		       cpu_begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	const struct sched_param first = {.sched_priority = 1};
	uint64_t at = begin, lag = 0;

	/* This thread runs before all others, if real-time scheduling is permitted. */
	sched_setscheduler(0, SCHED_FIFO, &first);
	do {
		const uint64_t end = cpu_begin + (at - begin) * (uint64_t)percent / 100;
		uint64_t now;

		while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
			;
		now = clock_ns(CLOCK_MONOTONIC);
		lag = now > at && now - at > lag ? now - at : lag;
		at += SHARE_PERIOD_NS;
	} while (!input_before(at));
	dprintf(STDOUT_FILENO, "lag %llu\n", (unsigned long long)lag);
}

static void crowd(long n)
{
	const pid_t parent = getpid();
	int up[2];
	char c;

	if (pipe(up))
		die("pipe");
	for (long i = 0; i < n; i++) {
		pid_t child = fork();

		if (child < 0)
			die("fork");
		if (child)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* The end of the pipe tells the parent. */
		close(up[0]);
		close(up[1]);
		while (getppid() == parent)
			pause();
		_exit(0);
	}
	close(up[1]);
	if (read(up[0], &c, 1))
		die("read");
	dprintf(STDOUT_FILENO, "crowd\n");
}

#define CHILDREN_AT_ONCE 30

/* Many live at once, so that their ends meet on several CPUs. */
static void make_children(long n)
{
	for (long i = 0, ended = 0; ended < n; ended++) {
		for (; i < n && i - ended < CHILDREN_AT_ONCE; i++) {
			pid_t child = fork();

			if (child < 0)
				die("fork");
			if (!child)
				_exit(0);
		}
		if (wait(NULL) < 0)
			die("wait");
	}
}

static void *pool_thread(void *slot);

static void pool_start_thread(intptr_t i)
{
	if (pthread_create(&pool.thread[i], NULL, pool_thread, (void *)i))
		die("pthread_create");
}

static void *pool_thread(void *slot)
{
	for (;;) {
		pthread_barrier_wait(&pool.begin);
		switch (pool.order) {
		case ORDER_TOUCH:
			touch(pool.number);
			break;
		case ORDER_SPIN:
			spin(pool.number);
			break;
		case ORDER_HAND_OVER:
			pthread_detach(pthread_self());
			pool_start_thread((intptr_t)slot);
			pthread_barrier_wait(&pool.done);
			return NULL;
		case ORDER_END:
			return NULL;
		}
		pthread_barrier_wait(&pool.done);
	}
}

static void pool_start(long n)
{
	pool.n = n < POOL_MAX ? (int)n : POOL_MAX;
	pthread_barrier_init(&pool.begin, NULL, (unsigned)pool.n + 1);
	pthread_barrier_init(&pool.done, NULL, (unsigned)pool.n + 1);
	for (int i = 0; i < pool.n; i++)
		pool_start_thread(i);
}

static void pool_do(enum order order, long number)
{
	pool.order = order;
	pool.number = number;
	pthread_barrier_wait(&pool.begin);
	if (order != ORDER_END)
		pthread_barrier_wait(&pool.done);
	for (int i = 0; order == ORDER_END && i < pool.n; i++)
		pthread_join(pool.thread[i], NULL);
}

static void report(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	dprintf(STDOUT_FILENO, "report %ld %llu %llu\n", usage.ru_minflt,
		(unsigned long long)clock_ns(CLOCK_PROCESS_CPUTIME_ID),
		(unsigned long long)clock_ns(CLOCK_MONOTONIC));
}

static void read_byte(void)
{
	char c;
	ssize_t n;

	dprintf(STDOUT_FILENO, "# wait\n");
	do
		n = read(STDIN_FILENO, &c, 1);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		exit(0);
}

static void can_count(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	if (syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC) >= 0)
		exit(0);
	printf("perf_event_open: %s\n", strerror(errno));
	exit(1);
}

static int wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			die("waitpid");
	return status;
}

static void fork_rest(void)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		die("fork");
	if (child == 0)
		return;
	status = wait_for(child);
	exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

static _Noreturn void run_command(const char *path, char **argv)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), status;
	pid_t child;

	if (fd < 0)
		die(path);
	/* A shell ignores SIGINT in the programs that it starts in the background. */
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	child = fork();
	if (child < 0)
		die("fork");
	if (child == 0) {
		execvp(argv[0], argv);
		die(argv[0]);
	}
	dprintf(fd, "pid %d\n", (int)child);
	status = wait_for(child);
	if (WIFSIGNALED(status))
		dprintf(fd, "signal %d\n", WTERMSIG(status));
	else
		dprintf(fd, "exit %d\n", WEXITSTATUS(status));
	exit(0);
}

static void *run(void *steps);

/* Another thread carries out the rest. */
static _Noreturn void hand_rest(char **rest, bool leave)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, rest))
		die("pthread_create");
	while (!leave)
		pause();
	pthread_exit(NULL);
}

static _Noreturn void exec_rest(char **rest)
{
	char path[] = "/proc/thread-self/exe"; /* a first thread that has ended has none */

	/* rest[-1] is this step; its place is that of the program's name. */
	rest[-1] = path;
	execv(path, rest - 1);
	die("execv");
}

/* A step that stands alone; returns false where it is none. */
static bool do_plain(const char *step, char **rest)
{
	if (!strcmp(step, "wait"))
		read_byte();
	else if (!strcmp(step, "hand-over"))
		pool_do(ORDER_HAND_OVER, 0);
	else if (!strcmp(step, "end-pool"))
		pool_do(ORDER_END, 0);
	else if (!strcmp(step, "fork"))
		fork_rest();
	else if (!strcmp(step, "other") || !strcmp(step, "leave"))
		hand_rest(rest, step[0] == 'l');
	else if (!strcmp(step, "exec"))
		exec_rest(rest);
	else if (!strcmp(step, "report"))
		report();
	else if (!strcmp(step, "can-count"))
		can_count();
	else
		return false;
	return true;
}

/* A step of the form NAME=VALUE. */
static bool do_valued(const char *name, const char *value, char **rest)
{
	char *end;
	long number = strtol(value, &end, 10);

	if (!strcmp(name, "touch"))
		touch(number);
	else if (!strcmp(name, "spin"))
		spin(number);
	else if (!strcmp(name, "hold"))
		hold(number);
	else if (!strcmp(name, "duty"))
		duty(number, *end ? strtol(end + 1, NULL, 10) : 0);
	else if (!strcmp(name, "share"))
		share(number);
	else if (!strcmp(name, "children"))
		make_children(number);
	else if (!strcmp(name, "crowd"))
		crowd(number);
	else if (!strcmp(name, "pool"))
		pool_start(number);
	else if (!strcmp(name, "each-touch"))
		pool_do(ORDER_TOUCH, number);
	else if (!strcmp(name, "each-spin"))
		pool_do(ORDER_SPIN, number);
	else if (!strcmp(name, "name"))
		prctl(PR_SET_NAME, value);
	else if (!strcmp(name, "exit"))
		exit((int)number);
	else if (!strcmp(name, "kill"))
		kill(getpid(), (int)number);
	else if (!strcmp(name, "ended"))
		run_command(value, rest);
	else
		return false;
	return true;
}

static void *run(void *steps)
{
	char name[32];

	for (char **step = steps; *step; step++) {
		const char *equal = strchr(*step, '=');

		snprintf(name, sizeof name, "%.*s", (int)strcspn(*step, "="), *step);
		if (equal ? !do_valued(name, equal + 1, step + 1) : !do_plain(*step, step + 1)) {
			fprintf(stderr, "work: unknown step '%s'\n", *step);
			exit(98);
		}
	}
	exit(0);
}

int main(int argc, char **argv)
{
	(void)argc;
	/* Code and data that the first use would fault in are there before anything is counted. */
	touch(1);
	spin(1);
	run(argv + 1);
}
