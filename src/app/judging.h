/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judging - asks the rules (verdict/) about rows of what is counted now, where a column, a
 * condition or a page wants to know. Until somebody does, nothing is made for it.
 *
 * Rules that cannot be used have been reported when their file was read.
 */
#ifndef APP_JUDGING_H
#define APP_JUDGING_H

#include "verdict/tell.h"
#include "view/judged.h"

struct judging;
struct setup;

struct judging *judging_new(struct setup *s);
/* NULL is fine. */
void judging_free(struct judging *j);
/* For the view. */
const struct judged *judging_judged(const struct judging *j);

/* All verdicts of a row of a task, the most important one first: valid until the next one is asked
 * for. evidence: [N_EVIDENCE], or NULL. Returns how many there are. */
size_t judging_ask(struct judging *j, const struct sample *sample, const struct delta_row *row,
		   const struct value *evidence, const struct verdict **found, struct tell *tell);

#endif
