/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/schedule.h"

#include <string.h>

/* The kernel changes the groups on the PMU with every tick, of 10 ms at most: to wait for less
 * means nothing. */
#define TICK_NS 10000000u

/* So much time for each group is enough for two turns of all. */
#define TURNS_NS (2ull * TICK_NS)

void schedule_begin(struct schedule *s)
{
	memset(s, 0, sizeof *s);
}

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

/* Whether the task was counted on another kind of cores than that of the group with this leader:
 * then the group waits through no fault. */
static bool ran_elsewhere(const struct event_set *set, const struct count *old,
			  const struct count *now, uint64_t unread, int leader)
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

void schedule_note(struct schedule *s, const struct event_set *set, const struct count *old,
		   const struct count *now, uint64_t unread)
{
	const struct event_plan *plan = &set->plan;

	for (int i = 0; i < plan->n; i++) {
		uint64_t bit = 1ull << i,
			 wait_ns = grown(now[i].enabled_ns, old ? old[i].enabled_ns : 0);

		if (unread & bit || !leads(plan, i))
			continue;
		if (running_ns(old, now, i))
			s->ran |= bit;
		else if (wait_ns >= TICK_NS && wait_ns > s->wait_ns[i] &&
			 !ran_elsewhere(set, old, now, unread, i))
			s->wait_ns[i] = wait_ns;
	}
}

/* Lists the events of the group with this leader. */
static int list_events(const struct event_plan *plan, int leader, int *event)
{
	int n = 0;

	for (int i = leader; i < plan->n && plan->member[i].group == plan->member[leader].group;
	     i++)
		event[n++] = plan->member[i].event;
	return n;
}

bool schedule_end(struct schedule *s, const struct event_set *set, struct trial *trial)
{
	const struct event_plan *plan = &set->plan;
	int event[EVENT_SET_MAX];
	bool learned = false;

	for (int i = 0; i < plan->n; i++) {
		uint64_t before_ns = s->waited_ns[i], wait_ns = s->wait_ns[i];
		int n = list_events(plan, i, event);
		bool surely;

		s->wait_ns[i] = 0;
		s->waited_ns[i] = s->ran >> i & 1 ? 0 : before_ns + wait_ns;
		if (s->ran >> i & 1 || !wait_ns || n == 1)
			continue;
		surely = before_ns && before_ns + wait_ns >= (uint64_t)plan->n_groups * TURNS_NS;
		learned |= trial_doubt(trial, set, event, n, surely);
	}
	s->ran = 0;
	trial_end(trial);
	return learned;
}
