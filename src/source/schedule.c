/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/schedule.h"

/* Less time on a CPU than this says nothing: the kernel takes turns with every tick. */
#define ENOUGH_NS 20000000u

void schedule_begin(struct schedule *s)
{
	s->ran = s->waited = 0;
}

static bool usable(const struct event_set *set, int i)
{
	return set->event[i].quality == QUALITY_EXACT;
}

/* Whether event i leads a group: it begins one, or is the first that can be had. */
static bool leads(const struct event_set *set, int i)
{
	if (!usable(set, i))
		return false;
	for (int k = 0; k < i; k++)
		if (usable(set, k))
			return set->starts & (1ull << i);
	return true;
}

void schedule_note(struct schedule *s, const struct event_set *set, const struct count *count, uint64_t unread)
{
	for (int i = 0; i < set->n; i++) {
		uint64_t bit = 1ull << i;

		if (unread & bit || !leads(set, i))
			continue;
		if (count[i].running_ns)
			s->ran |= bit;
		else if (count[i].enabled_ns >= ENOUGH_NS)
			s->waited |= bit;
	}
}

/* Begins a new group in the middle of the one that `first` leads. */
static bool cut(struct event_set *set, int first)
{
	int members[EVENT_SET_MAX], n = 0;

	for (int i = first; i < set->n && (i == first || !leads(set, i)); i++)
		if (usable(set, i))
			members[n++] = i;
	if (n < 2)
		return false;
	set->starts |= 1ull << members[n / 2];
	return true;
}

bool schedule_end(struct schedule *s, struct event_set *set)
{
	uint64_t starving = s->waited & ~s->ran, twice = starving & s->suspects;
	bool changed = false;

	s->suspects = starving;
	for (int i = set->n - 1; i >= 0; i--)
		if (twice & (1ull << i))
			changed |= cut(set, i);
	if (changed)
		s->suspects = 0;
	return changed;
}
