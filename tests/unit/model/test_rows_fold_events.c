/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folding threads with different sets of events: complete sums and partial ones.
 */
#include "delta_rig.h"
#include "model/rows.h"

enum { X, Y, Z };

/* Makes a set of two events: x and y, or y and z. */
static struct sample_events *make_events(uint64_t first)
{
	const struct sample_event event[] = {
		{.pmu = "cpu", .kind = EVENT_RAW, .config = first},
		{.pmu = "cpu", .kind = EVENT_RAW, .config = first + 1},
	};

	return sample_events_new(event, 2);
}

/* Adds a thread of process 20 with these counts of its two events. */
static struct task *add_thread(struct sample *s, int tid, const struct sample_events *events,
			       uint64_t first, uint64_t second)
{
	struct task *t = sample_add(
		s, task_new(&kind_task, FACT_NONE, 2, &(struct task_texts){.name = "task"}));

	t->id = (uint64_t)tid;
	t->owner = 20;
	t->start_ns = 5;
	t->counting = COUNT_OK;
	task_set_events(t, events);
	t->count[0] = (struct count){first, 10, 10};
	t->count[1] = (struct count){second, 10, 10};
	return t;
}

static int find(const struct delta_row *row, uint64_t config)
{
	for (int i = 0; i < row->events->n; i++)
		if (row->events->event[i].config == config)
			return i;
	return -1;
}

/* Two samples of the threads 20 (x, y) and 21 (y, z), and one after 21 has ended. */
struct bench {
	struct steps steps;
	struct sample_events *xy, *yz;
	struct delta processes;
};

static void make_bench(struct bench *b)
{
	begin(&b->steps, 3, 0);
	b->xy = make_events(X);
	b->yz = make_events(Y);
	delta_init(&b->processes);
	for (uint64_t k = 0; k < 3; k++) {
		add_thread(&b->steps.sample[k], 20, b->xy, 100 + k, 200 + 10 * k);
		if (k < 2)
			add_thread(&b->steps.sample[k], 21, b->yz, 300 + 20 * k, 400 + 100 * k);
	}
	compute(&b->steps);
}

static void free_bench(struct bench *b)
{
	delta_done(&b->processes);
	done(&b->steps);
	sample_events_unref(b->xy);
	sample_events_unref(b->yz);
}

static void check_row(const struct delta_row *row, const char *what)
{
	tap_int(row->events->n, 3, "%s: the events of both", what);
	check(row->increment[find(row, X)], QUALITY_PARTIAL, 1,
	      "what one of them counts is a part");
	check(row->increment[find(row, Y)], QUALITY_EXACT, 30, "what both count is the sum");
	check(row->increment[find(row, Z)], QUALITY_PARTIAL, 100, "what the other one counts, too");
	check(row->total[find(row, Y)], QUALITY_EXACT, 530, "so is the total");
	check(row->total[find(row, Z)], QUALITY_PARTIAL, 500, "or a part of it");
	check(delta_count_rate(row, find(row, Y)), QUALITY_EXACT, 30, "and the rate");
}

static void test_fold(void)
{
	const struct delta_row *row;
	const struct sample_events *before;
	struct bench b;

	make_bench(&b);
	fold_processes(&b.processes, &b.steps.delta[1]);
	row = &b.processes.row[0];
	check_row(row, "two threads");
	before = row->events;
	fold_processes(&b.processes, &b.steps.delta[1]);
	tap_ok(b.processes.row[0].events == before, "folded once more, they are the same set");
	free_bench(&b);
}

/* A copy of a row (struct dead_list) outlives the joined sets of events. */
static void test_dead(void)
{
	struct dead_list dead;
	struct bench b;

	make_bench(&b);
	dead_init(&dead);
	for (size_t i = 0; i < 2; i++)
		b.steps.sample[1].task[i]->dead = true;
	fold_processes(&b.processes, &b.steps.delta[1]);
	dead_collect(&dead, &b.processes);
	free_bench(&b);
	tap_int(dead.n, 1, "it is kept");
	check_row(&dead.row[0]->row, "a row that is kept");
	dead_done(&dead);
}

static void test_ended(void)
{
	const struct delta_row *row;
	struct bench b;

	make_bench(&b);
	row = &b.steps.delta[2].row[0];
	tap_ok(row->events == b.xy, "the thread that is left has its own events");
	check(row->total[1], QUALITY_EXACT, 540, "takes over what they have in common");
	check(row->total[0], QUALITY_PARTIAL, 102, "the rest is not known of the other one");
	free_bench(&b);
}

int main(void)
{
	test_fold();
	test_dead();
	test_ended();
	return tap_done();
}
