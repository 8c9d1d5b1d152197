/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline - computes the recorded time of samples and of wall times. Recorded time is the time in
 * which something was recorded, independent of the wall clock.
 *
 * Recorded time is 0 at the first sample and advances with CLOCK_MONOTONIC. The time between two
 * runs does not count: they are 1 ns apart.
 *
 * The wall clock may have been set during a run or between runs. So samples are divided into spans
 * without a jump of the wall clock; a wall time is searched in the spans in recorded order.
 */
#ifndef RECORD_TIMELINE_H
#define RECORD_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* A part of a recording without a jump of the wall clock. */
struct record_span {
	int64_t begin_ns, end_ns;            /* recorded time of the first and the last sample */
	uint64_t begin_wall_ns, end_wall_ns; /* wall clock at these two samples */
};

struct record_db;

struct timeline_span {
	struct record_span span;
	int64_t run;
	int64_t first, last;       /* ids of the first and the last sample */
	int64_t first_ns, last_ns; /* CLOCK_MONOTONIC at these two samples */
};

/* Initialized with zeros. */
struct timeline {
	struct timeline_span *v;
	struct record_span *span; /* [n] copies of v[].span, for callers of the reader */
	size_t n, cap, cap_span;
};

void timeline_done(struct timeline *t);
/* Adds the samples written since the last call. */
int timeline_update(struct timeline *t, struct record_db *db, struct err *err);
/* Returns the recorded time of a moment (CLOCK_MONOTONIC) in the run of this sample. */
int64_t timeline_at(const struct timeline *t, int64_t sample, int64_t mono_ns);
/* Returns in *out the id of the last sample not after this recorded time, or of the first sample if
 * all are after it; 0: no samples. */
int timeline_find(const struct timeline *t, struct record_db *db, int64_t at_ns, int64_t *out,
		  struct err *err);
/* Returns in *out the recorded time, not before `after_ns`, at which the wall clock showed
 * `wall_ns`. If the wall clock never showed that time: 1 ns before the first span that begins at a
 * later wall time and does not end before `after_ns`; INT64_MAX if there is no such span. */
int timeline_find_wall(const struct timeline *t, struct record_db *db, uint64_t wall_ns,
		       int64_t after_ns, int64_t *out, struct err *err);

#endif
