/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict_rig - the built-in rules on another CPU, with the counters of one screen.
 *
 *   verdict_rig_begin(&r, "skylake", "why"); n = verdict_rig_judge(&r, task, count, context);
 *   r.found[0..n), r.cell; verdict_rig_end(&r);
 */
#ifndef TESTS_VERDICT_RIG_H
#define TESTS_VERDICT_RIG_H

#include <string.h>

#include "diagnose/judge.h"
#include "pmu/event/foreign_cpu.h"
#include "screen/bind/counters.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "tap.h"

#define RIG_SCREENS_MAX 32

/* A CPU, the screen whose counters are open, and the rules with their screens. */
struct verdict_rig {
	struct machine machine;
	struct perf_sys sys;
	struct screen_list list;
	struct screen *screen; /* the screen whose events are counted */
	struct screen_numbers counted;
	struct rules *rules;
	struct screen_numbers numbers[RIG_SCREENS_MAX];
	struct binding binding[RIG_SCREENS_MAX], *bound[RIG_SCREENS_MAX];
	struct measures *measures;
	struct value *cell;
	struct verdict *found;
};

static inline bool rig_fits(const void *context, const char *arch, const char *model)
{
	return machine_fits(context, 0, arch, model);
}

static inline void rig_report(void *context, const struct err *err)
{
	(void)context;
	tap_ok(false, "%s", err->text);
}

static inline void rig_ignore(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

static inline void rig_tell_numbers_of(struct verdict_rig *r, const struct screen *screen,
				       struct screen_numbers *out)
{
	const struct offer offer = offer_live(&r->machine, &r->sys, false);
	struct event_set events;

	counters_make_set(&events, screen, &offer);
	offer.ops->describe(&offer, &events);
	counters_describe(out, &events);
	event_set_done(&events);
}

static inline void verdict_rig_begin(struct verdict_rig *r, const char *cpu, const char *screen)
{
	static const struct verdict_table *const table = &verdict_table_built_in;
	const struct rules_machine machine = {.fits = rig_fits, .context = &r->machine};
	struct sample *none = sample_new();
	struct err err = ERR_INIT;

	memset(r, 0, sizeof *r);
	r->machine.table = &event_table_built_in;
	perf_foreign_init(&r->sys);
	tap_int(machine_set_foreign(&r->machine, cpu, &err), 0, "%s", cpu);
	screen_list_add_built_in(&r->list, 0, screen_built_in_n);
	r->screen = r->list.v[screen_list_find(&r->list, screen, &err)];
	screen_compile(r->screen, rig_ignore, NULL, NULL);
	rig_tell_numbers_of(r, r->screen, &r->counted);
	r->rules = rules_new(&table, 1, &machine, rig_report, NULL);
	for (size_t i = 0; i < rules_n_screens(r->rules) && i < RIG_SCREENS_MAX; i++) {
		rig_tell_numbers_of(r, rules_screen(r->rules, i), &r->numbers[i]);
		binding_init(&r->binding[i], rules_screen(r->rules, i), &r->numbers[i]);
		r->bound[i] = &r->binding[i];
	}
	r->measures = measures_new(r->rules, r->bound);
	judge_begin(r->rules, none);
	r->cell = xcalloc(rules_n_metrics(r->rules), sizeof *r->cell);
	r->found = xcalloc(judge_max(r->rules), sizeof *r->found);
	sample_unref(none);
}

static inline void verdict_rig_end(struct verdict_rig *r)
{
	free(r->cell);
	free(r->found);
	measures_free(r->measures);
	for (size_t i = 0; i < rules_n_screens(r->rules); i++) {
		binding_done(&r->binding[i]);
		screen_numbers_done(&r->numbers[i]);
	}
	rules_free(r->rules);
	screen_numbers_done(&r->counted);
	screen_list_done(&r->list);
}

/* Returns the count of a counter, by its alias, in one second of a core. */
typedef double (*verdict_rig_count)(const void *context, const char *alias);

/* Judges one second of a task that was on a CPU nearly all the time. */
static inline size_t verdict_rig_judge(struct verdict_rig *r, struct task *task,
				       verdict_rig_count count, const void *context)
{
	static const struct host host = {.n_cpus = 1};
	const struct sample_events *events = r->counted.events;
	struct value increment[EVENT_SET_MAX];
	struct delta_row row = {.task = task,
				.old = task,
				.counts_ns = 1000000000,
				.facts_ns = 1000000000,
				.cpu_counted = true,
				.cpu_ns = value_exact(999e6),
				.events = events,
				.increment = increment,
				.total = increment};

	for (int i = 0; i < sample_events_n(events); i++)
		increment[i] = value_none(sample_events_quality(events, i));
	for (int i = 0; i < r->counted.n_counters; i++)
		if (!sample_events_quality(events, r->counted.head[i]))
			increment[r->counted.head[i]] =
				value_exact(count(context, r->screen->alias[i]));
	measures_compute(r->measures, &(struct verdict_case){.row = &row, .host = &host}, r->cell);
	return judge_row(r->rules, task, r->cell, r->found);
}

#endif
