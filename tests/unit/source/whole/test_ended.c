/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of children that nobody saw, and of what is left of the whole. */
#include "source/whole/ended.h"

#include <signal.h>

#include "base/clock.h"
#include "base/mem.h"
#include "exit_rig.h"
#include "life_rig.h"
#include "model/delta.h"
#include "model/kinds.h"
#include "tap.h"

#define SECOND 1000000000ull
#define EVENTS 2 /* faults, and the task clock */
#define CLOCK  1

struct scene {
	struct fake kernel;
	struct kin_list *kin;
	struct ended *ended;
	struct sample_events *events;
	struct count count[EVENTS];
	struct ended_whole whole;
	struct sample *sample[2]; /* before, and now */
	struct delta delta[2];
	uint32_t n;
};

static void begin(struct scene *s, bool each)
{
	const struct sample_event event[EVENTS] = {
		{.given = "faults", .pmu = "software", .kind = EVENT_SOFTWARE, .config = 2},
		{.given = "clock", .pmu = "software", .kind = EVENT_SOFTWARE, .config = 1},
	};

	*s = (struct scene){.kernel = fake(0), .ended = ended_new()};
	s->kin = kin_open(&s->kernel.sys, CPUS, TID);
	s->events = sample_events_new(event, EVENTS);
	s->whole = (struct ended_whole){.command = TID,
					.events = s->events,
					.count = s->count,
					.clock = CLOCK,
					.each = each};
	delta_init(&s->delta[0]);
	delta_init(&s->delta[1]);
}

static void end(struct scene *s)
{
	ended_free(s->ended);
	kin_free(s->kin);
	delta_done(&s->delta[0]);
	delta_done(&s->delta[1]);
	sample_unref(s->sample[0]);
	sample_unref(s->sample[1]);
	sample_events_unref(s->events);
	tap_int(s->kernel.n_open + s->kernel.n_mapped, 0, "nothing stays open or mapped");
}

/* The next sample, a second later, with the command, which has counted so much. */
static struct sample *step(struct scene *s, uint64_t faults)
{
	struct sample *sample = sample_new();
	struct task *t = task_new(&kind_task, FACT_BIT(FACT_CPU_NS), EVENTS,
				  &(struct task_texts){.name = "sh", .user = "me"});

	sample_unref(s->sample[0]);
	s->sample[0] = s->sample[1];
	s->sample[1] = sample;
	sample->number = ++s->n;
	sample->mono_ns = sample->boot_ns = s->n * SECOND;
	sample->one_set = true;
	t->id = t->owner = TID;
	t->uid = 7;
	t->counting = COUNT_OK;
	t->count[0] = (struct count){faults, faults, faults};
	t->count[1] = t->count[0];
	task_set_fact(t, FACT_CPU_NS, faults);
	task_set_events(t, s->events);
	sample_add(sample, t);
	return sample;
}

static void sum(struct scene *s, uint64_t faults)
{
	s->count[0] = s->count[1] = (struct count){faults, faults, faults};
}

/* A child that has begun and ended, and counted so much in one thread. */
static void child(struct scene *s, uint32_t pid, uint64_t at, uint64_t faults, bool told)
{
	struct kin *kin;

	put_task(&s->kernel, 0, PERF_RECORD_FORK, pid, TID, pid, at);
	put_name(&s->kernel, 0, pid, pid, "cc1", at + 1);
	kin_take(s->kin);
	kin = kin_find(s->kin, (pid_t)pid);
	if (told) {
		kin->count = xcalloc(EVENTS, sizeof *kin->count);
		kin->count[0] = kin->count[1] = (struct count){faults, faults, faults};
		kin->members = 3;
		kin->told = 1;
	}
	put_task(&s->kernel, 0, PERF_RECORD_EXIT, pid, TID, pid, at + 5);
	kin_take(s->kin);
}

static void add_rows(struct scene *s, bool wanted)
{
	struct delta *old = &s->delta[s->n & 1], *new = &s->delta[~s->n & 1];

	ended_add_rows(s->ended, s->kin, &s->whole, wanted, s->sample[1]);
	delta_compute(new, s->sample[0] ? old : NULL, s->sample[0], s->sample[1]);
}

