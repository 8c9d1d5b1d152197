/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/page_about.h"

#include "base/clock.h"

void page_about_init(struct page_about *a, const char *of, char *const *command)
{
	strbuf_init(&a->when);
	clock_add_date(&a->when, clock_ns(CLOCK_REALTIME));
	a->about = (struct report_html_about){.of = of, .command = command, .when = a->when.text};
	if (!uname(&a->system))
		a->about.host = a->system.nodename;
}

void page_about_done(struct page_about *a)
{
	strbuf_done(&a->when);
}
