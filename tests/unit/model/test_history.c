/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The history of tasks, written and read back: numbers and their qualities, gaps between records,
 * and the memory limit. Deltas are made up.
 */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/fact_list.h"
#include "model/history.h"
#include "model/kinds.h"
#include "tap.h"

#define SECOND    1000000000u
#define MIB       (1024u * 1024u)
#define EVENTS    8
#define ROWS_MAX  10000
#define FACTS     FACT_SET(FACT_CPU_NS, FACT_MINFLT, FACT_RSS_KB)
#define ALL_FACTS fact_numbers

/* Adds deltas one by one, with facts and counts set by hand. */
struct rig {
	struct history *history;
	struct sample sample;
	struct delta delta;
	struct delta_row row[ROWS_MAX];
	struct task *task[ROWS_MAX], *old[ROWS_MAX];
	struct value increment[ROWS_MAX][EVENTS];
	struct sample_events *events;
};

static void begin(struct rig *r, size_t max, int n_events)
{
	struct sample_event event[EVENTS] = {{.given = NULL}};

	memset(r, 0, sizeof *r);
	for (int i = 0; i < n_events; i++)
		event[i] = (struct sample_event){.kind = EVENT_RAW, .config = (uint64_t)i};
	r->events = sample_events_new(event, n_events);
	r->history = history_new(max);
	sample_init(&r->sample);
	r->delta = (struct delta){.kind = &kind_task, .sample = &r->sample, .row = r->row};
}

static void end(struct rig *r)
{
	for (size_t i = 0; i < ROWS_MAX; i++) {
		task_unref(r->task[i]);
		task_unref(r->old[i]);
	}
	history_free(r->history);
	sample_events_unref(r->events);
	sample_done(&r->sample);
}

static struct task *make_task(uint64_t id, uint64_t start_ns, struct fact_set facts)
{
	struct task *t = task_new(&kind_task, facts, 0, &(struct task_texts){.name = "task"});

	t->id = t->owner = id;
	t->start_ns = start_ns;
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		task_set_fact(t, f, 0);
	return t;
}

/* Adds a row to the next delta: its task began at start_ns, and each event counted `count`. */
static struct delta_row *add_row(struct rig *r, uint64_t id, uint64_t start_ns, double count,
				 struct fact_set facts)
{
	const size_t i = r->delta.n++;
	const int n = sample_events_n(r->events);

	if (!r->task[i]) {
		r->task[i] = make_task(id, start_ns, facts);
		r->old[i] = make_task(id, start_ns, facts);
	}
	r->task[i]->id = r->task[i]->owner = id;
	r->task[i]->start_ns = start_ns;
	for (int k = 0; k < n; k++)
		r->increment[i][k] = value_exact(count + k);
	r->row[i] = (struct delta_row){.task = r->task[i],
				       .old = r->old[i],
				       .facts_from = r->old[i],
				       .counts_ns = SECOND,
				       .facts_ns = 2 * SECOND,
				       .cpu_ns = value_exact(SECOND / 2),
				       .fast_ns = value_none(QUALITY_UNSUPPORTED),
				       .core_ns = value_none(QUALITY_UNSUPPORTED),
				       .events = r->events,
				       .increment = r->increment[i]};
	return &r->row[i];
}

/* Adds the delta of the next moment, with the rows added since the last one. */
static void step(struct rig *r)
{
	r->sample.mono_ns += SECOND;
	r->sample.wall_ns = r->sample.mono_ns + 5;
	r->delta.interval_ns = SECOND;
	history_add(r->history, &r->delta);
	r->delta.n = 0;
}

static const struct history_track *track_of(const struct rig *r, uint64_t id, uint64_t start_ns)
{
	struct task *t = make_task(id, start_ns, FACT_NONE);
	const struct history_track *track = history_find(r->history, t, false);

	task_unref(t);
	return track;
}

