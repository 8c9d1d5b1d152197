/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comparison - two lists of series beside each other: for each pair and column the means, and
 * whether they differ by more than the noise (base/means.h).
 *
 * Series of the same name are a pair; where each side has one only, these two are, whatever they
 * are called. What has its name in a program is paired by both names; where each side has one
 * program only, by its own. Those of which neither ran are left out.
 *
 * Of what counts its calls, those come first that take longer or less long for one by more than
 * noise, by the time that this makes over all of them; then those that were busy for longest.
 *
 * Ownership: it borrows both sides, and owns what it has made of them.
 */
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include "base/difference.h"
#include "base/err.h"
#include "base/means.h"
#include "compare/series.h"
#include "model/group_key.h"
#include "report/select.h"
#include "screen/screen.h"
#include "view/origin.h"

/* ---- alike ----
 *
 * Whether a column is the same on two machines, so that its numbers can be compared.
 *
 * It is where both screens have a column of this id that is computed in the same way, and each of
 * its counters counts the same: in the same modes, and what both CPUs mean by it, or where that is
 * not known, the event of the same name. A counter that one of them does not have makes no
 * difference here: its numbers are unknown there.
 */

struct match_side {
	const char *label; /* what sentences call it */
	const struct screen *screen;
	const struct origins *origins; /* of its counters */
};

/* Sets *column to the column of b that is column i of a. -ENOENT: b has none; -EINVAL: it is
 * another one. The sentence says what differs, without the name of the column. */
int match_find(const struct match_side *a, size_t i, const struct match_side *b, size_t *column,
	       struct err *why);

/* ---- comparison ---- */

struct comparison_side {
	const char *what;                     /* as the user wrote it */
	const struct group_key_row *key;      /* what the series are of */
	const struct sample_machine *machine; /* NULL: not told */
	struct match_side screen;
	struct series_list list; /* of as many columns as the other side has, in the same order */
};

struct comparison_cell {
	struct means_summary of[2];
	uint8_t why[2]; /* enum quality: why numbers are lacking */
	struct means_difference difference;
	double change_pct, margin_pct; /* of the first mean; NaN: unknown, or that is 0 */
	enum difference_result result;
};

struct comparison_pair {
	const struct series *of[2];
	struct comparison_cell *cell; /* [n_columns] */
	/* What the time of a unit, such as a call, has changed by, over all units; 0: by no more
	 * than noise. */
	double shift_s;
};

/* A column that is not compared. */
struct comparison_skipped {
	char *id, *why;
};

struct comparison {
	struct comparison_side *side[2];
	const struct column **column; /* of the first side, those that are compared */
	size_t n_columns, cap_columns;
	bool by_program; /* those that have their names in programs have several */
	size_t cap_at[2];
	struct comparison_skipped *unlike;
	size_t n_unlike, cap_unlike;
	struct comparison_pair *pair;
	size_t n_pairs, cap_pairs;
	size_t n_more; /* pairs that are not here, as fewer were wanted */
	/* What ran on one side only, the busiest first. */
	const struct series **alone[2];
	size_t n_alone[2], cap_alone[2];
};

void comparison_init(struct comparison *c, struct comparison_side *a, struct comparison_side *b);
void comparison_done(struct comparison *c);
/* Chooses what is compared, as columns_find() takes it, and makes the lists of both sides for it.
 * -EINVAL: there is no such column, or none that can be compared. */
int comparison_choose(struct comparison *c, const char *columns, struct err *err);
/* Compares the lists, once they are filled; max: so many pairs at most, 0: all. */
void comparison_make(struct comparison *c, size_t max);

/* How one row ends: the columns that comparisons have in common. */
#define COMPARISON_RESULT_COLUMNS                                                                  \
	{.id = "result", .csv = "result"},                                                         \
	{                                                                                          \
		.title = " RESULT", .width = -1, .indent = 1                                       \
	}

/* Fills these: where the result is unknown, why, and of which side. */
void comparison_put_result(struct report_record *r, enum difference_result result,
			   const char *label, enum quality why);

/* Adds what was selected of it to a report that is empty; doc/compare.md has the fields. -EINVAL:
 * there is no such field. */
int comparison_add(struct report *report, const struct comparison *c,
		   const struct report_selection *s, struct err *err);

#endif
