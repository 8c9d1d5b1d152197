/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_feed - fills the pages of a row and of the story (view/page.h) from the setup and the frame:
 * for the live screen, and the story also for commands that read a recording.
 *
 *   paging_update() at each frame; paging_done()
 *   story_feed_begin(); story_feed_add_step() after each step; story_feed_end()
 */
#ifndef SESSION_PAGE_FEED_H
#define SESSION_PAGE_FEED_H

#include "diagnose/story_page.h"
#include "run/lifecycle.h"
#include "session/setup.h"
#include "session/verdict_engine.h"
#include "view/curve.h"
#include "view/page.h"

/* ---- the page of a row ----
 *
 * Kept up to date while the page is open: the row is found, its details are read from the source,
 * and all screens are bound, whose columns the page shows. Nothing is done while no page is open.
 *
 * Details are read once per refresh. Resource limits are read only when the page is opened and when
 * the user requests them.
 */

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

/* ---- the story ----
 *
 * A story (diagnose/story.h) is built from rows and their verdicts: step by step from a recording,
 * or from the history of the live view.
 */

/* Begins the story. */
void story_feed_begin(struct story *story, const struct setup *s);
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
