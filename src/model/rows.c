/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/rows.h"

#include "model/fold.h"

const struct delta_row *rows_idle(const struct delta *d, const struct rows_item *item,
				  struct arena *arena)
{
	struct delta_row *row = arena_alloc(arena, sizeof *row);

	if (d->processes && (item->n > 1 || delta_find_ended(d->threads, task_owner(item->task))))
		fold_range(row, d->threads, NULL, item->first, item->n, arena);
	else
		delta_task_row(row, d->processes ? d->threads : d, NULL, item->first, arena);
	return row;
}

/* Groups have a row each, idle or not. */
static bool next_group(const struct delta *d, struct rows_item *item)
{
	if (item->passed == d->n)
		return false;
	item->row = &d->row[item->passed++];
	item->task = item->row->task;
	return true;
}

bool rows_next(const struct delta *d, struct rows_item *item)
{
	const struct sample *s = d->sample;
	const struct delta_row *row;
	struct owner owner;

	if (d->groups)
		return next_group(d, item);
	item->first += item->n;
	if (item->first >= s->n)
		return false;
	item->task = s->task[item->first];
	owner = task_owner(item->task);
	for (item->n = 1; d->processes && item->first + item->n < s->n; item->n++) {
		const struct task *t = s->task[item->first + item->n];

		if (!task_has_owner(t, owner))
			break;
		if (task_is_leader(t))
			item->task = t;
	}
	row = item->passed < d->n ? &d->row[item->passed] : NULL;
	if (row && (d->processes ? !task_has_owner(row->task, owner) : row->task != item->task))
		row = NULL;
	item->row = row;
	item->passed += row != NULL;
	return true;
}
