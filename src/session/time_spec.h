/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time_spec - parses a time in a recording, as users write it:
 *
 *   14:03  14:03:20          local time: the first such time in the recording; if none is in it, of
 *                            the day on which it begins
 *   2026-01-31 14:03[:20]    (or with a T in between)
 *   +90  -90                 seconds after the begin, or before the end, of the recording
 */
#ifndef SESSION_TIME_SPEC_H
#define SESSION_TIME_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "record/span.h"

struct time_spec {
	bool is_wall;
	uint64_t wall_ns; /* if is_wall */
	int64_t at_ns;    /* recorded time, unless is_wall */
};

/* Parses a time. span: [n] the spans of the recording, in order of time; a time without a date is
 * searched in them, in this order. -EINVAL: not a time. */
int time_spec_parse(const char *text, const struct record_span *span, size_t n,
		    struct time_spec *out, struct err *err);

#endif
