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

#include "base/strbuf.h"
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

/* ---- verdict text ----
 *
 * Verdicts as texts. Pure.
 */

/* What texts are made of. */
struct tell {
	const struct rules *rules;
	struct binding *const *binding; /* as of measure.h; NULL: no event is named */
	const struct task *task;
	const struct value *cell;
	bool on_page; /* texts stand on the page of the task: none of them names it */
};

/* One or two words; behind them '?' where it is only maybe so. */
void verdict_word(struct strbuf *out, const struct verdict *v);
void verdict_sentence(struct strbuf *out, const struct tell *t, const struct verdict *v);
/* The numbers that its condition names: "IPC 0.31 instructions a cycle, ...". */
void verdict_numbers(struct strbuf *out, const struct tell *t, const struct verdict *v);
/* How sure it is, and what would make it surer. */
void verdict_certainty(struct strbuf *out, const struct tell *t, const struct verdict *v);
/* The next steps: how many there are, and what each is and is good for. False: it is not for this
 * CPU. */
size_t verdict_n_steps(const struct verdict *v);
bool verdict_step(struct strbuf *run, struct strbuf *why, const struct tell *t,
		  const struct verdict *v, size_t i);
/* The name, condition and source of its rule. */
const struct verdict_row *verdict_rule_row(const struct verdict *v);
/* What counters could tell and did not, for this reason, with ", " between; false: nothing. */
bool verdict_unknown(struct strbuf *out, const struct tell *t, enum quality why);

#endif
