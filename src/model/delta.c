/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/delta.h"

#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
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

static int compare_tally(const void *key, const void *tally)
{
	return task_compare(key, ((const struct delta_tally *)tally)->task);
}

/* Returns the sums of a task at the sample of d; NULL: none. */
static const struct delta_tally *find_tally(const struct delta *d, const struct task *t)
{
	return delta_is_counted(t)
		       ? array_find(t, d->tally, d->n_tallies, sizeof *d->tally, compare_tally)
		       : NULL;
}

/* ---- delta ended ----
 *
 * Counts and facts of tasks that have ended.
 */

static bool is_same(const struct task *x, const struct task *y)
{
	/* The start of a thread whose facts were not read is 0. */
	return x->id == y->id && (x->start_ns == y->start_ns || !x->start_ns || !y->start_ns);
}

/* Returns the start of the process whose tasks begin at index `first`; 0: unknown. */
static uint64_t process_start(const struct sample *s, size_t first)
{
	for (size_t i = first; i < s->n && task_has_owner(s->task[i], task_owner(s->task[first]));
	     i++)
		if (task_is_leader(s->task[i]))
			return s->task[i]->start_ns;
	return 0;
}

/* Adds the growth of the facts of a thread since the mark, where their value at the mark is
 * known. */
static void add_since_mark(struct delta_ended *e, const struct task *t, const struct sample *mark)
{
	struct delta_row row = {.task = t};

	delta_mark_row(&row, mark);
	for (int f = 0; f < N_NUMBER_FACTS; f++) {
		uint64_t at;

		if (fact_table[f].per_thread && fact_in(t->known, f) &&
		    delta_fact_at_mark(&row, f, &at))
			e->fact[f].since += task_fact(t, f) - at;
	}
}

/* Returns whether x sorts before y and is another thread. One id may belong to several threads, one
 * after the other. */
static bool is_before(const struct task *x, const struct task *y)
{
	return x->id < y->id || (x->id == y->id && x->start_ns && x->start_ns < y->start_ns);
}

/* Adds the facts of a thread that is in no later sample to those of its process. Returns false if
 * no per-thread facts are read. */
static bool leave_facts(struct delta_ended *e, const struct task *t, const struct sample *mark)
{
	/* If t->ended, the thread ended in an earlier interval, in which note_end() set these
	 * flags. */
	bool now = !t->ended;

	if (!fact_any(fact_and(t->room, fact_per_thread)))
		return false;
	e->now |= now;
	e->later |= now;
	if (mark)
		add_since_mark(e, t, mark);
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		if (fact_table[f].per_thread && fact_in(t->known, f))
			e->fact[f].sum += task_fact(t, f);
	return true;
}

/* Notes the end of a thread that stays in the sample for now: its counters may still count the
 * threads that it started. */
static bool note_end(struct delta_ended *e, const struct task *t, const struct task *old)
{
	bool now = t->ended && !old->ended && fact_any(fact_and(t->room, fact_per_thread));

	e->now |= now;
	e->later |= now;
	return now;
}

/* Adds the sums of an ended thread to those of the heir, another task of its process. */
static void leave_counts(const struct delta_tally *heir, const struct delta *before,
			 const struct task *t)
{
	const struct delta_tally *tally = find_tally(before, t);

	delta_add_ended(t, tally ? tally->sum : NULL, heir->task->events,
			(struct value *)heir->sum);
	if (heir->since)
		delta_add_ended(t, tally ? tally->since : NULL, heir->task->events,
				(struct value *)heir->since);
}

/* Adds the facts of the threads of one process that are no longer in the current sample to *e, and
 * their counts to the sums of heir (NULL: none). first, from: the index of the first task of the
 * process in the current and the previous sample; the tasks are sorted by id and start. Returns
 * whether *e has to be stored. */
static bool take_process(const struct delta *d, size_t first, const struct delta *before,
			 size_t from, const struct delta_tally *heir, struct delta_ended *e)
{
	const struct sample *current = d->sample, *previous = before->sample;
	struct owner owner = task_owner(current->task[first]);
	bool any = false;

	for (size_t i = first; from < previous->n && task_has_owner(previous->task[from], owner);
	     from++) {
		const struct task *t = previous->task[from];

		while (i < current->n && task_has_owner(current->task[i], owner) &&
		       is_before(current->task[i], t))
			i++;
		if (i < current->n && task_has_owner(current->task[i], owner) &&
		    is_same(current->task[i], t)) {
			any |= note_end(e, current->task[i], t);
			continue;
		}
		any |= leave_facts(e, t, d->mark);
		if (heir)
			leave_counts(heir, before, t);
	}
	return any;
}

