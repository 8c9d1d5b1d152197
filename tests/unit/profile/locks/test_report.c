/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of all threads as lines, and the program's totals. */
#include <sys/mman.h>

#include "locks_rig.h"
#include "profile/locks/report.h"
#include "tap.h"

static struct locks_copy copy;

static void read_table(int fd)
{
	struct err err = ERR_INIT;

	if (locks_copy_read(&copy, fd, true, &err))
		abort();
}

static uint64_t all(unsigned i, unsigned c)
{
	uint64_t n = 0;

	for (unsigned t = 0; t < RIG_THREADS; t++)
		n += rig_acquisitions(t, i, c);
	return n;
}

static void check_lines(const struct locks_report *r)
{
	uint64_t last = UINT64_MAX, dynamic = 0;

	tap_int(r->n, RIG_LOCKS * RIG_CALLERS, "a line for each lock and caller");
	for (size_t i = 0; i < r->n; i++) {
		const struct locks_row *sum = &r->line[i].sum;
		const uint64_t waited = locks_sum(&sum->phase[LOCKS_ACQUIRE]);
		const uint64_t n = all(sum->instance - 1, (unsigned)(sum->caller - 0x1000));

		tap_ok(waited <= last, "the longest wait first");
		tap_int(sum->phase[LOCKS_ACQUIRE].n, n, "acquisitions of all threads");
		tap_int(waited, 10 * n, "their time");
		tap_int(locks_sum(&sum->phase[LOCKS_HOLD]), 1000 * n, "the time it was held");
		tap_int(locks_sum(&sum->phase[LOCKS_RELEASE]), 20 * n, "and of the release");
		tap_int(r->line[i].instance->owner_changes, sum->instance - 1, "of this lock");
		if (sum->instance == RIG_LOCKS && sum->caller == 0x1001)
			tap_ok(r->line[i].holder == 0x1002 && r->line[i].holder_ticks == 3,
			       "the thread that it waited for longest");
		else
			tap_int(r->line[i].holder, 0, "it waited for no thread");
		last = waited;
		dynamic += n;
	}
	tap_int(r->all.phase[LOCKS_ACQUIRE].n, dynamic, "the program's acquisitions are the sum");
	tap_int(r->instances, RIG_LOCKS, "its locks");
	tap_int(locks_report_held(r), 0, "none is held");
}

/* Threads t = 1 and 2 are in their last state from tick 1001000 + t to 3000000. */
static void check_times(void)
{
	struct locks_report r;

	locks_report_make(&r, &copy, 9000000);
	check_lines(&r);
	tap_int(r.ticks[LOCKS_WAITING], 300, "time of waiting");
	tap_int(r.ticks[LOCKS_HOLDING], 600, "of holding");
	tap_int(r.ticks[LOCKS_OWN], 30, "of tiptop's own");
	tap_int(r.ticks[LOCKS_FREE], 3 * 690 + 2 * 1999000 - 3,
		"the last state of who lives goes to the end of the process");
	tap_int(locks_report_time(&r), 1000 + 2000000 - 1 + 2000000 - 2,
		"and all states are the time of all threads");
	tap_int(r.own, 3 * 10 * 50, "what measuring took");
	locks_report_done(&r);
	copy.header.end = 0;
	locks_report_make(&r, &copy, 2000000);
	tap_int(locks_report_time(&r), 1000 + 1000000 - 1 + 1000000 - 2,
		"or to the end of who was killed");
	locks_report_done(&r);
}

static void check_other(int fd)
{
	struct locks_thread t;
	struct locks_report r;

	rig_write(fd);
	read_table(fd);
	t = copy.thread[1];
	t.n_unmeasured = 3;
	t.n_too_deep = 4;
	t.n_unmatched = 1;
	t.n_futex = 6;
	t.n_futex_left_out = 2;
	for (int i = 0; i < 3; i++)
		locks_quantity_add(&t.other.phase[LOCKS_ACQUIRE], i ? 0 : 7);
	rig_put(fd, &t, sizeof t, offsetof(struct locks_head, slot[1]));
	read_table(fd);
	locks_report_make(&r, &copy, 0);
	tap_int(r.n, RIG_LOCKS * RIG_CALLERS + 1, "what had no room is a line");
	tap_ok(!r.line[r.n - 1].instance, "of no lock");
	tap_int(locks_sum(&r.line[r.n - 1].sum.phase[LOCKS_ACQUIRE]), 7, "with its time");
	tap_int(locks_report_held(&r), 2, "two are still held: another thread released the third");
	tap_ok(r.n_unmeasured == 3 && r.n_too_deep == 4 && r.n_unmatched == 1 && r.n_futex == 6 &&
		       r.n_futex_left_out == 2,
	       "what is not known is told");
	r.n_unmatched = 4;
	tap_int(locks_report_held(&r), 0,
		"releases of earlier acquisitions make no negative number");
	locks_report_done(&r);
}

static void check_conditions(int fd)
{
	const uint32_t kind = LOCKS_COND;
	struct locks_report r;

	rig_write(fd);
	rig_put(fd, &kind, sizeof kind,
		offsetof(struct locks_head, instance) + offsetof(struct locks_instance, kind));
	read_table(fd);
	locks_report_make(&r, &copy, 0);
	tap_int(r.instances, RIG_LOCKS - 1, "a condition variable is no lock");
	tap_int(r.all.phase[LOCKS_ACQUIRE].n, 96 - (int)(all(0, 0) + all(0, 1)),
		"its waits are no acquisitions");
	tap_int(r.n, RIG_LOCKS * RIG_CALLERS, "but have lines");
	locks_report_done(&r);
	copy.instance[1].several = 1;
	copy.instance[1].generation = 50;
	locks_report_make(&r, &copy, 0);
	tap_ok(r.instances == RIG_LOCKS - 2 + 50 && r.at_least,
	       "several locks are at least as many as their addresses");
	locks_report_done(&r);
}

