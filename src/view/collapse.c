/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/collapse.h"

#include <stdlib.h>

#include "base/mem.h"

void collapse_done(struct collapse *c)
{
	free(c->node);
	*c = (struct collapse){.all = false};
}

/* The place of the exception; n: it is none. */
static size_t find(const struct collapse *c, const struct frame_row *row)
{
	size_t i;

	for (i = 0; i < c->n && !row_id_is(&c->node[i], row->task); i++)
		;
	return i;
}

bool collapse_has(const struct collapse *c, const struct frame_row *row, int depth)
{
	bool usual = c->all && depth > 0;

	return c->n && find(c, row) < c->n ? !usual : usual;
}

bool collapse_set(struct collapse *c, const struct frame_row *row, bool collapsed)
{
	size_t i;

	if (collapse_has(c, row, row->depth) == collapsed)
		return false;
	i = find(c, row);
	if (i < c->n) {
		c->node[i] = c->node[--c->n];
		return true;
	}
	c->node = xgrow(c->node, &c->cap, c->n + 1, sizeof *c->node);
	c->node[c->n++] = row_id_of(row->task);
	return true;
}

void collapse_toggle_all(struct collapse *c)
{
	c->all = !c->all && !c->n;
	c->n = 0;
}
