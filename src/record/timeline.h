/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline - the recorded time of a file: the seconds in which something was recorded, whatever the
 * clocks of people showed.
 *
 * It is 0 at the first sample, and grows with CLOCK_MONOTONIC. Between two runs none passes: they
 * are kept apart by 1 ns.
 *
 * The wall clock may have been set while samples were taken, and each run may have another one. So
 * the samples are in spans, in each of which the wall clock went on steadily; a wall time is looked
 * up in them in the order in which they were recorded.
 */
#ifndef RECORD_TIMELINE_H
#define RECORD_TIMELINE_H

#include <stddef.h>

#include "record/db.h"
#include "record/span.h"

struct timeline_span {
	struct record_span span;
	int64_t run;
	int64_t first, last;       /* samples */
	int64_t first_ns, last_ns; /* of these, CLOCK_MONOTONIC */
};

/* Zeroed at the beginning. */
struct timeline {
	struct timeline_span *v;
	struct record_span *span; /* [n] the same for readers */
	size_t n, cap, cap_span;
};

void timeline_done(struct timeline *t);
/* Takes the samples that have come since. */
int timeline_update(struct timeline *t, struct record_db *db, struct err *err);
/* The recorded time of a moment of the run of this sample. */
int64_t timeline_at(const struct timeline *t, int64_t sample, int64_t mono_ns);
/* Returns the number of the last sample that is not after this recorded time, in *out; the first
 * one where all are; 0: there is none. */
int timeline_find(const struct timeline *t, struct record_db *db, int64_t at_ns, int64_t *out,
		  struct err *err);
/* Returns when the wall clock shows this time, not before `after_ns`, in *out: where none of its
 * spans has it, just before the first sample that is later. */
int timeline_find_wall(const struct timeline *t, struct record_db *db, uint64_t wall_ns,
		       int64_t after_ns, int64_t *out, struct err *err);

#endif
