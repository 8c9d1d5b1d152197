/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_id - the identity of a row, by which the row is found in later frames, as for the current row
 * and for tags.
 *
 * The only pointer in it is the kind, which outlives all frames.
 */
#ifndef VIEW_ROW_ID_H
#define VIEW_ROW_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "model/kind.h"

struct task;

struct row_id {
	const struct kind *kind; /* NULL: no row */
	uint64_t owner;          /* as in struct task: for a thread its process */
	uint64_t id, start_ns;
	uint64_t text; /* hash of the name, if the name is the id; else 0 */
};

/* Return the identity of the row of a task, and whether the row of a task has this identity. */
struct row_id row_id_of(const struct task *task);
bool row_id_is(const struct row_id *id, const struct task *task);

#endif
