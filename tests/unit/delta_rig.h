/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delta_rig - made-up samples one second apart, and their deltas.
 *
 *   begin(&steps, 3, 1); add_counted(&steps.sample[0], ...); ...
 *   compute(&steps); check(...); done(&steps);
 */
#ifndef TESTS_DELTA_RIG_H
#define TESTS_DELTA_RIG_H

#include "model/delta.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "tap.h"

#define SECOND 1000000000ull
#define FIRST  (100 * SECOND) /* the moment of the first sample, since boot */

/* The events of all tasks of the samples. */
static struct sample_events *rig_events;

static inline void rig_events_free(void)
{
	sample_events_unref(rig_events);
	rig_events = NULL;
}

static inline void rig_events_make(int n)
{
	const struct sample_event none[SAMPLE_MAX_EVENTS] = {{.given = "event"}};

	rig_events_free();
	rig_events = sample_events_new(none, n);
}

/* Makes sample number k, taken k seconds after the first. */
static inline void make(struct sample *s, uint64_t k)
{
	sample_init(s);
	s->refs = 1;
	s->mono_ns = 7 * SECOND + k * SECOND;
	s->boot_ns = FIRST + k * SECOND;
	s->generation = 1;
}

static inline struct task *add(struct sample *s, int id, uint64_t start_ns,
			       enum count_state counting)
{
	struct task *t = sample_add(s, task_new(&kind_task, fact_all, 0, &(struct task_texts){0}));

	t->id = t->owner = (uint64_t)id;
	t->start_ns = start_ns;
	t->counting = (uint8_t)counting;
	task_set_events(t, rig_events);
	return t;
}

/* Adds a task, all of whose events have this reading. */
static inline struct task *add_counted(struct sample *s, int id, uint64_t start_ns,
				       struct count reading)
{
	struct task *t = add(s, id, start_ns, COUNT_OK);
	struct count *count = arena_calloc(&s->arena, (size_t)rig_events->n, sizeof *count);

	for (int i = 0; i < rig_events->n; i++)
		count[i] = reading;
	t->count = count;
	return t;
}

static inline void set_fact(struct task *t, int fact, uint64_t value)
{
	task_set_fact(t, fact, value);
}

static inline void check(struct value v, enum quality quality, double number, const char *what)
{
	tap_str(quality_table[v.quality].name, quality_table[quality].name, "%s: its quality",
		what);
	tap_num(v.number, quality < QUALITY_FIRST_NONE ? number : (double)NAN, "%s: its number",
		what);
	tap_ok(v.share > 0 && v.share <= 1, "%s: its share is in (0, 1]", what);
}

/* Two or more samples and their deltas. */
struct steps {
	struct sample sample[4];
	struct delta delta[4];
	int n;
};

static inline void begin(struct steps *s, int n, int n_events)
{
	s->n = n;
	rig_events_make(n_events);
	for (int k = 0; k < n; k++) {
		make(&s->sample[k], (uint64_t)k);
		delta_init(&s->delta[k]);
	}
}

static inline void compute(struct steps *s)
{
	for (int k = 0; k < s->n; k++)
		delta_compute(&s->delta[k], k ? &s->delta[k - 1] : NULL,
			      k ? &s->sample[k - 1] : NULL, &s->sample[k]);
}

/* Returns the row of a task in delta k, NULL if there is none. */
static inline const struct delta_row *row_of(const struct steps *s, int k, uint64_t id)
{
	const struct delta *d = &s->delta[k];

	for (size_t i = 0; i < d->n; i++)
		if (d->row[i].task->id == id)
			return &d->row[i];
	return NULL;
}

static inline void done(struct steps *s)
{
	for (int k = 0; k < s->n; k++) {
		delta_done(&s->delta[k]);
		sample_done(&s->sample[k]);
	}
	rig_events_free();
}

#endif
