/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log of changes: which changes of a task are recorded, and how many are kept. */
#include "view/interference.h"

#include <math.h>
#include <string.h>

#include "model/fact_list.h"
#include "model/kinds.h"
#include "tap.h"

#define SECOND 1000000000ull
#define ROWS   20000

static struct task task[ROWS];
static struct delta_row row[ROWS];
static struct delta_sums sums[ROWS];
static struct fact_sum fact[N_NUMBER_FACTS]; /* of all rows */
static struct sample sample;
static struct sample_events *events;
static struct value count[2];
static uint32_t moment;

/* A sample that lists the first task, although it has no row in the delta. */
static struct task *there[1] = {&task[0]};

/* Returns the number of recorded changes of this kind. */
static long count_kind(const struct changes *c, enum change_kind kind)
{
	long n = 0;

	for (size_t i = 0; i < changes_n(c); i++)
		n += changes_at(c, i)->kind == kind;
	return n;
}

static const struct change *last_of(const struct changes *c, enum change_kind kind)
{
	for (size_t i = changes_n(c); i-- > 0;)
		if (changes_at(c, i)->kind == kind)
			return changes_at(c, i);
	return NULL;
}

/* Adds a refresh in which n tasks, with ids from id on, use this share of a CPU with this IPC. */
static void step(struct changes *c, uint64_t id, size_t n, double share, double ipc)
{
	const struct delta delta = {
		.sample = &sample, .interval_ns = SECOND, .row = row, .n = share > 0 ? n : 0};

	count[0] = value_exact(1e9 * share * ipc);
	count[1] = value_exact(1e9 * share);
	fact[FACT_PROC_ID].now = value_exact(3);
	for (size_t i = 0; i < n; i++) {
		task[i] = (struct task){
			.kind = &kind_task, .id = id + i, .owner = id + i, .name = "a\tname"};
		sums[i].facts = FACT_SET(FACT_PROC_ID);
		sums[i].fact = fact;
		sums[i].cpu_share = value_exact(share);
		row[i] = (struct delta_row){.task = &task[i],
					    .old = &task[i],
					    .counts_ns = SECOND,
					    .events = events,
					    .increment = count,
					    .sums = &sums[i]};
	}
	changes_add(c, &delta, ++moment);
}

static void repeat(struct changes *c, int times, double share, double ipc)
{
	for (int i = 0; i < times; i++)
		step(c, 1, 1, share, ipc);
}

static void test_begin(void)
{
	struct changes *c = changes_new();
	uint32_t began;

	repeat(c, 10, 0.5, 1);
	tap_int((long)changes_n(c), 0, "who is busy at the start did not begin");
	repeat(c, 4, 0, 1);
	repeat(c, 4, 0.5, 1);
	tap_int((long)changes_n(c), 0, "nor who rests for a moment");
	repeat(c, 6, 0.02, 1);
	began = moment + 1;
	repeat(c, 2, 0.5, 1);
	tap_int((long)changes_n(c), 0, "two refreshes are not enough");
	repeat(c, 3, 0.5, 1);
	tap_int((long)changes_n(c), 1, "who hardly ran and then is busy has begun");
	tap_ok(changes_at(c, 0)->kind == CHANGE_BEGAN && changes_at(c, 0)->moment == began &&
		       changes_at(c, 0)->seen == began + 2,
	       "when");
	tap_ok(changes_at(c, 0)->cpu == 3 && changes_at(c, 0)->cpu_share == 0.5, "and where");
	tap_str(changes_at(c, 0)->name, "a?name", "its name is harmless");
	repeat(c, 8, 0, 1);
	repeat(c, 2, 0.5, 1);
	repeat(c, 1, 0, 1);
	repeat(c, 9, 0.5, 1);
	tap_int((long)changes_n(c), 1, "what is interrupted is none");
	changes_free(c);
}

static void test_born(void)
{
	struct changes *c = changes_new();

	repeat(c, 3, 0.02, 1);
	for (int i = 0; i < 3; i++) {
		step(c, 77, 0, 0.5, 1);
		task[0].id = 77;
		row[0].born = row[0].fresh = i == 0;
		row[0].task = &task[0];
		sums[0].cpu_share = value_exact(0.5);
		changes_add(c,
			    &(struct delta){
				    .sample = &sample, .interval_ns = SECOND, .row = row, .n = 1},
			    moment);
	}
	tap_int((long)changes_n(c), 1, "who is born and busy has begun, also at the start");
	changes_free(c);
}

