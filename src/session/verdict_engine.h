/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict_engine - asks the rules (verdict/) about rows of what is counted now, where a column, a
 * condition or a page wants to know. Until somebody does, nothing is made for it.
 *
 * What cannot be used of the user's rules is reported by judging_check(), at the start.
 */
#ifndef SESSION_VERDICT_ENGINE_H
#define SESSION_VERDICT_ENGINE_H

#include "model/detail.h"
#include "session/verdict_lines.h"
#include "view/judged.h"

struct judging;
struct setup;

struct judging *judging_new(struct setup *s);
/* NULL is fine. */
void judging_free(struct judging *j);
/* For the view. */
const struct judged *judging_judged(const struct judging *j);

/* Makes the rules now, and reports those of the user's files that cannot be used. */
void judging_check(struct judging *j, void (*report)(void *context, const struct err *err),
		   void *context);
/* What has to be read for the user's rules, where verdicts are asked for; 0: there are none. */
fact_mask judging_facts(const struct judging *j);
/* The rules, for who wants to know what they are. */
const struct rules *judging_rules(struct judging *j);

/* What they tell of a row: metrics and verdicts, the first one first. Valid until the next call. */
struct judging_found {
	const struct value *cell;
	const struct verdict *found;
	size_t n;
};

/* thread: the row is of one thread. */
void judging_find(struct judging *j, const struct sample *sample, const struct delta_row *row,
		  bool thread, struct judging_found *out);

/* What there is to say of the row of a task, where somebody has looked at it. detail: NULL:
 * nobody has. Valid until the next call. */
const struct judging_lines *judging_ask(struct judging *j, const struct sample *sample,
					const struct delta_row *row, const struct detail *detail);

#endif
