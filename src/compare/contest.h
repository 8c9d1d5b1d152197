/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contest - compares the runs of two commands: which takes less time, and what else differs.
 *
 * If they ran alternately, the runs of a round are a pair, so that changes of the machine from
 * round to round affect both and cancel out in their difference. The differences are assumed to be
 * independent (base/significance.h). Otherwise all runs are assumed to be independent, and Welch's
 * test compares the means. The first row is the time, which is tested on its own; the p-values of
 * all other rows are corrected for the number of these rows, so that each row with the result
 * "more" or "less" is worth a look.
 *
 * Ownership: borrows the runs.
 */
#ifndef COMPARE_CONTEST_H
#define COMPARE_CONTEST_H

#include "compare/comparison.h"
#include "compare/runs.h"

struct contest_side {
	const char *label, *what; /* "A", and the command as the user wrote it */
	const struct runs *runs;
};

struct contest_row {
	const struct run_measure *measure; /* of the first side */
	struct statistics numbers;         /* of the pairs, or of all runs if they are not paired */
	uint8_t why[2];                    /* enum quality: why there are no numbers */
};

struct contest {
	const struct contest_side *side[2];
	bool is_paired;
	struct contest_row *row; /* one for each measure that both sides have */
	size_t n;
};

/* Compares all measures that both sides have. is_paired: run i of A and run i of B are a pair. */
void contest_make(struct contest *c, const struct contest_side *a, const struct contest_side *b,
		  bool is_paired);
void contest_done(struct contest *c);
/* Sets row[c->n] to the rows, other than the first, that differ, the largest change first. Returns
 * their number. */
size_t contest_reasons(const struct contest *c, const struct contest_row **row);
/* Returns whether any row but the first was tested. */
bool contest_is_tested(const struct contest *c);
/* Returns the side that takes less time, 0 or 1; -1: no significant difference. */
int contest_winner(const struct contest *c);

/* Checks a selection of rows. -EINVAL: there is no such field. */
int contest_check(const struct report_selection *s, struct err *err);
/* Adds the selected part of the contest to an empty report; doc/compare.md has the fields. */
void contest_add(struct report *report, const struct contest *c, const struct report_selection *s);

#endif
