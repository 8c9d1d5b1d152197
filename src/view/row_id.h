/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_id - which thing a row is about, so that it is found again in another frame, wherever it
 * stands there: the current row, tags.
 *
 * It points to nothing but its kind, which outlives all frames.
 */
#ifndef VIEW_ROW_ID_H
#define VIEW_ROW_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "model/kind.h"

struct task;

struct row_id {
	const struct kind *kind; /* NULL: no row */
	uint64_t owner;          /* what it belongs to: of a thread, its process */
	uint64_t id, start_ns;
	uint64_t text; /* the hash of its name, where that is the id; else 0 */
};

/* task: the one that a row is of, see view/frame.h. */
struct row_id row_id_of(const struct task *task);
bool row_id_is(const struct row_id *id, const struct task *task);

#endif