/* Returns whether the process has a single task, with the same reading in both samples: it did not
 * run and was not read again, which is the most frequent case. first, from: as in
 * take_process(). */
static bool is_unread(const struct sample *current, size_t first, const struct sample *previous,
		      size_t from)
{
	const struct task *t = current->task[first];

	return from < previous->n && previous->task[from] == t &&
	       (first + 1 == current->n ||
		!task_has_owner(current->task[first + 1], task_owner(t))) &&
	       (from + 1 == previous->n ||
		!task_has_owner(previous->task[from + 1], task_owner(t)));
}

/* Returns the sums of the first task of a process that has counters; NULL: none. *tally: the index
 * at which the search begins; advanced to where it ends. */
static const struct delta_tally *find_heir(const struct delta *d, struct owner owner, size_t *tally)
{
	while (*tally < d->n_tallies && owner_compare(task_owner(d->tally[*tally].task), owner) < 0)
		++*tally;
	return *tally < d->n_tallies && task_has_owner(d->tally[*tally].task, owner)
		       ? &d->tally[*tally]
		       : NULL;
}

/* The positions in the previous sample, in the tallies, and in the previous sums of ended
 * threads. */
struct walk {
	size_t from, tally, next;
};

/* Keeps the counts and facts of ended threads of the process whose tasks begin at index `first` of
 * the current sample, and at w->from of the previous one. */
static void take_over(struct delta *d, const struct delta *before, size_t first, struct walk *w)
{
	const struct sample *current = d->sample, *previous = before->sample;
	struct owner owner = task_owner(current->task[first]);
	struct ended_fact fact[N_NUMBER_FACTS] = {{0}};
	struct delta_ended e = {.owner = owner};
	bool had;

	while (w->next < before->n_ended && owner_compare(before->ended[w->next].owner, owner) < 0)
		w->next++;
	/* Another process may have the pid by now. */
	if (w->from == previous->n ||
	    process_start(previous, w->from) != process_start(current, first))
		return;
	had = w->next < before->n_ended && !owner_compare(before->ended[w->next].owner, owner);
	if (had) {
		e = before->ended[w->next];
		e.before = e.now;
		e.now = false;
		memcpy(fact, e.fact, sizeof fact);
	}
	e.fact = fact;
	if (take_process(d, first, before, w->from, find_heir(d, owner, &w->tally), &e) || had) {
		e.fact = arena_copy(&d->arena, fact, sizeof fact);
		d->ended[d->n_ended++] = e;
	}
}

/* Keeps the counts and facts of threads that ended and left the sample, for each process in the
 * sample of d: adds their sums to those of the first task of the process that has counters, and
 * their facts to d->ended. */
static void delta_take_over(struct delta *d, const struct delta *before)
{
	const struct sample *current = d->sample, *previous = before->sample;
	struct walk w = {0};

	for (size_t i = 0; i < current->n; i++) {
		struct owner owner = task_owner(current->task[i]);

		if (i && task_has_owner(current->task[i - 1], owner))
			continue;
		while (w.from < previous->n &&
		       owner_compare(task_owner(previous->task[w.from]), owner) < 0)
			w.from++;
		if (w.next == before->n_ended && is_unread(current, i, previous, w.from))
			continue;
		take_over(d, before, i, &w);
	}
}

static int compare_owner(const void *owner, const void *ended)
{
	return owner_compare(*(const struct owner *)owner,
			     ((const struct delta_ended *)ended)->owner);
}

const struct delta_ended *delta_find_ended(const struct delta *d, struct owner owner)
{
	return array_find(&owner, d->ended, d->n_ended, sizeof *d->ended, compare_owner);
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

/* Returns the values for tasks that have this set of events, but no counters; NULL: none were
 * computed. */
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

/* Copies the sums of a task that did nothing. */
static struct delta_tally copy_tally(const struct delta_tally *from, struct arena *arena)
{
	const size_t size = (size_t)from->task->events->n * sizeof *from->sum;

	return (struct delta_tally){from->task, arena_copy(arena, from->sum, size),
				    from->since ? arena_copy(arena, from->since, size) : NULL};
}

/* Adds a row for task i, of which the previous sample has another reading (old), with the index
 * m->task - 1; or none (old: NULL). */
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
		compute_row(out, d, t, t, find_tally(d, t), arena);
}
