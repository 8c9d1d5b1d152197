/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html - a report as a page for a browser, which the format "html" writes; and the frame of any
 * page (web_page), which html/html_page.c uses, too.
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
 * A group has null, as the cells of its members follow, and so has a list of records. A report that
 * is a stream has rows with the type null: they belong to the heading before.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "base/strbuf.h"
#include "report/report.h"

/* ---- page_files ----
 *
 * The scripts and the style of pages, which the build generates from src/html/.
 */

/* Their lines, without line ends; terminated by NULL. */
extern const char *const page_script_recording[], *const page_script_tables[], *const page_style[];
/* Their hashes, in the form of a Content-Security-Policy. */
extern const char page_script_recording_hash[], page_script_tables_hash[], page_style_hash[];

/* ---- web_page ----
 *
 * The frame of a page for a browser: one file that fetches nothing. Pure.
 *
 *   web_page_begin(out, WEB_PAGE_TABLES, "locks");
 *   web_page_add_script(out, WEB_PAGE_TABLES);
 *   web_page_add_data(out, "class=\"report\"", &json);
 *
 * Its Content-Security-Policy allows its script and its style, by their hashes, and no connection.
 * The sources are in src/html/. A page needs no ending: HTML does not require one.
 */

/* The script of a page: for a recording (html/html_page.h), or for records (report/html.h). */
enum web_page_script { WEB_PAGE_RECORDING, WEB_PAGE_TABLES, N_WEB_PAGE_SCRIPTS };

/* Appends the beginning of a page, up to the element with the id "page". The first line names the
 * version of tiptop. title: must not contain '<' and '&'. */
void web_page_begin(struct strbuf *out, enum web_page_script script, const char *title);
void web_page_add_script(struct strbuf *out, enum web_page_script script);
/* Appends an element with JSON and this attribute. Escapes '<', which could end the element. */
void web_page_add_data(struct strbuf *out, const char *attribute, const struct strbuf *json);
/* Appends a text; escapes '<' and '&'. Not for attributes, as quotes are not escaped. */
void web_page_add_text(struct strbuf *out, const char *text);

/* ---- html ---- */

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
