/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader - reads samples from a recording, in order or from any point.
 *
 *   record_reader_new(); record_reader_seek(); record_reader_next() for each sample;
 *   record_reader_free()
 *
 * The samples are those that were written: readings shared by two samples are shared again, and
 * intervals are the same to the nanosecond. There is one exception: waits for a CPU, which the
 * kernel accounts when they end, are moved back to the intervals in which the task waited
 * (reader_waits.c). So a task that waited has its own reading in each sample. Each run in a file
 * has its own generations, so nothing is compared across runs.
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
#include "model/detail.h"
#include "model/sample.h"
#include "record/timeline.h"

#define RECORD_END 1

struct record_reader;

/* Opens a recording; *out is NULL on failure. */
int record_reader_new(struct record_reader **out, const char *path, struct err *err);
void record_reader_free(struct record_reader *r);

/* Returns the machine of the run that the last sample read belongs to; before any sample is read,
 * of the first run. NULL: not recorded. Valid until the next read or seek; take a reference to
 * keep the machine. */
const struct sample_machine *record_reader_machine(const struct record_reader *r);
/* Returns the kind (model/sample.h) of the first recorded task; NULL: no task was recorded, or its
 * kind is unknown. */
const struct kind *record_reader_kind(struct record_reader *r);
/* Returns the union of all events recorded so far. Valid until the next call that reads a sample or
 * an ending, or positions the reader. */
const struct sample_events *record_reader_events(const struct record_reader *r);
/* Returns the spans between jumps of the wall clock (timeline.h), ordered by recorded time, which
 * is 0 at the first sample. Valid until the next call. */
int record_reader_spans(struct record_reader *r, const struct record_span **out, size_t *n,
			struct err *err);
/* Returns in *at_ns the recorded time, not before `after_ns`, at which the wall clock showed
 * `wall_ns`. If the wall clock never showed that time: as timeline_find_wall(). */
int record_reader_find_wall(struct record_reader *r, uint64_t wall_ns, int64_t after_ns,
			    int64_t *at_ns, struct err *err);
/* Returns the recorded time of a moment (monotonic clock) in the run of the last sample read. */
int64_t record_reader_at(const struct record_reader *r, uint64_t mono_ns);
/* Returns whether another program may still be writing the file. */
bool record_reader_is_open(struct record_reader *r);

/* Positions the reader: record_reader_next() then reads the last sample at or before this recorded
 * time; with at_ns below 0, the first sample. */
int record_reader_seek(struct record_reader *r, int64_t at_ns, struct err *err);
/* Positions the reader: record_reader_next() then reads the n-th sample after the one read last (n
 * < 0: before it), but none beyond the first and the last sample. After a seek, the one before the
 * next sample counts as read. n = 1 changes nothing. */
int record_reader_skip(struct record_reader *r, long n, struct err *err);
/* Moves the position of the reader back by one sample. Returns 1: moved; 0: no sample of the same
 * run comes directly before the next one; or -errno. */
int record_reader_step_back(struct record_reader *r, struct err *err);
/* Returns in *at_ns the recorded time of the next sample, without reading the sample. RECORD_END:
 * there is no next sample yet. */
int record_reader_peek(struct record_reader *r, int64_t *at_ns, struct err *err);
/* The approximate length of a part of a recording, from numbers of the file that are not checked.
 */
struct record_extent {
	int64_t samples, readings;
	int64_t ns; /* recorded time */
};

/* Sets *out to the length of the part from the next sample to the recorded time until_ns; 0: there
 * are no such samples. Returns 0 or -errno. */
int record_reader_extent(struct record_reader *r, int64_t until_ns, struct record_extent *out,
			 struct err *err);
/* The CPU usage of a task in the interval that ends with a sample within a step. */
struct record_moment {
	struct task *task; /* its reading in the sample that ends the step */
	uint32_t sample;   /* index in struct record_moments */
	float cpu;         /* 1: one CPU */
};

/* The smallest and the largest CPU usage at the samples within a step, 1: one CPU. For a task,
 * the samples in which it has a reading; for a program (all tasks of a process name), those in
 * which these used CPU time. */
struct record_range {
	struct task *task;   /* as in record_moment; NULL: of a program */
	const char *program; /* its name; NULL: of a task */
	double least, most;
};

/* The samples that were joined to a step, and the CPU usage of tasks in them. The sample that
 * record_reader_next() returns for the step has only the sums. */
struct record_moments {
	/* [n_samples] without tasks; [0] is the sample before the step. */
	const struct sample *const *sample;
	size_t n_samples;
	const struct record_moment *v; /* [n], in the order of the samples */
	size_t n;
	const struct record_range *range; /* [n_ranges] */
	size_t n_ranges;
};

/* Keep the moments of each step from now on, or only the ranges of these moments. For ranges, the
 * lists of minutes (minute.h) save reading each moment. */
void record_reader_keep_moments(struct record_reader *r);
void record_reader_keep_ranges(struct record_reader *r);
/* Returns the moments of the step that was read last; NULL: it was one sample, or none are kept.
 * Valid until the next one is read. */
const struct record_moments *record_reader_moments(const struct record_reader *r);
/* Makes record_reader_next() join samples to steps: after the first sample, it returns only the
 * last sample of each step. A step has the samples up to the recorded time until_ns between two
 * multiples of step_ns of the wall clock, so that steps of minutes consist of whole minutes
 * (minute.h). This sample includes the last readings of tasks that ended
 * within the step; tasks that began within it and were counted have COUNT_WHOLE. A step ends early
 * at the end of a generation and before the id of a task is used again. Waits for a CPU that end
 * after the sample are not corrected (reader_waits.c). step_ns 0: returns each sample. */
void record_reader_set_step(struct record_reader *r, uint64_t step_ns, int64_t until_ns);
/* Reads the next sample. RECORD_END: there is no next sample yet. */
int record_reader_next(struct record_reader *r, struct sample *out, struct err *err);

/* Returns in *out the words of the command that was followed in the run of the last sample read;
 * NULL: none. Valid until the next call of this function or of record_reader_ending(). */
int record_reader_command(struct record_reader *r, char *const **out, struct err *err);
/* Returns in *out how the followed command ended, if the sample read last is the last one of its
 * run. begin, end: filled with the command's row at the start and at the end of its counting.
 * Returns 1: recorded; 0: not recorded; or -errno. *out is valid until the next call of this
 * function or of record_reader_command(). */
int record_reader_ending(struct record_reader *r, struct ending *out, struct sample *begin,
			 struct sample *end, struct err *err);

/* Returns the first fault found in the file so far, one sentence; NULL: none. */
const char *record_reader_fault(const struct record_reader *r);
/* Returns the XML of the i-th recorded screen, and its name; NULL: no more. Valid as long as the
 * reader. */
const char *record_reader_screen(const struct record_reader *r, size_t i, const char **name);
/* Returns the value of an option of the first run, to be freed by the caller; NULL: the default, or
 * it cannot be read. */
char *record_reader_option(struct record_reader *r, const char *name);
/* Returns the release of the kernel of the run that the last sample read belongs to; before any
 * sample is read, of the first run; to be freed by the caller; NULL: not recorded. */
char *record_reader_kernel(struct record_reader *r);
/* Returns the uid that the recording has for this user name; -1: the name is not in it. */
long record_reader_user(struct record_reader *r, const char *name);

#endif
