/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules - the metrics and verdicts of a table (screen/verdict_list.h), compiled.
 *
 * The metrics are the columns of a screen that is never shown; conditions name them, and the texts
 * of tasks such as STATE. Where a metric comes from columns of other screens, these are here too:
 * whoever binds them to the events of a machine (rules_screen()) gives the bindings to judge.h.
 *
 * Ownership: the table is borrowed.
 */
#ifndef DIAGNOSE_RULES_H
#define DIAGNOSE_RULES_H

#include "screen/screen.h"
#include "screen/verdict_list.h"

struct rules;

/* What the table is compiled for. */
struct rules_machine {
	/* Whether what is for these CPUs only is for this one; NULL: all is. */
	bool (*fits)(const void *context, const char *arch, const char *model);
	const void *context;
	/* The user's own screens, as they were declared: metrics may come from these, too; NULL:
	 * there are none. */
	const struct screen_list *screens;
};

/* Of metrics and verdicts with the same name, that of the later table counts. What cannot be
 * compiled is reported, with the place that it comes from, and left out: then that of the earlier
 * one does. */
struct rules *rules_new(const struct verdict_table *const *table, size_t n_tables,
			const struct rules_machine *machine,
			void (*report)(void *context, const struct err *err), void *context);
/* NULL is fine. */
void rules_free(struct rules *r);

/* What has to be read for all of them. */
fact_mask rules_facts(const struct rules *r);

/* The screens that metrics are taken from. */
size_t rules_n_screens(const struct rules *r);
const struct screen *rules_screen(const struct rules *r, size_t i);

/* Those that can be found, each with a number below judge_max(). */
const struct verdict_row *rules_verdict(const struct rules *r, size_t i);

size_t rules_n_metrics(const struct rules *r);
const struct metric_row *rules_metric(const struct rules *r, size_t i);

#endif
