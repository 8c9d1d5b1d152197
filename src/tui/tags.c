/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/tags.h"

#include <stdlib.h>

#include "base/mem.h"

void tags_done(struct tags *t)
{
	free(t->v);
	*t = (struct tags){.n = 0};
}

void tags_clear(struct tags *t)
{
	t->n = 0;
}

/* Its place; t->n: it has none. */
static size_t find(const struct tags *t, const struct frame_row *row)
{
	size_t i;

	for (i = 0; i < t->n && !row_id_is(&t->v[i], row); i++)
		;
	return i;
}

bool tags_has(const struct tags *t, const struct frame_row *row)
{
	return find(t, row) < t->n;
}

void tags_add(struct tags *t, const struct frame_row *row)
{
	if (tags_has(t, row))
		return;
	t->v = xgrow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = row_id_of(row);
}

void tags_add_task(struct tags *t, const struct task *task)
{
	tags_add(t, &(struct frame_row){.task = task});
}

bool tags_toggle(struct tags *t, const struct frame_row *row)
{
	size_t i = find(t, row);

	if (i == t->n) {
		tags_add(t, row);
		return true;
	}
	memmove(&t->v[i], &t->v[i + 1], (--t->n - i) * sizeof *t->v);
	return false;
}

const struct task *tags_find_task(const struct row_id *id, const struct sample *sample)
{
	return sample_find(sample, &(struct task){.kind = id->kind,
						  .owner = id->owner,
						  .id = id->id,
						  .start_ns = id->start_ns});
}

/* Whether the task is in the sample and alive; also where it is not asked for. */
static bool lives(const struct row_id *id, const struct sample *sample)
{
	const struct task *found;

	if (sample->n_left_out)
		return true;
	found = tags_find_task(id, sample);
	return found && !found->dead;
}

void tags_fit(struct tags *t, const struct frame *frame)
{
	size_t n = 0;

	if (!t->n || !frame->sample || frame->sample->number == t->number)
		return;
	t->number = frame->sample->number;
	for (size_t i = 0; i < t->n; i++)
		if (lives(&t->v[i], frame->sample))
			t->v[n++] = t->v[i];
	t->n = n;
}
