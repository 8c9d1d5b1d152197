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
void story_feed_begin(struct story *story, const struct display *display);
/* Adds the rows of the pipeline's current delta that pass the filters. */
void story_feed_add_step(struct story *story, struct display *display, struct pipeline *p);
/* The same, and passes each row to the function after it was judged. */
void story_feed_watch_step(struct story *story, struct display *display, struct pipeline *p,
			   void (*watch)(void *context, const struct story_row *row),
			   void *context);
/* Called after the last step: adds the changes of level that the steps have not added yet. */
void story_feed_end(struct story *story, const struct pipeline *p);

/* The command of the last run of a recording, and its end. */
struct story_command {
	struct ending ending;
	bool ended; /* the end was recorded */
	uint64_t ran_ns;
	char *const *words; /* NULL: no command was followed */
};

/* Reads the command after the last step. The texts are valid until the next read. */
int story_feed_read_command(struct story_command *out, struct record_reader *r, struct err *err);

/* The story page of the live screen: what happened in the history until the user last requested the
 * page. */
struct story_feed {
	struct page page;
	unsigned asked; /* number of the user's requests so far */
	/* kills: number of processes killed for lack of memory before the first update, if
	 * kills_known. began: there was an update. */
	bool began, kills_known;
	uint64_t kills;
};

/* Makes the page again if the user has requested it since the last call. *t must be zeroed before
 * the first call. life: of the followed command, if there is one. Returns the page; NULL: none was
 * requested yet. */
const struct page *story_feed_update(struct story_feed *t, struct setup *s,
				     const struct frame *frame, const struct lifecycle *life);
void story_feed_done(struct story_feed *t);

#endif