static void test_numbers(void)
{
	static struct rig r;
	struct history_walk w = {.cap = 0};
	struct delta_row *row;

	begin(&r, MIB, 2);
	row = add_row(&r, 7, 1, 3000000, FACTS);
	task_set_fact(r.old[0], FACT_MINFLT, 100);
	task_set_fact(r.task[0], FACT_MINFLT, 142);
	task_set_fact(r.task[0], FACT_RSS_KB, 12345);
	row->cpu_counted = true;
	step(&r);
	row = add_row(&r, 7, 1, 5, FACTS);
	r.increment[0][0] = (struct value){.number = 10, .share = 0.5f, .quality = QUALITY_SCALED};
	r.increment[0][1] = value_none(QUALITY_DENIED);
	row->unequal = true;
	step(&r);
	tap_int(history_first(r.history), 1, "moments from 1 on");
	tap_int(history_last(r.history), 2, "two of them");
	tap_int((long)history_moment(r.history, 2)->wall_ns, 2 * SECOND + 5, "each has its time");

	history_walk_begin(&w, track_of(&r, 7, 1), 1, r.task[0]);
	tap_ok(history_walk_next(&w) && w.moment == 1 && !w.fresh, "the first record");
	tap_ok(w.row.increment[1].number == 3000001 && w.row.increment[1].share == 1,
	       "an increment");
	tap_int((long)delta_count_rate(&w.row, 0).number, 3000000, "its rate");
	tap_int((long)delta_fact(&w.row, FACT_MINFLT).number, 42, "the increment of a fact");
	tap_int((long)delta_fact_rate(&w.row, FACT_MINFLT).number, 21, "its rate");
	tap_int((long)delta_fact_now(&w.row, FACT_RSS_KB).number, 12345, "a state");
	tap_int(delta_fact(&w.row, FACT_VCSW).quality, QUALITY_NOT_READ,
		"a fact that was not read is unknown");
	tap_int(w.row.total[0].quality, QUALITY_NOT_READ, "there are no totals");
	tap_ok(fabs(delta_cpu_share(&w.row).number - 0.5) < 1e-6,
	       "the share of a CPU, by the interval of the counts");
	tap_ok(history_walk_next(&w) && w.moment == 2, "the second record");
	tap_ok(w.row.increment[0].quality == QUALITY_SCALED &&
		       fabsf(w.row.increment[0].share - 0.5f) < 1e-3f,
	       "a scaled number has its share");
	tap_int(w.row.increment[1].quality, QUALITY_DENIED, "an unknown one has its reason");
	tap_ok(w.row.unequal && fabs(delta_cpu_share(&w.row).number - 0.25) < 1e-6,
	       "by the interval of the facts");
	history_walk_idle(&w, SECOND);
	tap_ok(w.row.increment[0].number == 0 && w.row.increment[0].quality == QUALITY_EXACT &&
		       w.row.increment[1].quality == QUALITY_DENIED,
	       "of one that does nothing, what can be counted is 0");
	tap_ok(delta_fact_now(&w.row, FACT_RSS_KB).number == 12345 &&
		       delta_cpu_share(&w.row).number == 0,
	       "its states stay");
	tap_ok(!history_walk_next(&w), "there are no more");
	history_walk_done(&w);
	end(&r);
}

/* The first row of a task is a record only if the task was born since the last sample. A task seen
 * again after a gap has a record of the gap. */
static void test_fresh(void)
{
	static struct rig r;
	struct history_walk w = {.cap = 0};
	struct delta_row *row;
	bool fresh;

	begin(&r, MIB, 1);
	add_row(&r, 7, 1, 1, FACTS)->fresh = true;
	step(&r);
	tap_ok(!track_of(&r, 7, 1), "a first sight is no record");
	add_row(&r, 7, 1, 1, FACTS);
	row = add_row(&r, 8, 1, 1, FACTS);
	row->fresh = row->born = true;
	step(&r);
	tap_ok(track_of(&r, 8, 1), "but one of a task that was born since is");
	add_row(&r, 7, 1, 1, FACTS)->fresh = true;
	step(&r);
	add_row(&r, 7, 2, 9, FACTS);
	step(&r);
	history_walk_begin(&w, track_of(&r, 7, 1), 2, r.task[0]);
	tap_ok(history_walk_next(&w) && !w.fresh, "a record");
	tap_ok(history_walk_peek(&w, &fresh) == 3 && fresh, "what comes next can be seen");
	tap_ok(history_walk_next(&w) && w.fresh && w.moment == 3, "one without numbers");
	tap_ok(!history_walk_peek(&w, &fresh), "that nothing comes, too");
	tap_ok(!history_walk_next(&w), "another task of the same number has its own");
	history_walk_begin(&w, track_of(&r, 7, 2), 1, r.task[0]);
	tap_ok(history_walk_next(&w) && w.row.increment[0].number == 9, "which is there");
	r.sample.threads = true;
	add_row(&r, 7, 2, 1, FACTS);
	step(&r);
	history_walk_begin(&w, track_of(&r, 7, 2), 5, r.task[0]);
	tap_ok(history_walk_next(&w) && w.moment == 4 && !history_walk_next(&w),
	       "a thread is not its process");
	history_walk_begin(&w, history_find(r.history, r.task[0], true), 1, r.task[0]);
	tap_ok(history_walk_next(&w) && w.moment == 5, "but has records, too");
	history_reset(r.history);
	tap_ok(!track_of(&r, 7, 1) && !history_first(r.history), "all can be forgotten");
	add_row(&r, 7, 1, 1, FACTS);
	step(&r);
	tap_int(history_first(r.history), 6, "moments go on");
	history_walk_done(&w);
	end(&r);
}

