/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/uses.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "profile/locks/estimate.h"
#include "profile/locks/line.h"
#include "profile/locks/wait_rules.h"

/* A futex with fewer woken threads is judged by the other futexes of its callers, too. */
#define FEW 16

/* Returns the waits of a row, without those that the kernel refused. */
static uint64_t waits_of(const struct locks_row *row)
{
	return locks_minus(locks_n(row, LOCKS_ACQUIRE) + row->failed + row->n_under_way,
			   row->futex.changed);
}

/* --- threads that wait and wake --- */

/* The waits and wakes of a thread for one object. */
struct part {
	uint64_t waits, wakes;
};

/* Does uses_add_handed() for the n rows of one instance. */
static void add_handed_of(struct locks_row *row, size_t n)
{
	struct part by_slot[LOCKS_SLOTS] = {{0, 0}};

	for (size_t i = 0; i < n; i++) {
		if (!row[i].slot || row[i].slot >= LOCKS_SLOTS)
			continue;
		by_slot[row[i].slot].waits += waits_of(&row[i]) + row[i].futex.changed;
		by_slot[row[i].slot].wakes += locks_n(&row[i], LOCKS_RELEASE);
	}
	for (size_t i = 0; i < n; i++) {
		struct part *p = &by_slot[row[i].slot < LOCKS_SLOTS ? row[i].slot : 0];

		if (!row[i].slot || row[i].slot >= LOCKS_SLOTS)
			continue;
		row[i].futex.handed = p->waits ? row[i].futex.woken : 0;
		row[i].futex.use[LOCKS_BALANCED] = p->waits < p->wakes ? p->waits : p->wakes;
		if (row[i].futex.use[LOCKS_BALANCED])
			p->wakes = 0; /* only the first row of the thread gets it; `handed` needs
					 the waits */
	}
}

void uses_add_handed(struct locks_row *row, size_t n)
{
	for (size_t i = 0, more; i < n; i += more) {
		bool has_woken = false;

		for (more = 0; i + more < n && row[i + more].instance == row[i].instance; more++)
			has_woken |= row[i + more].futex.woken != 0;
		if (has_woken)
			add_handed_of(&row[i], more);
	}
}

/* --- sums --- */

struct sums {
	uint64_t waits, failed, wakes, woken, handed, balanced, broadcasts, inheriting;
};

static void add_sums(struct sums *to, const struct sums *from)
{
	to->waits += from->waits;
	to->failed += from->failed;
	to->wakes += from->wakes;
	to->woken += from->woken;
	to->handed += from->handed;
	to->balanced += from->balanced;
	to->broadcasts += from->broadcasts;
	to->inheriting += from->inheriting;
}

/* Returns the sums of n lines, all for one object. */
static struct sums sum_up(const struct locks_line *line, size_t n)
{
	struct sums s = {.waits = 0};

	for (size_t i = 0; i < n; i++) {
		const struct locks_row *row = &line[i].sum;

		add_sums(&s, &(struct sums){
				     .waits = waits_of(row),
				     .failed = locks_minus(row->failed, row->futex.changed),
				     .wakes = locks_n(row, LOCKS_RELEASE),
				     .woken = row->futex.woken,
				     .handed = row->futex.handed,
				     .balanced = row->futex.use[LOCKS_BALANCED],
				     .broadcasts = row->futex.use[LOCKS_BROADCASTS],
				     .inheriting = row->futex.inheriting,
			     });
	}
	return s;
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100 * (double)part / (double)all : (double)NAN;
}

static struct wait_use decide(const struct wait_rules *rules, enum locks_kind kind,
			      const struct sums *s)
{
	const double known[WAIT_EVIDENCE] = {
		[WAIT_WAITS] = (double)s->waits,
		[WAIT_WAKES] = (double)s->wakes,
		[WAIT_HANDED] = percent(s->handed, s->woken),
		[WAIT_BALANCED] = percent(s->balanced, s->waits),
		[WAIT_BROADCASTS] = percent(s->broadcasts, s->wakes),
		[WAIT_TIMEOUTS] = percent(s->failed, s->waits),
		[WAIT_INHERITING] = (double)s->inheriting,
	};

	return wait_rules_decide(rules, kind, known);
}

/* --- callers that wake --- */

/* A caller that wakes, and the sums of all futexes for which it does. */
struct waker {
	uint64_t caller;
	struct sums sums;
};

static int compare_wakers(const void *a, const void *b)
{
	const struct waker *x = a, *y = b;

	return (x->caller > y->caller) - (x->caller < y->caller);
}

/* Returns how many lines from the first one on are for the same object. */
static size_t count_same(const struct locks_line *line, size_t n)
{
	size_t same = 1;

	while (same < n && line[same].instance == line[0].instance)
		same++;
	return same;
}

static bool is_futex(const struct locks_line *line)
{
	return line->instance && line->instance->kind == LOCKS_FUTEX;
}

/* Makes a list of the callers that wake futexes, sorted, each once; owned by the caller. Returns
 * its length. */
static size_t list_wakers(struct waker **list, const struct locks_line *line, size_t n)
{
	struct waker *w = xreallocarray(NULL, n + 1, sizeof *w);
	size_t all = 0, used = 0;

	for (size_t i = 0, more; i < n; i += more) {
		struct sums sums;

		more = count_same(&line[i], n - i);
		sums = sum_up(&line[i], is_futex(&line[i]) ? more : 0);
		for (size_t k = i; k < i + more && sums.woken; k++)
			if (line[k].sum.futex.woken)
				w[all++] = (struct waker){line[k].sum.caller, sums};
	}
	array_sort(w, all, sizeof *w, compare_wakers);
	for (size_t i = 0; i < all; i++)
		if (used && w[used - 1].caller == w[i].caller)
			add_sums(&w[used - 1].sums, &w[i].sums);
		else
			w[used++] = w[i];
	*list = w;
	return used;
}

/* --- lines --- */

/* Returns the use of n lines, all for one object. */
static struct wait_use find_use(const struct locks_line *line, size_t n, const struct waker *list,
				size_t size, const struct wait_rules *rules)
{
	const enum locks_kind kind =
		line->instance ? (enum locks_kind)line->instance->kind : LOCKS_MUTEX;
	struct sums s = sum_up(line, n);
	const bool is_few = kind == LOCKS_FUTEX && s.woken < FEW;

	if (locks_is_held(kind))
		return (struct wait_use){false, WAIT_SURE};
	for (size_t i = 0; i < n && is_few; i++) {
		const struct waker key = {.caller = line[i].sum.caller};
		const struct waker *w = bsearch(&key, list, size, sizeof *list, compare_wakers);

		if (w && line[i].sum.futex.woken)
			add_sums(&s, &w->sums);
	}
	return decide(rules, kind, &s);
}

void uses_find(struct locks_line *line, size_t n, const struct wait_rules *rules)
{
	struct waker *list;
	const size_t size = list_wakers(&list, line, n);

	for (size_t i = 0, more; i < n; i += more) {
		struct wait_use use;

		more = count_same(&line[i], n - i);
		use = find_use(&line[i], more, list, size, rules);
		for (size_t k = i; k < i + more; k++) {
			line[k].idle = use.is_work;
			line[k].certainty = use.certainty;
		}
	}
	free(list);
}
