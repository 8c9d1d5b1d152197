/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collapse - which nodes of the tree are one row with all that is below them.
 *
 * At first none is. All can be, but the roots, whose children would be all that there is; each node
 * can be made an exception, and keeps that as long as it lives.
 */
#ifndef VIEW_COLLAPSE_H
#define VIEW_COLLAPSE_H

#include "view/frame.h"
#include "view/row_id.h"

struct collapse {
	bool all;            /* those that have a parent, but for the exceptions */
	struct row_id *node; /* the exceptions */
	size_t n, cap;
};

void collapse_done(struct collapse *c);
/* depth: 0 is a root. */
bool collapse_has(const struct collapse *c, const struct frame_row *row, int depth);
/* Collapses the node of a row, or expands it. False: it was so already. */
bool collapse_set(struct collapse *c, const struct frame_row *row, bool collapsed);
/* Expands all; where all was expanded, collapses all. */
void collapse_toggle_all(struct collapse *c);

#endif