static const struct delta_row *row_of(const struct scene *s, const struct kind *kind, uint64_t id)
{
	const struct delta *d = &s->delta[~s->n & 1];

	for (size_t i = 0; i < d->n; i++)
		if (d->row[i].task->kind == kind && d->row[i].task->id == id)
			return &d->row[i];
	return NULL;
}

static double increment(const struct delta_row *row)
{
	return row && value_known(row->increment[0]) ? row->increment[0].number : -1;
}

/* A child in a sample. */
static struct task *seen(const struct scene *s, uint64_t pid)
{
	struct task *t = task_new(&kind_task, 0, EVENTS, &(struct task_texts){.name = "cc1"});

	t->id = t->owner = pid;
	t->start_ns = SECOND;
	t->counting = COUNT_OK;
	t->count[0] = t->count[1] = (struct count){100, 100, 100};
	task_set_events(t, s->events);
	return t;
}

/* /proc has forgotten it. */
static void add_dead(struct sample *sample, struct task *t)
{
	t->dead = t->lost = true;
	sample_add(sample, t);
}

static void test_children(void)
{
	const struct delta_row *row;
	struct scene s;

	begin(&s, true);
	step(&s, 10);
	sum(&s, 10);
	add_rows(&s, true);
	tap_int((int)s.sample[1]->n, 1, "no child: no row but that of the command");
	child(&s, 50, SECOND + 10, 300, true);
	child(&s, 51, SECOND + 20, 40, false);
	step(&s, 15);
	sum(&s, 1015);
	add_rows(&s, true);
	row = row_of(&s, &kind_task, 50);
	tap_ok(row && row->task->dead, "a child that has come and gone has a row");
	tap_num(increment(row), 300, "with all that it has counted");
	tap_num(row->total[0].number, 300, "in total, too");
	tap_num(row->cpu_ns.number, 300, "the task clock is its CPU time");
	tap_str(row->task->name, "cc1", "its name");
	tap_str(row->task->user, "me", "its user");
	tap_int(row->task->uid, 7, "by number");
	tap_int((int)task_fact(row->task, FACT_PPID), TID, "who made it");
	tap_ok(!s.sample[1]->one_set && s.sample[1]->task[0]->id == TID, "the sample is in order");
	tap_ok(!row_of(&s, &kind_task, 51), "of one whose counts have not come, it waits");
	tap_ok(!row_of(&s, &kind_rest, 0), "and so does the rest, which may be its counts");
	step(&s, 15);
	add_rows(&s, true);
	tap_num(increment(row_of(&s, &kind_rest, 0)), 700, "what no row has is the rest");
	row = row_of(&s, &kind_task, 51);
	tap_ok(row && row->task->counting == COUNT_GONE, "but only for one sample");
	tap_num(increment(row), -1, "what it has counted is unknown, not 0");
	tap_ok(!row_of(&s, &kind_task, 50), "a row comes once");
	step(&s, 15);
	add_rows(&s, true);
	tap_ok(!row_of(&s, &kind_rest, 0), "a rest that has not grown did nothing");
	end(&s);
}

/* What waits to be told how it ended is in the whole, and is not in the rest before it has a row.
 */
static void test_waiting(void)
{
	struct fake_exits says = fake_exits(0);
	struct scene s;

	begin(&s, true);
	kin_listen(s.kin, exits_open(&says.sys));
	put_exit(&says, PROC_EVENT_EXIT, 99, 99, 0);
	step(&s, 10);
	sum(&s, 10);
	add_rows(&s, true);
	child(&s, 50, SECOND + 10, 300, true);
	child(&s, 51, SECOND + 20, 40, true);
	put_exit(&says, PROC_EVENT_EXIT, 51, 51, 0);
	kin_take(s.kin);
	step(&s, 10);
	sum(&s, 357);
	add_rows(&s, true);
	tap_ok(!row_of(&s, &kind_task, 50) && !row_of(&s, &kind_task, 51),
	       "the first one waits, and what is behind it");
	tap_num(increment(row_of(&s, &kind_rest, 0)), 7, "the rest is without both");
	step(&s, 10);
	add_rows(&s, true);
	tap_num(increment(row_of(&s, &kind_task, 50)) + increment(row_of(&s, &kind_task, 51)), 340,
		"which then have their rows");
	tap_num(row_of(&s, &kind_rest, 0) ? 1 : 0, 0, "so all together are the whole");
	end(&s);
}

