/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lines - the report of regions as text, CSV or JSON (start.c): its lines.
 */
#ifndef INJECT_LIB_LINES_H
#define INJECT_LIB_LINES_H

#include "inject/lib/output.h"
#include "inject/lib/table.h"

/* What a row is of. */
struct tt_subject {
	const char *label;
	uint32_t tid; /* 0: all threads */
};

/* Something that the numbers lack. */
struct tt_lack {
	const char *key;
	uint64_t n;           /* 0: it has no number */
	const char *sentence; /* of so many: "calls ..." */
};

struct tt_lines {
	const char *name;
	void (*head)(struct tt_output *o);
	bool once; /* the head stands once in a file */
	/* A region that has been called: in all threads, or in one. */
	void (*row)(struct tt_output *o, const struct tt_subject *of, struct table_row *row);
	void (*lack)(struct tt_output *o, const struct tt_lack *lack);
};

/* Those with this name; where there are none, text. */
const struct tt_lines *tt_lines_find(const char *name);

#endif
