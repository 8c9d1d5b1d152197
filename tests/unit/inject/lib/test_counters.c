/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of this thread, with events that any Linux has: software events and the task clock. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fault_rig.h"
#include "inject/lib/counters.h"
#include "tap.h"
#include <tiptop.h>

#define N_PAGES 100

static double count_faults(struct tt *t, int i, int n)
{
	struct tt_value before[TT_MAX_EVENTS], after[TT_MAX_EVENTS];

	tt_read(t, before);
	fault(n);
	tt_read(t, after);
	return tt_between(&before[i], &after[i]);
}

static void check_faults(void)
{
	struct tt *t = tt_open("page-faults, task-clock,major-faults");

	if (!tap_ok(t != NULL, "counters are opened"))
		return;
	tap_int(tt_count(t), 3, "three of them");
	tap_str(tt_name(t, 1), "task-clock", "their names, without blanks");
	tap_str(tt_name(t, 3), "", "a fourth has none");
	tap_int(tt_state(t, 0), TT_SYSCALL, "the kernel is asked for a software event");
	fault(1);
	count_faults(t, 0, 1);
	tap_num(count_faults(t, 0, N_PAGES), N_PAGES, "each fault is counted");
	tap_num(count_faults(t, 2, N_PAGES), 0, "none was a major one: 0 is a number");
	tap_str(tt_strerror(), "", "there is no error");
	tt_close(t);
}

static double thread_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Returns the time that the hypervisor has stolen from all CPUs, in ticks. */
static long stolen(void)
{
	FILE *f = fopen("/proc/stat", "r");
	long ticks = 0;

	if (f && fscanf(f, "cpu %*d %*d %*d %*d %*d %*d %*d %ld", &ticks) != 1)
		ticks = 0;
	if (f)
		fclose(f);
	return ticks;
}

/* Returns the largest difference in ns between the task clock and the thread's CPU clock. The
 * latter is read before and after the former, which must be in between whatever else runs. *back:
 * set if the task clock decreased. */
static double compare_clocks(struct tt *t, bool *back)
{
	double off = 0, start;
	uint64_t last = 0;
	struct tt_value first, value;

	tt_read(t, &first);
	start = thread_ns();
	while (thread_ns() - start < 300e6) {
		double below = thread_ns() - start, above, shown;

		tt_read(t, &value);
		above = thread_ns() - start;
		shown = tt_between(&first, &value);
		*back |= value.count < last;
		last = value.count;
		/* `first` was read up to one call before `start` */
		off = fmax(off, fmax(below - shown, shown - above));
	}
	return off;
}

/* Stolen time is included in one of the clocks only. The kernel reports it in ticks of 10 ms; less
 * stolen time than a tick makes the clocks differ as well, so the check is repeated. */
#define CLOCK_TRIES 5

static void check_clock(void)
{
	struct tt *t = tt_open("task-clock");
	long stolen_before = stolen();
	bool back = false;
	double off = INFINITY;
	struct tt_value value;

	for (int i = 0; i < CLOCK_TRIES && off >= 100e3; i++)
		off = fmin(off, compare_clocks(t, &back));
	tap_ok(!back, "the task clock never goes back");
	tap_ok(off < 100e3 || stolen() != stolen_before,
	       "and is within 0.1 ms of the kernel's over 0.3 s (%.1f us)", off / 1e3);
	tt_read(t, &value);
	tap_ok(value.state == TT_TSC || value.state == TT_SYSCALL,
	       "its state says how it was read");
	tt_close(t);
}

#define READ_TRIES 10

static void check_unknown(void)
{
	struct tt_value value[2], later[2];
	struct tt *t = tt_open("no-such-event,page-faults");

	tap_ok(t != NULL, "a name that this machine lacks does not prevent the others");
	tap_int(tt_state(t, 0), TT_NO_PMU, "its state says that it is not there");
	tap_ok(strstr(tt_strerror(), "no-such-event"), "a sentence names it: %s", tt_strerror());
	/* The system may take pages away at any time, so that a reading has a page fault. */
	for (int i = 0; i < READ_TRIES && (!i || tt_between(&value[1], &later[1]) != 0); i++) {
		tt_read(t, value);
		tt_read(t, later);
	}
	tap_num(tt_between(&value[0], &later[0]), NAN, "it has no number");
	tap_num(tt_between(&value[1], &later[1]), 0, "the other one has");
	tt_close(t);
	tap_ok(!tt_open(""), "no event at all is an error");
	tap_ok(!tt_open("cycles:x"), "a modifier that does not exist is one");
	tap_ok(strstr(tt_strerror(), "modifier"), "with its sentence: %s", tt_strerror());
	tap_ok(!tt_open("faults,faults,faults,faults,faults,faults,faults,faults,faults"),
	       "so are nine events");
	tt_close(NULL);
}

static void *read_elsewhere(void *arg)
{
	static struct tt_value value[TT_MAX_EVENTS];

	return (void *)(intptr_t)(tt_read(arg, value) == -1 && value[0].state == TT_DENIED);
}

static void *open_elsewhere(void *events)
{
	return tt_open(events);
}

/* The C library gives a new thread the memory, and so the address, of one that has exited. */
static void check_exited(void)
{
	void *t = NULL, *refused = NULL;
	pthread_t thread;

	pthread_create(&thread, NULL, open_elsewhere, (void *)"page-faults");
	pthread_join(thread, &t);
	pthread_create(&thread, NULL, read_elsewhere, t);
	pthread_join(thread, &refused);
	tap_ok(refused, "a thread at the address of one that has exited is refused, too");
	tt_close(t);
}

