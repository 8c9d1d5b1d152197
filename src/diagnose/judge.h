/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge - computes the metrics of a row, evaluates the rules for it and returns its verdicts,
 * sorted by rank, the highest first; and verdicts as texts. Pure.
 *
 *   m = measures_new(rules, binding);
 *   judge_begin(rules, sample);                          once per sample
 *   measures_compute(m, &c, cell);                       the metrics of a row
 *   n = judge_row(rules, task, cell, found);             the verdicts of a row
 *   measures_free(m);                                    before the bindings are freed
 *
 * A rule gives a verdict only if its condition is true, not if it is false or unknown. Its
 * certainty is one step lower if a metric in its condition is not QUALITY_EXACT, for example
 * because counters were multiplexed, a part was not counted, or intervals differ.
 *
 * Each cause has one verdict: a verdict that is covered by another verdict (struct verdict_row) is
 * dropped.
 */
#ifndef DIAGNOSE_JUDGE_H
#define DIAGNOSE_JUDGE_H

#include "base/strbuf.h"
#include "base/value.h"
#include "diagnose/rules.h"
#include "model/delta.h"
#include "model/sample.h"
#include "screen/binding.h"

enum sure { SURE_MAYBE, SURE_LIKELY, SURE_SURE };

struct rule;

struct verdict {
	const struct rule *rule;
	double rank;
	enum sure sure;
};

/* Returns the maximal number of verdicts. */
size_t judge_max(const struct rules *r);
/* Returns the index of the rule of a verdict, see rules_verdict(). */
size_t judge_rule(const struct rules *r, const struct verdict *v);
void judge_begin(struct rules *r, const struct sample *sample);
/* Evaluates the rules for a row. cell: its metrics. Fills found[judge_max()] and
 * returns the number of verdicts. */
size_t judge_row(struct rules *r, const struct task *task, const struct value *cell,
		 struct verdict *found);

/* ---- verdict text ----
 *
 * Verdicts as texts. Pure.
 */

/* The data for the texts. */
struct tell {
	const struct rules *rules;
	struct binding *const *binding; /* as in measures_new(); NULL: no events are named */
	const struct task *task;
	const struct value *cell;
	bool on_page; /* the text is shown on the page of the task, and so must not refer to it */
};

/* Appends one or two words, with '?' if the verdict is only SURE_MAYBE. */
void verdict_word(struct strbuf *out, const struct verdict *v);
void verdict_sentence(struct strbuf *out, const struct tell *t, const struct verdict *v);
/* Appends the known metrics in the conditions of the verdict and of the verdicts that it covers:
 * "IPC 0.31 instructions a cycle, ...". */
void verdict_numbers(struct strbuf *out, const struct tell *t, const struct verdict *v);
/* Appends how certain the verdict is, and how to confirm it. */
void verdict_certainty(struct strbuf *out, const struct tell *t, const struct verdict *v);
/* The next steps that the verdict recommends. verdict_n_steps() returns their number.
 * verdict_step() appends the command of step i to `run` and its purpose to `why`; it returns false
 * if the step does not apply to this row or to this CPU: a step with the PID does not apply to a
 * task that has ended. */
size_t verdict_n_steps(const struct verdict *v);
bool verdict_step(struct strbuf *run, struct strbuf *why, const struct tell *t,
		  const struct verdict *v, size_t i);
/* Returns the row of the verdict's rule: name, condition, source. */
const struct verdict_row *verdict_rule_row(const struct verdict *v);
/* Appends the descriptions of the metrics from counters that are unknown for this reason, separated
 * by ", ". Returns false if there are none. */
bool verdict_unknown(struct strbuf *out, const struct tell *t, enum quality why);

/* ---- metrics ----
 *
 * A column without counted counters has the same value for all rows with the same events: it is
 * computed for the first such row and cached.
 */

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
