/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evaluate - what the expression of a column is for one row of a delta: counters as the binding has
 * them, facts and what is derived from them. Pure.
 */
#ifndef VIEW_EVALUATE_H
#define VIEW_EVALUATE_H

#include "model/delta.h"
#include "screen/binding.h"

/* The cell of a column; of a text it is only how well it is known. bound: of that column,
 * [n_counters], for the events of the row. */
struct value evaluate_column(const struct column *column, struct shown shown,
			     const struct delta_row *row, const struct host *host,
			     const struct bound *bound);
/* One counter or variable. */
struct value evaluate_name(struct expr_ref ref, const struct delta_row *row,
			   const struct host *host, const struct bound *bound);
/* %CPU: 100 is one CPU. */
struct value evaluate_cpu(const struct delta_row *row);
/* The same with the time of children that have ended and were waited for in the interval. Of sums
 * over several processes it is their own: the children had rows, too. */
struct value evaluate_cpu_with_ended(const struct delta_row *row);

#endif
