/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure - what the metrics of a row are. Pure.
 *
 *   m = measures_new(rules, binding);
 *   measures_compute(m, &c, cell);             the metrics of a row
 *   measures_free(m);                       before the bindings go
 *
 * What comes from columns none of whose counters are counted is the same for all rows with the same
 * events: it is found out for the first of them, and kept.
 */
#ifndef DIAGNOSE_MEASURE_H
#define DIAGNOSE_MEASURE_H

#include "diagnose/rules.h"
#include "model/delta.h"
#include "screen/binding.h"

/* A row that is asked about. */
struct verdict_case {
	const struct delta_row *row;
	const struct host *host;
	bool threads;                 /* each row is one thread */
	const struct value *evidence; /* [N_EVIDENCE]; NULL: nobody has looked at the task */
};

struct measures;

/* binding: [rules_n_screens]; both are borrowed. */
struct measures *measures_new(const struct rules *r, struct binding *const *binding);
/* NULL is fine. */
void measures_free(struct measures *m);
/* cell: [rules_n_metrics]. */
void measures_compute(struct measures *m, const struct verdict_case *c, struct value *cell);

#endif
