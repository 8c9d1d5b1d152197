/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story_page - writes a story for people: as one page of text, and as tables for a page for a
 * browser. Pure.
 *
 * The page names at most story_about.rows programs and verdicts. Its lines are made once;
 * story_page_add_text() folds them to a width.
 */
#ifndef DIAGNOSE_STORY_PAGE_H
#define DIAGNOSE_STORY_PAGE_H

#include "base/strbuf.h"
#include "diagnose/story.h"
#include "report/report.h"
#include "view/page.h"

/* Writes a story as the lines of a page. To be called after story_end() and page_init(). */
void story_page_make(struct page *p, const struct story *s, const struct story_about *about);
/* Appends title and lines. width: columns of the text, at least 20. */
void story_page_add_text(struct strbuf *out, const struct page *p, int width);

/* Finds the sentences with the numbers behind verdicts. */
struct story_examples {
	/* Returns the sentence for a verdict (index `word`) of a program; NULL: none. */
	const char *(*find)(void *context, const char *program, size_t word);
	void *context;
};

/* Adds the story as tables to a report, for a page for a browser (report/html.h). */
void story_add_report(struct report *report, const struct story *s, const struct story_about *about,
		      const struct story_examples *examples);

#endif
