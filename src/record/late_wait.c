/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/late_wait.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The largest gap between the ids of two added readings; larger ones are implausible. Ids have gaps
 * for readings of layouts without waits, which are not added. */
#define GAP_MAX 100000

void late_waits_done(struct late_waits *w)
{
	free(w->reading);
	free(w->stretch);
	*w = (struct late_waits){.reading = NULL};
}

void late_waits_begin(struct late_waits *w, int64_t id)
{
	w->n = 0;
	w->n_stretches = 0;
	w->first = id;
}

/* Returns the reading with this id; NULL: not added, or dropped. */
static struct late_reading *find(const struct late_waits *w, int64_t id)
{
	if (id < w->first || (uint64_t)id - (uint64_t)w->first >= w->n)
		return NULL;
	return w->reading[id - w->first].id ? &w->reading[id - w->first] : NULL;
}

const struct late_reading *late_waits_find(const struct late_waits *w, int64_t id)
{
	return find(w, id);
}

static void add_stretch(struct late_waits *w, const struct late_stretch *s)
{
	w->stretch = xgrow(w->stretch, &w->cap_stretches, w->n_stretches + 1, sizeof *w->stretch);
	w->stretch[w->n_stretches++] = *s;
}

static int64_t longest_wait(const struct late_reading *now, const struct late_reading *old)
{
	const bool known = now->ran_ns >= 0 && old && old->ran_ns >= 0;
	const int64_t left = now->at_ns - now->before_ns - (known ? now->ran_ns - old->ran_ns : 0);

	return left > 0 ? left : 0;
}

/* Returns whether the wait exceeds the longest possible wait of its interval by more than 1 % of
 * the interval, the tolerance for inexact readings. */
static bool is_late(const struct late_reading *now, const struct late_reading *old)
{
	return old && old->waited_ns >= 0 && now->waited_ns >= 0 &&
	       now->waited_ns - old->waited_ns >
		       now->longest_ns + (now->at_ns - now->before_ns) / 100;
}

/* Returns whether the wait can have begun before the interval that ends with `now`. old: the
 * reading before `now`; NULL: it was dropped. */
static bool may_be_earlier(const struct late_waits *w, const struct late_reading *now,
			   const struct late_reading *old)
{
	if (now->first)
		return false;
	if (!old)
		return now->previous > 0 && now->previous < w->first;
	return old->task == now->task && old->sample < now->sample && old->waited_ns >= 0 &&
	       now->waited_ns - now->longest_ns > old->waited_ns;
}

/* Moves the excess of the wait to earlier readings, one after the other. */
static void spread(struct late_waits *w, const struct late_reading *now,
		   const struct late_reading *old)
{
	while (may_be_earlier(w, now, old)) {
		const int64_t waited_ns = now->waited_ns - now->longest_ns;
		struct late_reading *kept = old ? find(w, old->id) : NULL;

		add_stretch(w, &(struct late_stretch){
				       .task = now->task,
				       .first_sample = old ? old->sample + old->first : INT64_MIN,
				       .last_sample = now->sample - 1,
				       .end_ns = now->before_ns,
				       .waited_ns = waited_ns,
			       });
		if (!kept || kept->first ||
		    waited_ns - (now->before_ns - kept->at_ns) <= kept->waited_ns)
			return;
		kept->waited_ns = waited_ns - (now->before_ns - kept->at_ns);
		now = kept;
		old = find(w, now->previous);
	}
}

bool late_waits_add(struct late_waits *w, const struct late_reading *reading,
		    const struct late_reading *old)
{
	const bool known = old && old->task == reading->task;
	/* A copy, as *old may be in w->reading, which xgrow() may move. */
	const struct late_reading before = known ? *old : (struct late_reading){.id = 0};
	struct late_reading *now;
	size_t at;

	if (reading->id < w->first || reading->id - w->first > (int64_t)w->n + GAP_MAX)
		return false;
	at = (size_t)(reading->id - w->first);
	if (at >= w->n) {
		w->reading = xgrow(w->reading, &w->cap, at + 1, sizeof *w->reading);
		memset(w->reading + w->n, 0, (at + 1 - w->n) * sizeof *w->reading);
		w->n = at + 1;
	}
	now = &w->reading[at];
	*now = *reading;
	old = known ? &before : NULL;
	now->longest_ns = longest_wait(now, old);
	if (is_late(now, old))
		spread(w, now, old);
	return true;
}

void late_waits_drop(struct late_waits *w, int64_t sample)
{
	size_t past = 0, n = 0;

	while (past < w->n && w->reading[past].sample <= sample)
		past++;
	/* Moves the array only if less than half of it remains, as moving it at each call would be
	 * slow. */
	if (past > w->n / 2) {
		memmove(w->reading, w->reading + past, (w->n - past) * sizeof *w->reading);
		w->n -= past;
		w->first += (int64_t)past;
	}
	for (size_t i = 0; i < w->n_stretches; i++)
		if (w->stretch[i].last_sample > sample)
			w->stretch[n++] = w->stretch[i];
	w->n_stretches = n;
}

int64_t late_stretch_at(const struct late_stretch *s, int64_t sample, int64_t at_ns)
{
	if (sample < s->first_sample || sample > s->last_sample)
		return 0;
	return s->waited_ns - (at_ns < s->end_ns ? s->end_ns - at_ns : 0);
}
