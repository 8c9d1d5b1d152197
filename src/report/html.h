/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html - a report as a page for a browser (web_page.h), which the format "html" writes.
 *
 * The page is a beginning with the script, followed by elements with data, one for each report. So
 * a command may write its reports one after the other, and append to a page. A report is
 *
 *   {"types": [{"columns": [...], "csv": [order], "tables": [{"note": ..., "order": [...]}, ...]}],
 *    "entries": [{"note": text}, {"section": text}, {"heading": type},
 *                {"type": type, "rows": [[cell, ...], ...]}]}
 *
 * with a cell for each column of the type: a number, a text, null (absent), or an object: "q", the
 * index of its quality, with the number "v" unless it is unknown; or "l", the items of a list.
 * Groups and lists of records have null, as the cells of their members follow. A report that is a
 * stream has rows with the type null: they belong to the heading before.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/report.h"

/* The head of a page, above its tables. All texts are borrowed; NULL: unknown. */
struct report_html_about {
	const char *of;       /* the command of tiptop: "tiptop locks" */
	char *const *command; /* the words of the measured command, terminated by NULL */
	const char *host, *when;
};

/* Appends the head of a page. If one report is the whole page, report.about has the head instead.
 */
void report_html_add_about(struct strbuf *out, const struct report_html_about *about);
/* Appends a chart of stacks. folded: a line "outer;inner number" for each stack; unit: that of the
 * numbers. */
void report_html_add_stacks(struct strbuf *out, const char *title, const char *unit,
			    const char *folded);

#endif