static double fact_of(const struct delta_row *row, enum fact f)
{
	const struct value v = delta_fact(row, f);

	return v.quality == QUALITY_EXACT ? v.number : 1e9;
}

/* Rows of the source that have ended are told how, and so is that of the command. */
static void test_how(void)
{
	struct fake_exits says = fake_exits(0);
	const struct delta_row *row;
	struct sample *sample;
	struct scene s;

	begin(&s, true);
	kin_listen(s.kin, exits_open(&says.sys));
	step(&s, 10);
	add_rows(&s, true);
	child(&s, 50, SECOND + 10, 300, true);
	child(&s, 51, SECOND + 20, 40, true);
	put_exit(&says, PROC_EVENT_EXIT, 50, 50, 3 << 8);
	kin_take(s.kin);
	sample = step(&s, 10);
	add_dead(sample, seen(&s, 51));
	add_rows(&s, true);
	row = row_of(&s, &kind_task, 50);
	tap_num(fact_of(row, FACT_EXIT), 3, "one that nobody saw: its status");
	tap_num(fact_of(row, FACT_LIFE_NS), 5, "and how long it lived");
	row = row_of(&s, &kind_task, 51);
	tap_num(fact_of(row, FACT_EXIT), 1e9, "one whose end was not heard has no status");
	tap_num(fact_of(row, FACT_LIFE_NS), 5, "but lived so long");
	tap_ok(!(row_of(&s, &kind_task, TID)->task->room & FACT_BIT(FACT_EXIT)),
	       "the command lives");
	child(&s, 52, SECOND + 30, 40, true);
	put_exit(&says, PROC_EVENT_EXIT, 52, 52, SIGSEGV | 0x80);
	child(&s, 53, SECOND + 40, 40, true);
	sample = step(&s, 10);
	add_dead(sample, seen(&s, 52));
	sample->task[0]->dead = true;
	put_task(&s.kernel, 0, PERF_RECORD_EXIT, TID, 1, TID, clock_ns(CLOCK_BOOTTIME));
	kin_take(s.kin);
	s.whole.how_known = true;
	s.whole.how = SIGTERM;
	add_rows(&s, true);
	tap_num(fact_of(row_of(&s, &kind_task, 52), FACT_EXIT), -SIGSEGV, "by a signal");
	row = row_of(&s, &kind_task, TID);
	tap_num(fact_of(row, FACT_EXIT), -SIGTERM, "the command");
	tap_ok(fact_of(row, FACT_LIFE_NS) > 0 && fact_of(row, FACT_LIFE_NS) < 1e9 * 1e9,
	       "since it was followed");
	tap_ok(row_of(&s, &kind_task, 53), "behind its end nothing is waited for");
	end(&s);
}

/* One that a sample has shown has its last row from there. */
static void test_seen(void)
{
	struct sample *sample;
	struct scene s;

	begin(&s, true);
	put_task(&s.kernel, 0, PERF_RECORD_FORK, 50, TID, 50, 10);
	kin_take(s.kin);
	sample = step(&s, 10);
	sample_add(sample, seen(&s, 50));
	sum(&s, 150);
	add_rows(&s, true);
	put_task(&s.kernel, 0, PERF_RECORD_EXIT, 50, TID, 50, SECOND + 5);
	kin_take(s.kin);
	step(&s, 10);
	sum(&s, 170);
	add_rows(&s, true);
	tap_ok(!row_of(&s, &kind_task, 50), "no second row");
	tap_num(row_of(&s, &kind_rest, 0)->total[0].number, 60,
		"what it did before it was seen, and after, is in the rest");
	end(&s);
}

