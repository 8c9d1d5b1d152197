/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/phase.h"
#include "base/text.h"
#include "model/kinds.h"
#include "view/evaluate.h"

/* Minimal shares of an interval that a task is on a CPU: to be busy, and for its IPC to be used. */
#define BUSY      0.1
#define IPC_LEAST 0.01
/* A task begins after at least IDLE_LEAST refreshes in which it was not busy, and N_BUSY_LEAST in
 * which it was busy. */
#define IDLE_LEAST   5
#define N_BUSY_LEAST 3

/* The minimal change of %CPU, in percentage points. */
#define CPU_LEAST 1
/* Tasks that do not run any more (rest) are checked every REST_EVERY refreshes. At most REST_MAX
 * moments of rest are added at once: that is long enough for a phase, and leaves earlier moments in
 * the window of the test. */
#define REST_EVERY 8
#define REST_MAX   (PHASE_WINDOW - PHASE_LEAST)

/* The state of a task. */
struct task_state {
	struct row_id of;
	uint32_t last;    /* last moment at which it ran */
	uint32_t busy;    /* last moment at which it was busy; 0: none */
	uint32_t began;   /* moment at which it began to be busy; 0: unknown */
	uint8_t n_busy;   /* busy moments since it began; N_BUSY_LEAST: CHANGE_BEGAN was added */
	uint32_t counted; /* last moment with a known %CPU */
	bool gone;        /* it has ended */
	struct phase ipc, cpu;
};

struct changes {
	struct hash task_state; /* struct task_state, by key_of(); owned */
	struct change *v;
	size_t n, cap;
	uint32_t first;
	uint32_t trimmed_at;     /* moment of the last make_room() */
	uint32_t restart_moment; /* last moment without an interval */
	struct work_events events;
};

struct changes *changes_new(void)
{
	return xcalloc(1, sizeof(struct changes));
}

void changes_reset(struct changes *c)
{
	size_t pos = 0;
	struct task_state *d;

	while ((d = hash_next(&c->task_state, &pos)))
		free(d);
	hash_done(&c->task_state);
	free(c->v);
	*c = (struct changes){.n = 0};
}

void changes_free(struct changes *c)
{
	if (!c)
		return;
	changes_reset(c);
	free(c);
}

size_t changes_n(const struct changes *c)
{
	return c ? c->n : 0;
}

const struct change *changes_at(const struct changes *c, size_t i)
{
	return &c->v[i];
}

uint32_t changes_first(const struct changes *c)
{
	return c->first;
}

/* ---- the log ---- */

static struct change *add_change(struct changes *c, enum change_kind kind,
				 const struct task_state *d, const struct task *t,
				 const struct work *w, uint32_t seen)
{
	struct strbuf name;
	struct change *change;

	if (c->n == CHANGES_MAX) {
		c->n -= CHANGES_MAX / 4;
		memmove(c->v, c->v + CHANGES_MAX / 4, c->n * sizeof *c->v);
		c->first = c->v[0].moment;
	}
	c->v = xgrow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	change = &c->v[c->n++];
	*change = (struct change){
		.kind = kind,
		.seen = seen,
		.of = d->of,
		.cpu = w->cpu,
		.cpu_share = w->cpu_share,
		.misses_second = w->seconds > 0 ? w->misses / w->seconds : NAN,
	};
	strbuf_init(&name);
	text_add(&name, t->name);
	snprintf(change->name, sizeof change->name, "%s", name.text);
	strbuf_done(&name);
	return change;
}

/* ---- tasks ---- */

static uint64_t key_of(uint64_t id, uint64_t start_ns)
{
	return id * 0x9e3779b97f4a7c15u ^ start_ns;
}

static void forget(struct changes *c, uint32_t before)
{
	struct hash kept = HASH_INIT;
	size_t pos = 0;
	struct task_state *d;

	while ((d = hash_next(&c->task_state, &pos)))
		if (d->last < before)
			free(d);
		else
			hash_put(&kept, key_of(d->of.id, d->of.start_ns), d);
	hash_done(&c->task_state);
	c->task_state = kept;
}

/* Drops the tasks whose last run lies in the older half of the time since the oldest last run of
 * all tasks. */
static void make_room(struct changes *c, uint32_t now)
{
	uint32_t oldest = now;
	size_t pos = 0;
	struct task_state *d;

	if (c->trimmed_at == now)
		return;
	c->trimmed_at = now;
	while ((d = hash_next(&c->task_state, &pos)))
		oldest = d->last < oldest ? d->last : oldest;
	forget(c, oldest + (now - oldest + 1) / 2);
}

static bool is_of(const struct task_state *d, const struct task *t)
{
	return d->of.id == t->id && d->of.start_ns == t->start_ns;
}

/* Returns the state of a task; creates it on first use. NULL: there is no room, as
 * CHANGES_TASKS_MAX tasks ran in this refresh. */
static struct task_state *find(struct changes *c, const struct task *t, uint32_t moment)
{
	struct task_state *d = hash_get(&c->task_state, key_of(t->id, t->start_ns));

