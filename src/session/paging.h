/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paging - keeps the page of a row up to date while the page is open: finds the row, reads its
 * details from the source, and binds all screens, whose columns the page shows. Does nothing while
 * no page is open.
 *
 * Details are read once per refresh. Resource limits are read only when the page is opened and when
 * the user requests them.
 */
#ifndef SESSION_PAGING_H
#define SESSION_PAGING_H

#include "session/setup.h"
#include "session/verdict_engine.h"
#include "view/curve.h"
#include "view/page.h"

struct paging {
	struct page page;
	struct curves curves;
	struct detail detail;
	const struct task *task; /* the row's last reading */
	bool has_detail;         /* details were read */
	/* view.page_requests at the last update */
	unsigned asked;
	uint64_t number; /* number of the refresh at the last update */
	/* All screens, bound to the events that are counted for the current screen in the current
	 * modes of counting. */
	struct bound_screens bound;
	size_t present; /* index of the current screen when `bound` was made */
};

/* Finds the row with this id, even if the view hides it; returns false if there is none. */
bool paging_find(const struct frame *frame, uint64_t id, struct row_id *out);
/* Updates the page for this frame. *p must be zeroed before the first call. Returns the open page;
 * NULL: none. */
const struct page *paging_update(struct paging *p, struct setup *s, const struct frame *frame);
/* Returns the curves of the page; NULL: no page, or no history. */
const struct curves *paging_curves(const struct paging *p, const struct frame *frame);
void paging_done(struct paging *p);

#endif
