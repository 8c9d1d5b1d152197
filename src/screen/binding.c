/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/binding.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* When the cache has this number of sets, it drops those to which only the cache has a reference.
 */
#define SETS_MAX 16

/* An entry of the cache: the columns of the screen, bound to one set of events. */
struct binding_set {
	struct sample_events *events;
	bool whole;         /* the result of binding_is_whole() */
	struct bound use[]; /* [n_columns][n_counters] */
};

void screen_numbers_init(struct screen_numbers *numbers, struct sample_events *events,
			 const int *head, int n_counters)
{
	numbers->events = events;
	numbers->n_counters = n_counters;
	numbers->head = xcalloc((size_t)n_counters, sizeof *head);
	if (n_counters)
		memcpy(numbers->head, head, (size_t)n_counters * sizeof *head);
}

void screen_numbers_done(struct screen_numbers *numbers)
{
	sample_events_unref(numbers->events);
	free(numbers->head);
	memset(numbers, 0, sizeof *numbers);
}

void binding_init(struct binding *b, const struct screen *screen,
		  const struct screen_numbers *numbers)
{
	*b = (struct binding){.screen = screen, .numbers = numbers};
}

static void free_set(struct binding_set *set)
{
	sample_events_unref(set->events);
	free(set);
}

void binding_done(struct binding *b)
{
	for (size_t i = 0; i < b->n; i++)
		free_set(b->set[i]);
	free(b->set);
	memset(b, 0, sizeof *b);
}

/* Returns whether the machine has an event for the counter, on at least one kind of cores. */
static bool is_known(const struct screen_numbers *numbers, int counter)
{
	const struct sample_events *events = numbers->events;
	int head = numbers->head[counter];

	for (int i = head; i < events->n; i = sample_events_next_part(events, head, i))
		if (events->event[i].kind != EVENT_NONE)
			return true;
	return false;
}

/* Returns why a counter has no event on the machine. For a recording, the reason may be that the
 * event was not recorded, although the recorded machine has it. */
static enum quality lack_of(const struct screen_numbers *numbers, int counter)
{
	enum quality quality = sample_events_quality(numbers->events, numbers->head[counter]);

	return quality == QUALITY_NOT_COUNTED ? quality : QUALITY_UNSUPPORTED;
}

/* The events of a set that match one counter. */
struct matches {
	bool known;        /* the machine has an event for the counter */
	enum quality lack; /* the reason if not known */
	int n;
	int *at; /* [n] indices of their heads in the set */
};

static void find_matches(struct matches *m, const struct screen_numbers *numbers, int counter,
			 const struct sample_events *set)
{
	const struct sample_events *events = numbers->events;
	int i = -1;

	*m = (struct matches){
		.known = is_known(numbers, counter),
		.lack = lack_of(numbers, counter),
		.at = xcalloc((size_t)sample_events_n(set), sizeof *m->at),
	};
	while (set && m->known) {
		i = sample_events_find(set, i + 1, events, numbers->head[counter]);
		if (i < 0)
			break;
		m->at[m->n++] = i;
	}
}

static int match_in(const struct matches *m, const struct sample_events *set, int group)
{
	for (int i = 0; i < m->n; i++)
		if (set->event[m->at[i]].group == group)
			return m->at[i];
	return -1;
}

static bool can_be_had(const struct sample_events *set, const struct matches *m)
{
	return m->n && sample_events_quality(set, m->at[0]) == QUALITY_EXACT;
}

/* Returns whether the counter must be in one group with the other counters of its column, because
 * the kernel may multiplex it: the event is available and of a core PMU. */
static bool takes_turns(const struct sample_events *set, const struct matches *m)
{
	return can_be_had(set, m) && set->event[m->at[0]].core != SAMPLE_ANY_CORE;
}

/* Counters to be bound to one group. */
struct counter_group {
	int counter[SAMPLE_MAX_EVENTS];
	int n;
};

/* The state of binding a screen to one set. */
struct binder {
	const struct screen *screen;
	const struct sample_events *set;
	int n_counters;
	struct matches *match;      /* [n_counters] */
	struct counter_group *wish; /* [n_wishes] counters that the user wants in one group */
	int n_wishes;
};

static bool has_all(const struct binder *b, const struct counter_group *t, int group)
{
	for (int i = 0; i < t->n; i++)
		if (match_in(&b->match[t->counter[i]], b->set, group) < 0)
			return false;
	return true;
}

/* Binds the counters of `t` to the first group that has all counters of `others`, a superset of
 * `t`. Returns false if there is no such group. */
static bool bind_together(const struct binder *b, const struct counter_group *t,
			  const struct counter_group *others, struct bound *use)
{
	const struct matches *first = &b->match[t->counter[0]];

	for (int i = 0; i < first->n; i++) {
		int group = b->set->event[first->at[i]].group;

		if (!has_all(b, others, group))
			continue;
		for (int k = 0; k < t->n; k++)
			use[t->counter[k]].event =
				match_in(&b->match[t->counter[k]], b->set, group);
		return true;
	}
	return false;
}

static bool is_within(const struct counter_group *t, const struct counter_group *wish)
{
	int found = 0;

	for (int i = 0; i < t->n; i++)
		for (int k = 0; k < wish->n; k++)
			found += wish->counter[k] == t->counter[i];
	return found >= t->n;
}

