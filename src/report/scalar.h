/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scalar - a number or a text, and how each format writes it: for reports, and for those who write
 * rows while they come (output/output.h).
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
	enum report_kind kind; /* one of the first three */
	union {
		struct value value;
		const char *text;
	};
};

static inline struct report_scalar scalar_value(struct value v)
{
	return (struct report_scalar){.kind = REPORT_VALUE, .value = v};
}

/* NULL: it is not known. The text is borrowed. */
static inline struct report_scalar scalar_text(const char *text)
{
	return text ? (struct report_scalar){.kind = REPORT_TEXT, .text = text}
		    : scalar_value(value_none(QUALITY_NOT_READ));
}

/* Append it, with its text made harmless. digits: of a number behind the point; 0: all that it has;
 * < 0: so many in all. What is not known, or absent, is nothing. */
void scalar_add_csv(struct strbuf *out, const struct report_scalar *s, int digits);
/* What is not known, or absent, is null. */
void scalar_add_json(struct strbuf *out, const struct report_scalar *s);
/* A count has all of its digits where these are 0. What is not known, or absent, is '-'. */
void scalar_add_people(struct strbuf *out, const struct report_scalar *s, int digits);

#endif
