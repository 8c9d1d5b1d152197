/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of locks, from made-up tables. */
#include <errno.h>
#include <sys/mman.h>

#include "collect/table/profile_rows.h"
#include "locks_rig.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "tap.h"

/* One row for each lock and caller of the rig. */
#define ROWS (RIG_LOCKS * RIG_CALLERS)

static const struct table_process process = {
	.pid = 4711, .user = (char[]){"alice"}, .name = (char[]){"prog"}};
static struct machine machine;
static void *table;
static int fd;

static int read_now(bool ended)
{
	struct err err = ERR_INIT;

	return lock_tables.read(table, fd, ended, &err);
}

static void begin(void)
{
	fd = memfd_create("table", MFD_CLOEXEC);
	rig_write(fd);
	table = lock_tables.make(&machine);
}

static void end(void)
{
	lock_tables.free(table);
	close(fd);
}

/* Returns the index of the row with this caller and number of acquisitions, and its reading;
 * SIZE_MAX if there is none. */
static size_t find(const char *caller, uint64_t acquisitions, struct task **out)
{
	for (size_t i = 0; i < lock_tables.n(table); i++) {
		struct task *t = lock_tables.row(table, i, &process);

		if (!strcmp(task_text(t, FACT_CALLER), caller) &&
		    task_fact(t, FACT_ACQUISITIONS) == acquisitions) {
			*out = t;
			return i;
		}
		task_unref(t);
	}
	*out = NULL;
	return SIZE_MAX;
}

static uint64_t all_of(unsigned lock, unsigned caller)
{
	uint64_t n = 0;

	for (unsigned t = 0; t < RIG_THREADS; t++)
		n += rig_acquisitions(t, lock, caller);
	return n;
}

static bool knows(const struct task *t, int fact)
{
	return fact_in(t->known, fact);
}

static void check_facts(void)
{
	const uint64_t n = all_of(3, 1);
	struct task *t;

	begin();
	tap_int(read_now(false), 0, "a table is read");
	tap_int(lock_tables.n(table), ROWS, "a row for each lock and caller");
	find("?program+0x0", n, &t);
	tap_ok(t != NULL, "with the acquisitions of all threads");
	if (!t)
		return;
	tap_ok(t->kind == &kind_lock && !strcmp(t->name, "[?program+0x10]"),
	       "a lock without a name has that of its first caller");
	tap_str(task_text(t, FACT_KIND), "mutex", "and a kind");
	tap_str(t->process, "prog", "the program is that of the process");
	tap_int(task_fact(t, FACT_CONTENDED), RIG_THREADS, "how often it was taken");
	tap_int(task_fact(t, FACT_ACQUIRE_NS), 10 * n, "how long it took to acquire it");
	tap_int(task_fact(t, FACT_TRYING_NS), 10 * n, "all of the time that was tried to");
	tap_int(task_fact(t, FACT_HOLDS), n, "how often it was held");
	tap_int(task_fact(t, FACT_HOLD_NS), 1000 * n, "and how long");
	tap_int(task_fact(t, FACT_RELEASES), n, "how often it was released");
	tap_int(task_fact(t, FACT_RELEASE_NS), 20 * n, "and how long that took");
	tap_ok(!knows(t, FACT_OWNER_CHANGES), "the owner is known for its first caller only");
	task_unref(t);
	end();
}

/* A thread acquires a lock once more, and two new instances appear: a lock and a condition
 * variable. */
static void check_changes(void)
{
	struct locks_header h = rig_header();
	const struct locks_instance lock = {
		.address = 0x6000, .first_caller = 0x1000, .owner_changes = 3, .generation = 1};
	const struct locks_instance cond = {.address = 0x6040, .generation = 1, .kind = LOCKS_COND};
	const uint64_t n = all_of(1, 0);
	struct locks_row row;
	struct task *t;
	size_t i, idle = 0;

	begin();
	read_now(false);
	i = find("0x1000", n, &t);
	task_unref(t);
	for (size_t k = 0; k < ROWS; k++)
		task_unref(lock_tables.row(table, k, &process));
	read_now(false);
	for (size_t k = 0; k < ROWS; k++)
		idle += lock_tables.is_idle(table, k);
	tap_int(idle, ROWS, "all rows are idle while nothing happens");
	h.n_instances += 2;
	h.n_rows += 2;
	rig_put(fd, &h, sizeof h, 0);
	rig_put(fd, &lock, sizeof lock,
		offsetof(struct locks_head, instance) + RIG_LOCKS * sizeof lock);
	rig_put(fd, &cond, sizeof cond,
		offsetof(struct locks_head, instance) + (RIG_LOCKS + 1) * sizeof cond);
	rig_fill_row(&row, 1, RIG_LOCKS, 0);
	rig_put(fd, &row, sizeof row, locks_row_offset(RIG_ROWS + 1));
	rig_fill_row(&row, 1, RIG_LOCKS + 1, 0);
	rig_put(fd, &row, sizeof row, locks_row_offset(RIG_ROWS + 2));
	/* The row of ended threads. */
	rig_fill_row(&row, 0, 1, 0);
	locks_quantity_add(&row.phase[LOCKS_ACQUIRE], 90);
	rig_put(fd, &row, sizeof row, locks_row_offset(2));
	tap_int(read_now(false), 0, "what has changed is read");
	tap_int(lock_tables.n(table), ROWS + 2, "two rows are new");
	tap_ok(!lock_tables.is_idle(table, i), "one is not idle");
	t = lock_tables.row(table, i, &process);
	tap_ok(task_fact(t, FACT_ACQUISITIONS) == n + 1 &&
		       task_fact(t, FACT_ACQUIRE_NS) == 10 * n + 90,
	       "and kept its number");
	task_unref(t);
	for (size_t k = ROWS; k < ROWS + 2; k++) {
		t = lock_tables.row(table, k, &process);
		if (!strcmp(task_text(t, FACT_KIND), "cond"))
			tap_ok(!knows(t, FACT_CONTENDED) && !knows(t, FACT_OWNER_CHANGES),
			       "a lock of unknown owner is not held");
		else
			tap_ok(knows(t, FACT_OWNER_CHANGES) &&
				       task_fact(t, FACT_OWNER_CHANGES) == 3,
			       "the first caller of a lock has its changes of owners");
		task_unref(t);
	}
	end();
}