/* If the user joined all counters of the column, binds them to a group that has all the joined
 * counters. Returns false if there is no such group. */
static bool bind_as_wished(const struct binder *b, const struct counter_group *t, struct bound *use)
{
	for (int i = 0; i < b->n_wishes; i++)
		if (is_within(t, &b->wish[i]) && bind_together(b, t, &b->wish[i], use))
			return true;
	return false;
}

static struct bound bind_alone(const struct matches *m)
{
	if (m->n)
		return (struct bound){m->at[0], QUALITY_EXACT};
	return (struct bound){-1, m->known ? QUALITY_NOT_COUNTED : (uint8_t)m->lack};
}

/* Binds the counters of a column: sets use[]. Returns whether all are available, and those of core
 * PMUs in one group; counters that the machine lacks are ignored. */
static bool bind_column(const struct binder *b, const struct expr *expr, struct bound *use)
{
	struct counter_group counter_group = {.n = 0};
	bool whole = true;

	for (int c = 0; c < b->n_counters; c++)
		use[c] = (struct bound){-1, QUALITY_NOT_COUNTED};
	for (size_t k = 0; k < expr_n_refs(expr); k++) {
		int c = expr_ref_at(expr, k).symbol;

		if (c >= b->n_counters || use[c].event >= 0)
			continue;
		use[c] = bind_alone(&b->match[c]);
		whole = whole && (can_be_had(b->set, &b->match[c]) || !b->match[c].known);
		if (takes_turns(b->set, &b->match[c]))
			counter_group.counter[counter_group.n++] = c;
	}
	if (!counter_group.n || bind_as_wished(b, &counter_group, use))
		return whole;
	return bind_together(b, &counter_group, &counter_group, use) && whole;
}

static bool is_joined(const struct screen *screen, const char *alias, int join)
{
	for (size_t i = 0; i < screen->n_counters; i++)
		if (screen->counter[i].join == join && !strcmp(screen->counter[i].alias, alias))
			return true;
	return false;
}

static void find_wishes(struct binder *b)
{
	for (size_t i = 0; i < b->screen->n_counters; i++)
		if (b->screen->counter[i].join > b->n_wishes)
			b->n_wishes = b->screen->counter[i].join;
	b->wish = xcalloc((size_t)b->n_wishes, sizeof *b->wish);
	for (int i = 0; i < b->n_wishes; i++)
		for (int c = 0; c < b->n_counters; c++)
			if (takes_turns(b->set, &b->match[c]) &&
			    is_joined(b->screen, b->screen->alias[c], i + 1))
				b->wish[i].counter[b->wish[i].n++] = c;
}

static struct binding_set *bind_set(const struct binding *binding,
				    const struct sample_events *events)
{
	const struct screen *screen = binding->screen;
	const size_t n = (size_t)binding->numbers->n_counters;
	struct binding_set *set =
		xcalloc(1, sizeof *set + screen->n_columns * n * sizeof set->use[0]);
	struct binder b = {.screen = screen, .set = events, .n_counters = (int)n};

	set->events = sample_events_ref(events);
	set->whole = true;
	b.match = xcalloc(n, sizeof *b.match);
	for (int c = 0; c < b.n_counters; c++)
		find_matches(&b.match[c], binding->numbers, c, events);
	find_wishes(&b);
	for (size_t i = 0; i < screen->n_columns; i++)
		set->whole &= bind_column(&b, screen->column[i].expr, &set->use[i * n]);
	for (int c = 0; c < b.n_counters; c++)
		free(b.match[c].at);
	free(b.match);
	free(b.wish);
	return set;
}

static void drop_old_sets(struct binding *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		if (b->set[i]->events && b->set[i]->events->refs == 1)
			free_set(b->set[i]);
		else
			b->set[n++] = b->set[i];
	b->n = n;
}

static const struct binding_set *find_set(struct binding *b, const struct sample_events *events)
{
	for (size_t i = b->n; i-- > 0;)
		if (b->set[i]->events == events)
			return b->set[i];
	if (b->n >= SETS_MAX)
		drop_old_sets(b);
	b->set = xgrow(b->set, &b->cap, b->n + 1, sizeof(struct binding_set *));
	b->set[b->n++] = bind_set(b, events);
	return b->set[b->n - 1];
}

const struct bound *binding_columns(struct binding *b, const struct sample_events *events)
{
	return find_set(b, events)->use;
}

const struct bound *binding_column(struct binding *b, const struct sample_events *events,
				   size_t column)
{
	return &binding_columns(b, events)[column * (size_t)b->numbers->n_counters];
}

bool binding_is_whole(struct binding *b, const struct sample_events *events)
{
	return find_set(b, events)->whole;
}

/* ---- origins ---- */

void origins_done(struct origins *e)
{
	for (size_t i = 0; i < e->n; i++) {
		struct origin *x = &e->v[i];

		free(x->counter);
		free(x->what);
		free(x->pmu);
		free(x->code);
		free(x->modes);
		free(x->meaning);
	}
	free(e->v);
	*e = (struct origins){NULL, 0};
}
