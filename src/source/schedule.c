/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/schedule.h"

/* The kernel takes turns with every tick, of 10 ms at most: after so much time for each group, all had theirs twice. */
#define ENOUGH_NS 20000000u

static bool leads(const struct event_plan *plan, int i)
{
	const struct event_member *m = &plan->member[i];

	return m->group != EVENT_NO_GROUP && (i == 0 || m[-1].group != m->group);
}

static uint64_t grown(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static uint64_t running_ns(const struct count *old, const struct count *now, int i)
{
	return grown(now[i].running_ns, old ? old[i].running_ns : 0);
}

/* Whether the task was counted on another kind of cores than the group of this leader: then that group waits without
 * fault. */
static bool ran_elsewhere(const struct event_set *set, const struct count *old, const struct count *now,
			  uint64_t unread, int leader)
{
	const struct event_plan *plan = &set->plan;
	int core = set->event[plan->member[leader].event].core;

	for (int k = 0; k < plan->n; k++) {
		int other = set->event[plan->member[k].event].core;

		if (other >= 0 && other != core && !(unread >> k & 1) && running_ns(old, now, k))
			return true;
	}
	return false;
}

void schedule_note(struct schedule *s, const struct event_set *set, const struct count *old, const struct count *now,
		   uint64_t unread)
{
	const struct event_plan *plan = &set->plan;
	uint64_t enough_ns = (uint64_t)plan->n_groups * ENOUGH_NS;

	for (int i = 0; i < plan->n; i++) {
		uint64_t bit = 1ull << i;

		if (unread & bit || !leads(plan, i))
			continue;
		if (running_ns(old, now, i))
			s->ran |= bit;
		else if (grown(now[i].enabled_ns, old ? old[i].enabled_ns : 0) >= enough_ns &&
			 !ran_elsewhere(set, old, now, unread, i))
			s->waited |= bit;
	}
}

/* The events of the group of this leader. */
static int list_events(const struct event_plan *plan, int leader, int *event)
{
	int n = 0;

	for (int i = leader; i < plan->n && plan->member[i].group == plan->member[leader].group; i++)
		event[n++] = plan->member[i].event;
	return n;
}

bool schedule_end(struct schedule *s, const struct event_set *set, struct trial *trial)
{
	const struct event_plan *plan = &set->plan;
	uint64_t starving = s->waited & ~s->ran, suspects = s->suspects;
	int event[EVENT_SET_MAX];
	bool learned = false;

	*s = (struct schedule){.suspects = starving};
	for (int i = 0; i < plan->n; i++) {
		int n = starving >> i & 1 ? list_events(plan, i, event) : 0;

		if (n > 1)
			learned |= trial_doubt(trial, set, event, n, suspects >> i & 1);
	}
	if (starving)
		trial_end(trial);
	if (learned)
		s->suspects = 0;
	return learned;
}
