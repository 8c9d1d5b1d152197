/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of delta: counts that were told of another row before. */
#include "model/delta_part.h"

/* What moved between two readings. That of a damaged recording may be any number. */
static int64_t moved(const struct task *t, const struct task *old, int i)
{
	return (int64_t)((uint64_t)t->moved[i] - (uint64_t)(old && old->moved ? old->moved[i] : 0));
}

static void add(struct value *total, int64_t more)
{
	const uint64_t less = 0 - (uint64_t)more;
	uint64_t count;

	if (!value_known(*total) || !more)
		return;
	if (more > 0)
		*total = value_accumulate(*total, value_count((uint64_t)more));
	else if (value_is_count(*total, &count) && count >= less)
		*total = value_count(count - less);
	else
		*total = value_combine(total->number + (double)more, *total, *total);
}

/* The totals that are shown and those that go on are most often the same. */
static void add_both(const struct value *shown, const struct value *sum, int i, int64_t more)
{
	add((struct value *)&sum[i], more);
	if (shown != sum)
		add((struct value *)&shown[i], more);
}

/* What a row gives to others of this sample that began after the mark. */
static uint64_t given_since(const struct delta *d, const struct task *from, int i)
{
	uint64_t given = 0;

	for (size_t k = 0; k < d->sample->n; k++) {
		struct delta_row other = {.task = d->sample->task[k]};
		const struct task *t = other.task;
		int at;

		if (!t->moved || t == from)
			continue;
		delta_mark_row(&other, d->mark);
		at = other.came_later ? sample_events_find(t->events, 0, from->events, i) : -1;
		given += at < 0 ? 0 : (uint64_t)t->moved[at];
	}
	return given;
}

void delta_move_row(struct delta_row *row, const struct delta *d, const struct task *old)
{
	const struct task *t = row->task;

	for (int i = 0; i < t->events->n; i++) {
		int64_t more = moved(t, old, i);

		add_both(row->total, row->sum, i, more);
		if (!row->since || !more)
			continue;
		if (more < 0)
			more = (int64_t)(0 - given_since(d, t, i));
		else if (!row->came_later)
			more = 0;
		add_both(row->since, row->since_sum, i, more);
	}
}