/* Acquisitions for which the table had no space are a row "other". If the table becomes invalid,
 * the rows read before remain. */
static void check_rest(void)
{
	const size_t other =
		offsetof(struct locks_head, slot[1]) + offsetof(struct locks_thread, other);
	struct locks_row row;
	struct task *t;

	begin();
	rig_fill_row(&row, 1, 9, 0);
	row.instance = 0;
	rig_put(fd, &row, sizeof row, other);
	read_now(true);
	tap_int(lock_tables.n(table), ROWS + 1, "what had no room is a row");
	find("-", rig_acquisitions(1, 9, 0), &t);
	tap_str(t ? t->name : "", "other", "with this name");
	task_unref(t);
	rig_put(fd, "nonsense", 8, 0);
	tap_int(read_now(true), -EBADMSG, "a table that is none any more");
	tap_int(lock_tables.n(table), ROWS + 1, "leaves what was read");
	end();
}

/* Returns whether the time of acquisitions, and that of all attempts, are known of row i. */
static void check_times(size_t i, bool known, const char *what)
{
	struct task *t = lock_tables.row(table, i, &process);

	tap_ok(knows(t, FACT_ACQUIRE_NS) == known, "%s: the time of acquisitions", what);
	tap_ok(knows(t, FACT_TRYING_NS) == known, "%s: the time of attempts", what);
	task_unref(t);
}

/* With sampling, a new lock is acquired five times; the fifth acquisition is timed. */
static void check_sampled(void)
{
	struct locks_header h = rig_header();
	const struct locks_instance lock = {.address = 0x6000, .generation = 1};
	struct locks_row row = {.sequence = 2,
				.instance = RIG_LOCKS + 1,
				.slot = 1,
				.caller = 0x1000,
				.untimed = {4, 4, 4}};

	begin();
	h.sample = 100;
	rig_put(fd, &h, sizeof h, 0);
	read_now(false);
	h.n_instances++;
	h.n_rows++;
	rig_put(fd, &h, sizeof h, 0);
	rig_put(fd, &lock, sizeof lock, offsetof(struct locks_head, instance[RIG_LOCKS]));
	rig_put(fd, &row, sizeof row, locks_row_offset(RIG_ROWS + 1));
	read_now(false);
	check_times(ROWS, false, "unknown while none was timed");
	locks_quantity_add(&row.phase[LOCKS_ACQUIRE], 10);
	rig_put(fd, &row, sizeof row, locks_row_offset(RIG_ROWS + 1));
	read_now(false);
	check_times(ROWS, true, "estimated when one was timed");
	end();
}

/* Finds the places of the rows of locks in shared memory. Returns their number. */
static size_t find_shared(struct shared_place place[RIG_CALLERS])
{
	struct shared_place one;
	size_t n = 0;

	for (size_t i = 0; i < lock_tables.n(table); i++)
		if (lock_tables.shared(table, i, &one) && n++ < RIG_CALLERS)
			place[n - 1] = one;
	return n;
}

/* The last lock is in shared memory. Then the table becomes invalid, with numbers of modules and
 * locks that it does not have. */
static void check_shared(void)
{
	const struct locks_memory memory = {.device = 1, .inode = 2, .offset = 3};
	struct shared_place before[RIG_CALLERS], after[RIG_CALLERS];
	struct locks_header h = rig_header();

	begin();
	rig_put(fd, &memory, sizeof memory,
		offsetof(struct locks_head, instance[RIG_LOCKS - 1].memory));
	read_now(true);
	tap_int(find_shared(before), RIG_CALLERS, "a lock in shared memory, by each caller");
	tap_ok(!memcmp(&before[0].memory, &memory, sizeof memory), "with its place");
	h.n_modules = h.n_instances = UINT32_MAX;
	rig_put(fd, &h, sizeof h, 0);
	tap_int(read_now(true), -EBADMSG, "a table with more files than it has room for");
	tap_ok(find_shared(after) == RIG_CALLERS && !memcmp(before, after, sizeof before),
	       "leaves the places of the locks and callers");
	end();
}

int main(void)
{
	check_facts();
	check_changes();
	check_sampled();
	check_shared();
	check_rest();
	return tap_done();
}
