/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/delta.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/delta_part.h"
#include "model/fact_list.h"
#include "model/kinds.h"

/* ---- mark ----
 *
 * Sums since the mark.
 */

const struct sample *delta_marked(const struct delta *d)
{
	while (d->threads)
		d = d->threads;
	return d->mark;
}

static const struct delta_default *delta_default_of(const struct delta *d, const struct task *t,
						    bool fresh);

void delta_mark(struct delta *d)
{
	sample_unref(d->mark);
	d->mark = sample_ref(d->sample);
	for (size_t i = 0; i < d->n; i++) {
		struct delta_row *row = &d->row[i];

		row->marked = row->task;
		row->began_after_mark = false;
		row->since = row->since_sum = delta_default_of(d, row->task, false)->total;
	}
	for (size_t i = 0; i < d->n_tallies; i++)
		d->tally[i].since = delta_default_of(d, d->tally[i].task, false)->total;
	for (size_t i = 0; i < d->n_ended; i++) {
		d->ended[i].later = false;
		for (int f = 0; f < N_NUMBER_FACTS; f++)
			d->ended[i].fact[f].since = 0;
	}
}

/* ---- moved ----
 *
 * Counts that moved from one row to another (sample.h).
 */

/* Returns the counts of event i that moved to this task between two readings. Computes with
 * unsigned numbers, whose overflow is defined: a damaged recording may hold any number. */
static int64_t moved(const struct task *t, const struct task *old, int i)
{
	return (int64_t)((uint64_t)t->moved[i] - (uint64_t)(old && old->moved ? old->moved[i] : 0));
}

static void add(struct value *total, int64_t more)
{
	const uint64_t less = 0 - (uint64_t)more;
	uint64_t count;

	if (!value_known(*total) || !more)
		return;
	if (more > 0)
		*total = value_accumulate(*total, value_count((uint64_t)more));
	else if (value_is_count(*total, &count) && count >= less)
		*total = value_count(count - less);
	else
		*total = value_combine(total->number + (double)more, *total, *total);
}

/* Adds to the shown total and to the sum that the next total continues. Most often both are one
 * array. */
static void add_both(const struct value *shown, const struct value *sum, int i, int64_t more)
{
	add((struct value *)&sum[i], more);
	if (shown != sum)
		add((struct value *)&shown[i], more);
}

/* Returns how many counts of event i moved from the row `from` to rows of this sample that began
 * after the mark. */
static uint64_t moved_since_mark(const struct delta *d, const struct task *from, int i)
{
	uint64_t given = 0;

	for (size_t k = 0; k < d->sample->n; k++) {
		struct delta_row other = {.task = d->sample->task[k]};
		const struct task *t = other.task;
		int at;

		if (!t->moved || t == from)
			continue;
		delta_mark_row(&other, d->mark);
		at = other.began_after_mark ? sample_events_find(t->events, 0, from->events, i)
					    : -1;
		given += at < 0 ? 0 : (uint64_t)t->moved[at];
	}
	return given;
}

/* Adds the counts that moved since the reading `old` to the totals of a row; old NULL: since its
 * counters were opened. row->marked and row->began_after_mark must be set. */
static void delta_move_row(struct delta_row *row, const struct delta *d, const struct task *old)
{
	const struct task *t = row->task;

	for (int i = 0; i < t->events->n; i++) {
		int64_t more = moved(t, old, i);

		add_both(row->total, row->sum, i, more);
		if (!row->since || !more)
			continue;
		if (more < 0)
			more = (int64_t)(0 - moved_since_mark(d, t, i));
		else if (!row->began_after_mark)
			more = 0;
		add_both(row->since, row->since_sum, i, more);
	}
}

/* ---- event joins ---- */

#define JOINS_MAX 256

struct join {
	struct sample_events *a, *b, *joined;
};

struct event_joins {
	struct join *v;
	size_t n, cap;
};

struct event_joins *event_joins_new(void)
{
	return xcalloc(1, sizeof(struct event_joins));
}

static void forget_all(struct event_joins *joins)
{
	for (size_t i = 0; i < joins->n; i++) {
		sample_events_unref(joins->v[i].a);
		sample_events_unref(joins->v[i].b);
		sample_events_unref(joins->v[i].joined);
	}
	joins->n = 0;
}

