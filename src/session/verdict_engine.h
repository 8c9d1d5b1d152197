/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict_engine - applies the verdict rules (diagnose/) to rows of the current counts, for
 * columns, conditions and pages. Rules and their counters are prepared at the first use.
 *
 * verdict_engine_check_rules() reports errors in the user's rules at the start.
 */
#ifndef SESSION_VERDICT_ENGINE_H
#define SESSION_VERDICT_ENGINE_H

#include "diagnose/judge.h"
#include "model/detail.h"
#include "session/setup.h"
#include "view/condition.h"
#include "view/page.h"

/* ---- verdict lines ----
 *
 * Verdicts as lines, for the page of a row and for the format "verdicts".
 *
 * Ownership: the arena holds the lines, which are valid until lines are made again.
 */

struct verdict_lines {
	struct page_line *v;
	size_t n, cap;
	struct arena arena;
	struct strbuf text; /* scratch: the current line */
};

/* ---- bound screens ----
 *
 * Several screens, each bound to the events of this machine, to compute their columns from the
 * current counts. No counter is opened for them.
 */

struct bound_screens {
	struct page_screen *screen;
	struct screen_numbers *numbers;
	size_t n;
	bool kernel; /* counts include kernel mode */
};

/* Binds n screens, which are borrowed. */
void bound_screens_make(struct bound_screens *b, struct setup *s,
			const struct screen *const *screen, size_t n);
void bound_screens_done(struct bound_screens *b);

/* ---- verdict engine ---- */

struct verdict_engine;
struct setup;

struct verdict_engine *verdict_engine_new(struct setup *s);
/* NULL is allowed. */
void verdict_engine_free(struct verdict_engine *j);
/* Returns the interface that columns and filters of the view use. */
const struct judged *verdict_engine_for_view(const struct verdict_engine *j);

/* Compiles the rules, and reports errors in those of the user's files. */
void verdict_engine_check_rules(struct verdict_engine *j,
				void (*report)(void *context, const struct err *err),
				void *context);
/* Returns the facts that the rules need if the user has rules or metrics; else FACT_NONE. */
struct fact_set verdict_engine_facts(const struct verdict_engine *j);
/* Returns the compiled rules. */
const struct rules *verdict_engine_rules(struct verdict_engine *j);

/* Metrics and verdicts of a row, the most important verdict first. Valid until the next call. */
struct verdict_findings {
	const struct value *cell;
	const struct verdict *found;
	size_t n;
};

/* Finds the verdicts of a row. thread: the row is a thread, not a process. */
void verdict_engine_find(struct verdict_engine *j, const struct sample *sample,
			 const struct delta_row *row, bool thread, struct verdict_findings *out);

/* Returns the verdicts of a task's row as lines for the page of the row. detail: of the task; NULL:
 * not read. Valid until the next call. */
const struct verdict_lines *verdict_engine_explain(struct verdict_engine *j,
						   const struct sample *sample,
						   const struct delta_row *row,
						   const struct detail *detail);

#endif
