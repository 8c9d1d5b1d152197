/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_about - what stands above the tables of a page (report/html.h): the command of tiptop, what
 * it measured, the machine, and the time.
 */
#ifndef RUN_PAGE_ABOUT_H
#define RUN_PAGE_ABOUT_H

#include <sys/utsname.h>

#include "report/html.h"

struct page_about {
	struct report_html_about about;
	struct utsname system;
	struct strbuf when;
};

/* of: "tiptop locks"; command: its words, or NULL; both are borrowed. */
void page_about_init(struct page_about *a, const char *of, char *const *command);
void page_about_done(struct page_about *a);

#endif
