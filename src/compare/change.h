/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change - compares the cost of locks, library calls, regions or processes (tiptop follow) of one
 * side with those of others, each of one or several runs. Entries are matched by their keys
 * (saved_report.h); those whose time, or whose count of an event, changed most come first.
 *
 * The time of a lock is that of all its acquisitions, holds and releases; the time of a function is
 * the time spent in it; the time of a region is that of its calls, nested regions included.
 *
 * If each side has one run, the margin (95 %) of a change is computed as if all calls were
 * independent. But successive calls resemble each other, and runs differ, too: a change within the
 * margin means nothing, and a larger change may still be no more than the difference between two
 * equal runs. If a side has several runs, each run is one number: means, deviations and margins are
 * those of these numbers (base/significance.h), or of their differences if runs are pairs. In
 * counts and totals, an entry that a run does not have is 0; the means of its amounts leave this
 * run out.
 *
 * Unknown numbers are NaN.
 */
#ifndef COMPARE_CHANGE_H
#define COMPARE_CHANGE_H

#include "compare/saved_report.h"
#include "compare/sides.h"
#include "compare/statistics.h"
#include "report/select.h"

/* ---- saved runs ----
 *
 * The reports of one side of a comparison, from one or several runs.
 */

struct saved_runs {
	const char *what, *event; /* as given to saved_runs_read(); borrowed */
	struct saved *run;
	size_t n, cap;
};

/* Reads all files of the word as saved_read() does. Call saved_runs_done() in any case. */
int saved_runs_read(struct saved_runs *r, const char *word, const char *event, struct err *err);
void saved_runs_done(struct saved_runs *r);

/* ---- change ---- */

/* The comparison of an entry with one further side, B here. */
struct saved_change_row {
	size_t side;
	/* The largest change of the total among all rows of the entry, which are adjacent; -1:
	 * unknown. */
	double largest;
	const struct saved_entry *
		entry[2]; /* the entry in one run of A and of B; NULL: no run of that side has it */
	double contended_pct[2];
	/* The number n of a side counts runs; of an amount of single runs, it counts calls. */
	struct statistics count;   /* of occurrences */
	struct statistics *amount; /* [n_amounts] */
	struct statistics total;   /* of the amounts, in the common unit */
};

struct saved_change {
	const struct saved_runs *side; /* [n_sides] */
	size_t n_sides;
	bool several; /* a side has more than one run */
	bool is_paired;
	const struct saved_type *type;
	const char *const *key_id; /* [REPORT_KEYS] as in struct saved */
	/* The amounts of the first run; unit NULL: not all runs have the amount in the same unit.
	 */
	struct saved_amount *amount;
	size_t n_amounts;
	struct saved_change_row *row;
	const char *unit_of_all; /* the unit of row->total; NULL: there is no common amount */
	size_t n;
};

/* Compares the first of 2 to SIDES_MAX sides with each of the others. The reports must outlive c.
 * is_paired: all sides have equally many runs, and run i of a side is a pair with run i of the
 * first one. -EINVAL: the reports are not all of one type. Call saved_change_done() in any case. */
int saved_change_make(struct saved_change *c, const struct saved_runs *side, size_t n_sides,
		      bool is_paired, struct err *err);
void saved_change_done(struct saved_change *c);
/* Checks a selection. -EINVAL: there is no such field. */
int saved_change_check(const struct report_selection *s, size_t n_sides, struct err *err);
/* Adds the selected part of the first n entries to an empty report. */
void saved_change_add(struct report *report, const struct saved_change *c, size_t n,
		      const struct report_selection *s);

#endif
