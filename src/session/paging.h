/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paging - keeps the page of a row up to date while it is open: finds the row, asks the source what
 * else there is to be known of it, and binds all screens. While no page is open it does nothing.
 *
 * Once in each refresh the source is asked; of limits only when the page is opened, and when the
 * user wants all anew.
 */
#ifndef SESSION_PAGING_H
#define SESSION_PAGING_H

#include "session/verdict_engine.h"
#include "view/curve.h"

struct paging {
	struct page page;
	struct curves curves;
	struct detail detail;
	const struct task *task; /* its last reading */
	bool has_detail;         /* the source has been asked */
	/* As of the last time: */
	unsigned asked;
	uint64_t number; /* of the refresh */
	/* What screens are here, for the present one and the modes in which is counted. */
	struct bound_screens bound;
	size_t present;
};

/* An empty one begins it. Returns the page that is open, built for this frame; NULL: there is
 * none. */
const struct page *paging_update(struct paging *p, struct setup *s, const struct frame *frame);
/* Finds the row with this id, shown or not. False: there is none. */
bool paging_find(const struct frame *frame, uint64_t id, struct row_id *out);
/* What is drawn on it; NULL: nothing, as no past is kept here. */
const struct curves *paging_curves(const struct paging *p, const struct frame *frame);
void paging_done(struct paging *p);

#endif
