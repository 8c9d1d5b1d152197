/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer - records samples, each in one transaction with the readings that are new in it.
 *
 *   record_writer_new(); record_writer_sample() for each sample; record_writer_close()
 *
 * A reading shared by two samples means that the task did nothing in between; it is stored once. So
 * that a sample can be restored without reading all samples before it, a keyframe lists all
 * readings of a sample. A keyframe is written when more than 1,000 + 4 n readings were written
 * since the last keyframe, where n is the number of tasks.
 *
 * With a limit (struct record_limits), old samples are deleted in parts that begin with a keyframe.
 * A reader recognizes missing samples by a gap in the ids.
 *
 * An existing recording is continued with another run, which is not compared with earlier runs. Any
 * other existing file is refused.
 *
 * While another program has locked the file, up to 32 MiB of samples wait in memory; further
 * samples are left out, as a hole in the recording. At the end of a command and of the run, the
 * writer waits some seconds for the lock; after that, the error says what is missing.
 *
 * Errors: -errno with a sentence; the file then has all earlier samples. After an error, the caller
 * closes the writer.
 */
#ifndef RECORD_WRITER_H
#define RECORD_WRITER_H

#include <stdbool.h>

#include "base/err.h"
#include "model/detail.h"
#include "model/sample.h"

/* Description of the run, written at its begin. */
struct record_about {
	const char *kernel;  /* release of the kernel, "6.1.0-18-amd64" */
	const char *version; /* of tiptop */
	/* Options that differ from the default: name and value in turn, NULL-terminated; NULL:
	 * none. */
	const char *const *option;
	char *const *command; /* words of the command that is followed; NULL: no command */
	/* Called with the path of the recording when the writer, at the end, has waited a second
	 * for the lock of another program; NULL: the wait is not reported. */
	void (*report_wait)(const char *path);
	bool reports_late;   /* call report_wait only while the writer is being closed: until then,
				the live screen is shown */
	bool (*stops)(void); /* returns whether to stop waiting for the lock; NULL: never */
};

/* Retention limits; samples beyond them are deleted from the file, the oldest first. Readings that
 * a remaining sample shares with a deleted sample are kept. */
struct record_limits {
	uint64_t bytes; /* maximum size of the file with its write-ahead log; 0: no limit */
	uint64_t ns;    /* maximum age of samples, in recorded time (timeline.h); 0: no limit */
	/* Keep only samples around marked ones: before_ns before and after_ns after the mark. */
	bool marked_only;
	uint64_t before_ns, after_ns;
};

struct record_writer;

/* Opens a recording; *out is NULL on failure. -EEXIST: the file exists and cannot be continued: it
 * is no recording, damaged, or of a newer version; -EBUSY: another tiptop writes it. */
int record_writer_new(struct record_writer **out, const char *path,
		      const struct record_about *about, struct err *err);
int record_writer_sample(struct record_writer *w, const struct sample *sample, struct err *err);
/* Sets the retention; call it before the first sample. */
int record_writer_limit(struct record_writer *w, const struct record_limits *keep, struct err *err);
/* Marks the last sample written: with marked_only, the samples around it are kept. */
void record_writer_mark(struct record_writer *w);
/* Records the XML of a screen that is shown; each name once. */
int record_writer_screen(struct record_writer *w, const char *name, const char *xml,
			 struct err *err);
/* Records how the command ended. begin, end: samples of its row at the start and the end of its
 * counting. Does nothing if the run has no sample. */
int record_writer_ending(struct record_writer *w, const struct ending *how,
			 const struct sample *begin, const struct sample *end, struct err *err);
/* Ends the run: the next sample is the first one of another run of the same command. */
int record_writer_next_run(struct record_writer *w, struct err *err);
/* Returns a sentence that warns of a rollback journal, with which readers can delay the writer;
 * NULL: the file has a write-ahead log. */
const char *record_writer_note(const struct record_writer *w);
/* From now on nothing waits for the disk, not even record_writer_close(). */
void record_writer_hurry(struct record_writer *w);
/* Finishes the file and frees the writer; NULL is allowed. */
int record_writer_close(struct record_writer *w, struct err *err);

#endif
