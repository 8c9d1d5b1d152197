/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of threads of a made-up table; their sum is that of the process. */
#include <sys/mman.h>

#include "locks_rig.h"
#include "profile/locks/report.h"
#include "tap.h"

static struct locks_copy copy;
static struct locks_report report;
static struct locks_threads threads;

static uint64_t acquisitions(unsigned t)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < RIG_LOCKS; i++)
		for (unsigned c = 0; c < RIG_CALLERS; c++)
			n += rig_acquisitions(t, i, c);
	return n;
}

/* n_pasts of the ended threads have a record of their own, each with half of the counts of ended
 * threads. */
static void begin(int fd, uint32_t n_ended, uint32_t n_pasts)
{
	struct locks_header h = rig_header();
	struct err err = ERR_INIT;

	h.n_ended = n_ended;
	h.n_threads = RIG_THREADS - 1 + n_ended;
	h.n_pasts = n_pasts;
	rig_put(fd, &h, sizeof h, 0);
	for (uint32_t i = 0; i < n_pasts; i++) {
		const struct locks_past past = {
			.tid = 4720 + i,
			.number = 10 + i,
			.ticks = {50, 100, 345, 5},
			.acquisitions = acquisitions(0) / 2,
			.instances = 3 + i,
			.at_least = i,
			.sched = {.total = {1, 200, 50}, .waited = {[LOCKS_COND] = 30}},
			.name = "past\033",
		};

		rig_put(fd, &past, sizeof past, offsetof(struct locks_head, past[i]));
	}
	if (locks_copy_read(&copy, fd, true, &err))
		abort();
	locks_report_make(&report, &copy, 0);
	locks_threads_make(&threads, &copy, &report);
}

static void end(void)
{
	locks_threads_done(&threads);
	locks_report_done(&report);
}

/* The sums over threads equal those of the report. */
static void check_sums(const char *what)
{
	uint64_t all = 0, time = 0, ticks[LOCKS_STATES] = {0}, n = 0;
	struct states states = {.n_threads = 0};

	for (size_t i = 0; i < threads.n; i++) {
		const struct thread_locks *one = &threads.v[i];

		n += one->n;
		all += one->acquisitions;
		time += one->time;
		for (int s = 0; s < LOCKS_STATES; s++)
			ticks[s] += one->ticks[s];
		states_add(&states, &one->states);
		tap_int(states_sum(&one->states), one->time, "%s: the states are its life", what);
	}
	tap_ok(!memcmp(&states, &report.states, sizeof states), "%s: all states", what);
	tap_int(n, copy.header.n_threads, "%s: all threads", what);
	tap_int(all, report.all.phase[LOCKS_ACQUIRE].n, "%s: all acquisitions", what);
	tap_int(time, locks_report_time(&report), "%s: all of the time", what);
	for (int s = 0; s < LOCKS_STATES; s++)
		tap_int(ticks[s], report.ticks[s], "%s: in state %d", what, s);
}

static const struct thread_locks *find(uint32_t tid)
{
	static const struct thread_locks none;

	for (size_t i = 0; i < threads.n; i++)
		if (threads.v[i].tid == tid)
			return &threads.v[i];
	tap_ok(false, "there is a thread %u", tid);
	return &none;
}

static void test_alive(int fd)
{
	const struct thread_locks *one;

	begin(fd, 1, 0);
	check_sums("no ended thread is known");
	for (unsigned t = 1; t < RIG_THREADS; t++) {
		one = find(4710 + t);
		tap_int(one->acquisitions, acquisitions(t), "what thread %u acquired", t);
		tap_int(one->instances, RIG_LOCKS, "locks that two callers acquired are one");
		tap_ok(one->alive && one->n == 1, "it lived to the end");
		tap_int(one->ticks[LOCKS_FREE], 690 + 1999000 - t, "in its last state");
	}
	one = &threads.v[threads.n - 1];
	tap_ok(!one->name && one->n == 1, "those that have ended are the last");
	tap_int(one->acquisitions, acquisitions(0), "with what is left");
	end();
}

