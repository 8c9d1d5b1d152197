/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ticks - counts of CPUs as rows of text, for 'tiptop system --raw'. One of several event sets is
 * counted at a time; struct rotation is their schedule.
 *
 *   ticks_start()  begins to count a set
 *   ticks_take()   adds a row for each CPU: its counts since ticks_start() or the last ticks_take()
 *
 * While the set stays the same, its counters stay open. When the set changes, counters are opened,
 * and the first interval begins at their first reading.
 */
#ifndef COLLECT_CPU_TICKS_H
#define COLLECT_CPU_TICKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "collect/source.h"
#include "model/delta.h"
#include "pmu/perf/event.h"
#include "report/counts.h"

/* ---- rotation ----
 *
 * The schedule of several event sets that are counted in turn.
 *
 * Each set is counted for an interval; a cycle is one interval of each set. With a period, cycles
 * begin a period apart; a period shorter than a cycle has no effect.
 *
 * All times are computed from the start, so they do not drift. Turns that ended before they were
 * counted are skipped.
 */

struct rotation {
	uint64_t begin_ns, interval_ns;
	uint64_t cycle_ns; /* from the start of a cycle to the start of the next */
	uint64_t n_sets;
	uint64_t number; /* number of the current turn, from 0 */
};

/* Starts with set 0 at now_ns. Each set has interval_s; a cycle of all sets begins every period_s,
 * if that is longer. */
void rotation_begin(struct rotation *t, int n_sets, double interval_s, double period_s,
		    uint64_t now_ns);
/* Return the index of the current set, and the number of the current cycle, from 0. */
int rotation_set(const struct rotation *t);
uint64_t rotation_cycle(const struct rotation *t);
uint64_t rotation_start_ns(const struct rotation *t);
uint64_t rotation_end_ns(const struct rotation *t);
/* Advances to the next turn that ends after now_ns. Returns how many turns were skipped. */
uint64_t rotation_next(struct rotation *t, uint64_t now_ns);

/* ---- tick rows ----
 *
 * Raw counts of CPUs as text, in the form of cpustat of Solaris, and as CSV and JSON:
 *
 *     time  cpu event            pic0            pic1
 *    1.007    0  tick           13907           12547 # pic0=IC_ref,pic1=IC_hit
 *    2.007    4 total         2875387          887626 # pic0=Cycle_cnt,pic1=Instr_cnt
 *
 * A tick has the counts of one CPU in one interval. Its time is the end of that interval, in
 * seconds since the start. A total is the sum of all ticks of a set. Its time is that of the last
 * tick, and its CPU column has the number of CPUs. With several sets, each row names its counters;
 * with one, the header does. If the first counter of each set is cycles in all modes, its column is
 * "%tick". An unknown count is '-'; one that is extrapolated or partial is followed by '~'.
 *
 * CSV and JSON have a separate column for the number of CPUs of a total, and the qualities of
 * counts that are not exact. JSON also has the modes in which a set is counted.
 */

/* The sum of the ticks of a set so far. */
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

/* Initializes the rows. cycles: the first counter of each set is "%tick". */
void tick_rows_init(struct tick_rows *r, enum report_format_id format, const struct event_set *set,
		    int n_sets, bool cycles);
void tick_rows_done(struct tick_rows *r);
/* Returns 0, or -EINVAL with a sentence if one of the fields does not exist in rows of these
 * sets. */
int tick_rows_check_fields(const struct event_set *set, int n_sets, bool cycles, const char *fields,
			   struct err *err);
/* Selects the fields to write; NULL: all. Returns 0, or -EINVAL with a sentence: no such field. */
int tick_rows_choose(struct tick_rows *r, const char *fields, struct err *err);
void tick_rows_header(struct tick_rows *r, struct strbuf *out);
/* Adds the row of a tick, and adds the tick to the total. value: [n_counters of the set]. */
void tick_rows_tick(struct tick_rows *r, struct strbuf *out, int set, double time_s, int cpu,
		    const struct value *value);
/* Adds a row of unknown counts for each CPU that is offline now: it had rows of this set, and is
 * not in there[n]. */
void tick_rows_offline(struct tick_rows *r, struct strbuf *out, int set, double time_s,
		       const int *there, size_t n);
/* Adds a row for each set that had a tick. */
void tick_rows_totals(struct tick_rows *r, struct strbuf *out);

/* ---- ticks ---- */

struct ticks {
	struct source *source;       /* a source of CPUs; borrowed */
	const struct event_set *set; /* [n_sets], borrowed */
	struct tick_rows rows;
	int current; /* index of the set being counted; -1: none */
	struct sample sample[2];
	struct delta delta[2];
	int now; /* index of the latest sample and delta */
	/* The CLOCK_MONOTONIC time from which times of rows count; 0: that of the first sample. */
	uint64_t begin_ns;
};

void ticks_init(struct ticks *t, enum report_format_id format, struct source *source,
		const struct event_set *set, int n_sets, bool cycles);
void ticks_done(struct ticks *t);
/* Begins to count a set, unless it is counted already. note: why some of its events cannot be
 * counted (code 0: all are). Returns 0, or -errno with a sentence if nothing can be read. */
int ticks_start(struct ticks *t, int set, struct err *note, struct err *err);
int ticks_take(struct ticks *t, struct strbuf *out, struct err *err);

#endif
