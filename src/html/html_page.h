/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html_page - writes recordings as a page for a browser: one file that fetches nothing; on request
 * with made-up names. Pure.
 *
 * The page (report/html.h) has the data as JSON, the script src/html/page.js, which shows them,
 * and the style src/html/page.css. Each recording has data of its own: the script puts those of
 * several machines side by side, by their clocks.
 * Texts of a recording are data only: '<' is escaped in the JSON, and the script never makes
 * elements of texts.
 *
 * Size: lanes come in the order of their CPU time. Once the page has a certain size, further lanes
 * have only their CPU time; from a larger size on, below 5 MB, they are left out, and counted.
 */
#ifndef HTML_HTML_PAGE_H
#define HTML_HTML_PAGE_H

#include <stdbool.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "diagnose/story_page.h"
#include "html/lanes.h"

/* ---- made-up names ----
 *
 * Replaces texts that tell about people and machines by made-up ones: user1, host1.
 *
 * The same text always has the same replacement, by the order in which texts are first used.
 */

enum anonymous_of {
	ANONYMOUS_USER,
	ANONYMOUS_CONTAINER,
	ANONYMOUS_HOST,
	ANONYMOUS_RECORDING,
	N_ANONYMOUS_OF
};

/* Initialized with zeros. */
struct anonymous {
	bool on; /* false: nothing is replaced */
	struct hash known[N_ANONYMOUS_OF];
	struct arena arena;
};

void anonymous_done(struct anonymous *a);
/* Returns the replacement of a text, or the text itself if nothing is replaced or it is empty;
 * NULL for NULL. Valid until anonymous_done(). */
const char *anonymous_text(struct anonymous *a, enum anonymous_of of, const char *text);
/* Returns the name of a program: without its folders, and without what a program appends to its own
 * name after a blank ("postgres: alice"). */
const char *anonymous_program(struct anonymous *a, const char *name);

/* ---- the page ---- */

struct html_about {
	const struct story *story;       /* after story_end() */
	const struct story_about *about; /* its machine and its command */
	const struct lanes *lanes;       /* after lanes_end() */
	const char *kernel;              /* NULL: unknown */
	const char *version;             /* of tiptop */
	const char *note;                /* a remark on the recording; NULL: none */
	const char *fault;               /* what is damaged in the recording; NULL: nothing */
};

/* Appends the page of n recordings, which may be of several machines. */
void html_page_add(struct strbuf *out, const struct html_about *about, size_t n,
		   struct anonymous *a);

#endif
