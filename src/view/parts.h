/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts - the parts of the live screen by their names, and which of them the user has hidden.
 *
 * A set of parts is a mask of PART_BIT()s. Four sets have names: auto, full, compact and table. The
 * names of the columns and the rows cannot be hidden. A low screen leaves parts out only of auto.
 */
#ifndef VIEW_PARTS_H
#define VIEW_PARTS_H

#include "base/err.h"
#include "base/strbuf.h"

/* From top to bottom. */
enum part_id {
	PART_TITLE,
	PART_METERS, /* what CPUs and memory are used for */
	PART_TASKS,
	PART_TABS,
	PART_NOTE,
	PART_NAMES,
	PART_ROWS,
	PART_TOTAL,
	PART_FOOTER,
	N_PARTS
};

#define PART_BIT(part) (1u << (part))
#define PARTS_ALL      (PART_BIT(N_PARTS) - 1)
#define PARTS_AUTO     0u                /* none is hidden, but by a low screen */
#define PARTS_FULL     PART_BIT(N_PARTS) /* none is hidden */

/* What a part is called, and what is in it; NULL: it cannot be hidden. */
const char *parts_name(int part);
const char *parts_help(int part);
/* Reads the name of a set, or the names of the parts to be shown with ',' between them, and sets
 * which ones are hidden. -EINVAL: there is no such name. */
int parts_parse(const char *text, unsigned *hidden, struct err *err);
/* Returns the i-th name that parts_parse() takes, the sets first; NULL behind the last one. */
const char *parts_choice(size_t i);
/* Appends what parts_parse() would read. */
void parts_add(struct strbuf *out, unsigned hidden);
/* Returns what is hidden next: compact, table, and then all_parts: PARTS_AUTO or PARTS_FULL. */
unsigned parts_next(unsigned hidden, unsigned all_parts);

#endif
