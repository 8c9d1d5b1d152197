/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ended_rig - a command whose children start and end, with a sample each second, the rows that are
 * added to its samples (ended_children.h), and their deltas.
 *
 *   begin(&scene, true); step(&scene, 10); sum(&scene, 10); add_rows(&scene, true); ...
 * end(&scene);
 */
#ifndef TESTS_ENDED_RIG_H
#define TESTS_ENDED_RIG_H

#include "base/mem.h"
#include "collect/command/ended_children.h"
#include "life_rig.h"
#include "model/delta.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "tap.h"

#define SECOND 1000000000ull
#define EVENTS 2 /* faults, and the task clock */
#define CLOCK  1

struct scene {
	struct fake kernel;
	struct descendant_list *kin;
	struct ended *ended;
	struct sample_events *events;
	struct count count[EVENTS];
	struct command_counts whole;
	struct sample *sample[2]; /* before, and now */
	struct delta delta[2];
	uint32_t n;
};

static inline void begin(struct scene *s, bool each)
{
	const struct sample_event event[EVENTS] = {
		{.given = "faults", .pmu = "software", .kind = EVENT_SOFTWARE, .config = 2},
		{.given = "clock", .pmu = "software", .kind = EVENT_SOFTWARE, .config = 1},
	};

	*s = (struct scene){.kernel = fake(0), .ended = ended_new()};
	s->kin = descendants_open(&s->kernel.sys, CPUS, TID);
	s->events = sample_events_new(event, EVENTS);
	s->whole = (struct command_counts){.command = TID,
					   .events = s->events,
					   .count = s->count,
					   .clock = CLOCK,
					   .each = each};
	delta_init(&s->delta[0]);
	delta_init(&s->delta[1]);
}

/* Frees the scene. Returns the number of descriptors and mappings that were leaked. */
static inline int close_scene(struct scene *s)
{
	ended_free(s->ended);
	descendants_free(s->kin);
	delta_done(&s->delta[0]);
	delta_done(&s->delta[1]);
	sample_unref(s->sample[0]);
	sample_unref(s->sample[1]);
	sample_events_unref(s->events);
	return s->kernel.n_open + s->kernel.n_mapped;
}

static inline void end(struct scene *s)
{
	tap_int(close_scene(s), 0, "nothing stays open or mapped");
}

/* Makes the next sample, a second later, with the command, which has counted this number of
 * faults. */
static inline struct sample *step(struct scene *s, uint64_t faults)
{
	struct sample *sample = sample_new();
	struct task *t = task_new(&kind_task, FACT_SET(FACT_CPU_NS), EVENTS,
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

static inline void sum(struct scene *s, uint64_t faults)
{
	s->count[0] = s->count[1] = (struct count){faults, faults, faults};
}

/* Reports a child that has started and ended, and counted this number of faults in one thread. */
static inline void child(struct scene *s, uint32_t pid, uint64_t at, uint64_t faults, bool reported)
{
	const struct count count = {faults, faults, faults}, both[EVENTS] = {count, count};

	put_task(&s->kernel, 0, PERF_RECORD_FORK, pid, TID, pid, at);
	put_name(&s->kernel, 0, pid, pid, "cc1", at + 1);
	descendants_read(s->kin);
	if (reported)
		descendants_add_counts(s->kin, (pid_t)pid, both, EVENTS, 3, true);
	put_task(&s->kernel, 0, PERF_RECORD_EXIT, pid, TID, pid, at + 5);
	descendants_read(s->kin);
}

static inline void add_rows(struct scene *s, bool wanted)
{
	struct delta *old = &s->delta[s->n & 1], *new = &s->delta[~s->n & 1];

	ended_add_rows(s->ended, s->kin, &s->whole, wanted, s->sample[1]);
	delta_compute(new, s->sample[0] ? old : NULL, s->sample[0], s->sample[1]);
}

static inline const struct delta_row *row_of(const struct scene *s, const struct kind *kind,
					     uint64_t id)
{
	const struct delta *d = &s->delta[~s->n & 1];

	for (size_t i = 0; i < d->n; i++)
		if (d->row[i].task->kind == kind && d->row[i].task->id == id)
			return &d->row[i];
	return NULL;
}

static inline double increment(const struct delta_row *row)
{
	return row && value_known(row->increment[0]) ? row->increment[0].number : -1;
}

/* Returns a new child for a sample. */
static inline struct task *seen(const struct scene *s, uint64_t pid)
{
	struct task *t =
		task_new(&kind_task, FACT_NONE, EVENTS, &(struct task_texts){.name = "cc1"});

	t->id = t->owner = pid;
	t->start_ns = SECOND;
	t->counting = COUNT_OK;
	t->count[0] = t->count[1] = (struct count){100, 100, 100};
	task_set_events(t, s->events);
	return t;
}

/* Adds a dead task, whose facts are lost, as it is no longer in /proc. */
static inline void add_dead(struct sample *sample, struct task *t)
{
	t->dead = t->lost = true;
	sample_add(sample, t);
}

#endif