static void test_ipc(void)
{
	struct changes *c = changes_new();
	uint32_t at;

	repeat(c, 40, 0.5, 2);
	at = moment + 1;
	repeat(c, 20, 0.5, 1.5);
	tap_int((long)changes_n(c), 1, "another IPC is another phase");
	tap_ok(changes_at(c, 0)->kind == CHANGE_IPC && changes_at(c, 0)->moment == at &&
		       changes_at(c, 0)->before == 2 && changes_at(c, 0)->after == 1.5,
	       "with what it was, and is");
	repeat(c, 40, 0.005, 0.1);
	tap_int(count_kind(c, CHANGE_IPC), 1, "what hardly runs has none");
	changes_reset(c);
	tap_ok(!changes_n(c) && !changes_first(c), "all is forgotten");
	repeat(c, 20, 0.5, 1.5);
	tap_int((long)changes_n(c), 0, "what comes is not compared with it");
	changes_free(c);
	tap_int((long)changes_n(NULL), 0, "no log has no changes");
	changes_free(NULL);
}

static void test_cpu(void)
{
	struct changes *c = changes_new();
	const struct change *change;
	uint32_t at;

	repeat(c, 40, 0.5, 1);
	at = moment + 1;
	repeat(c, 20, 0.3, 1);
	change = last_of(c, CHANGE_CPU);
	tap_int(count_kind(c, CHANGE_CPU), 1, "another %%CPU is another phase");
	tap_ok(change && change->moment == at && fabs(change->before - 50) < 0.01 &&
		       fabs(change->after - 30) < 0.01,
	       "with what it was, and is");
	repeat(c, 40, 0.305, 1);
	tap_int(count_kind(c, CHANGE_CPU), 1, "half a point is none");
	tap_int(count_kind(c, CHANGE_IPC), 0, "its IPC is what it was");
	/* The task is in the sample, but idle. */
	sample.task = there;
	sample.n = 1;
	at = moment + 1;
	repeat(c, 20, 0, 1);
	change = last_of(c, CHANGE_CPU);
	tap_int(count_kind(c, CHANGE_CPU), 2, "who rests has another phase, before he runs again");
	tap_ok(change && change->moment == at && change->after == 0 && change->cpu == -1, "of 0");
	repeat(c, 1000, 0, 1);
	at = moment + 1;
	repeat(c, 60, 0.3, 1);
	change = last_of(c, CHANGE_CPU);
	tap_int(count_kind(c, CHANGE_CPU), 3, "and who wakes has one");
	tap_ok(change && change->moment == at && change->before == 0, "however long he slept");
	for (int i = 0; i < 40; i++)
		step(c, 1, 1, i % 4 ? 0 : 0.3, 1);
	tap_int(count_kind(c, CHANGE_CPU), 4, "who runs in every fourth refresh uses less");
	change = last_of(c, CHANGE_CPU);
	tap_ok(change && change->after < 15, "as a mean: %g", change ? change->after : 0);
	repeat(c, 60, 0.3, 1);
	tap_int(count_kind(c, CHANGE_CPU), 5, "and in all of them, more");
	/* The task is not in the sample. */
	sample.n = 0;
	repeat(c, 40, 0, 1);
	tap_int(count_kind(c, CHANGE_CPU), 5, "who has ended has no phase of 0");
	sample.task = NULL;
	changes_free(c);
}

/* Between two generations nothing is known of a task, which is no idle phase. */
static void test_anew(void)
{
	struct changes *c = changes_new();

	repeat(c, 40, 0.5, 1);
	for (int i = 0; i < 40; i++)
		changes_add(c, &(struct delta){.sample = &sample}, ++moment);
	repeat(c, 40, 0.5, 1);
	tap_int(count_kind(c, CHANGE_CPU), 0, "time of which nothing is known is no rest");
	changes_free(c);
}

/* More tasks, and more changes, than can be kept. */
static void test_bounds(void)
{
	struct changes *c = changes_new();

	for (int i = 0; i < 8; i++)
		step(c, 1, ROWS, 0.01, 1);
	for (int i = 0; i < 3; i++)
		step(c, 1, CHANGES_TASKS_MAX, 0.5, 1);
	tap_int((long)changes_n(c), CHANGES_MAX, "this many changes are kept");
	tap_int((long)changes_at(c, CHANGES_MAX - 1)->of.id, CHANGES_TASKS_MAX, "the last ones");
	changes_reset(c);
	step(c, 1, CHANGES_TASKS_MAX, 0.5, 1);
	repeat(c, 8, 0, 1);
	for (int i = 0; i < 3; i++)
		step(c, ROWS, 10, 0.5, 1);
	tap_int((long)changes_n(c), 10, "those that ran long ago make room for others");
	changes_free(c);
}

int main(void)
{
	const struct sample_event event[] = {{.kind = EVENT_HARDWARE, .config = 1},
					     {.kind = EVENT_HARDWARE, .config = 0}};

	events = sample_events_new(event, 2);
	test_begin();
	test_born();
	test_ipc();
	test_cpu();
	test_anew();
	test_bounds();
	sample_events_unref(events);
	return tap_done();
}
