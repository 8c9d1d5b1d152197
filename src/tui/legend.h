/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * legend - the marks of the live screen, their signs and meanings: one table for the rows, the help
 * and the footer. README has the same texts.
 *
 * The footer explains a mark when it appears for the first time, until the next key.
 */
#ifndef TUI_LEGEND_H
#define TUI_LEGEND_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "base/value.h"

enum mark {
	/* Marks after a number, or in place of a number. */
	MARK_ESTIMATE,
	MARK_LAST_KNOWN,
	MARK_PARTIAL,
	MARK_UNKNOWN,
	MARK_NO_NUMBER,
	/* Marks after the id of a row. */
	MARK_ENDED,
	MARK_THREADS,
	MARK_THREAD,
	MARK_TAGGED,
	N_MARKS
};

#define MARK_BIT(mark) (1u << (mark))

struct mark_row {
	const char *sign;
	const char *brief; /* the meaning, for the footer; NULL: not in the footer */
	const char *text;  /* the meaning in one sentence without a full stop */
	bool of_row;       /* the mark stands after the id of a row */
};

extern const struct mark_row mark_table[N_MARKS];

/* Returns the mark of a value of this quality; N_MARKS: none. */
enum mark mark_of_quality(enum quality quality);
/* Returns the mark of a cell; N_MARKS: none. ended: the row has the mark of an ended task, which
 * means that its numbers are the last ones; therefore stale numbers get no mark. */
enum mark mark_of_cell(struct value v, bool ended);
/* Returns whether the mark stands after a number; false: there is no mark, or it stands in place
 * of a number. */
bool mark_is_behind(enum mark mark, struct value v);

/* The state of the footer's explanations. */
struct legend {
	bool wanted;
	unsigned seen;      /* MARK_BIT()s of the marks painted last */
	unsigned shown;     /* the marks that the footer explains now */
	unsigned explained; /* the marks that the footer has explained before */
};

/* Appends "~ = estimate  ? = not known" for visible marks not explained before, as many as fit into
 * `room` columns. Further marks follow after legend_clear(). */
void legend_add(struct legend *l, int room, struct strbuf *out);
/* Removes the explanation from the footer. Returns false if there was none. */
bool legend_clear(struct legend *l);

#endif