static void test_past(int fd)
{
	begin(fd, 2, 2);
	check_sums("all are known");
	tap_int(threads.n, 4, "no other thread is there");
	tap_str(find(4721)->name, "past?", "its name is harmless");
	tap_ok(find(4721)->instances == 4 && find(4721)->at_least && !find(4720)->at_least,
	       "and what it left is its own");
	tap_ok(!find(4720)->alive, "it has ended");
	end();
	begin(fd, 7, 1);
	check_sums("one of seven is known");
	tap_int(threads.v[threads.n - 1].n, 6, "the others are together");
	tap_int(threads.v[threads.n - 1].ticks[LOCKS_FREE], 345, "with the rest of the time");
	end();
}

/* The thread that waited longest comes first. */
static void test_order(int fd)
{
	begin(fd, 1, 0);
	tap_ok(threads.v[0].number < threads.v[1].number, "of equal ones the first one");
	end();
	copy.thread[2].ticks[LOCKS_WAITING] += 1;
	locks_report_make(&report, &copy, 0);
	locks_threads_make(&threads, &copy, &report);
	tap_int(threads.v[0].tid, 4712, "the longest wait first");
	tap_ok(locks_threads_density(&threads.v[0]) ==
		       (double)(1e4 * (double)acquisitions(2) / (double)threads.v[0].time),
	       "acquisitions in its time");
	end();
}

static void test_kinds(int fd)
{
	const uint32_t kind = LOCKS_COND;
	struct locks_thread t;

	rig_put(fd, &kind, sizeof kind,
		offsetof(struct locks_head, instance) + offsetof(struct locks_instance, kind));
	begin(fd, 1, 0);
	tap_int(find(4711)->acquisitions,
		acquisitions(1) - rig_acquisitions(1, 0, 0) - rig_acquisitions(1, 0, 1),
		"a condition variable is no lock");
	tap_int(find(4711)->instances, RIG_LOCKS - 1, "and not counted as one");
	t = copy.thread[1];
	end();
	locks_quantity_add(&t.other.phase[LOCKS_ACQUIRE], 7);
	rig_put(fd, &t, sizeof t, offsetof(struct locks_head, slot[t.slot]));
	begin(fd, 1, 0);
	check_sums("what had no room");
	tap_ok(find(4711)->at_least, "is of one lock more, perhaps");
	end();
}

/* If an instance stands for several locks, it is unknown how many of them each thread used. */
static void test_several(int fd)
{
	struct locks_instance several = {.kind = LOCKS_MUTEX, .several = 1, .generation = 50};

	rig_put(fd, &several, sizeof several, offsetof(struct locks_head, instance));
	begin(fd, 1, 0);
	tap_int(report.instances, RIG_LOCKS - 1 + 50, "several locks are many of the process");
	tap_ok(find(4711)->instances == RIG_LOCKS && find(4711)->at_least,
	       "but one at least of a thread");
	end();
}

/* Random values in a table, which sums must survive. */
static void test_damaged(int fd)
{
	struct err err = ERR_INIT;
	struct locks_header h = rig_header();

	begin(fd, 1, 1);
	copy.past[0].acquisitions = copy.past[0].ticks[LOCKS_FREE] = UINT64_MAX;
	locks_threads_done(&threads);
	locks_threads_make(&threads, &copy, &report);
	tap_ok(threads.n == 3 || !threads.v[3].acquisitions, "there is no less than nothing");
	end();
	h.n_pasts = LOCKS_EXITED_MAX + 1;
	rig_put(fd, &h, sizeof h, 0);
	tap_ok(locks_copy_read(&copy, fd, true, &err) < 0, "more than there can be are refused");
}

int main(void)
{
	int fd = memfd_create("table", MFD_CLOEXEC);

	rig_write(fd);
	locks_copy_init(&copy);
	test_alive(fd);
	test_past(fd);
	test_order(fd);
	test_kinds(fd);
	test_several(fd);
	test_damaged(fd);
	locks_copy_done(&copy);
	close(fd);
	return tap_done();
}
