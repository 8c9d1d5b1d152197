/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change_rig - the text of a comparison of reports.
 */
#ifndef TESTS_CHANGE_RIG_H
#define TESTS_CHANGE_RIG_H

#include "compare/change.h"
#include "report/format.h"

/* Appends the selection made from the first n rows. */
static inline void change_select(const struct saved_change *c, enum report_format_id format,
				 size_t n, struct report_selection s, struct strbuf *out)
{
	struct report report;

	report_init(&report);
	saved_change_add(&report, c, n, &s);
	report_formats[format].write(&report, true, out);
	report_done(&report);
}

/* Appends the first n rows. */
static inline void change_write(const struct saved_change *c, enum report_format_id format,
				size_t n, struct strbuf *out)
{
	change_select(c, format, n, (struct report_selection){.rows = 0}, out);
}

#endif
