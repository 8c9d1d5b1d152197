/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_about - makes the head of a page (report/html.h): the command of tiptop, the measured
 * command or files, the host name, and the time.
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

/* Takes the host name and the time from the running machine. of: "tiptop locks"; command: the words
 * of the measured command or files, NULL: none; both are borrowed. */
void page_about_init(struct page_about *a, const char *of, char *const *command);
void page_about_done(struct page_about *a);

#endif
