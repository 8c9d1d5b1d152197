/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evaluate - evaluates the expression of a column for one row of a delta: counters by the binding,
 * facts, and variables derived from facts. Pure.
 */
#ifndef VIEW_EVALUATE_H
#define VIEW_EVALUATE_H

#include "model/delta.h"
#include "screen/binding.h"

/* Returns the value of a column; for a text, only its quality. bound: [n_counters] the events of
 * the row to which the counters are bound in this column. */
struct value evaluate_column(const struct column *column, struct shown shown,
			     const struct delta_row *row, const struct host *host,
			     const struct bound *bound);
/* Returns the value of one counter or variable. */
struct value evaluate_name(struct expr_ref ref, const struct delta_row *row,
			   const struct host *host, const struct bound *bound);
/* Returns %CPU: 100 is one CPU. */
struct value evaluate_cpu(const struct delta_row *row);
/* Returns %CPU including children that have ended and were waited for in the interval. For a sum
 * over several processes, returns evaluate_cpu(), as the sum may have rows of these children
 * already. */
struct value evaluate_cpu_with_ended(const struct delta_row *row);

#endif