static double total(const struct delta_row *row)
{
	return row && value_known(row->total[0]) ? row->total[0].number : -1;
}

/* A child that has ended with 430, of which its row has had 100 in the last sample and gets 20
 * more; threads: how many of it have ended. */
static void end_seen(struct scene *s, uint32_t threads)
{
	struct sample *sample;
	struct kin *kin;
	struct task *t;

	begin(s, true);
	put_task(&s->kernel, 0, PERF_RECORD_FORK, 50, TID, 50, 10);
	for (uint32_t i = 1; i < threads; i++)
		put_task(&s->kernel, 0, PERF_RECORD_FORK, 50, 50, 50 + i, 11);
	kin_take(s->kin);
	step(s, 10);
	sum(s, 250);
	add_rows(s, true);
	sample = step(s, 10);
	t = seen(s, 50);
	t->gap = true; /* its counters were opened */
	sample_add(sample, t);
	sum(s, 330);
	add_rows(s, true);
	for (uint32_t i = threads; i-- > 0;)
		put_task(&s->kernel, 0, PERF_RECORD_EXIT, 50, TID, 50 + i, SECOND + 9 - i);
	kin_take(s->kin);
	kin = kin_find(s->kin, 50);
	kin->count = xcalloc(EVENTS, sizeof *kin->count);
	kin->count[0] = kin->count[1] = (struct count){430, 430, 430};
	kin->members = 3;
	kin->told = threads;
	sample = step(s, 10);
	t = seen(s, 50);
	t->count[0] = t->count[1] = (struct count){120, 120, 120};
	add_dead(sample, t);
	sum(s, 440);
}

/* One that a sample has shown gets what it did before with its end, and in no interval. */
static void test_past(void)
{
	struct scene s;

	end_seen(&s, 1);
	tap_num(total(row_of(&s, &kind_rest, 0)), 240, "so far it is in the rest");
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_task, 50)), 430, "its last row has all that it did");
	tap_num(increment(row_of(&s, &kind_task, 50)), 20, "and its interval what it did there");
	tap_num(total(row_of(&s, &kind_rest, 0)), 0, "the rest has it no more");
	tap_num(increment(row_of(&s, &kind_rest, 0)), 310 - 240, "it grew by what was not seen");
	step(&s, 10);
	sum(&s, 447);
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_rest, 0)), 7, "from there it grows again");
	end(&s);
}

/* One that slept when it was seen, and then did all the rest at once, never had counters. */
static void test_past_alone(void)
{
	const struct delta_row *row;
	struct task *t;
	struct scene s;

	end_seen(&s, 1);
	free(kin_find(s.kin, 50)->shown);
	kin_find(s.kin, 50)->shown = NULL;
	s.sample[0]->task[1]->counting = COUNT_IDLE;
	t = task_new(&kind_task, 0, 0, &(struct task_texts){.name = "cc1"});
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

/* What is told to somebody else, or not for sure, stays where it is. */
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
	kin_find(s.kin, 50)->told = 0;
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_task, 50)), 120, "its counts were lost");
	tap_num(total(row_of(&s, &kind_rest, 0)), 310, "they are in the rest");
	end(&s);
	end_seen(&s, 1);
	kin_find(s.kin, 50)->count[0].running_ns--;
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_task, 50)), 120, "its counter took turns");
	end(&s);
	end_seen(&s, 1);
	s.sample[1]->task[1]->gap = true;
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_task, 50)), 100,
		"counters that were closed in between: nobody knows what was lost there");
	end(&s);
}

/* The whole was read while the child had not got so far, or waits for others: what it gives was
 * there nevertheless. */
static void test_past_ahead(void)
{
	struct scene s;

	end_seen(&s, 1);
	child(&s, 51, SECOND + 20, 40, false);
	sum(&s, 340);
	add_rows(&s, true);
	tap_num(total(row_of(&s, &kind_task, 50)), 430, "all that it did");
	tap_num(total(row_of(&s, &kind_rest, 0)), 0, "the rest is never below 0");
	tap_num(increment(row_of(&s, &kind_rest, 0)), 310 - 240, "what was not seen is known now");
	end(&s);
}

