/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/perf/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "pmu/perf/core.h"

/* ---- trial ---- */

/* For how many refreshes a verdict holds: the first time, and at most. */
#define PAUSE_FIRST 10u
#define PAUSE_MOST  320u

/* The most verdicts that are kept; for a further one, the verdict that expires first is dropped. */
#define VERDICTS_MAX 256

/* An event regardless of its modes: it uses the same hardware counters in all modes. */
struct key {
	uint64_t config, config1, config2;
	uint32_t type;
};

/* A verdict: at most `most` of these events are on the PMU together, on this kind of cores. */
struct verdict {
	struct key *key;
	int n, most, core;
	bool seen;      /* from a group that waited, not from a trial: a trial cannot refute it */
	uint32_t until; /* the moment at which the verdict expires */
	uint32_t pause; /* the number of moments for which it holds */
};

enum outcome { FITS, HELD, REFUSED, UNKNOWN };

void trial_init(struct trial *t, struct perf_sys *sys)
{
	memset(t, 0, sizeof *t);
	t->sys = sys;
	t->moment = 1;
}

void trial_done(struct trial *t)
{
	for (int i = 0; i < t->n; i++)
		free(t->verdict[i].key);
	free(t->verdict);
	memset(t, 0, sizeof *t);
}

static bool same_event(const struct key *k, const struct event *e)
{
	return k->type == e->type && k->config == e->config && k->config1 == e->config1 &&
	       k->config2 == e->config2;
}

/* Returns how many of the events are also in the verdict. An event that occurs twice in both counts
 * twice, since it uses two hardware counters. */
static int count_common(const struct verdict *v, const struct event_set *set, const int *event,
			int n)
{
	uint64_t met = 0;
	int common = 0;

	for (int i = 0; i < v->n; i++)
		for (int k = 0; k < n; k++)
			if (!(met >> k & 1) && same_event(&v->key[i], &set->event[event[k]])) {
				met |= 1ull << k;
				common++;
				break;
			}
	return common;
}

/* Finds the verdict on exactly these events, or NULL. */
static struct verdict *find(const struct trial *t, const struct event_set *set, const int *event,
			    int n)
{
	for (int i = 0; i < t->n; i++) {
		struct verdict *v = &t->verdict[i];

		if (v->n == n && v->core == set->event[event[0]].core &&
		    count_common(v, set, event, n) == n)
			return v;
	}
	return NULL;
}

/* Finds a verdict that has not expired and rules these events out, or NULL. */
static const struct verdict *rules_out(const struct trial *t, const struct event_set *set,
				       const int *event, int n)
{
	for (int i = 0; i < t->n; i++) {
		const struct verdict *v = &t->verdict[i];
		int common;

		if (v->until <= t->moment || v->core != set->event[event[0]].core || n <= v->most)
			continue;
		common = count_common(v, set, event, n);
		/* If events were seen to wait for their turn, any group with one of them may have
		 * to wait, whatever its other events are. */
		if ((v->seen && common ? n : common) > v->most)
			return v;
	}
	return NULL;
}

static struct verdict *new_verdict(struct trial *t)
{
	struct verdict *v;

	if (t->n < VERDICTS_MAX) {
		t->verdict = xreallocarray(t->verdict, (size_t)t->n + 1, sizeof *t->verdict);
		v = &t->verdict[t->n++];
	} else {
		v = t->verdict;
		for (int i = 1; i < t->n; i++)
			if (t->verdict[i].until < v->until)
				v = &t->verdict[i];
		free(v->key);
	}
	*v = (struct verdict){.pause = PAUSE_FIRST / 2};
	return v;
}

static void remember(struct trial *t, const struct event_set *set, const int *event, int n,
		     bool seen)
{
	struct verdict *v = find(t, set, event, n);

	if (!v) {
		v = new_verdict(t);
		v->key = xcalloc((size_t)n, sizeof *v->key);
		v->n = n;
		v->core = set->event[event[0]].core;
		for (int i = 0; i < n; i++) {
			const struct event *e = &set->event[event[i]];

			v->key[i] = (struct key){e->config, e->config1, e->config2, e->type};
		}
	}
	v->seen = seen;
	v->most = seen ? n / 2 : n - 1;
	v->pause = 2 * v->pause < PAUSE_MOST ? 2 * v->pause : PAUSE_MOST;
	v->until = t->moment + v->pause;
}

static void forget(struct trial *t, const struct event_set *set, const int *event, int n)
{
	struct verdict *v = find(t, set, event, n);

	if (!v || v->seen)
		return;
	free(v->key);
	*v = t->verdict[--t->n];
}

