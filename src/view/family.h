/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family - visits the process of a row and its descendants, shown or idle, that pass the filters of
 * the view. If rows are threads, visits all threads of these processes.
 */
#ifndef VIEW_FAMILY_H
#define VIEW_FAMILY_H

#include "view/frame.h"

/* Returns whether the parents of tasks were read for this frame. */
bool family_known(const struct frame *f);
typedef void family_take(void *context, const struct task *t);
/* Calls take for each living task of the family. The row must be one of a task. */
void family_each(const struct frame *f, const struct row_id *row, family_take *take, void *context);

#endif
