/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story_page - a story as one page of text: what can be sent to a colleague. Pure.
 */
#ifndef DIAGNOSE_STORY_PAGE_H
#define DIAGNOSE_STORY_PAGE_H

#include "base/strbuf.h"
#include "diagnose/story.h"
#include "model/ending.h"
#include "view/page.h"

/* ---- story part ---- */

/* What was not known, in sentences. */
void story_each_unknown(const struct story *s, void (*say)(void *context, const char *text),
			void *context);

/* ---- story page ---- */

/* What the story does not know of itself. */
struct story_about {
	const char *recording;                /* what it is of; NULL: the running machine */
	const struct sample_machine *machine; /* NULL: not told */
	char *const *command;                 /* that was followed; NULL: none, or nobody knows */
	const struct ending *ending;          /* how it has ended; NULL: that is not told */
	uint64_t ran_ns;                      /* and then, how long it ran */
	size_t rows;                          /* so many programs at most, and so many verdicts */
};

/* Writes the lines of a page, which page_init() has begun, of a story that has been ended. */
void story_page_make(struct page *p, const struct story *s, const struct story_about *about);
/* Appends title and lines. width: in so many columns, 20 at least. */
void story_page_add_text(struct strbuf *out, const struct page *p, int width);

/* The same as one object of JSON, with all that the story has. */
void story_add_json(struct strbuf *out, const struct story *s, const struct story_about *about);

#endif
