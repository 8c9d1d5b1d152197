/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tick_rows - raw counts of CPUs as text, in the form of cpustat of Solaris, and as CSV and JSON:
 *
 *     time  cpu event            pic0            pic1
 *    1.007    0  tick           13907           12547 # pic0=IC_ref,pic1=IC_hit
 *    2.007    4 total         2875387          887626 # pic0=Cycle_cnt,pic1=Instr_cnt
 *
 * A tick is what a CPU has counted in its interval, which ends at this time, in seconds since the
 * start. A total is the sum of all ticks of a set: its time is that of the last one, and in the
 * place of the CPU stands how many there were. With several sets, each row names its counters; with
 * one, the header does. "%tick" are cycles in all modes, where the first counter of each set counts
 * those. What is not known is '-', a count that is extrapolated, or of a part, has '~' behind it.
 *
 * CSV and JSON have the number of CPUs of a total in a column of its own, the qualities of counts
 * that are not exact, and JSON the modes in which a set is counted.
 */
#ifndef COLLECT_CPU_TICK_ROWS_H
#define COLLECT_CPU_TICK_ROWS_H

#include <stdbool.h>

#include "pmu/perf/event.h"
#include "report/counts.h"

/* The ticks of a set so far. */
struct tick_sum {
	struct value *value; /* [n_counters of the set] */
	double last_s;
	int *cpu; /* [n] */
	size_t n, cap;
};

struct tick_rows {
	const struct event_set *set; /* [n_sets], borrowed */
	struct tick_sum *sum;        /* [n_sets] */
	int n_sets;
	struct report_counts counts;
};

/* cycles: the first counter of each set is "%tick". */
void tick_rows_init(struct tick_rows *r, enum report_format_id format, const struct event_set *set,
		    int n_sets, bool cycles);
void tick_rows_done(struct tick_rows *r);
/* Checks the fields of rows of these sets. -EINVAL with a sentence: there is no such field. */
int tick_rows_check_fields(const struct event_set *set, int n_sets, bool cycles, const char *fields,
			   struct err *err);
/* Chooses the fields that are written; NULL: all. -EINVAL with a sentence: there is no such field.
 */
int tick_rows_choose(struct tick_rows *r, const char *fields, struct err *err);
void tick_rows_header(struct tick_rows *r, struct strbuf *out);
/* value: [n_counters of the set] */
void tick_rows_tick(struct tick_rows *r, struct strbuf *out, int set, double time_s, int cpu,
		    const struct value *value);
/* A tick without numbers for each CPU of the set that had ticks and is none of those n that are
 * there: it is offline. */
void tick_rows_offline(struct tick_rows *r, struct strbuf *out, int set, double time_s,
		       const int *there, size_t n);
/* A row for each set that had a tick. */
void tick_rows_totals(struct tick_rows *r, struct strbuf *out);

#endif