static void check_threads(void)
{
	struct tt *t = tt_open("page-faults");
	pthread_t thread;
	void *refused = NULL;

	pthread_create(&thread, NULL, read_elsewhere, t);
	pthread_join(thread, &refused);
	tap_ok(refused, "another thread is refused");
	tt_close(t);
}

/* Checks the counters in a child. Returns the exit status: 0 if they are correct. */
static int run_child(struct tt *t, const struct tt_value *before)
{
	struct tt_value after[2];

	tt_read(t, after);
	if (!isnan(tt_between(before, after)))
		return 1;
	count_faults(t, 0, N_PAGES);
	if (count_faults(t, 0, N_PAGES) != N_PAGES)
		return 2;
	tt_close(t);
	return 0;
}

static void check_fork(void)
{
	struct tt *t = tt_open("page-faults,task-clock");
	struct tt_value before[2];
	int status = -1;
	pid_t pid;

	tt_read(t, before);
	pid = fork();
	if (!pid)
		_exit(run_child(t, before));
	waitpid(pid, &status, 0);
	tap_int(status, 0, "a child counts from its start, and nothing is known across the fork");
	/* The first writes after fork() fault, as the pages are shared with the child. */
	count_faults(t, 0, N_PAGES);
	tap_num(count_faults(t, 0, N_PAGES), N_PAGES, "its parent goes on");
	tt_close(t);
}

/* Gets the addresses of the counters' mapped pages. Returns their number. */
static int find_pages(const struct tt *t, void *page[])
{
	int n = 0;

	for (int i = 0; i < t->n_parts; i++)
		if (t->part[i].page)
			page[n++] = (void *)(uintptr_t)t->part[i].page;
	if (t->time.page)
		page[n++] = (void *)(uintptr_t)t->time.page;
	return n;
}

/* The pages of counters are not mapped in a child. It may have mapped something else there, which
 * must not be unmapped. */
static void check_close_in_child(void)
{
	struct tt *t = tt_open("page-faults,task-clock");
	void *page[TT_MAX_EVENTS + 1];
	const int n = find_pages(t, page);
	int status = -1;

	if (!n) {
		tap_skip("a child closes nothing of its own", "no page is mapped here");
		tt_close(t);
		return;
	}
	fflush(stdout);
	if (!fork()) {
		for (int i = 0; i < n; i++)
			if (mmap(page[i], 1, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != page[i])
				_exit(2);
		tt_close(t);
		for (int i = 0; i < n; i++)
			if (msync(page[i], 1, MS_ASYNC))
				_exit(1);
		_exit(0);
	}
	wait(&status);
	tap_int(status, 0, "a child that closes the counters of its parent unmaps nothing");
	tt_close(t);
}

/* Delays before and after a reading must not change its values. */
static void check_order(void)
{
	struct tt *t = tt_open("page-faults,task-clock");
	const reader_t usual = t->read;
	struct tt_value before[2];
	int status = -1;
	pid_t pid;

	tt_in_order(t, 1);
	tap_ok(t->read != usual && t->direct == usual, "in order, it is another way");
	count_faults(t, 0, N_PAGES);
	tap_num(count_faults(t, 0, N_PAGES), N_PAGES, "each fault is counted");
	tap_ok(count_faults(t, 1, N_PAGES) > 0, "and the time");
	tt_read(t, before);
	pid = fork();
	if (!pid)
		_exit(run_child(t, before));
	waitpid(pid, &status, 0);
	tap_int(status, 0, "in a child, too");
	tt_in_order(t, 0);
	tap_ok(t->read == usual, "and back");
	tt_close(t);
}

static void check_descriptors(void)
{
	struct rlimit old, none;
	struct tt_value value, later;
	struct tt *t;

	getrlimit(RLIMIT_NOFILE, &old);
	none = old;
	none.rlim_cur = 3;
	setrlimit(RLIMIT_NOFILE, &none);
	t = tt_open("page-faults");
	setrlimit(RLIMIT_NOFILE, &old);
	tap_int(tt_state(t, 0), TT_DENIED, "without a descriptor there is no counter");
	tap_ok(strstr(tt_strerror(), "ulimit -n"), "with its remedy: %s", tt_strerror());
	tt_read(t, &value);
	tt_read(t, &later);
	tap_num(tt_between(&value, &later), NAN, "and no number");
	tt_close(t);
}

/* Returns whether libtiptop resolves the event to this code on the CPU; config 0: whether it finds
 * none. Runs in a child, since the library detects the machine only once. */
static bool resolves_as(const char *cpu, const char *event, uint64_t config)
{
	int status = 1;

	fflush(stdout);
	if (!fork()) {
		struct tt *t;

		setenv("TIPTOP_CPU", cpu, 1);
		t = tt_open(event);
		_exit(!t || t->set.event[0].config != config);
	}
	wait(&status);
	return !status;
}

static void check_cpu(void)
{
	tap_ok(resolves_as("x86:06_5E", "l1d-misses", 0x8d1), "events are those of $TIPTOP_CPU");
	tap_ok(resolves_as("x86:19_11", "l1d-misses", 0xff44), "of another one");
	tap_ok(resolves_as("other:", "l1d-misses", 0), "of one that is not known");
}

int main(void)
{
	check_cpu(); /* before this process detects the machine */
	check_faults();
	check_clock();
	check_unknown();
	check_threads();
	check_exited();
	check_fork();
	check_close_in_child();
	check_order();
	check_descriptors();
	return tap_done();
}
