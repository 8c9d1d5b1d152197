/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * legend - the marks of the live screen, their signs and what they mean: one table, from which the
 * rows, the help and the footer are written. README has the same texts.
 *
 * The footer explains a mark when it stands on the screen for the first time, until the next key.
 */
#ifndef TUI_LEGEND_H
#define TUI_LEGEND_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "base/value.h"

enum mark {
	/* Behind a number, or in place of it. */
	MARK_ESTIMATE,
	MARK_LAST_KNOWN,
	MARK_PARTIAL,
	MARK_UNKNOWN,
	MARK_NO_NUMBER,
	/* Behind the id of a row. */
	MARK_ENDED,
	MARK_THREADS,
	MARK_THREAD,
	MARK_TAGGED,
	N_MARKS
};

#define MARK_BIT(mark) (1u << (mark))

struct mark_row {
	const char *sign;
	const char *brief; /* for the footer; NULL: it does not explain this one */
	const char *text;  /* one sentence without a full stop */
	bool of_row;       /* it stands behind the id */
};

extern const struct mark_row mark_table[N_MARKS];

/* Returns the mark of such a value; N_MARKS: it has none. */
enum mark mark_of_quality(enum quality quality);
/* The same of a cell. ended: all numbers of its row are the last ones, which the mark of the row
 * says: they have none. */
enum mark mark_of_cell(struct value v, bool ended);
/* Whether the mark stands in a column of its own behind the number, not in place of one. */
bool mark_is_behind(enum mark mark, struct value v);

/* What the footer has explained. */
struct legend {
	bool wanted;
	unsigned seen;      /* MARK_BIT()s of what was painted last */
	unsigned shown;     /* of what the footer explains now */
	unsigned explained; /* of what it has explained before */
};

/* Appends "~ = estimate  ? = not known", of the marks that are seen and were not explained before,
 * as many as `room` columns hold. The others have their turn later. */
void legend_add(struct legend *l, int room, struct strbuf *out);
/* Takes the explanation away. False: there was none. */
bool legend_clear(struct legend *l);

#endif
