/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict_engine - asks the rules (verdict/) about rows of what is counted now, where a column, a
 * condition or a page wants to know. Until somebody does, nothing is made for it.
 *
 * What cannot be used of the user's rules is reported by verdict_engine_check_rules(), at the
 * start.
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

struct verdict_lines {
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

struct verdict_engine;
struct setup;

struct verdict_engine *verdict_engine_new(struct setup *s);
/* NULL is fine. */
void verdict_engine_free(struct verdict_engine *j);
/* For the view. */
const struct judged *verdict_engine_for_view(const struct verdict_engine *j);

/* Makes the rules now, and reports those of the user's files that cannot be used. */
void verdict_engine_check_rules(struct verdict_engine *j,
				void (*report)(void *context, const struct err *err),
				void *context);
/* What has to be read for the user's rules, where verdicts are asked for; 0: there are none. */
fact_mask verdict_engine_facts(const struct verdict_engine *j);
/* The rules, for who wants to know what they are. */
const struct rules *verdict_engine_rules(struct verdict_engine *j);

/* What they tell of a row: metrics and verdicts, the first one first. Valid until the next call. */
struct verdict_findings {
	const struct value *cell;
	const struct verdict *found;
	size_t n;
};

/* thread: the row is of one thread. */
void verdict_engine_find(struct verdict_engine *j, const struct sample *sample,
			 const struct delta_row *row, bool thread, struct verdict_findings *out);

/* What there is to say of the row of a task, where somebody has looked at it. detail: NULL:
 * nobody has. Valid until the next call. */
const struct verdict_lines *verdict_engine_explain(struct verdict_engine *j,
						   const struct sample *sample,
						   const struct delta_row *row,
						   const struct detail *detail);

#endif