/* Opens the events on tiptop itself, the leader pinned and enabled at the next execve(2): if it
 * were merely disabled, an Arm PMU would not check the members, and would accept too many. Returns
 * 0 or the first error; *opened: the descriptors that the caller has to close. */
static int open_pinned(struct trial *t, const struct event_set *set, const int *event, int n,
		       int *fd, int *opened)
{
	for (*opened = 0; *opened < n; ++*opened) {
		struct perf_event_attr attr;
		int i = *opened;

		event_attr(set, event[i], i == 0, true, &attr);
		attr.pinned = i == 0;
		fd[i] = t->sys->open(t->sys, &attr, 0, -1, i ? fd[0] : -1, PERF_FLAG_FD_CLOEXEC);
		if (fd[i] < 0)
			return fd[i];
	}
	return 0;
}

/* Enables the group and returns whether it is on the PMU at once. */
static enum outcome run_pinned(struct trial *t, int leader_fd)
{
	uint64_t data[3 + 2 * EVENT_SET_MAX];
	ssize_t size;

	if (t->sys->ioctl(t->sys, leader_fd, PERF_EVENT_IOC_ENABLE, NULL))
		return UNKNOWN;
	size = t->sys->read(t->sys, leader_fd, data, sizeof data);
	return size ? size < 0 ? UNKNOWN : FITS : HELD;
}

static enum outcome try_group(struct trial *t, const struct event_set *set, const int *event, int n)
{
	int fd[EVENT_SET_MAX], opened, ret;
	struct err err = ERR_INIT;
	enum outcome outcome = FITS;
	bool visited = !t->sys->visit(t->sys, set->event[event[0]].core, &err);

	if (!visited && !t->untried.code)
		t->untried = err;
	ret = open_pinned(t, set, event, n, fd, &opened);
	if (ret)
		outcome = perf_error_is_transient(ret) ? UNKNOWN : REFUSED;
	else if (visited)
		outcome = run_pinned(t, fd[0]);
	while (opened-- > 0)
		t->sys->close(t->sys, fd[opened]);
	return outcome;
}

static enum outcome try_and_learn(struct trial *t, const struct event_set *set, const int *event,
				  int n)
{
	enum outcome outcome = try_group(t, set, event, n);

	if (outcome == HELD)
		remember(t, set, event, n, false);
	return outcome;
}

static void ask_again_at(struct trial_answer *answer, uint32_t moment)
{
	if (!answer->again || moment < answer->again)
		answer->again = moment;
}

bool trial_fits(struct trial *t, const struct event_set *set, const int *event, int n,
		struct trial_answer *answer)
{
	const struct verdict *v = rules_out(t, set, event, n);
	enum outcome outcome;

	if (v) {
		ask_again_at(answer, v->until);
		return false;
	}
	outcome = try_and_learn(t, set, event, n);
	if (outcome == FITS)
		forget(t, set, event, n);
	if (outcome == UNKNOWN) {
		answer->unsure = true;
		ask_again_at(answer, t->moment + PAUSE_FIRST);
	}
	if (outcome == HELD)
		ask_again_at(answer, rules_out(t, set, event, n)->until);
	return outcome == FITS || outcome == UNKNOWN;
}

/* Finds an unexpired verdict from a group that was seen to wait and that contains all of these
 * events, or NULL. */
static struct verdict *find_seen(const struct trial *t, const struct event_set *set,
				 const int *event, int n)
{
	for (int i = 0; i < t->n; i++) {
		struct verdict *v = &t->verdict[i];

		if (v->seen && v->until > t->moment && v->core == set->event[event[0]].core &&
		    count_common(v, set, event, n) == n)
			return v;
	}
	return NULL;
}

bool trial_retry(struct trial *t, const struct event_set *set, const int *event, int n, bool surely)
{
	enum outcome outcome = try_and_learn(t, set, event, n);
	struct verdict *v = outcome == HELD ? NULL : find_seen(t, set, event, n);

	/* The verdict let this group pass, which has waited all the same: so only half of its
	 * events are assumed to fit. */
	if (v)
		v->most = n / 2;
	else if (outcome != HELD && surely)
		remember(t, set, event, n, true);
	return outcome == HELD || v || surely;
}

void trial_end(struct trial *t)
{
	struct err err = ERR_INIT;

	if (t->sys->visit(t->sys, EVENT_NO_CORE, &err) && !t->untried.code)
		t->untried = err;
}

/* ---- plan ---- */

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

/* Adds SLOTS to counters that contain a top-down metric, which needs it as leader; not if a counter
 * may be in one bundle only (p->once). */
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
		/* The plan has no room for all members. So each counter is placed only once: then
		 * there are no more members than events, which fit. */
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