	if (d && is_of(d, t))
		return d;
	if (!d) {
		if (c->task_state.n >= CHANGES_TASKS_MAX)
			make_room(c, moment);
		if (c->task_state.n >= CHANGES_TASKS_MAX)
			return NULL;
		d = xmalloc(sizeof *d);
		hash_put(&c->task_state, key_of(t->id, t->start_ns), d);
	}
	*d = (struct task_state){
		.of = {.kind = t->kind, .owner = t->owner, .id = t->id, .start_ns = t->start_ns}};
	return d;
}

/* Returns whether the task is known to have been idle, or not to have existed, before it became
 * busy. */
static bool was_idle(const struct changes *c, const struct task_state *d,
		     const struct delta_row *row)
{
	const uint32_t since = d->busy ? d->busy : c->first;

	return (row->born && !d->busy) || d->last - since > IDLE_LEAST;
}

static void see_begin(struct changes *c, struct task_state *d, const struct delta_row *row,
		      const struct work *w)
{
	if (!(w->cpu_share >= BUSY))
		return;
	if (was_idle(c, d, row)) {
		d->began = d->last;
		d->n_busy = 0;
	} else if (d->busy + 1 != d->last) {
		d->n_busy = N_BUSY_LEAST;
	}
	d->busy = d->last;
	if (!d->began || d->n_busy == N_BUSY_LEAST)
		return;
	if (++d->n_busy == N_BUSY_LEAST)
		add_change(c, CHANGE_BEGAN, d, row->task, w, d->last)->moment = d->began;
}

static void add_phase(struct changes *c, enum change_kind kind, const struct task_state *d,
		      const struct task *t, const struct work *w, uint32_t moment,
		      const struct phase_change *seen)
{
	struct change *change = add_change(c, kind, d, t, w, moment);

	change->moment = seen->when;
	change->before = seen->before;
	change->after = seen->after;
	change->noise = seen->noise;
	change->likelier = seen->likelier;
}

static void see_ipc(struct changes *c, struct task_state *d, const struct delta_row *row,
		    const struct work *w)
{
	struct phase_change seen;

	if (w->cpu_share >= IPC_LEAST && w->cycles > 0 && w->instructions >= 0 &&
	    phase_add(&d->ipc, w->instructions / w->cycles, d->last, &seen))
		add_phase(c, CHANGE_IPC, d, row->task, w, d->last, &seen);
}

/* Adds n moments, up to this one, with the %CPU of w. */
static void take_cpu(struct changes *c, struct task_state *d, const struct task *t,
		     const struct work *w, uint32_t n, uint32_t moment)
{
	struct phase_change seen;

	d->counted = moment;
	if (phase_add_same(&d->cpu, 100 * w->cpu_share, n, moment - n + 1, &seen) &&
	    fabs(seen.after - seen.before) >= CPU_LEAST)
		add_phase(c, CHANGE_CPU, d, t, w, moment, &seen);
}

/* Adds the moments of rest since the last known %CPU, up to this moment. */
static void take_rest(struct changes *c, struct task_state *d, const struct task *t,
		      uint32_t moment)
{
	static const struct work rest = {
		.cpu = -1, .seconds = NAN, .instructions = NAN, .cycles = NAN, .misses = NAN};
	const uint32_t since = d->counted > c->restart_moment ? d->counted : c->restart_moment;
	const uint32_t n = moment > since ? moment - since : 0;

	if (d->counted && n)
		take_cpu(c, d, t, &rest, n < REST_MAX ? n : REST_MAX, moment);
}

static void see_cpu(struct changes *c, struct task_state *d, const struct delta_row *row,
		    const struct work *w)
{
	d->gone = row->task->dead;
	if (d->gone)
		return;
	take_rest(c, d, row->task, d->last - 1);
	if (w->cpu_share >= 0)
		take_cpu(c, d, row->task, w, 1, d->last);
	else
		d->counted = d->last;
}

/* Adds moments of rest to the tasks that have stopped running, so that their change of %CPU is
 * found before they run again. */
static void see_resting(struct changes *c, const struct sample *sample, uint32_t moment)
{
	size_t pos = 0;
	struct task_state *d;

	while ((d = hash_next(&c->task_state, &pos))) {
		const struct task key = {.kind = d->of.kind,
					 .owner = d->of.owner,
					 .id = d->of.id,
					 .start_ns = d->of.start_ns};
		const struct task *t;

		if (d->gone || moment - d->last < PHASE_LEAST ||
		    moment - d->last >= PHASE_LEAST + 2 * REST_EVERY)
			continue;
		t = sample_find(sample, &key);
		d->gone = !t || t->dead;
		if (!d->gone)
			take_rest(c, d, t, moment);
	}
}

void changes_add(struct changes *c, const struct delta *delta, uint32_t moment)
{
	if (!delta->interval_ns) {
		c->restart_moment = moment;
		return;
	}
	if (!c->first)
		c->first = moment;
	c->events.of = NULL;
	for (size_t i = 0; i < delta->n; i++) {
		const struct delta_row *row = &delta->row[i];
		struct task_state *d;
		struct work w;

		if (row->task->kind != &kind_task || (row->fresh && !row->born))
			continue;
		d = find(c, row->task, moment);
		if (!d)
			continue;
		d->last = moment;
		work_read(&w, &c->events, row);
		see_begin(c, d, row, &w);
		see_ipc(c, d, row, &w);
		see_cpu(c, d, row, &w);
	}
	if (moment % REST_EVERY == 0)
		see_resting(c, delta->sample, moment);
}
