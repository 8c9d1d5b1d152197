/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contest - two commands that ran in turns: which of them takes less time, and what else differs.
 *
 * The runs of one round are a pair, so that what changes on the machine from round to round is in
 * both and drops out of their difference. The differences are taken as independent
 * (base/variation.h). The first row is the time, which is tested by itself; the chances of all
 * others are corrected for their number, so that each that is called more or less is worth a look.
 *
 * Ownership: it borrows the runs.
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
	struct variation of[2];
	struct variation difference; /* of the pairs: second less first */
	uint8_t why[2];              /* enum quality: why numbers are lacking */
	double chance;               /* of such a difference where there is none; NaN: not tested */
	double change_pct, margin_pct; /* of the first mean; NaN: unknown, or that is 0 */
	enum difference_result result;
};

struct contest {
	const struct contest_side *side[2];
	struct contest_row *row; /* one for each measure that both have */
	size_t n;
};

void contest_make(struct contest *c, const struct contest_side *a, const struct contest_side *b);
void contest_done(struct contest *c);
/* Returns how many rows but the first differ, and which, the largest change first, in row[c->n]. */
size_t contest_reasons(const struct contest *c, const struct contest_row **row);
/* Whether any row but the first was tested. */
bool contest_is_tested(const struct contest *c);
/* 0 or 1: the side that takes less time; -1: no difference can be told. */
int contest_winner(const struct contest *c);

/* Whether its rows can be selected so. -EINVAL: there is no such field. */
int contest_check(const struct report_selection *s, struct err *err);
/* Adds what was selected of it to a report that is empty; doc/compare.md has the fields. */
void contest_add(struct report *report, const struct contest *c, const struct report_selection *s);

#endif
