/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge - from what is known of a row to its verdicts, the one that may stand for most of the time
 * first. Pure.
 *
 *   judge_begin(rules, sample);                          once for each sample
 *   n = judge_row(rules, task, cell, found);             what the metrics of a row tell
 *
 * A verdict is only found where its condition is true; one that is false or unknown is none. It is
 * a step less sure where a number that its condition names is no exact one: counters took turns, a
 * part was not counted, intervals differ.
 */
#ifndef DIAGNOSE_JUDGE_H
#define DIAGNOSE_JUDGE_H

#include "base/value.h"
#include "diagnose/rules.h"
#include "model/sample.h"

enum sure { SURE_MAYBE, SURE_LIKELY, SURE_SURE };

struct rule;

struct verdict {
	const struct rule *rule;
	double rank;
	enum sure sure;
};

/* How many verdicts there are at most. */
size_t judge_max(const struct rules *r);
/* The number of the rule that found it, see rules_verdict(). */
size_t judge_rule(const struct rules *r, const struct verdict *v);
void judge_begin(struct rules *r, const struct sample *sample);
/* cell: its metrics, see measure.h. Returns how many were found; found: [judge_max]. */
size_t judge_row(struct rules *r, const struct task *task, const struct value *cell,
		 struct verdict *found);

#endif
