/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * views - a recording as people ask it: views that turn readings into what happened in an interval,
 * with rates and ratios, for whoever does not know how readings are stored. tiptop never reads
 * them.
 *
 *   interval_N   of layout N: a row for each reading that has one before it
 *   interval     all of them, with what stands in sample and task
 *   process      the same of processes: sums over their threads
 *
 * What is not known is NULL, also in sums. Increments are those of model/delta.h; but where that
 * gives a part of a number, there is none here.
 */
#ifndef RECORD_VIEWS_H
#define RECORD_VIEWS_H

#include "record/schema.h"

/* Appends the statement that makes the view of a layout. */
void record_view_layout(const struct record_layout *l, struct strbuf *out);
/* The answer to this is the statements that make the views of all layouts together anew. */
extern const char record_view_all[];
/* Makes the view of processes anew. */
extern const char record_view_processes[];

#endif
