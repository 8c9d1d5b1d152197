/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html - a report as a page for a browser (web_page.h), which the format "html" writes.
 *
 * The page is a beginning with the script, followed by elements with data: a report each. So a
 * command may write its reports one after the other, and append to a page. A report is
 *
 *   {"types": [{"columns": [...], "csv": [order], "tables": [{"note": ..., "order": [...]}, ...]}],
 *    "entries": [{"note": text}, {"section": text}, {"heading": type},
 *                {"type": type, "rows": [[cell, ...], ...]}]}
 *
 * with a cell for each column of the type: a number, a text, null (absent), or an object: "q", the
 * index of its quality, with the number "v" unless it is unknown; "l", the items of a list. Groups
 * and lists of records have null, as the cells of their members follow. A report that is a stream
 * has rows with the type null: they belong to the heading before.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/report.h"

/* What stands above the tables of a page. All texts are borrowed; NULL: not known. */
struct report_html_about {
	const char *of;       /* "tiptop locks" */
	char *const *command; /* the words of a command that was measured */
	const char *host, *when;
};

/* Appends what stands above the tables; report.about has it for a report that is the whole page. */
void report_html_add_about(struct strbuf *out, const struct report_html_about *about);
/* Appends stacks, as lines "outer;inner number". unit: of the numbers. */
void report_html_add_stacks(struct strbuf *out, const char *title, const char *unit,
			    const char *folded);

#endif