void event_joins_free(struct event_joins *joins)
{
	if (!joins)
		return;
	forget_all(joins);
	free(joins->v);
	free(joins);
}

/* Drops all sets if there are more than JOINS_MAX. Must not be called while a set that
 * event_joins_get() returned is in use. */
static void event_joins_trim(struct event_joins *joins)
{
	if (joins->n > JOINS_MAX)
		forget_all(joins);
}

const struct sample_events *event_joins_get(struct event_joins *joins,
					    const struct sample_events *a,
					    const struct sample_events *b)
{
	struct join *join;

	if (a == b || !b)
		return a;
	if (!a)
		return b;
	for (size_t i = joins->n; i-- > 0;)
		if (joins->v[i].a == a && joins->v[i].b == b)
			return joins->v[i].joined;
	joins->v = xgrow(joins->v, &joins->cap, joins->n + 1, sizeof *joins->v);
	join = &joins->v[joins->n++];
	join->a = sample_events_ref(a);
	join->b = sample_events_ref(b);
	join->joined = sample_events_join(a, b);
	return join->joined;
}

struct value *event_values_move(const struct value *value, const struct sample_events *from,
				const struct sample_events *to, struct arena *arena)
{
	struct value *moved = arena_calloc(arena, (size_t)sample_events_n(to), sizeof *moved);

	for (int i = 0; i < sample_events_n(to); i++) {
		int k = -1;

		if (from && !to->event[i].part_of)
			k = sample_events_find(from, 0, to, i);
		moved[i] = k < 0 ? value_none(QUALITY_NOT_COUNTED) : value[k];
	}
	return moved;
}

/* ---- delta ---- */

void delta_init(struct delta *d)
{
	memset(d, 0, sizeof *d);
}

/* Releases the references of the rows. Folded rows hold none: they use those of the rows of the
 * tasks. */
static void drop_rows(struct delta *d)
{
	for (size_t i = 0; !d->threads && i < d->n; i++)
		delta_row_unref(&d->row[i]);
	d->n = 0;
}

void delta_done(struct delta *d)
{
	drop_rows(d);
	sample_unref(d->mark);
	event_joins_free(d->joins);
	arena_done(&d->arena);
	memset(d, 0, sizeof *d);
}

/* Returns the values of tasks without counters that have this set of events; NULL: none. */
static const struct delta_defaults *find_defaults(const struct delta *d,
						  const struct sample_events *events)
{
	for (size_t i = d->n_wanted; i-- > 0;)
		if (d->wanted[i].events == events)
			return &d->wanted[i];
	return NULL;
}

/* Returns the values of a task without counters. */
static const struct delta_default *delta_default_of(const struct delta *d, const struct task *t,
						    bool fresh)
{
	return &find_defaults(d, t->events)->plain[t->counting][fresh];
}

/* Computes one row. before: the sums of `old`; NULL: none. */
static void compute_row(struct delta_row *row, const struct delta *d, const struct task *t,
			const struct task *old, const struct delta_tally *before,
			struct arena *arena)
{
	*row = (struct delta_row){
		.task = t,
		.old = old,
		.facts_from = old,
		.fresh = !old,
		.born = d->interval_ns && (t->start_ns + DELTA_TICK_NS > d->previous_boot_ns ||
					   t->counting == COUNT_WHOLE),
		.stale = t->facts_read != d->sample->number,
		.n_members = 1,
		.counts_ns = d->interval_ns,
		.facts_ns = d->interval_ns,
		.events = t->events,
	};
	if (delta_is_counted(t)) {
		delta_count_row(row, before, d->mark, arena);
	} else {
		const struct delta_default *plain = delta_default_of(d, t, !old);

		row->increment = plain->increment;
		row->sum = row->total = plain->total;
		row->since_sum = row->since = d->mark ? plain->total : NULL;
	}
	if (d->mark)
		delta_mark_row(row, d->mark);
	if (t->moved)
		delta_move_row(row, d, before ? old : NULL);
	delta_core_row(row);
	row->cpu_ns = delta_cpu_time(row, d->sample->host.tick_ns);
}

