/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counts of a child before a sample first saw it: they are in the rest until the child exits,
 * and then move to its last row. */
#include "collect/command/ended_children.h"

#include "ended_rig.h"

static double total(const struct delta_row *row)
{
	return row && value_known(row->total[0]) ? row->total[0].number : -1;
}

/* A child that exits with a total of 430. Its row had 100 in the last sample, and gets 20 more in
 * the next one. threads: the number of its threads, which all exit. */
static void end_seen(struct scene *s, uint32_t threads)
{
	struct sample *sample;
	struct descendant *kin;
	struct task *t;

	begin(s, true);
	put_task(&s->kernel, 0, PERF_RECORD_FORK, 50, TID, 50, 10);
	for (uint32_t i = 1; i < threads; i++)
		put_task(&s->kernel, 0, PERF_RECORD_FORK, 50, 50, 50 + i, 11);
	descendants_read(s->kin);
	step(s, 10);
	sum(s, 250);
	add_rows(s, true);
	sample = step(s, 10);
	t = seen(s, 50);
	t->gap = true; /* its counters were opened in this interval */
	sample_add(sample, t);
	sum(s, 330);
	add_rows(s, true);
	for (uint32_t i = threads; i-- > 0;)
		put_task(&s->kernel, 0, PERF_RECORD_EXIT, 50, TID, 50 + i, SECOND + 9 - i);
	descendants_read(s->kin);
	kin = descendants_find(s->kin, 50);
	kin->count = xcalloc(EVENTS, sizeof *kin->count);
	kin->count[0] = kin->count[1] = (struct count){430, 430, 430};
	kin->members = 3;
	kin->reported = threads;
	sample = step(s, 10);
	t = seen(s, 50);
	t->count[0] = t->count[1] = (struct count){120, 120, 120};
	add_dead(sample, t);
	sum(s, 440);
}

/* When a child that was seen exits, its total gains the counts from before it was seen. The
 * increment of its last interval does not. */
static void test_past(void)
{
	struct scene s;

	end_seen(&s, 1);
	tap_num(total(row_of(&s, &kind_rest, 0)), 240, "so far it is in the rest");
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_task, 50)), 430, "its last row has all that it did");
	tap_num(increment(row_of(&s, &kind_task, 50)), 20, "and its interval what it did there");
	tap_num(total(row_of(&s, &kind_rest, 0)), 0, "the rest has it no more");
	tap_num(increment(row_of(&s, &kind_rest, 0)), 410 - 320, "it grew by what was not seen");
	step(&s, 10);
	sum(&s, 447);
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_rest, 0)), 7, "from there it grows again");
	end(&s);
}

/* The counts of the first reading are in the child's total, and in the increment of the rest, but
 * in no increment of the child. */
static void test_first_reading(void)
{
	struct sample *sample;
	struct scene s;
	struct task *t;

	begin(&s, true);
	child(&s, 49, SECOND + 10, 5, true);
	step(&s, 10);
	sum(&s, 15);
	add_rows(&s, true);
	put_task(&s.kernel, 0, PERF_RECORD_FORK, 50, TID, 50, 2 * SECOND);
	descendants_read(s.kin);
	sample = step(&s, 10);
	t = seen(&s, 50);
	t->gap = true;
	sample_add(sample, t);
	sum(&s, 130);
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_task, 50)), 100, "its total has it");
	tap_int(row_of(&s, &kind_task, 50)->increment[0].quality, QUALITY_FRESH,
		"its interval has not");
	tap_num(increment(row_of(&s, &kind_rest, 0)), 115, "an interval of the rest has it");
	tap_num(total(row_of(&s, &kind_rest, 0)), 15, "the total of the rest has not");
	end(&s);
}

/* A child that slept when it was seen, and exited before its counters were opened, has a total but
 * no increment. */
static void test_past_alone(void)
{
	const struct delta_row *row;
	struct task *t;
	struct scene s;

	end_seen(&s, 1);
	free(descendants_find(s.kin, 50)->shown);
	descendants_find(s.kin, 50)->shown = NULL;
	s.sample[0]->task[1]->counting = COUNT_IDLE;
	t = task_new(&kind_task, FACT_NONE, 0, &(struct task_texts){.name = "cc1"});
	t->id = t->owner = 50;
	t->start_ns = SECOND;
	t->counting = COUNT_GONE;
	t->dead = t->lost = true;
	task_set_events(t, s.events);
	task_unref(s.sample[1]->task[1]);
	s.sample[1]->task[1] = t;
	add_rows(&s, true);
	row = row_of(&s, &kind_task, 50);
	tap_num(total(row), 430, "all that it did");
	tap_int(row->increment[0].quality, QUALITY_FRESH, "and in no interval");
	end(&s);
}

/* Earlier counts do not move to the child's row if the row is of one thread of several, if the
 * counts are incomplete or scaled, or if the counters were closed for a time. */
static void test_no_past(void)
{
	struct scene s;

	end_seen(&s, 2);
	s.sample[1]->threads = true;
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_task, 50)), 120, "rows are threads, and it had two");
	end(&s);
	end_seen(&s, 2);
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_task, 50)), 430, "rows are processes: all of its threads");
	end(&s);
	end_seen(&s, 1);
	descendants_find(s.kin, 50)->reported = 0;
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_task, 50)), 120, "its counts were lost");
	tap_num(total(row_of(&s, &kind_rest, 0)), 310, "they are in the rest");
	end(&s);
	end_seen(&s, 1);
	descendants_find(s.kin, 50)->count[0].running_ns--;
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_task, 50)), 120, "its counter took turns");
	end(&s);
	end_seen(&s, 1);
	s.sample[1]->task[1]->gap = true;
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_task, 50)), 100,
		"counters that were closed in between: what was lost there is unknown");
	end(&s);
}

/* The command total may be read before a child's last work, or before another child's status
 * arrived. The rest is not below 0 then. */
static void test_past_ahead(void)
{
	struct scene s;

	end_seen(&s, 1);
	child(&s, 51, SECOND + 20, 40, false);
	sum(&s, 340);
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_task, 50)), 430, "all that it did");
	tap_num(total(row_of(&s, &kind_rest, 0)), 0, "the rest is never below 0");
	tap_num(increment(row_of(&s, &kind_rest, 0)), 410 - 320, "what was not seen is known now");
	end(&s);
}

int main(void)
{
	test_past();
	test_first_reading();
	test_past_alone();
	test_no_past();
	test_past_ahead();
	return tap_done();
}
