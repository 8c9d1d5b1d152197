/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story_page - writes a story as one page of text. Pure.
 */
#ifndef DIAGNOSE_STORY_PAGE_H
#define DIAGNOSE_STORY_PAGE_H

#include "base/strbuf.h"
#include "diagnose/story.h"
#include "model/ending.h"
#include "report/report.h"
#include "view/page.h"

/* ---- story page ---- */

/* Data for the page that struct story does not have. */
struct story_about {
	const char *recording;                /* NULL: the running machine */
	const struct sample_machine *machine; /* NULL: unknown */
	char *const *command;        /* the command that was followed; NULL: none, or unknown */
	const struct ending *ending; /* how the command ended; NULL: unknown */
	uint64_t ran_ns;             /* how long the command ran, if ending is known */
	size_t rows;                 /* the maximal number of programs, and of verdicts */
};

/* Writes a story as the lines of a page. To be called after story_end() and page_init(). */
void story_page_make(struct page *p, const struct story *s, const struct story_about *about);
/* Appends title and lines. width: columns of the text, at least 20. */
void story_page_add_text(struct strbuf *out, const struct page *p, int width);

/* Appends the whole story as one JSON object. */
void story_add_json(struct strbuf *out, const struct story *s, const struct story_about *about);

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
