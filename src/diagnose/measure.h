/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure - computes the metrics of a row. Pure.
 *
 *   m = measures_new(rules, binding);
 *   measures_compute(m, &c, cell);             the metrics of a row
 *   measures_free(m);                       before the bindings are freed
 *
 * A column without counted counters has the same value for all rows with the same events: it is
 * computed for the first such row and cached.
 */
#ifndef DIAGNOSE_MEASURE_H
#define DIAGNOSE_MEASURE_H

#include "diagnose/rules.h"
#include "model/delta.h"
#include "screen/binding.h"

/* The row to judge. */
struct verdict_case {
	const struct delta_row *row;
	const struct host *host;
	bool threads;                 /* each row is one thread */
	const struct value *evidence; /* [N_EVIDENCE]; NULL: the details were not read */
};

struct measures;

/* binding: [rules_n_screens()]. Both arguments are borrowed. */
struct measures *measures_new(const struct rules *r, struct binding *const *binding);
void measures_free(struct measures *m);
/* Computes the metrics: cell[rules_n_metrics()]. */
void measures_compute(struct measures *m, const struct verdict_case *c, struct value *cell);

#endif
