/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/schedule.h"

/* Less time on a CPU than this says nothing: the kernel takes turns with every tick. */
#define ENOUGH_NS 20000000u

void schedule_begin(struct schedule *s)
{
	s->ran = s->waited = 0;
}

static bool leads(const struct event_plan *plan, int i)
{
	const struct event_member *m = &plan->member[i];

	return m->group != EVENT_NO_GROUP && (i == 0 || m[-1].group != m->group);
}

/* Whether the task was counted on another kind of cores than the group of this leader: then that group waits without
 * fault. */
static bool ran_elsewhere(const struct event_set *set, const struct count *count, uint64_t unread, int leader)
{
	const struct event_plan *plan = &set->plan;
	int core = set->event[plan->member[leader].event].core;

	for (int k = 0; k < plan->n; k++) {
		int other = set->event[plan->member[k].event].core;

		if (other >= 0 && other != core && !(unread >> k & 1) && count[k].running_ns)
			return true;
	}
	return false;
}

void schedule_note(struct schedule *s, const struct event_set *set, const struct count *count, uint64_t unread)
{
	const struct event_plan *plan = &set->plan;

	for (int i = 0; i < plan->n; i++) {
		uint64_t bit = 1ull << i;

		if (unread & bit || !leads(plan, i))
			continue;
		if (count[i].running_ns)
			s->ran |= bit;
		else if (count[i].enabled_ns >= ENOUGH_NS && !ran_elsewhere(set, count, unread, i))
			s->waited |= bit;
	}
}

static int group_size(const struct event_plan *plan, int leader)
{
	int n = 1;

	while (leader + n < plan->n && plan->member[leader + n].group == plan->member[leader].group)
		n++;
	return n;
}

int schedule_end(struct schedule *s, const struct event_set *set)
{
	const struct event_plan *plan = &set->plan;
	uint64_t starving = s->waited & ~s->ran, twice = starving & s->suspects;
	int limit = 0;

	s->suspects = starving;
	for (int i = 0; i < plan->n; i++) {
		int size = twice >> i & 1 ? group_size(plan, i) : 1;

		if (size > 1 && (!limit || size - 1 < limit))
			limit = size - 1;
	}
	if (limit && plan->limit)
		limit = plan->limit / 2 > 1 ? plan->limit / 2 : 1;
	if (limit)
		s->suspects = 0;
	return limit;
}
