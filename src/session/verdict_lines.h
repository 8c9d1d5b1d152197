/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict_lines - verdicts as lines: of the page of a row, and of the format verdicts.
 *
 * Ownership: lines lie in the arena, valid until the next ones are made.
 */
#ifndef SESSION_VERDICT_LINES_H
#define SESSION_VERDICT_LINES_H

#include "diagnose/verdict_text.h"
#include "view/page.h"

struct judging_lines {
	struct page_line *v;
	size_t n, cap;
	struct arena arena;
	struct strbuf text; /* of the line that is being written */
};

void judging_lines_init(struct judging_lines *l);
void judging_lines_done(struct judging_lines *l);
/* Makes the lines of a row anew. rules: with the condition and the source of each rule. */
void judging_lines_make(struct judging_lines *l, const struct tell *t, const struct verdict *found,
			size_t n, bool rules);

#endif
