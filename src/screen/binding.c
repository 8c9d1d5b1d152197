/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/binding.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Sets that nobody else has any more are given up when there are so many. */
#define SETS_MAX 16

/* The screen bound to one set. */
struct binding_set {
	struct sample_events *events;
	bool whole;
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

/* Whether the machine has an event for the counter, on one kind of cores at least. */
static bool is_known(const struct screen_numbers *numbers, int counter)
{
	const struct sample_events *events = numbers->events;
	int head = numbers->head[counter];

	for (int i = head; i < events->n; i = sample_events_next_part(events, head, i))
		if (events->event[i].kind != EVENT_NONE)
			return true;
	return false;
}

/* Why there is no number of a counter that has no event: a recording may lack what the machine
 * has. */
static enum quality lack_of(const struct screen_numbers *numbers, int counter)
{
	enum quality quality = sample_events_quality(numbers->events, numbers->head[counter]);

	return quality == QUALITY_NOT_COUNTED ? quality : QUALITY_UNSUPPORTED;
}

/* All numbers of a set that a counter can be. */
struct matches {
	bool known;
	enum quality lack; /* where it is not known */
	int n;
	int *at;
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

/* Whether it has to be in one group with the other counters of its column. */
static bool takes_turns(const struct sample_events *set, const struct matches *m)
{
	return can_be_had(set, m) && set->event[m->at[0]].core != SAMPLE_ANY_CORE;
}

/* The counters of one column that have to be in one group. */
struct together {
	int counter[SAMPLE_MAX_EVENTS];
	int n;
};

static bool has_all(const struct together *t, const struct matches *m,
		    const struct sample_events *set, int group)
{
	for (int i = 0; i < t->n; i++)
		if (match_in(&m[t->counter[i]], set, group) < 0)
			return false;
	return true;
}

/* Takes all of them from this group; false where it lacks one. */
static bool bind_in(const struct together *t, const struct matches *m,
		    const struct sample_events *set, int group, struct bound *use)
{
	if (!has_all(t, m, set, group))
		return false;
	for (int i = 0; i < t->n; i++)
		use[t->counter[i]].event = match_in(&m[t->counter[i]], set, group);
	return true;
}

/* Takes them from a group that has all counters of the wish. */
static bool bind_wished(const struct together *t, const struct together *wish,
			const struct matches *m, const struct sample_events *set, struct bound *use)
{
	const struct matches *first = t->n ? &m[t->counter[0]] : NULL;

	for (int i = 0; first && i < first->n; i++) {
		int group = set->event[first->at[i]].group;

		if (has_all(wish, m, set, group) && bind_in(t, m, set, group, use))
			return true;
	}
	return false;
}

static bool is_within(const struct together *t, const struct together *wish)
{
	int found = 0;

	for (int i = 0; i < t->n; i++)
		for (int k = 0; k < wish->n; k++)
			found += wish->counter[k] == t->counter[i];
	return found >= t->n;
}

/* The counters that the declarations join by this number. */
static struct together find_wish(const struct screen *screen, int join, int n_counters,
				 const struct matches *m, const struct sample_events *set)
{
	struct together wish = {.n = 0};

	for (int c = 0; c < n_counters; c++)
		for (size_t i = 0; i < screen->n_counters; i++)
			if (screen->counter[i].join == join && takes_turns(set, &m[c]) &&
			    !strcmp(screen->counter[i].alias, screen->alias[c])) {
				wish.counter[wish.n++] = c;
				break;
			}
	return wish;
}

/* A column that has nothing but what was asked for together shows it as it was together. */
static bool bind_wishes(const struct together *t, const struct screen *screen, int n_counters,
			const struct matches *m, const struct sample_events *set, struct bound *use)
{
	int n_joins = 0;

	for (size_t i = 0; i < screen->n_counters; i++)
		if (screen->counter[i].join > n_joins)
			n_joins = screen->counter[i].join;
	for (int join = 1; join <= n_joins; join++) {
		const struct together wish = find_wish(screen, join, n_counters, m, set);

		if (is_within(t, &wish) && bind_wished(t, &wish, m, set, use))
			return true;
	}
	return false;
}

static bool bind_together(const struct together *t, const struct matches *m,
			  const struct sample_events *set, struct bound *use)
{
	const struct matches *first = t->n ? &m[t->counter[0]] : NULL;

	for (int i = 0; first && i < first->n; i++)
		if (bind_in(t, m, set, set->event[first->at[i]].group, use))
			return true;
	return !first;
}

static struct bound bind_alone(const struct matches *m)
{
	if (m->n)
		return (struct bound){m->at[0], QUALITY_EXACT};
	return (struct bound){-1, m->known ? QUALITY_NOT_COUNTED : (uint8_t)m->lack};
}

/* Returns whether the counters are what they should be: to be had, and in one group. */
static bool bind_column(struct bound *use, const struct screen *screen, size_t i, int n_counters,
			const struct matches *m, const struct sample_events *set)
{
	const struct expr *expr = screen->column[i].expr;
	struct together together = {.n = 0};
	bool whole = true;

	for (int c = 0; c < n_counters; c++)
		use[c] = (struct bound){-1, QUALITY_NOT_COUNTED};
	for (size_t k = 0; k < expr_n_refs(expr); k++) {
		int c = expr_ref_at(expr, k).symbol;

		if (c >= n_counters || use[c].event >= 0)
			continue;
		use[c] = bind_alone(&m[c]);
		whole = whole && (can_be_had(set, &m[c]) || !m[c].known);
		if (takes_turns(set, &m[c]))
			together.counter[together.n++] = c;
	}
	if (bind_wishes(&together, screen, n_counters, m, set, use))
		return whole;
	return bind_together(&together, m, set, use) && whole;
}

static struct binding_set *bind_set(const struct binding *b, const struct sample_events *events)
{
	const struct screen *screen = b->screen;
	const int n = b->numbers->n_counters;
	const size_t n_uses = screen->n_columns * (size_t)n;
	struct binding_set *set = xcalloc(1, sizeof *set + n_uses * sizeof set->use[0]);
	struct matches *m = xcalloc((size_t)n, sizeof *m);

	set->events = sample_events_ref(events);
	set->whole = true;
	for (int c = 0; c < n; c++)
		find_matches(&m[c], b->numbers, c, events);
	for (size_t i = 0; i < screen->n_columns; i++)
		set->whole &= bind_column(&set->use[i * (size_t)n], screen, i, n, m, events);
	for (int c = 0; c < n; c++)
		free(m[c].at);
	free(m);
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
