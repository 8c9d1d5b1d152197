/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict_engine - asks the rules (verdict/) about rows of what is counted now, where a column, a
 * condition or a page wants to know. Until somebody does, nothing is made for it.
 *
 * What cannot be used of the user's rules is reported by judging_check(), at the start.
 */
#ifndef SESSION_VERDICT_ENGINE_H
#define SESSION_VERDICT_ENGINE_H

#include "diagnose/judge.h"
#include "model/detail.h"
#include "session/setup.h"
#include "view/judged.h"
#include "view/page.h"

/* ---- verdict lines ----
 *
 * Verdicts as lines: of the page of a row, and of the format verdicts.
 *
 * Ownership: lines lie in the arena, valid until the next ones are made.
 */

struct judging_lines {
	struct page_line *v;
	size_t n, cap;
	struct arena arena;
	struct strbuf text; /* of the line that is being written */
};

/* ---- bound ----
 *
 * Several screens at once, each with what its counters are on this machine, so that they
 * can be asked of whatever is counted. Nothing is opened for them.
 */

struct bound_screens {
	struct page_screen *screen;
	struct screen_numbers *numbers;
	size_t n;
	bool kernel; /* the kernel is counted, too */
};

/* screen: borrowed, [n]. */
void bound_screens_make(struct bound_screens *b, struct setup *s,
			const struct screen *const *screen, size_t n);
void bound_screens_done(struct bound_screens *b);

/* ---- verdict engine ---- */

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
