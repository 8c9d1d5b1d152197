/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comparison - compares a list of series with those of other sides: for each thing and column the
 * means, and whether they differ by more than the noise (statistics.h).
 *
 * Series of two sides with the same name are about the same thing; if each side has only one
 * series, these two are, whatever their names. A series whose name belongs to a program, such as a
 * function, is matched by both names; if each side has only one program, by its own name alone.
 * Things that were idle on both sides are left out.
 *
 * If the sides have several runs, each run has one number for each column, and the runs are assumed
 * to be independent of each other, or run i of each side is a pair with run i of A.
 *
 * Things that count calls come first if the time of a call changed by more than noise, in the order
 * of the largest such change times the number of calls; then the things that were busy longest.
 *
 * Ownership: borrows the sides, and owns its results.
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
	/* With the columns that can be compared, in the order of those of the comparison. */
	struct series_list list;
	/* 0: the list has the intervals of one run; else the number of runs, each with one number
	 * for each column (series_list_add_run()). */
	size_t n_runs;
};

struct comparison_cell {
	struct statistics numbers;
	uint8_t why[2]; /* enum quality: why there are no numbers */
};

/* A thing that the first side and at least one other have. */
struct comparison_pair {
	const struct series *of[SIDES_MAX]; /* [n_sides] NULL: the side does not have it */
	struct comparison_cell *cell;       /* [n_sides - 1][n_columns] comparison_find_cell() */
	/* The largest change of the time of a unit, such as a call, times the number of units, in
	 * seconds; 0: the changes are no more than noise. */
	double shift_s;
};

/* A column that cannot be compared with that of a side. */
struct comparison_skipped {
	size_t side;
	char *id, *why;
	enum match match;
};

struct comparison {
	struct comparison_side *side; /* [n_sides] */
	size_t n_sides;
	bool is_paired; /* the sides have equally many runs, which are pairs; to be set */
	const struct column **column; /* of the first side: the columns that are compared */
	size_t n_columns;
	/* [n_columns] for each side: the index of the column in the list; SIZE_MAX: it cannot be
	 * compared. */
	size_t *at[SIDES_MAX];
	bool by_program; /* series are paired by program, too, as a side has several */
	struct comparison_skipped *unlike;
	size_t n_unlike, cap_unlike;
	struct comparison_pair *pair;
	size_t n_pairs;
	size_t n_more; /* pairs beyond the maximum */
	/* Of the first side: series that no other side has; of another one: those that the first
	 * side does not have. The busiest first. */
	const struct series **alone[SIDES_MAX];
	size_t n_alone[SIDES_MAX], cap_alone[SIDES_MAX];
};

/* Begins a comparison of the first of 2 to SIDES_MAX sides with each of the others. */
void comparison_init(struct comparison *c, struct comparison_side *side, size_t n_sides);
void comparison_done(struct comparison *c);
/* Selects the columns to compare (columns_find()), and initializes the lists of all sides for
 * them. -EINVAL: there is no such column, or a side has none that can be compared. */
int comparison_choose(struct comparison *c, const char *columns, struct err *err);
/* Initializes the list of a run of a side, which has its own screen, for the chosen columns.
 * -EINVAL: a column cannot be compared with that of the first run of A; the list is then not
 * initialized. */
int comparison_add_list(const struct comparison *c, size_t side, const struct match_side *screen,
			struct series_list *list, struct err *err);
/* Compares the lists, once they are filled. max: the most things; 0: all. */
void comparison_make(struct comparison *c, size_t max);

/* Returns the comparison of a thing with a side other than the first in a column; NULL: the side
 * does not have the thing, or no such column. */
struct comparison_cell *comparison_find_cell(const struct comparison *c,
					     const struct comparison_pair *pair, size_t side,
					     size_t column);

/* Adds the selected part of the comparison to an empty report; doc/compare.md has the fields.
 * -EINVAL: there is no such field. */
int comparison_add(struct report *report, const struct comparison *c,
		   const struct report_selection *s, struct err *err);

#endif
