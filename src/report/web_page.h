/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * web_page - the frame of a page for a browser: one file that fetches nothing. Pure.
 *
 *   web_page_begin(out, WEB_PAGE_TABLES, "locks");
 *   web_page_add_script(out, WEB_PAGE_TABLES);
 *   web_page_add_data(out, "class=\"report\"", &json);
 *
 * Its Content-Security-Policy allows its script and its style, by their hashes, and no connection.
 * The sources are in src/html/. A page needs no ending: HTML does not require one.
 */
#ifndef REPORT_WEB_PAGE_H
#define REPORT_WEB_PAGE_H

#include "base/strbuf.h"

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

#endif