/* One that had ended before it could get counters of its own. */
static void test_gone(void)
{
	struct sample *sample;
	struct task *t;
	struct scene s;

	begin(&s, true);
	step(&s, 10);
	sum(&s, 10);
	add_rows(&s, true);
	child(&s, 50, SECOND + 10, 300, true);
	child(&s, 51, SECOND + 20, 0, false);
	sample = step(&s, 10);
	for (uint64_t id = 50; id <= 51; id++) {
		t = task_new(&kind_task, 0, 0, &(struct task_texts){.name = "cc1"});
		t->id = t->owner = id;
		t->start_ns = SECOND;
		t->counting = COUNT_GONE;
		t->dead = true;
		task_set_events(t, s.events);
		sample_add(sample, t);
	}
	sum(&s, 400);
	add_rows(&s, true);
	tap_int((int)s.sample[1]->n, 4, "the command, two children and the rest");
	tap_num(increment(row_of(&s, &kind_task, 50)), 300, "what is known better takes its place");
	tap_num(increment(row_of(&s, &kind_task, 51)), -1, "what is not stays");
	step(&s, 10);
	add_rows(&s, true);
	tap_int((int)s.sample[1]->n, 2, "none comes twice");
	end(&s);
}

/* The sum over all rows is the whole, whatever is opened anew, and never too much before. */
static void test_sum(void)
{
	double all = 0;
	struct scene s;

	begin(&s, true);
	step(&s, 10);
	sum(&s, 10);
	add_rows(&s, true);
	all += s.delta[~s.n & 1].row[0].total[0].number;
	child(&s, 50, SECOND + 10, 300, true);
	/* The row is read after the whole, and is ahead. */
	step(&s, 20);
	sum(&s, 315);
	add_rows(&s, true);
	all += increment(row_of(&s, &kind_task, TID)) + increment(row_of(&s, &kind_task, 50));
	tap_ok(!row_of(&s, &kind_rest, 0), "a row that is ahead makes no rest below 0");
	step(&s, 25);
	sum(&s, 425);
	add_rows(&s, true);
	all += increment(row_of(&s, &kind_task, TID)) + increment(row_of(&s, &kind_rest, 0));
	tap_num(all, 425, "the rows are the whole");
	/* Other counters for the same events. */
	step(&s, 5);
	s.sample[1]->generation = 2;
	sum(&s, 530);
	add_rows(&s, true);
	tap_num(row_of(&s, &kind_rest, 0)->total[0].number, 200,
		"counters that are opened anew have not counted before");
	end(&s);
}

static void test_unwanted(void)
{
	struct scene s;

	begin(&s, false);
	step(&s, 10);
	sum(&s, 10);
	add_rows(&s, false);
	child(&s, 50, SECOND + 10, 0, false);
	step(&s, 10);
	sum(&s, 110);
	add_rows(&s, false);
	tap_int((int)s.sample[1]->n, 1, "nobody wants rows: there are none");
	child(&s, 51, 2 * SECOND + 10, 0, false);
	step(&s, 10);
	sum(&s, 210);
	add_rows(&s, true);
	tap_ok(!row_of(&s, &kind_task, 50), "one that ended before they were wanted has none");
	tap_ok(row_of(&s, &kind_task, 51),
	       "a kernel that tells no counts: it is not waited for them");
	tap_num(row_of(&s, &kind_rest, 0)->total[0].number, 200, "the rest is that of all");
	tap_num(increment(row_of(&s, &kind_rest, 0)), -1, "of this interval alone nobody knows it");
	end(&s);
}

int main(void)
{
	test_children();
	test_waiting();
	test_how();
	test_seen();
	test_past();
	test_past_alone();
	test_no_past();
	test_past_ahead();
	test_gone();
	test_sum();
	test_unwanted();
	return tap_done();
}
