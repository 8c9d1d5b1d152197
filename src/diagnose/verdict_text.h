/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict_text - verdicts as texts. Pure.
 */
#ifndef DIAGNOSE_VERDICT_TEXT_H
#define DIAGNOSE_VERDICT_TEXT_H

#include "base/strbuf.h"
#include "diagnose/judge.h"

/* What texts are made of. */
struct tell {
	const struct rules *rules;
	struct binding *const *binding; /* as of measure.h; NULL: no event is named */
	const struct task *task;
	const struct value *cell;
	bool on_page; /* texts stand on the page of the task: none of them names it */
};

/* One or two words; behind them '?' where it is only maybe so. */
void tell_word(struct strbuf *out, const struct verdict *v);
void tell_sentence(struct strbuf *out, const struct tell *t, const struct verdict *v);
/* The numbers that its condition names: "IPC 0.31 instructions a cycle, ...". */
void tell_numbers(struct strbuf *out, const struct tell *t, const struct verdict *v);
/* How sure it is, and what would make it surer. */
void tell_sure(struct strbuf *out, const struct tell *t, const struct verdict *v);
/* The next steps: how many there are, and what each is and is good for. False: it is not for this
 * CPU. */
size_t tell_n_next(const struct verdict *v);
bool tell_next(struct strbuf *run, struct strbuf *why, const struct tell *t,
	       const struct verdict *v, size_t i);
/* The name, condition and source of its rule. */
const struct verdict_row *tell_row(const struct verdict *v);
/* What counters could tell and did not, for this reason, with ", " between; false: nothing. */
bool tell_unknown(struct strbuf *out, const struct tell *t, enum quality why);

#endif
