/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/idle.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/mem.h"
#include "profile/locks/line.h"

/* A futex with fewer woken threads is judged by its callers. */
#define FEW 16

/* --- threads that wait and wake --- */

static bool waits(const struct locks_row *row)
{
	return locks_n(row, LOCKS_ACQUIRE) || row->failed || row->n_under_way;
}

/* Sets futex.handed in rows for one instance. */
static void add_handed_of(struct locks_row *row, size_t n)
{
	bool by_slot[LOCKS_SLOTS] = {false};

	for (size_t i = 0; i < n; i++)
		if (row[i].slot < LOCKS_SLOTS && waits(&row[i]))
			by_slot[row[i].slot] = true;
	for (size_t i = 0; i < n; i++)
		if (row[i].slot && row[i].slot < LOCKS_SLOTS && by_slot[row[i].slot])
			row[i].futex.handed = row[i].futex.woken;
}

void idle_add_handed(struct locks_row *row, size_t n)
{
	for (size_t i = 0, more; i < n; i += more) {
		bool has_woken = false;

		for (more = 0; i + more < n && row[i + more].instance == row[i].instance; more++)
			has_woken |= row[i + more].futex.woken != 0;
		if (has_woken)
			add_handed_of(&row[i], more);
	}
}

/* --- callers that wake --- */

struct waker {
	uint64_t caller;
	uint64_t woken, handed;
};

static int compare_wakers(const void *a, const void *b)
{
	const struct waker *x = a, *y = b;

	return (x->caller > y->caller) - (x->caller < y->caller);
}

/* Makes a list of the callers that wake, sorted, with their sums over all futexes; owned by the
 * caller. Returns its length. */
static size_t list_wakers(struct waker **list, const struct locks_line *line, size_t n)
{
	struct waker *w = xreallocarray(NULL, n + 1, sizeof *w);
	size_t all = 0, used = 0;

	for (size_t i = 0; i < n; i++)
		if (line[i].sum.futex.woken)
			w[all++] = (struct waker){line[i].sum.caller, line[i].sum.futex.woken,
						  line[i].sum.futex.handed};
	array_sort(w, all, sizeof *w, compare_wakers);
	for (size_t i = 0; i < all; i++) {
		if (used && w[used - 1].caller == w[i].caller) {
			w[used - 1].woken += w[i].woken;
			w[used - 1].handed += w[i].handed;
		} else {
			w[used++] = w[i];
		}
	}
	*list = w;
	return used;
}

/* --- lines --- */

/* Returns whether the lines, all for one futex, are for a lock. */
static bool is_lock(const struct locks_line *line, size_t n, const struct waker *list, size_t size)
{
	uint64_t own = 0, woken = 0, handed = 0;

	for (size_t i = 0; i < n; i++) {
		if (line[i].sum.futex.inheriting)
			return true;
		own += line[i].sum.futex.woken;
		handed += line[i].sum.futex.handed;
	}
	woken = own;
	for (size_t i = 0; i < n && own < FEW; i++) {
		const struct waker key = {.caller = line[i].sum.caller};
		const struct waker *w = bsearch(&key, list, size, sizeof *list, compare_wakers);

		if (w && line[i].sum.futex.woken) {
			woken += w->woken;
			handed += w->handed;
		}
	}
	return handed && handed >= woken - handed;
}

static bool is_idle(const struct locks_line *line, size_t n, const struct waker *list, size_t size)
{
	const enum locks_kind kind = (enum locks_kind)line->instance->kind;

	return !locks_is_held(kind) && (kind != LOCKS_FUTEX || !is_lock(line, n, list, size));
}

void idle_find(struct locks_line *line, size_t n)
{
	struct waker *list;
	const size_t size = list_wakers(&list, line, n);

	for (size_t i = 0, more; i < n; i += more) {
		bool idle;

		more = 1;
		while (i + more < n && line[i + more].instance == line[i].instance)
			more++;
		idle = is_idle(&line[i], more, list, size);
		for (size_t k = 0; k < more; k++)
			line[i + k].idle = idle;
	}
	free(list);
}
