/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tags - the tasks that the user has picked, for keys that are about several. Pure.
 *
 * A tag stays on its task while that is not shown, and goes with it. Only things with a pid can
 * have one.
 *
 * Ownership: the list owns its memory; tags_clear() and tags_done() empty it.
 */
#ifndef TUI_TAGS_H
#define TUI_TAGS_H

#include "view/frame.h"
#include "view/row_id.h"

struct tags {
	struct row_id *v;
	size_t n, cap;
	uint32_t number; /* of the sample that tags_fit() has seen last */
};

void tags_done(struct tags *t);
void tags_clear(struct tags *t);
bool tags_has(const struct tags *t, const struct frame_row *row);
/* Nothing where it has one already. */
void tags_add(struct tags *t, const struct frame_row *row);
/* The same of a task, which need not be shown. */
void tags_add_task(struct tags *t, const struct task *task);
/* False: it had one, which is gone now. */
bool tags_toggle(struct tags *t, const struct frame_row *row);
/* The task of a tag; NULL: the sample has it no more, or was not asked for it. */
const struct task *tags_find_task(const struct row_id *id, const struct sample *sample);
/* Takes the tags away from tasks that have ended. */
void tags_fit(struct tags *t, const struct frame *frame);

#endif
