/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story_feed - builds a story (diagnose/story.h) from rows and their verdicts: step by step from a
 * recording, or from the history of the live view.
 */
#ifndef SESSION_STORY_FEED_H
#define SESSION_STORY_FEED_H

#include "diagnose/story_page.h"
#include "run/lifecycle.h"
#include "session/setup.h"

/* Begins the story. */
void story_feed_begin(struct story *story, struct setup *s);
/* Adds the rows of the pipeline's frame that pass the filters. */
void story_feed_add_step(struct story *story, struct setup *s, struct pipeline *p);
/* Adds the changes of level that were found, after the last step. */
void story_feed_end(struct story *story, const struct pipeline *p);

/* The story page of the live screen: the history up to the last request. */
struct story_feed {
	struct page page;
	unsigned asked; /* number of requests */
	/* Number of processes killed for lack of memory, at tiptop's start. */
	bool began, kills_known;
	uint64_t kills;
};

/* Updates the page after a request. t: zeroed at first. life: of the command, if there is one.
 * Returns the page; NULL: none was requested yet. */
const struct page *story_feed_update(struct story_feed *t, struct setup *s,
				     const struct frame *frame, const struct lifecycle *life);
void story_feed_done(struct story_feed *t);

#endif
