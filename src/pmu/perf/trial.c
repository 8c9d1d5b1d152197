/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/perf/trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

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
		/* If events were seen to wait, any group with one of them may have to wait: all its
		 * events count. */
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

	/* The half of the events that was assumed to fit has waited, too. */
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
