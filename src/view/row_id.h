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
#include <stddef.h>
#include <stdint.h>

#include "model/kind.h"

struct frame;
struct frame_row;

struct row_id {
	const struct kind *kind; /* NULL: no row */
	uint64_t owner;          /* what it belongs to: of a thread, its process */
	uint64_t id, start_ns;
	uint64_t text; /* the hash of its name, where that is the id; else 0 */
};

struct row_id row_id_of(const struct frame_row *row);
bool row_id_is(const struct row_id *id, const struct frame_row *row);

/* Where the row is, looked for at `hint` first; frame->n: it is not there. */
size_t row_id_find(const struct row_id *id, const struct frame *frame, size_t hint);

#endif
