/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * web_page - the frame of a page for a browser: one file that fetches nothing. Pure.
 *
 *   web_page_begin(out, WEB_PAGE_RECORDING, "report");
 *   web_page_add_script(out, WEB_PAGE_RECORDING);
 *   web_page_add_data(out, "id=\"data\"", &json);
 *
 * Its Content-Security-Policy allows its script and its style, by their hashes, and no connection.
 * The sources are in src/html/. A page needs no ending: HTML does not require one.
 */
#ifndef REPORT_WEB_PAGE_H
#define REPORT_WEB_PAGE_H

#include "base/strbuf.h"

/* The script of a page. */
enum web_page_script { WEB_PAGE_RECORDING, N_WEB_PAGE_SCRIPTS };

/* Appends the first line of pages with this script, which names the version of tiptop. */
void web_page_add_first_line(struct strbuf *out, enum web_page_script script);
/* Appends the beginning of a page, up to the element with the id "page". title: without '<' and
 * '&'. */
void web_page_begin(struct strbuf *out, enum web_page_script script, const char *title);
void web_page_add_script(struct strbuf *out, enum web_page_script script);
/* Appends JSON as an element with this attribute. '<' is escaped, as it could end the element. */
void web_page_add_data(struct strbuf *out, const char *attribute, const struct strbuf *json);
/* Appends a text, as it is shown. */
void web_page_add_text(struct strbuf *out, const char *text);

#endif
