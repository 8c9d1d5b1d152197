/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader - samples out of a recording, one after the other or from any point on.
 *
 *   record_reader_new(); record_reader_seek(); record_reader_next() for each; record_reader_free()
 *
 * The samples are as they were when they were written: readings that two of them shared are shared
 * again, and intervals are the same to the nanosecond. Only a wait for a CPU, of which the kernel
 * tells when it ends, is put back to where it was (late_wait.h): a task that waited has a reading
 * in each sample. Samples of several runs in one file have generations of their own, so that
 * nothing is compared across runs.
 *
 * A recording is a stranger's. Every value is checked; what cannot be is left out, and
 * record_reader_fault() says so. Between two calls nothing of the file is held, so that whoever
 * still writes it is not held up.
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

/* *out is NULL on failure. */
int record_reader_new(struct record_reader **out, const char *path, struct err *err);
void record_reader_free(struct record_reader *r);

/* The machine of the run of which a sample was read last; at first, of the first run. NULL: it is
 * not told. Valid until more is read: who keeps it takes a reference. */
const struct sample_machine *record_reader_machine(const struct record_reader *r);
/* What the first rows are of; NULL: nothing was recorded, or that is not known. */
const struct kind *record_reader_kind(struct record_reader *r);
/* All events that were recorded so far, joined. Valid until the next sample is read. */
const struct sample_events *record_reader_events(const struct record_reader *r);
/* The spans in which its wall clock went on steadily (timeline.h), in the order of recorded time,
 * which is 0 at the first sample. Valid until the next call. */
int record_reader_spans(struct record_reader *r, const struct record_span **out, size_t *n,
			struct err *err);
/* Returns the recorded time at which the wall clock shows this, not before `after_ns`, in *at_ns.
 */
int record_reader_find_wall(struct record_reader *r, uint64_t wall_ns, int64_t after_ns,
			    int64_t *at_ns, struct err *err);
/* Returns the recorded time of a moment of the run of the sample that was read last. */
int64_t record_reader_at(const struct record_reader *r, uint64_t mono_ns);
/* Whether somebody may still be writing it. */
bool record_reader_is_open(struct record_reader *r);

/* The next sample is the last one that is not after this recorded time, or (below 0) the first one.
 */
int record_reader_seek(struct record_reader *r, int64_t at_ns, struct err *err);
/* The next sample is so many after the one that was read last, or before it (below 0): 1 is the
 * next one in any case. It stops at both ends. */
int record_reader_skip(struct record_reader *r, long n, struct err *err);
/* The next sample is the one before that which would come next. 1: it is; 0: there is none before
 * it in its run. */
int record_reader_step_back(struct record_reader *r, struct err *err);
/* Returns the recorded time of the sample that comes next, in *at_ns, without reading it.
 * RECORD_END: there is none (yet). */
int record_reader_peek(struct record_reader *r, int64_t *at_ns, struct err *err);
/* Reads it. RECORD_END as above. */
int record_reader_next(struct record_reader *r, struct sample *out, struct err *err);

/* The words of the command that was followed in the run of the sample that was read last, or NULL;
 * valid until this or the next function is called. */
int record_reader_command(struct record_reader *r, char *const **out, struct err *err);
/* How it has ended, where that sample is the last of its run: begin and end get the samples of its
 * row between which it has done all that it did. 1: it is told, 0: it is not. Valid likewise. */
int record_reader_ending(struct record_reader *r, struct ending *out, struct sample *begin,
			 struct sample *end, struct err *err);

/* What was found to be wrong in the file so far, one sentence; NULL: nothing. */
const char *record_reader_fault(const struct record_reader *r);
/* The screens that were recorded: the XML of the i-th, or NULL; its name. Valid as long as the
 * reader. */
const char *record_reader_screen(const struct record_reader *r, size_t i, const char **name);
/* What an option of the first run was, or NULL: as by default. The caller frees it. */
char *record_reader_option(struct record_reader *r, const char *name);
/* The number of the user of this name in the recording, or -1. */
long record_reader_user(struct record_reader *r, const char *name);

#endif
