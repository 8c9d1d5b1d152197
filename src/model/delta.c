/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/delta_part.h"

#include <stdlib.h>
#include <string.h>

#include "model/kinds.h"

void delta_row_ref(const struct delta_row *row)
{
	if (row->old)
		task_ref(row->old);
	if (row->facts_from && row->facts_from != row->old)
		task_ref(row->facts_from);
}

void delta_row_unref(const struct delta_row *row)
{
	task_unref(row->old);
	if (row->facts_from != row->old)
		task_unref(row->facts_from);
}

void delta_init(struct delta *d)
{
	memset(d, 0, sizeof *d);
}

/* Gives the references back. Rows that were made of others hold none: they are those of the tasks.
 */
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

/* What there is to say of tasks without counters of whom these events are wanted. */
static const struct delta_wanted *find_wanted(const struct delta *d,
					      const struct sample_events *events)
{
	for (size_t i = d->n_wanted; i-- > 0;)
		if (d->wanted[i].events == events)
			return &d->wanted[i];
	return NULL;
}

const struct delta_plain *delta_plain_of(const struct delta *d, const struct task *t, bool fresh)
{
	return &find_wanted(d, t->events)->plain[t->counting][fresh];
}

/* before: the sums of `old`, where it has some. */
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
		const struct delta_plain *plain = delta_plain_of(d, t, !old);

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

/* Sets the intervals of task i in the current sample; its previous reading is that of task k in the
 * previous one. */
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

/* Keeps the facts of the last interval, for a task whose end has taken the present ones. If it had
 * no row then, it did nothing. */
static void take_last_facts(struct delta_row *row, const struct delta *before)
{
	const struct delta_row *last = row->old && before->n
					       ? bsearch(row->old, before->row, before->n,
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

/* The state of a walk through two samples, or a sample and its tallies, side by side. */
struct match {
	const struct sample *previous; /* NULL: there is none to compare with */
	const struct delta *before;
	size_t task, tally;
};

/* Returns the previous reading of the next task, or NULL. */
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

/* Returns the sums of that reading, or NULL. */
static const struct delta_tally *match_tally(struct match *m, const struct task *old)
{
	if (!delta_is_counted(old))
		return NULL;
	while (m->before->tally[m->tally].task != old)
		m->tally++;
	return &m->before->tally[m->tally];
}

/* Counts rows. ends: the most processes that can have a thread that ended. */
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

static void add_wanted(struct delta *d, const struct sample_events *events)
{
	struct delta_wanted *w;

	if (find_wanted(d, events))
		return;
	w = &d->wanted[d->n_wanted++];
	w->events = events;
	for (int state = 0; state < N_COUNT_STATES; state++)
		for (int fresh = 0; fresh < 2; fresh++)
			w->plain[state][fresh] =
				delta_make_plain(events, (enum count_state)state, fresh, &d->arena);
}

/* Whether the set is another one than that of the task before. */
static bool set_changes(const struct sample *s, size_t i)
{
	return i == 0 || (!s->one_set && s->task[i]->events != s->task[i - 1]->events);
}

/* There are not more sets than changes. */
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
			add_wanted(d, current->task[i]->events);
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
		       ? bsearch(t, d->tally, d->n_tallies, sizeof *d->tally, compare_tally)
		       : NULL;
}

/* The sums of a task that did nothing. */
static struct delta_tally copy_tally(const struct delta_tally *from, struct arena *arena)
{
	const size_t size = (size_t)from->task->events->n * sizeof *from->sum;

	return (struct delta_tally){from->task, arena_copy(arena, from->sum, size),
				    from->since ? arena_copy(arena, from->since, size) : NULL};
}

/* A reading that the sample before does not have. m is where it is in the walk. */
static const struct delta_row *add_row(struct delta *d, const struct match *m, size_t i,
				       const struct task *old, const struct delta_tally *tally)
{
	struct delta_row *row = &d->row[d->n++];
	const struct task *t = d->sample->task[i];

	/* Other counters are open than before. */
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
