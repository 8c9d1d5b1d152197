/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comparison - compares two lists of series: for each pair and column the means, and whether they
 * differ by more than the noise (statistics_...).
 *
 * Series with the same name are a pair; if each side has only one series, these two are a pair
 * whatever their names. A series whose name belongs to a program, such as a function, is paired by
 * both names; if each side has only one program, by its own name alone. Pairs that were idle on
 * both sides are left out.
 *
 * If the sides have several runs, each run has one number for each column, and the runs are assumed
 * to be independent of each other.
 *
 * Pairs of series that count calls come first if the time of a call changed by more than noise, in
 * the order of that change times the number of calls; then the pairs that were busy longest.
 *
 * Ownership: borrows both sides, and owns its results.
 */
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include "base/err.h"
#include "compare/series.h"
#include "compare/sides.h"
#include "compare/statistics.h"
#include "model/group_key.h"
#include "report/report.h"
#include "report/select.h"
#include "screen/binding.h"
#include "screen/screen.h"

/* ---- alike ----
 *
 * Decides whether a column means the same on two machines, so that its numbers can be compared.
 *
 * Both screens must have a column with this id and the same expression, and each of its counters
 * must count the same: in the same modes, with the same meaning on both CPUs or, if that is
 * unknown, by an event with the same name. A counter that one side does not have is accepted: its
 * numbers are unknown there. If one side is a report, descriptions are compared in place of
 * expressions, as reports have no expressions; and counters are not compared.
 */

struct match_side {
	const char *label; /* the name of the side in sentences */
	const struct screen *screen;
	const struct origins *origins; /* of its counters */
};

/* Why a column cannot be compared: b has none, or it means something else. */
enum match {
	MATCH_FOUND, /* it can be compared */
	MATCH_ABSENT,
	MATCH_FORMULA,
	MATCH_MODES,
	MATCH_MEANING,
	MATCH_EVENT,
	N_MATCHES
};

/* Sets *column to the column of b that corresponds to column i of a, unless the result is
 * MATCH_ABSENT. The sentence describes the difference, but does not name the column. */
enum match match_find(const struct match_side *a, size_t i, const struct match_side *b,
		      size_t *column, struct err *why);
/* Returns the id of the sentence in JSON (doc/compare.md); NULL: MATCH_FOUND. */
const char *match_id(enum match match);

/* ---- comparison ---- */

struct comparison_side {
	const char *what;                     /* as the user wrote it */
	const struct group_key_row *key;      /* the kind of things that the series are about */
	const struct sample_machine *machine; /* NULL: unknown */
	struct match_side screen;
	struct series_list list; /* with as many columns as the other side, in the same order */
	/* 0: the list has the intervals of one run; else the number of runs, each with one number
	 * for each column (series_list_add_run()). */
	size_t n_runs;
};

struct comparison_cell {
	struct statistics numbers;
	uint8_t why[2]; /* enum quality: why there are no numbers */
};

struct comparison_pair {
	const struct series *of[2];
	struct comparison_cell *cell; /* [n_columns] */
	/* The change of the time of a unit, such as a call, times the number of units, in seconds;
	 * 0: the change is no more than noise. */
	double shift_s;
};

/* A column that cannot be compared. */
struct comparison_skipped {
	char *id, *why;
	enum match match;
};

struct comparison {
	struct comparison_side *side[2];
	const struct column **column; /* of the first side: the columns that are compared */
	size_t n_columns, cap_columns;
	bool by_program; /* series are paired by program, too, as a side has several */
	size_t cap_at[2];
	struct comparison_skipped *unlike;
	size_t n_unlike, cap_unlike;
	struct comparison_pair *pair;
	size_t n_pairs, cap_pairs;
	size_t n_more; /* pairs beyond the maximum */
	/* Series on one side only, the busiest first. */
	const struct series **alone[2];
	size_t n_alone[2], cap_alone[2];
};

void comparison_init(struct comparison *c, struct comparison_side *a, struct comparison_side *b);
void comparison_done(struct comparison *c);
/* Selects the columns to compare (columns_find()), and initializes the lists of both sides for
 * them. -EINVAL: there is no such column, or none can be compared. */
int comparison_choose(struct comparison *c, const char *columns, struct err *err);
/* Initializes the list of a run, which has its own screen, for the chosen columns. -EINVAL: a
 * column cannot be compared with that of the first run of A; the list is then not initialized. */
int comparison_add_list(const struct comparison *c, const struct match_side *screen,
			struct series_list *list, struct err *err);
/* Compares the lists, once they are filled. max: the most pairs; 0: all. */
void comparison_make(struct comparison *c, size_t max);

/* Adds the selected part of the comparison to an empty report; doc/compare.md has the fields.
 * -EINVAL: there is no such field. */
int comparison_add(struct report *report, const struct comparison *c,
		   const struct report_selection *s, struct err *err);

#endif
