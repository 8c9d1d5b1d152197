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
 * have no columns, only their CPU time and verdicts; from a larger size on, below 5 MB, they are
 * left out, and counted.
 */
#ifndef HTML_HTML_PAGE_H
#define HTML_HTML_PAGE_H

#include "diagnose/story_page.h"
#include "html/lanes.h"
#include "report/anonymous.h"

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
