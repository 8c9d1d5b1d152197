/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judging - asks the rules (verdict/) about rows of what is counted now, where a column, a
 * condition or a page wants to know. Until somebody does, nothing is made for it.
 *
 * Rules that cannot be used have been reported when their file was read.
 */
#ifndef APP_JUDGING_H
#define APP_JUDGING_H

#include "app/judging_lines.h"
#include "model/detail.h"
#include "view/judged.h"

struct judging;
struct setup;

struct judging *judging_new(struct setup *s);
/* NULL is fine. */
void judging_free(struct judging *j);
/* For the view. */
const struct judged *judging_judged(const struct judging *j);

/* What there is to say of the row of a task, where somebody has looked at it. detail: NULL:
 * nobody has. Valid until the next call. */
const struct judging_lines *judging_ask(struct judging *j, const struct sample *sample,
					const struct delta_row *row, const struct detail *detail);

#endif
