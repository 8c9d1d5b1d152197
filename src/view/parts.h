/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts - the parts of the live screen, their names, and which of them the user has hidden.
 *
 * A set of parts is a mask of PART_BIT()s. Four sets have names: auto, full, compact and table. The
 * header line (PART_NAMES) and the rows cannot be hidden. If the terminal has too few lines, parts
 * are left out, but only with the set auto.
 */
#ifndef VIEW_PARTS_H
#define VIEW_PARTS_H

#include "base/err.h"
#include "base/strbuf.h"

/* From top to bottom. */
enum part_id {
	PART_TITLE,
	PART_METERS, /* use of CPUs and memory */
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
#define PARTS_AUTO     0u /* nothing is hidden, unless the terminal has too few lines */
#define PARTS_FULL     PART_BIT(N_PARTS) /* nothing is hidden */

/* Return the name and a description of a part; NULL: it cannot be hidden. */
const char *parts_name(int part);
const char *parts_help(int part);
/* Parses the name of a set, or names of the parts to show separated by ',', and sets the parts to
 * hide. Returns -EINVAL with a sentence for an unknown name. */
int parts_parse(const char *text, unsigned *hidden, struct err *err);
/* Returns the i-th name that parts_parse() accepts, sets first; NULL after the last one. */
const char *parts_choice(size_t i);
/* Appends the parts in the form that parts_parse() reads. */
void parts_add(struct strbuf *out, unsigned hidden);
/* Returns the parts to hide next: compact, then table, then all_parts (PARTS_AUTO or
 * PARTS_FULL). */
unsigned parts_next(unsigned hidden, unsigned all_parts);

#endif
