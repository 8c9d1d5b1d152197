/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contest - compares the runs of a command with those of one or more others: which takes less time,
 * and what else differs.
 *
 * If they ran alternately, the runs of a round are a pair, so that changes of the machine from
 * round to round affect both and cancel out in their difference. The differences are assumed to be
 * independent (base/significance.h). Otherwise all runs are assumed to be independent, and Welch's
 * test compares the means. The first row of each side is the time; the p-values of the times are
 * corrected for their number, and those of all other rows for the number of these rows, so that
 * each row with the result "more" or "less" is worth a look.
 *
 * Ownership: borrows the runs.
 */
#ifndef COMPARE_CONTEST_H
#define COMPARE_CONTEST_H

#include "compare/runs.h"
#include "compare/sides.h"
#include "compare/statistics.h"
#include "report/select.h"

struct contest_side {
	const char *what; /* the command as the user wrote it */
	const struct runs *runs;
};

struct contest_row {
	const struct run_measure *measure; /* of the first side */
	size_t side;                       /* the side that is compared with the first one */
	bool is_time;                      /* the first row of the side */
	struct statistics numbers;         /* of the pairs, or of all runs if they are not paired */
	uint8_t why[2];                    /* enum quality: why there are no numbers */
};

/* How the runs of the sides belong together. */
enum contest_order {
	CONTEST_APART,   /* they do not */
	CONTEST_PAIRED,  /* run i of a side and run i of another one are a pair */
	CONTEST_IN_TURNS /* the same, as they ran in rounds */
};

struct contest {
	const struct contest_side *side; /* [n_sides] */
	size_t n_sides;
	enum contest_order order;
	/* One for each measure of the first side and each further side that has it, in this order.
	 */
	struct contest_row *row;
	size_t n;
};

/* Compares the first of 2 to SIDES_MAX sides with each of the others in all measures that
 * both have. */
void contest_make(struct contest *c, const struct contest_side *side, size_t n_sides,
		  enum contest_order order);
void contest_done(struct contest *c);
/* Sets row[c->n] to the rows of a side, other than the time, that differ, the largest change first.
 * Returns their number. */
size_t contest_reasons(const struct contest *c, size_t side, const struct contest_row **row);
/* Returns whether any row of a side but the time was tested. */
bool contest_is_tested(const struct contest *c, size_t side);
/* Returns the side that takes least time, of those that take less than the first one; 0: all others
 * take more; -1: neither. */
int contest_winner(const struct contest *c);

/* Checks a selection of rows. -EINVAL: there is no such field. */
int contest_check(const struct report_selection *s, size_t n_sides, struct err *err);
/* Adds the selected part of the contest to an empty report; doc/compare.md has the fields. */
void contest_add(struct report *report, const struct contest *c, const struct report_selection *s);

#endif
