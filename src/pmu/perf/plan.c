/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/perf/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "pmu/perf/core.h"

struct planner {
	struct event_set *set;
	struct trial *trial;
	struct trial_answer answer;
	uint64_t hardware, software, absent; /* masks of counters, by the kind of their events */
	/* Masks of counters that are to be on the PMU together, as one group for each kind of
	 * cores: at most EVENT_SET_MAX for columns, and as many for single counters. Bit c: counter
	 * c. */
	uint64_t bundle[2 * EVENT_SET_MAX];
	int n;
	/* [n_together] the bundle that has all counters of this column; -1: none */
	int *serves;
	bool once; /* no counter may be in more than one bundle */
};

static bool usable(const struct event *e)
{
	return e->quality == QUALITY_EXACT;
}

/* Selects the events of these counters that this kind of cores counts; SLOTS first, as it has to
 * lead. */
static int pick_events(const struct event_set *set, uint64_t counters, int core, int *out)
{
	int n = 0;

	for (int first = 1; first >= 0; first--)
		for (int i = 0; i < set->n; i++) {
			const struct event *e = &set->event[i];

			if (usable(e) && e->core == core && counters >> e->counter & 1 &&
			    (e->topdown == TOPDOWN_SLOTS) == first)
				out[n++] = i;
		}
	return n;
}

static bool fits(struct planner *p, uint64_t counters)
{
	int event[EVENT_SET_MAX];

	for (int core = 0; core < CORES_MAX; core++) {
		int n = pick_events(p->set, counters, core, event);

		if (n > 1 && !trial_fits(p->trial, p->set, event, n, &p->answer))
			return false;
	}
	return true;
}

/* Puts counters that fit together into the first bundle that has them all or has room for them,
 * else into a new one. Returns its index. */
static int place(struct planner *p, uint64_t counters)
{
	for (int b = 0; b < p->n; b++)
		if (!(counters & ~p->bundle[b]))
			return b;
	for (int b = 0; b < p->n; b++)
		if (fits(p, p->bundle[b] | counters)) {
			p->bundle[b] |= counters;
			return b;
		}
	p->bundle[p->n] = counters;
	return p->n++;
}

/* Adds SLOTS to counters that contain a top-down metric, which needs it as leader. */
static uint64_t with_slots(const struct planner *p, uint64_t counters)
{
	uint64_t slots = 0, metrics = 0;

	for (int i = 0; i < p->set->n; i++) {
		const struct event *e = &p->set->event[i];
		uint64_t bit = usable(e) ? 1ull << e->counter : 0;

		slots |= e->topdown == TOPDOWN_SLOTS ? bit : 0;
		metrics |= e->topdown == TOPDOWN_METRIC ? bit & counters : 0;
	}
	return metrics && !p->once ? counters | slots : counters;
}

static uint64_t placed(const struct planner *p)
{
	uint64_t all = 0;

	for (int b = 0; b < p->n; b++)
		all |= p->bundle[b];
	return all;
}

static void place_singly(struct planner *p, uint64_t counters)
{
	for (uint64_t rest = counters & ~placed(p); rest; rest &= rest - 1)
		place(p, with_slots(p, rest & -rest));
}

/* Places the counters of a column. Counters that are already placed, but not together, are placed a
 * second time. */
static void place_column(struct planner *p, int column)
{
	int first_wish = p->set->n_together - p->set->n_wishes;
	uint64_t counters = with_slots(p, p->set->together[column] & p->hardware);
	bool again = counters & placed(p);

	p->serves[column] = -1;
	if (!counters)
		return;
	/* If a wish of the user includes all counters of the column, the bundle of the wish serves
	 * the column, too. */
	for (int t = first_wish; column < first_wish && t < p->set->n_together; t++)
		if (p->serves[t] >= 0 && !(counters & ~p->set->together[t])) {
			p->serves[column] = p->serves[t];
			return;
		}
	for (int b = 0; b < p->n; b++)
		if (!(counters & ~p->bundle[b])) {
			p->serves[column] = b;
			return;
		}
	if ((p->once && again) || p->n >= EVENT_SET_MAX || !fits(p, counters))
		place_singly(p, counters);
	else
		p->serves[column] = place(p, counters);
}

