/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time_spec - a time in a recording, as users write it:
 *
 *   14:03  14:03:20          local time; the first one that can be in the recording
 *   2026-01-31 14:03[:20]    (or with a T in between)
 *   +90  -90                 seconds after its begin; before its end
 */
#ifndef SESSION_TIME_SPEC_H
#define SESSION_TIME_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "record/span.h"

struct time_spec {
	bool is_wall;
	uint64_t wall_ns; /* wall time */
	int64_t at_ns;    /* otherwise: recorded time */
};

/* Parses a time. span: [n] of the recording, in order. A time without a date is searched in the
 * spans, in order. -EINVAL: not a time. */
int time_spec_parse(const char *text, const struct record_span *span, size_t n,
		    struct time_spec *out, struct err *err);

#endif
