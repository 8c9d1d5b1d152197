/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge - from what is known of a row to its verdicts, the one that may stand for most of the time
 * first. Pure.
 *
 *   judge_begin(rules, sample);                          once for each sample
 *   judge_measure(rules, binding, &c, cell);             the metrics of a row
 *   n = judge_row(rules, &c, cell, found);               what they tell
 *
 * A verdict is only found where its condition is true; one that is false or unknown is none. It is
 * a step less sure where a number that its condition names is no exact one: counters took turns, a
 * part was not counted, intervals differ.
 */
#ifndef VERDICT_JUDGE_H
#define VERDICT_JUDGE_H

#include "model/delta.h"
#include "screen/binding.h"
#include "verdict/evidence.h"
#include "verdict/rules.h"

/* A row that is asked about. */
struct verdict_case {
	const struct delta_row *row;
	const struct host *host;
	bool threads;                 /* each row is one thread */
	const struct value *evidence; /* [N_EVIDENCE]; NULL: nobody has looked at the task */
};

enum sure { SURE_MAYBE, SURE_LIKELY, SURE_SURE };

struct rule;

struct verdict {
	const struct rule *rule;
	double rank;
	enum sure sure;
};

/* How many verdicts there are at most. */
size_t judge_max(const struct rules *r);
void judge_begin(struct rules *r, const struct sample *sample);
/* binding: [rules_n_screens]; cell: [rules_n_metrics]. */
void judge_measure(const struct rules *r, struct binding *const *binding,
		   const struct verdict_case *c, struct value *cell);
/* Returns how many were found; found: [judge_max]. */
size_t judge_row(struct rules *r, const struct task *task, const struct value *cell,
		 struct verdict *found);

#endif
