/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/row_id.h"

#include "base/hash.h"
#include "view/frame.h"

static uint64_t text_of(const struct task *t)
{
	return t->kind->id_is_text ? hash_text(t->name, strlen(t->name)) : 0;
}

struct row_id row_id_of(const struct frame_row *row)
{
	const struct task *t = row->task;

	return (struct row_id){t->kind, t->owner, t->id, t->start_ns, text_of(t)};
}

bool row_id_is(const struct row_id *id, const struct frame_row *row)
{
	const struct task *t = row->task;

	return id->kind && id->id == t->id && id->start_ns == t->start_ns &&
	       (id->kind == t->kind || !strcmp(id->kind->name, t->kind->name)) &&
	       id->text == text_of(t);
}

size_t row_id_find(const struct row_id *id, const struct frame *frame, size_t hint)
{
	size_t i;

	if (hint < frame->n && row_id_is(id, &frame->row[hint]))
		return hint;
	for (i = 0; i < frame->n && !row_id_is(id, &frame->row[i]); i++)
		;
	return i;
}
