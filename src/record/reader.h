/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader - reads samples from a recording, in order or from any point.
 *
 *   record_reader_new(); record_reader_seek(); record_reader_next() for each; record_reader_free()
 *
 * The samples are those that were written: readings shared by two samples are shared again, and
 * intervals are the same to the nanosecond. The only exception: waits for a CPU, which the kernel
 * accounts when they end, are moved back to their time (late_wait.h), so a task that waited has its
 * own reading in each sample. Each run in a file has its own generations, so nothing is compared
 * across runs.
 *
 * A recording is untrusted input: every value is checked; invalid ones are left out, and
 * record_reader_fault() says so. No lock is held between two calls, so a program that is still
 * writing the file is not blocked.
 *
 * Errors: -errno with a sentence.
 */
#ifndef RECORD_READER_H
#define RECORD_READER_H

#include "base/err.h"
#include "model/ending.h"
#include "model/sample.h"
#include "record/span.h"

#define RECORD_END 1

struct record_reader;

/* Opens a recording; *out is NULL on failure. */
int record_reader_new(struct record_reader **out, const char *path, struct err *err);
void record_reader_free(struct record_reader *r);

/* Returns the machine of the run of the last sample read, at first of the first run; NULL: not
 * recorded. Valid until more is read; take a reference to keep it. */
const struct sample_machine *record_reader_machine(const struct record_reader *r);
/* Returns the kind of the first rows; NULL: nothing was recorded, or the kind is unknown. */
const struct kind *record_reader_kind(struct record_reader *r);
/* Returns the union of all events recorded so far. Valid until the next sample is read. */
const struct sample_events *record_reader_events(const struct record_reader *r);
/* Returns the spans between jumps of the wall clock (timeline.h), ordered by recorded time, which
 * is 0 at the first sample. Valid until the next call. */
int record_reader_spans(struct record_reader *r, const struct record_span **out, size_t *n,
			struct err *err);
/* Returns in *at_ns the recorded time, not before `after_ns`, at which the wall clock showed
 * `wall_ns`. */
int record_reader_find_wall(struct record_reader *r, uint64_t wall_ns, int64_t after_ns,
			    int64_t *at_ns, struct err *err);
/* Returns the recorded time of a moment (monotonic clock) in the run of the last sample read. */
int64_t record_reader_at(const struct record_reader *r, uint64_t mono_ns);
/* Returns whether another program may still be writing the file. */
bool record_reader_is_open(struct record_reader *r);

/* Positions the reader: the next sample read is the last one not after this recorded time; below 0:
 * the first one. */
int record_reader_seek(struct record_reader *r, int64_t at_ns, struct err *err);
/* Positions the reader n samples after the last one read, or before it (n < 0), limited to the
 * first and last sample; 1 is the next one and changes nothing. */
int record_reader_skip(struct record_reader *r, long n, struct err *err);
/* Moves the reader back by one sample. Returns 1: moved; 0: the run has no sample before; or
 * -errno. */
int record_reader_step_back(struct record_reader *r, struct err *err);
/* Returns in *at_ns the recorded time of the next sample, without reading it. RECORD_END: there is
 * none yet. */
int record_reader_peek(struct record_reader *r, int64_t *at_ns, struct err *err);
/* Reads the next sample. RECORD_END: there is none yet. */
int record_reader_next(struct record_reader *r, struct sample *out, struct err *err);

/* Returns in *out the words of the command that was followed in the run of the last sample read;
 * NULL: none. Valid until this or the next function is called. */
int record_reader_command(struct record_reader *r, char *const **out, struct err *err);
/* Returns how that command ended, if that sample is the last of its run; begin and end get the
 * samples of its row between which it did everything. Returns 1: recorded; 0: not; or -errno. Valid
 * until this or the previous function is called. */
int record_reader_ending(struct record_reader *r, struct ending *out, struct sample *begin,
			 struct sample *end, struct err *err);

/* Returns the first fault found in the file so far, one sentence; NULL: none. */
const char *record_reader_fault(const struct record_reader *r);
/* Returns the XML of the i-th recorded screen, and its name; NULL: no more. Valid as long as the
 * reader. */
const char *record_reader_screen(const struct record_reader *r, size_t i, const char **name);
/* Returns the value of an option of the first run, to be freed by the caller; NULL: the default. */
char *record_reader_option(struct record_reader *r, const char *name);
/* Returns the uid of a user by name in the recording; -1: none. */
long record_reader_user(struct record_reader *r, const char *name);

#endif
