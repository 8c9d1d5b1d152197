/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader_waits - moves waits for a CPU back to the intervals in which the task waited.
 *
 * The kernel adds a wait to a task's total only when the wait ends. So the intervals before the end
 * show no wait, and the last interval shows a longer wait than it can hold. The excess over the
 * longest possible wait of an interval is moved to the intervals before it, the nearest first, each
 * up to its own longest possible wait. The totals of earlier readings rise, the total of the last
 * reading stays, and the sum over all intervals is unchanged.
 *
 *   late_waits_add() for each reading of the samples ahead, in order; late_stretch_at() for each
 *   stretch, to correct the current sample; late_waits_drop() for the samples before it
 *
 * Between two readings a task did not run: the samples in between share the earlier reading. If
 * the task waited in these samples, its total rises with time. Nothing is moved to a time before
 * the first reading of a task: the interval after that reading keeps the excess, which the delta
 * (model/delta.h) caps and marks.
 *
 * late_waits_drop() drops readings, and stretches whose last sample is dropped. Pure: no file, no
 * clock.
 */
#ifndef RECORD_READER_WAITS_H
#define RECORD_READER_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LATE_UNKNOWN (-1)

struct late_reading {
	int64_t id, previous; /* previous: id of the task's reading before this one; 0: none */
	int64_t task, sample; /* ids of the task and of the sample */
	bool first;           /* no interval ends with this reading */
	int64_t before_ns;    /* begin of the interval that ends with this reading, in the previous
				 sample */
	int64_t at_ns;        /* moment of the reading, the end of that interval */
	int64_t waited_ns;    /* total wait; or LATE_UNKNOWN */
	int64_t ran_ns;       /* total CPU time; LATE_UNKNOWN: it does not limit the wait */
	int64_t longest_ns;   /* longest possible wait in that interval; set by late_waits_add() */
};

/* A range of samples in which the task waited all the time, up to the moment end_ns. */
struct late_stretch {
	int64_t task, first_sample, last_sample;
	int64_t end_ns, waited_ns; /* waited_ns: the task's total at end_ns */
};

struct late_waits {
	/* [n], indexed by id - first, where `first` is the id of reading[0]. An element with id 0
	 * was not added. */
	struct late_reading *reading;
	size_t n, cap;
	int64_t first;
	struct late_stretch *stretch;
	size_t n_stretches, cap_stretches;
};

void late_waits_done(struct late_waits *w);
/* Drops everything; the next reading added has this id or a larger one. */
void late_waits_begin(struct late_waits *w, int64_t id);
/* Returns a reading that was added and not dropped; NULL: none. */
const struct late_reading *late_waits_find(const struct late_waits *w, int64_t id);
/* Adds a reading. old: the task's reading before it; NULL: nothing to compare with. Returns false
 * if the id is below `first` or implausibly large. */
bool late_waits_add(struct late_waits *w, const struct late_reading *reading,
		    const struct late_reading *old);
/* Drops readings and stretches up to this sample. */
void late_waits_drop(struct late_waits *w, int64_t sample);
/* Returns the task's total wait at a moment in this sample, according to the stretch; 0: the sample
 * is outside the stretch. */
int64_t late_stretch_at(const struct late_stretch *s, int64_t sample, int64_t at_ns);

#endif
