/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/setup_state.h"

#include <stdlib.h>

#include "base/mem.h"

void setup_change_free(struct setup_change *c)
{
	screen_free(c->screen);
	free(c->shown);
	free(c->option);
	free(c->value);
	*c = (struct setup_change){.screen = NULL};
}

void setup_page_done(struct setup_page *p)
{
	setup_page_saved(p);
	setup_change_free(&p->wanted);
	free(p->v);
}

void setup_page_saved(struct setup_page *p)
{
	while (p->n)
		setup_change_free(&p->v[--p->n]);
}

void setup_page_changed(struct setup_page *p, bool done)
{
	if (!done || p->back)
		setup_change_free(&p->wanted);
	if (done && p->back) {
		p->n--;
	} else if (done) {
		p->v = xgrow(p->v, &p->cap, p->n + 1, sizeof *p->v);
		p->v[p->n++] = p->wanted;
	} else if (p->back) {
		/* A change that could not be undone is dropped from the list. */
		p->n--;
	}
	p->wanted = (struct setup_change){.screen = NULL};
	p->back = false;
}