static uint64_t since(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

/* Sets the intervals of task i in the current sample; k is the index of its previous reading in the
 * previous sample. */
static void set_intervals(struct delta_row *row, const struct sample *current, size_t i,
			  const struct sample *previous, size_t k)
{
	uint64_t counts_ns = sample_counts_ns(current, i), facts_ns = sample_facts_ns(current, i),
		 more;

	row->counts_ns =
		since(row->old ? sample_counts_ns(previous, k) : previous->mono_ns, counts_ns);
	row->facts_ns =
		since(row->old ? sample_facts_ns(previous, k) : previous->mono_ns, facts_ns);
	more = row->counts_ns > row->facts_ns ? row->counts_ns : row->facts_ns;
	row->unequal = row->counts_ns + row->facts_ns < more + more - more / 100;
}

static int compare_row(const void *task, const void *row)
{
	return task_compare(task, ((const struct delta_row *)row)->task);
}

/* Uses the facts of the previous interval for a task whose facts were lost at its end. If it had no
 * row then, it did nothing in that interval. */
static void take_last_facts(struct delta_row *row, const struct delta *before)
{
	const struct delta_row *last = row->old ? array_find(row->old, before->row, before->n,
							     sizeof *before->row, compare_row)
						: NULL;

	if (last) {
		row->facts_from = last->facts_from;
		row->facts_ns = last->facts_ns;
		row->born = last->born;
	} else {
		row->facts_ns = row->counts_ns;
	}
	row->cpu_counted = false;
	row->cpu_ns = delta_cpu_time(row, 0);
}

/* The position in the previous sample, and in the tallies of its delta, while the current sample is
 * walked. */
struct match {
	const struct sample *previous; /* NULL: no sample to compare with */
	const struct delta *before;
	size_t task, tally;
};

/* Returns the previous reading of t; NULL: none. To be called for all tasks in their order. */
static const struct task *match_task(struct match *m, const struct task *t)
{
	if (!m->previous)
		return NULL;
	while (m->task < m->previous->n && m->previous->task[m->task] != t) {
		int order = task_compare(m->previous->task[m->task], t);

		if (order > 0)
			return NULL;
		if (order == 0)
			break;
		m->task++;
	}
	return m->task < m->previous->n ? m->previous->task[m->task++] : NULL;
}

/* Returns the sums of the previous reading `old`; NULL: none. To be called after match_task(). */
static const struct delta_tally *match_tally(struct match *m, const struct task *old)
{
	if (!delta_is_counted(old))
		return NULL;
	while (m->before->tally[m->tally].task != old)
		m->tally++;
	return &m->before->tally[m->tally];
}

/* Counts the rows and tallies of the new delta. ends: the most processes that can have lost a
 * thread. */
static void count_rows(const struct sample *previous, const struct sample *current, size_t *rows,
		       size_t *tallies, size_t *ends)
{
	struct match m = {.previous = previous};

	*rows = *tallies = 0;
	*ends = previous ? previous->n : 0;
	for (size_t i = 0; i < current->n; i++) {
		const struct task *t = current->task[i], *old = match_task(&m, t);

		*rows += old != t;
		*tallies += delta_is_counted(t);
		*ends += t->ended;
		*ends -= old != NULL;
	}
}

static void add_defaults(struct delta *d, const struct sample_events *events)
{
	struct delta_defaults *w;

	if (find_defaults(d, events))
		return;
	w = &d->wanted[d->n_wanted++];
	w->events = events;
	for (int state = 0; state < N_COUNT_STATES; state++)
		for (int fresh = 0; fresh < 2; fresh++)
			w->plain[state][fresh] = delta_make_default(events, (enum count_state)state,
								    fresh, &d->arena);
}

/* Returns whether task i has another set of events than task i - 1. */
static bool set_changes(const struct sample *s, size_t i)
{
	return i == 0 || (!s->one_set && s->task[i]->events != s->task[i - 1]->events);
}

/* Returns an upper bound of the number of sets: the number of changes from task to task. */
static size_t count_sets(const struct sample *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += set_changes(s, i);
	return n;
}

static void delta_begin(struct delta *d, const struct delta *before, const struct sample *previous,
			const struct sample *current)
{
	const struct sample *mark = previous && before->mark ? sample_ref(before->mark) : NULL;
	size_t rows, tallies, ends;

	drop_rows(d);
	sample_unref(d->mark);
	arena_reset(&d->arena);
	*d = (struct delta){.kind = current->n      ? current->task[0]->kind
				    : current->kind ? current->kind
						    : &kind_task,
			    .sample = current,
			    .mark = mark,
			    .joins = d->joins,
			    .arena = d->arena};
	if (previous) {
		d->interval_ns = current->mono_ns - previous->mono_ns;
		d->previous_boot_ns = previous->boot_ns;
	}
	count_rows(previous, current, &rows, &tallies, &ends);
	ends += previous ? before->n_ended : 0;
	d->row = arena_alloc(&d->arena, rows * sizeof *d->row);
	d->tally = arena_alloc(&d->arena, tallies * sizeof *d->tally);
	d->ended = arena_alloc(&d->arena, ends * sizeof *d->ended);
	d->wanted = arena_alloc(&d->arena, count_sets(current) * sizeof *d->wanted);
	for (size_t i = 0; i < current->n; i++)
		if (set_changes(current, i))
			add_defaults(d, current->task[i]->events);
	if (!d->joins)
		d->joins = event_joins_new();
	event_joins_trim(d->joins);
}

static int compare_tally(const void *key, const void *tally)
{
	return task_compare(key, ((const struct delta_tally *)tally)->task);
}

const struct delta_tally *delta_find_tally(const struct delta *d, const struct task *t)
{
	return delta_is_counted(t)
		       ? array_find(t, d->tally, d->n_tallies, sizeof *d->tally, compare_tally)
		       : NULL;
}

/* Copies the sums of a task that did nothing. */
static struct delta_tally copy_tally(const struct delta_tally *from, struct arena *arena)
{
	const size_t size = (size_t)from->task->events->n * sizeof *from->sum;

	return (struct delta_tally){from->task, arena_copy(arena, from->sum, size),
				    from->since ? arena_copy(arena, from->since, size) : NULL};
}

/* Adds a row for task i, whose reading is not in the previous sample. m->task - 1 is the index of
 * its previous reading, if it has one. */
static const struct delta_row *add_row(struct delta *d, const struct match *m, size_t i,
				       const struct task *old, const struct delta_tally *tally)
{
	struct delta_row *row = &d->row[d->n++];
	const struct task *t = d->sample->task[i];

	/* Other counters are open now. */
	if (old && old->events != t->events)
		tally = NULL;
	compute_row(row, d, t, old, tally, &d->arena);
	if (m->previous)
		set_intervals(row, d->sample, i, m->previous, m->task - 1);
	if (m->previous && t->lost)
		take_last_facts(row, m->before);
	delta_row_ref(row);
	return row;
}

void delta_compute(struct delta *out, const struct delta *before, const struct sample *previous,
		   const struct sample *current)
{
	bool comparable = previous && previous->generation == current->generation && before &&
			  before->sample == previous;
	struct match m = {.previous = comparable ? previous : NULL, .before = before};

	delta_begin(out, before, m.previous, current);
	use_compute(&out->use, before ? &before->use : NULL, &current->use, current->mono_ns,
		    &out->arena);
	for (size_t i = 0; i < current->n; i++) {
		const struct task *t = current->task[i], *old = match_task(&m, t);
		const struct delta_tally *tally = match_tally(&m, old);
		const struct delta_row *row = t != old ? add_row(out, &m, i, old, tally) : NULL;

		if (delta_is_counted(t))
			out->tally[out->n_tallies++] =
				row ? (struct delta_tally){t, row->sum, row->since_sum}
				    : copy_tally(tally, &out->arena);
	}
	if (m.previous && !current->threads)
		delta_take_over(out, before);
}

float delta_least_share(const struct delta *d)
{
	float least = 1;

	for (size_t i = 0; i < d->n; i++) {
		const struct delta_row *row = &d->row[i];

		for (int e = 0; e < sample_events_n(row->events); e++) {
			const struct value v = row->increment[e];

			if (row->events->event[e].part_of)
				continue;
			if (v.quality == QUALITY_SCALED && v.share < least)
				least = v.share;
			else if (v.quality == QUALITY_NOT_SCHEDULED)
				least = 0;
		}
	}
	return least;
}

void delta_task_row(struct delta_row *out, const struct delta *d, const struct delta_row *row,
		    size_t i, struct arena *arena)
{
	const struct task *t = d->sample->task[i];

	if (row)
		*out = *row;
	else
		compute_row(out, d, t, t, delta_find_tally(d, t), arena);
}
