/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time_spec - a time in a recording, as users write it:
 *
 *   14:03  14:03:20          in the local zone, the first one that the recording can have
 *   2026-01-31 14:03[:20]    (or with a T between them)
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
	uint64_t wall_ns; /* a time of people */
	int64_t at_ns;    /* else, recorded time */
};

/* Parses a time; span: [n] those of the recording, in their order. A time without a date is of the
 * first span that has it. -EINVAL: it is not a time. */
int time_spec_parse(const char *text, const struct record_span *span, size_t n,
		    struct time_spec *out, struct err *err);

#endif