/* Each third row has multiplexed counts. */
static void run(struct rig *r, int n_rows, int moment)
{
	for (int i = 0; i < n_rows; i++) {
		struct delta_row *row =
			add_row(r, (uint64_t)i + 1, 1, 1000 * moment + i, ALL_FACTS);

		if (i % 3 == 0)
			for (int k = 0; k < EVENTS; k++)
				r->increment[i][k] =
					(struct value){.number = row->increment[k].number,
						       .share = 0.5f,
						       .quality = QUALITY_SCALED};
	}
	step(r);
}

/* 10,000 tasks have run once, and 500 tasks run all the time. */
static void test_budget(void)
{
	static struct rig r;
	struct history_walk w = {.cap = 0};
	int wrong = 0;

	begin(&r, 64 * MIB, EVENTS);
	run(&r, ROWS_MAX, 1);
	for (int i = 2; i <= 950; i++)
		run(&r, 500, i);
	tap_ok(history_size(r.history) <= 64 * MIB, "the limit holds: %zu bytes",
	       history_size(r.history));
	for (uint64_t id = 1; id <= 500; id++) {
		int n = 0;

		history_walk_begin(&w, track_of(&r, id, 1), 51, r.task[0]);
		for (; history_walk_next(&w); n++)
			wrong +=
				w.moment != (uint32_t)(51 + n) ||
				w.row.increment[1].number != (double)(1000 * (51 + n)) + (double)id;
		wrong += n != 900;
	}
	tap_int(wrong, 0, "each of them has its last 900 increments");
	history_walk_done(&w);
	end(&r);
}

/* A limit too small for all records: the oldest are dropped, of any task. */
static void test_limit(void)
{
	static struct rig r;
	struct history_walk w = {.cap = 0};
	uint32_t first = 0;

	begin(&r, MIB / 4, EVENTS);
	run(&r, 300, 1);
	for (int i = 2; i <= 200; i++)
		run(&r, 20, i);
	tap_ok(history_size(r.history) <= MIB / 4, "it holds: %zu bytes", history_size(r.history));
	tap_ok(!track_of(&r, 250, 1), "a task that did not run again has nothing left");
	for (uint64_t id = 1; id <= 20; id++) {
		history_walk_begin(&w, track_of(&r, id, 1), 1, r.task[0]);
		if (history_walk_next(&w) && w.moment > first)
			first = w.moment;
	}
	tap_ok(first > 2 && first < 150, "those that run have lost their oldest: up to %u", first);
	for (uint32_t from = first; from <= 200; from += 7) {
		history_walk_begin(&w, track_of(&r, 5, 1), from, r.task[0]);
		if (!history_walk_next(&w) || w.moment != from)
			break;
		first = from;
	}
	tap_ok(first > 193, "a walk begins at any moment that is kept");
	history_walk_done(&w);
	history_reset(r.history);
	run(&r, 3, 201);
	tap_ok(track_of(&r, 3, 1), "it goes on after all was forgotten");
	end(&r);
}

/* The records that a visit returned. */
struct visited {
	int processes, threads;
	const struct task *task; /* of thread 8 */
};

static void visit(void *context, const struct history_track *track)
{
	const struct task *t = history_track_task(track);
	struct visited *v = context;

	if (history_track_is_thread(track) && t->id == 8)
		v->task = t;
	if (history_track_is_thread(track))
		v->threads++;
	else
		v->processes++;
}

static void test_all(void)
{
	static struct rig r;
	struct visited v = {.task = NULL};
	size_t size;

	begin(&r, MIB, 1);
	add_row(&r, 7, 1, 1, FACTS);
	add_row(&r, 7, 2, 1, FACTS);
	step(&r);
	r.sample.threads = true;
	add_row(&r, 7, 1, 1, FACTS);
	add_row(&r, 8, 1, 1, FACTS);
	step(&r);
	size = history_size(r.history);
	/* Task 0 has a new reading after an execve(2), and a last one. */
	task_unref(r.task[0]);
	r.task[0] = task_new(&kind_task, FACTS, 0,
			     &(struct task_texts){.name = "another", .cmdline = "another one"});
	add_row(&r, 8, 1, 1, FACTS);
	step(&r);
	task_unref(r.task[0]);
	r.task[0] = NULL;
	step(&r);
	history_each(r.history, visit, &v);
	tap_int(v.processes, 2, "all processes are visited, those of one number, too");
	tap_int(v.threads, 2, "and all threads");
	tap_str(v.task ? v.task->name : "", "another",
		"one that has gone is known by its last name");
	tap_ok(history_size(r.history) > size + sizeof "another one",
	       "what its reading takes is counted");
	end(&r);
}

int main(void)
{
	test_numbers();
	test_fresh();
	test_all();
	test_budget();
	test_limit();
	return tap_done();
}