/* Sets the kind of a lock, and the numbers of its row of a thread and the first caller. */
static void make_futex(uint32_t instance, uint32_t slot, struct locks_futex futex)
{
	copy.instance[instance].kind = LOCKS_FUTEX;
	for (size_t i = 0; i < copy.n_rows; i++)
		if (copy.row[i].instance == instance + 1 && copy.row[i].slot == slot &&
		    copy.row[i].caller == 0x1000)
			copy.row[i].futex = futex;
}

static uint32_t idle_locks(const struct locks_report *r)
{
	uint32_t idle = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->line[i].idle)
			idle |= 1u << (r->line[i].instance - copy.instance);
	return idle;
}

static void check_idle(int fd)
{
	struct locks_report r;
	bool last = false, sorted = true;
	uint64_t ticks = 0;

	rig_write(fd);
	read_table(fd);
	copy.instance[0].kind = LOCKS_COND;
	make_futex(1, 0, (struct locks_futex){.woken = 90, .handed = 44});
	make_futex(2, 0, (struct locks_futex){.woken = 90, .handed = 45});
	make_futex(3, 0, (struct locks_futex){.woken = 90, .inheriting = 1});
	locks_report_make(&r, &copy, 0);
	tap_int(idle_locks(&r), 3,
		"waits for a condition and for a futex that is no lock are idle");
	for (size_t i = 0; i < r.n; i++) {
		sorted = sorted && r.line[i].idle >= last;
		last = r.line[i].idle;
		ticks += last ? locks_estimate_trying(&r.line[i].sum) : 0;
	}
	tap_ok(sorted, "these come last");
	tap_int(r.idle, ticks, "their time");
	tap_int(ticks, 10 * (all(0, 0) + all(0, 1) + all(1, 0) + all(1, 1)), "of all callers");
	locks_report_done(&r);
}

static void check_roles(int fd)
{
	struct locks_report r;

	read_table(fd);
	make_futex(0, 0, (struct locks_futex){.woken = 0});
	make_futex(1, 0, (struct locks_futex){.woken = 20});
	make_futex(2, 1, (struct locks_futex){.woken = 20});
	locks_report_make(&r, &copy, 0);
	tap_int(idle_locks(&r), 3, "of a living thread its rows say that it waits, too");
	locks_report_done(&r);
	read_table(fd);
	make_futex(0, 0, (struct locks_futex){.woken = 15});
	make_futex(1, 0, (struct locks_futex){.woken = 16});
	make_futex(2, 0, (struct locks_futex){.woken = 99, .handed = 99});
	locks_report_make(&r, &copy, 0);
	tap_int(idle_locks(&r), 2, "where few are woken, other futexes of the caller decide");
	locks_report_done(&r);
}

static void check_events(int fd)
{
	struct locks_report r;
	uint64_t n[RIG_EVENTS] = {0};

	rig_write(fd);
	rig_add_events(fd);
	read_table(fd);
	locks_report_make(&r, &copy, 0);
	for (size_t i = 0; i < r.n; i++) {
		const struct locks_quantity *q = r.line[i].counts;
		const struct locks_row *sum = &r.line[i].sum;
		const unsigned lock = sum->instance - 1, caller = (unsigned)(sum->caller - 0x1000);

		tap_int(locks_sum(&q[LOCKS_ACQUIRE]), RIG_COUNT * all(lock, caller),
			"what a lock's acquisitions counted");
		tap_int(locks_sum(&q[LOCKS_RELEASE]), 3 * RIG_COUNT * all(lock, caller),
			"and its releases");
		tap_int(q[LOCKS_PHASES + LOCKS_HOLD].n,
			all(lock, caller) - rig_acquisitions(2, lock, caller),
			"an event is known of those who count it");
		for (int e = 0; e < RIG_EVENTS; e++)
			n[e] += q[e * LOCKS_PHASES].n;
	}
	tap_ok(r.all_counts[0].n == n[0] && r.all_counts[LOCKS_PHASES].n == n[1],
	       "the program's is the sum");
	tap_int(r.count[0][LOCKS_HOLDING], 3 * 200, "what all threads count in a state");
	tap_int(locks_report_count(&r, 0), 3 * 1000, "in all states");
	tap_int(locks_report_count(&r, 1), 2 * 1000, "but who lacks the event");
	tap_ok(!r.lacking[0] && r.lacking[1] == 1, "which is told");
	tap_int(r.own_count[0], 3 * 10 * 30, "what measuring counts");
	tap_int(r.n_alive, 1, "one that had not ended, beside who ended the process");
	locks_report_done(&r);
}

int main(void)
{
	int fd = memfd_create("table", MFD_CLOEXEC);

	rig_write(fd);
	locks_copy_init(&copy);
	read_table(fd);
	check_times();
	check_other(fd);
	check_conditions(fd);
	check_idle(fd);
	check_roles(fd);
	check_events(fd);
	locks_copy_done(&copy);
	close(fd);
	return tap_done();
}
