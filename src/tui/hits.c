/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/hits.h"

#include <stdlib.h>

#include "base/mem.h"

void hits_done(struct hits *h)
{
	free(h->v);
	*h = (struct hits){.v = NULL};
}

void hits_add(struct hits *h, int x, int y, int width, struct hit hit)
{
	h->v = xgrow(h->v, &h->cap, h->n + 1, sizeof(*h->v));
	h->v[h->n++] = (struct hit_place){x, y, width, hit};
}

struct hit hits_at(const struct hits *h, int x, int y)
{
	for (size_t i = h->n; i-- > 0;)
		if (y == h->v[i].y && x >= h->v[i].x && x < h->v[i].x + h->v[i].width)
			return h->v[i].hit;
	return (struct hit){.kind = HIT_NONE};
}
