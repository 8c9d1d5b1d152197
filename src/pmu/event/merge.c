/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/event/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "pmu/event/tell.h"

static int count_parts(const struct event_set *set, int counter)
{
	int n = 0;

	for (int i = 0; i < set->n; i++)
		n += set->event[i].counter == counter;
	return n;
}

static bool has_part(const struct event_set *set, int counter, const struct sample_event *part)
{
	for (int i = 0; i < set->n; i++) {
		const struct sample_event e = event_to_sample(set, i);

		if (set->event[i].counter == counter && sample_event_equal(&e, part))
			return true;
	}
	return false;
}

static bool is_same(const struct event_set *set, int counter, const struct event_set *other,
		    int its_counter)
{
	bool known = false;

	if (count_parts(set, counter) != count_parts(other, its_counter))
		return false;
	for (int i = 0; i < other->n; i++) {
		const struct sample_event e = event_to_sample(other, i);

		if (other->event[i].counter != its_counter)
			continue;
		known = known || e.kind != EVENT_NONE;
		if (!has_part(set, counter, &e))
			return false;
	}
	return known;
}

int event_set_find(const struct event_set *set, const struct event_set *other, int counter)
{
	for (int c = 0; c < set->n_counters; c++)
		if (is_same(set, c, other, counter))
			return c;
	return -1;
}

/* Translates the counters of the other set into those of the set. bit[c]: the mask of the counter
 * of the set that equals counter c of the other set; 0: there is none. */
struct counter_places {
	uint64_t bit[EVENT_SET_MAX];
};

static uint64_t move_mask(const struct counter_places *places, uint64_t counters)
{
	uint64_t moved = 0;

	for (; counters; counters &= counters - 1)
		moved |= places->bit[__builtin_ctzll(counters)];
	return moved;
}

static struct counter_places find_places(const struct event_set *set, const struct event_set *other)
{
	struct counter_places places = {{0}};

	for (int c = 0; c < other->n_counters; c++) {
		int found = event_set_find(set, other, c);

		if (found >= 0)
			places.bit[c] = 1ull << found;
	}
	return places;
}

void event_set_rejoin(struct event_set *set, const struct event_set *other)
{
	const struct counter_places places = find_places(set, other);

	set->n_together = 0;
	for (int t = 0; t < other->n_together; t++)
		event_set_join(set, move_mask(&places, other->together[t]));
	set->n_wishes = other->n_wishes;
}

/* Moves the events of a counter from the other set to the set; false: the set has no room for all
 * of them. */
static bool add_counter(struct event_set *set, struct event_set *other, int counter)
{
	bool first = true;

	if (set->n + count_parts(other, counter) > EVENT_SET_MAX)
		return false;
	for (int i = 0; i < other->n; i++) {
		struct event *from = &other->event[i], *e;
		char *name;
		uint8_t place;

		if (from->counter != counter)
			continue;
		e = first ? event_set_add(set, from->name) : event_set_add_part(set, from->name);
		name = e->name;
		place = e->counter;
		*e = *from;
		e->name = name;
		e->counter = place;
		from->what = from->pmu = from->format = from->resolved = NULL;
		first = false;
	}
	return true;
}

/* Joins the lists of masks (event_set.together) of both sets; the user's wishes stay at the end. */
static void join_all(struct event_set *set, const struct event_set *other,
		     const struct counter_places *places)
{
	const int columns = set->n_together - set->n_wishes,
		  its_columns = other->n_together - other->n_wishes;
	struct event_set joined = {.n_together = 0};

	for (int t = 0; t < columns; t++)
		event_set_join(&joined, set->together[t]);
	for (int t = 0; t < its_columns; t++)
		event_set_join(&joined, move_mask(places, other->together[t]));
	for (int t = columns; t < set->n_together; t++)
		event_set_join(&joined, set->together[t]);
	for (int t = its_columns; t < other->n_together; t++)
		event_set_join(&joined, move_mask(places, other->together[t]));
	free(set->together);
	set->together = joined.together;
	set->n_together = joined.n_together;
	set->n_wishes += other->n_wishes;
}

int event_set_merge(struct event_set *set, struct event_set *other)
{
	struct counter_places places = {{0}};
	int left_out = 0;

	/* This also finds equal counters that were added earlier in this loop. */
	for (int c = 0; c < other->n_counters; c++) {
		int found = event_set_find(set, other, c);

		if (found >= 0)
			places.bit[c] = 1ull << found;
		else if (add_counter(set, other, c))
			places.bit[c] = 1ull << (set->n_counters - 1);
		else
			left_out++;
	}
	join_all(set, other, &places);
	event_set_done(other);
	return left_out;
}

void event_set_dedupe(struct event_set *set)
{
	struct event_set once;

	event_set_init(&once);
	once.kernel = set->kernel;
	once.no_user = set->no_user;
	once.inherit = set->inherit;
	event_set_merge(&once, set);
	*set = once;
}
