/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ticks - what CPUs count, set by set, in rows.
 *
 *   ticks_start()  begins to count a set
 *   ticks_take()   reads what it has counted since then, or since the last tick, as rows
 *
 * The same set goes on counting from one tick to the next; another one has its counters opened
 * first, and where they stand then is its beginning.
 */
#ifndef COLLECT_CPU_TICKS_H
#define COLLECT_CPU_TICKS_H

#include <stdbool.h>

#include "base/err.h"
#include "collect/source.h"
#include "model/delta.h"
#include "pmu/perf/event.h"
#include "report/counts.h"

/* ---- tick rows ----
 *
 * Raw counts of CPUs as text, in the form of cpustat of Solaris, and as CSV and JSON:
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

/* ---- ticks ---- */

struct ticks {
	struct source *source;       /* of CPUs; borrowed */
	const struct event_set *set; /* [n_sets], borrowed */
	struct tick_rows rows;
	int current; /* the set that is counted; -1: none */
	struct sample sample[2];
	struct delta delta[2];
	int now; /* of these two, the last one */
	/* The moment from which rows have their time; 0: that of the first sample. */
	uint64_t begin_ns;
};

void ticks_init(struct ticks *t, enum report_format_id format, struct source *source,
		const struct event_set *set, int n_sets, bool cycles);
void ticks_done(struct ticks *t);
/* Fails where nothing can be read at all. note: one sentence about what of the set cannot be
 * counted (code 0: nothing to say). */
int ticks_start(struct ticks *t, int set, struct err *note, struct err *err);
int ticks_take(struct ticks *t, struct strbuf *out, struct err *err);

#endif
