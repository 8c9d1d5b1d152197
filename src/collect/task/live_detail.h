/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_detail - reads the details of one task of the running machine, for the page that a user
 * opens.
 */
#ifndef COLLECT_TASK_LIVE_DETAIL_H
#define COLLECT_TASK_LIVE_DETAIL_H

#include "collect/source.h"

/* The operation `detail` (source.h) of a source from source_live_new(). */
void live_detail(struct source *source, const struct task *task, unsigned want, struct detail *out);

#endif
