/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * span - a part of a recording without a jump of the wall clock (timeline.h).
 */
#ifndef RECORD_SPAN_H
#define RECORD_SPAN_H

#include <stdint.h>

struct record_span {
	int64_t begin_ns, end_ns;            /* recorded time of the first and the last sample */
	uint64_t begin_wall_ns, end_wall_ns; /* wall clock at these two samples */
};

#endif
