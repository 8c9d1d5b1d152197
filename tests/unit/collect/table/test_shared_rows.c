/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Readings of a lock in shared memory, summed over processes. */
#include "collect/table/shared_rows.h"

#include "model/fact_list.h"
#include "model/kinds.h"
#include "tap.h"

#define LOCK_FACTS                                                                                 \
	FACT_SET(FACT_ACQUISITIONS, FACT_ACQUIRE_NS, FACT_OWNER_CHANGES, FACT_CALLER, FACT_KIND)

static struct shared_rows *rows;
static struct sample sample;

/* Returns a reading; ns UINT64_MAX: its time is unknown. */
static struct task *reading(const char *program, uint64_t acquisitions, uint64_t ns)
{
	const struct task_texts texts = {.user = "me",
					 .name = "queue",
					 .process = program,
					 .read = {[FACT_CALLER - FACT_FIRST_READ_TEXT] = "main"}};
	struct task *t = task_new(&kind_lock, LOCK_FACTS, 0, &texts);

	task_set_fact(t, FACT_ACQUISITIONS, acquisitions);
	task_set_fact(t, FACT_OWNER_CHANGES, 1);
	if (ns != UINT64_MAX)
		task_set_fact(t, FACT_ACQUIRE_NS, ns);
	t->counting = COUNT_WHOLE;
	return t;
}

/* Adds a reading of a lock at this offset, by a caller. */
static void add_by(uint64_t caller, int pid, uint64_t offset, struct task *t, bool dead)
{
	const struct shared_place place = {
		.kind = LOCKS_MUTEX, .memory = {1, 2, offset}, .file = 3, .offset = caller};

	t->dead = dead;
	shared_rows_add(rows, &place, pid, t);
	task_unref(t);
}

static void add(int pid, uint64_t offset, struct task *t, bool dead)
{
	add_by(4, pid, offset, t, dead);
}

/* Takes the rows; returns their number. */
static int take(void)
{
	sample_reset(&sample);
	shared_rows_take(rows, &sample);
	return (int)sample.n;
}

static uint64_t acquisitions(size_t i)
{
	return task_fact(sample.task[i], FACT_ACQUISITIONS);
}

static void test_sums(void)
{
	const struct task *before;
	uint64_t id;

	add(40, 8, reading("one", 5, 50), false);
	add(40, 16, reading("one", 1, 10), false);
	tap_int(take(), 2, "two locks of one process");
	tap_ok(!strcmp(sample.task[0]->name, "queue") && !strcmp(sample.task[0]->process, "one"),
	       "with its texts");
	tap_ok(sample.task[0]->counting == COUNT_WHOLE, "which are new");
	tap_ok(!fact_in(sample.task[0]->known, FACT_OWNER_CHANGES), "owner changes are unknown");
	id = sample.task[0]->id;
	add(40, 8, reading("one", 5, 50), false);
	add(41, 8, reading("two", 7, 70), false);
	tap_int(take(), 1, "a lock of two processes; one that was not added again is gone");
	tap_ok(acquisitions(0) == 12 && task_fact(sample.task[0], FACT_ACQUIRE_NS) == 120,
	       "is one row");
	tap_ok(sample.task[0]->id == id && sample.task[0]->counting == COUNT_NONE,
	       "the same as before");
	tap_str(sample.task[0]->name, "queue inode 2+0x8", "by inode and offset");
	tap_str(sample.task[0]->process, "2 processes", "the number of processes");
	tap_str(task_text(sample.task[0], FACT_CALLER), "main", "and its caller");
	before = sample.task[0];
	add(40, 8, reading("one", 5, 50), false);
	add(41, 8, reading("two", 7, 70), false);
	tap_ok(take() == 1 && sample.task[0] == before, "an idle row has the same reading");
	add(40, 8, reading("one", 6, 60), true);
	add(41, 8, reading("two", 7, UINT64_MAX), false);
	take();
	tap_ok(acquisitions(0) == 13 && !sample.task[0]->dead, "a process ends");
	tap_ok(!fact_in(sample.task[0]->known, FACT_ACQUIRE_NS), "a number of one is unknown");
	add(41, 8, reading("two", 8, 80), false);
	take();
	tap_ok(acquisitions(0) == 14 && task_fact(sample.task[0], FACT_ACQUIRE_NS) == 140,
	       "what it did stays in the sums");
	add(41, 8, reading("two", 9, 90), true);
	take();
	tap_ok(acquisitions(0) == 15 && sample.task[0]->dead, "the row ends with the last one");
	tap_int(take(), 0, "and is gone");
	add(42, 8, reading("next", 1, 10), false);
	tap_ok(take() == 1 && acquisitions(0) == 1 && sample.task[0]->id != id,
	       "a later one is another row");
	id = sample.task[0]->id;
	shared_rows_reset(rows);
	add(42, 8, reading("next", 1, 10), false);
	tap_ok(take() == 1 && sample.task[0]->id != id, "so is each after a reset");
	add(42, 8, reading("next", 1, 10), false);
	add_by(5, 43, 8, reading("other", 3, 10), false);
	tap_int(take(), 2, "each caller has a row");
	tap_str(sample.task[1]->name, "queue inode 2+0x8", "of a lock of two processes");
	tap_str(sample.task[1]->process, "other", "whose program is known");
}

int main(void)
{
	rows = shared_rows_new();
	sample_init(&sample);
	test_sums();
	sample_done(&sample);
	shared_rows_free(rows);
	return tap_done();
}
