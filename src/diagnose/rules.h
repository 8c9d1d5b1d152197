/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules - the metrics and verdicts of a table (screen/verdict_list.h), compiled.
 *
 * The metrics are the columns of a screen that is never shown; conditions may use metrics, and
 * texts of tasks such as STATE. The screens from whose columns metrics are taken belong to the
 * rules, too: the caller binds them (rules_screen()) to the events of a machine and passes the
 * bindings to measure.h and judge.h.
 *
 * Ownership: the tables are borrowed.
 */
#ifndef DIAGNOSE_RULES_H
#define DIAGNOSE_RULES_H

#include "screen/screen.h"
#include "screen/verdict_list.h"

struct rules;

/* The machine, and the screens of the user. */
struct rules_machine {
	/* Returns whether rows for these CPUs apply to this machine; NULL: all do. */
	bool (*fits)(const void *context, const char *arch, const char *model);
	const void *context;
	/* The user's own screens as declared: metrics may come from these, too; NULL: none. */
	const struct screen_list *screens;
};

/* Compiles the tables. If two tables have a metric or a verdict of the same name, the later table
 * is used. A metric or verdict that cannot be compiled is passed to report(), with its place in the
 * configuration, and ignored. */
struct rules *rules_new(const struct verdict_table *const *table, size_t n_tables,
			const struct rules_machine *machine,
			void (*report)(void *context, const struct err *err), void *context);
void rules_free(struct rules *r);

/* Returns the facts that have to be read for all rules. */
struct fact_set rules_facts(const struct rules *r);

/* The screens from which metrics are taken. */
size_t rules_n_screens(const struct rules *r);
const struct screen *rules_screen(const struct rules *r, size_t i);

/* Returns verdict i, below judge_max(). */
const struct verdict_row *rules_verdict(const struct rules *r, size_t i);

size_t rules_n_metrics(const struct rules *r);
const struct metric_row *rules_metric(const struct rules *r, size_t i);

#endif
