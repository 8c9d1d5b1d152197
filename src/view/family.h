/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family - the process of a row and all that descend from it, shown or idle, as far as the filters
 * of the view let them pass; where rows are threads, all of theirs.
 */
#ifndef VIEW_FAMILY_H
#define VIEW_FAMILY_H

#include "view/frame.h"

/* Whether the parents of tasks were read for this frame. */
bool family_known(const struct frame *f);
typedef void family_take(void *context, const struct task *t);
/* Gives each task that is alive; the row is one of a task. */
void family_each(const struct frame *f, const struct row_id *row, family_take *take, void *context);

#endif
