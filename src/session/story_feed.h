/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story_feed - rows are judged, and become a story: those of each step of a recording, or all that
 * a history has.
 */
#ifndef SESSION_STORY_FEED_H
#define SESSION_STORY_FEED_H

#include "diagnose/story_page.h"
#include "run/lifecycle.h"
#include "session/setup.h"

/* Begins the story. */
void story_feed_begin(struct story *story, struct setup *s);
/* Adds what the pipeline shows: of the rows, those that pass the filters. */
void story_feed_add_step(struct story *story, struct setup *s, struct pipeline *p);
/* Behind the last step: what is known of changes by now. */
void story_feed_end(struct story *story, const struct pipeline *p);

/* What the page of the live screen tells: all that its history has, when it was asked for last. */
struct story_feed {
	struct page page;
	unsigned asked; /* so often; 0: never */
	/* How many processes the kernel had killed for want of memory, when tiptop began. */
	bool began, kills_known;
	uint64_t kills;
};

/* An empty one begins it. life: of the command, if there is one. Returns the page; NULL: nobody has
 * asked yet. */
const struct page *story_feed_update(struct story_feed *t, struct setup *s,
				     const struct frame *frame, const struct lifecycle *life);
void story_feed_done(struct story_feed *t);

#endif