static void classify(struct planner *p)
{
	const struct event_set *set = p->set;

	for (int c = 0; c < set->n_counters; c++)
		p->absent |= 1ull << c;
	for (int i = 0; i < set->n; i++) {
		const struct event *e = &set->event[i];
		uint64_t bit = 1ull << e->counter;

		if (!usable(e))
			continue;
		p->absent &= ~bit;
		*(e->core == EVENT_NO_CORE ? &p->software : &p->hardware) |= bit;
	}
}

static void make_bundles(struct planner *p)
{
	int first_wish = p->set->n_together - p->set->n_wishes;

	if (p->hardware && fits(p, p->hardware))
		p->bundle[p->n++] = p->hardware;
	for (int t = first_wish; t < p->set->n_together; t++)
		place_column(p, t);
	for (int t = 0; t < first_wish; t++)
		place_column(p, t);
	place_singly(p, p->hardware);
}

/* Adds a member. first: the index of the first member of its bundle. Returns false if the plan is
 * full. */
static bool add_member(struct event_plan *plan, const struct event_set *set, int event, int group,
		       int first)
{
	struct event_member *m = &plan->member[plan->n];

	if (plan->n == EVENT_SET_MAX)
		return false;
	*m = (struct event_member){.event = (uint8_t)event, .group = (uint8_t)group};
	m->bundle = first < plan->n ? plan->member[first].bundle
				    : (uint8_t)(first ? m[-1].bundle + 1 : 0);
	for (int i = first; i < plan->n && !m->part_of; i++)
		if (set->event[plan->member[i].event].counter == set->event[event].counter)
			m->part_of = (uint8_t)(i + 1);
	plan->n++;
	plan->n_fds += group != EVENT_NO_GROUP;
	return true;
}

/* Adds the members of one bundle: a group for each kind of cores, then the parts that cannot be
 * opened. */
static bool add_bundle(struct event_plan *plan, const struct event_set *set, uint64_t counters,
		       int *group)
{
	int event[EVENT_SET_MAX], first = plan->n;
	bool room = true;

	for (int core = EVENT_NO_CORE; core < CORES_MAX && room; core++) {
		int n = pick_events(set, counters, core, event);

		for (int i = 0; i < n && room; i++)
			room = add_member(plan, set, event[i], *group, first);
		*group += n > 0;
	}
	for (int i = 0; i < set->n && room; i++)
		if (!usable(&set->event[i]) && counters >> set->event[i].counter & 1)
			room = add_member(plan, set, i, EVENT_NO_GROUP, first);
	return room;
}

static bool add_members(struct planner *p)
{
	struct event_plan *plan = &p->set->plan;
	bool room = true;
	int group = 0;

	plan->n = plan->n_fds = 0;
	for (int b = 0; b < p->n && room; b++)
		room = add_bundle(plan, p->set, p->bundle[b], &group);
	plan->n_groups = group;
	return room && add_bundle(plan, p->set, p->software, &group) &&
	       add_bundle(plan, p->set, p->absent, &group);
}

void plan_make(struct event_set *set, struct trial *trial)
{
	struct planner p = {.set = set,
			    .trial = trial,
			    .serves = xcalloc((size_t)set->n_together, sizeof(int))};

	classify(&p);
	make_bundles(&p);
	if (!add_members(&p)) {
		/* The plan has no room for all members. If each counter is placed only once, there
		 * are no more members than events. */
		p.n = 0;
		p.once = true;
		make_bundles(&p);
		add_members(&p);
	}
	set->plan.unsure = p.answer.unsure;
	set->plan.again = p.answer.again;
	trial_end(trial);
	free(p.serves);
}

static bool same_members(const struct event_plan *a, const struct event_plan *b)
{
	return a->n == b->n && !memcmp(a->member, b->member, (size_t)a->n * sizeof *a->member);
}

bool plan_renew(struct event_set *set, struct trial *trial, bool anyway)
{
	struct event_plan old = set->plan;
	bool better;

	plan_make(set, trial);
	better = set->plan.n_groups < old.n_groups || anyway || (old.unsure && !set->plan.unsure);
	if (better && !same_members(&set->plan, &old))
		return true;
	old.again = set->plan.again;
	old.unsure = set->plan.unsure;
	set->plan = old;
	return false;
}
