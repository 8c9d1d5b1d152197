/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scalar - a number or a text, and functions that write it in each format. Used by reports, and by
 * outputs that write each row at once (output/output.h).
 */
#ifndef REPORT_SCALAR_H
#define REPORT_SCALAR_H

#include "base/strbuf.h"
#include "base/value.h"

enum report_kind {
	REPORT_ABSENT,
	REPORT_VALUE,
	REPORT_TEXT,
	REPORT_LIST,
	REPORT_GROUP,
	REPORT_RECORDS, /* a list of inner records (report.h) */
};

struct report_scalar {
	enum report_kind kind; /* absent, value or text */
	union {
		struct value value;
		const char *text;
	};
};

static inline struct report_scalar scalar_value(struct value v)
{
	return (struct report_scalar){.kind = REPORT_VALUE, .value = v};
}

/* Returns a scalar that borrows the text; NULL: an unknown scalar. */
static inline struct report_scalar scalar_text(const char *text)
{
	return text ? (struct report_scalar){.kind = REPORT_TEXT, .text = text}
		    : scalar_value(value_none(QUALITY_NOT_READ));
}

/* Appends the scalar to CSV; control characters in texts are replaced. digits: after the point; 0:
 * all digits; < 0: that many significant digits. An unknown or absent scalar appends nothing. */
void scalar_add_csv(struct strbuf *out, const struct report_scalar *s, int digits);
/* Appends the scalar to JSON; an unknown or absent one becomes null. */
void scalar_add_json(struct strbuf *out, const struct report_scalar *s);
/* Appends the scalar to text for people; an unknown or absent one becomes '-'. digits: after the
 * point; 0: a count is written with all its digits, any other number is rounded to an integer. */
void scalar_add_people(struct strbuf *out, const struct report_scalar *s, int digits);

#endif
