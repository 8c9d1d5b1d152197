/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * span - a part of a recording in which the wall clock went on steadily (timeline.h).
 */
#ifndef RECORD_SPAN_H
#define RECORD_SPAN_H

#include <stdint.h>

struct record_span {
	int64_t begin_ns, end_ns;            /* recorded time, of its first and its last sample */
	uint64_t begin_wall_ns, end_wall_ns; /* the same on the wall clock */
};

#endif
