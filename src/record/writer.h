/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer - records samples: what of each was read anew, in one transaction.
 *
 *   record_writer_new(); record_writer_sample() for each; record_writer_close()
 *
 * Two samples that share a reading say that the task did nothing, and nothing is stored of it. So
 * that any sample can be found again without reading all before it, a keyframe lists the readings
 * of a sample, once four times as many have been written as there are tasks.
 *
 * Where not all is kept, it is dropped in parts, each of which begins with a keyframe. What is left
 * of a sample is found by that; a reader knows by the numbers of samples where some are missing.
 *
 * A file that is a recording already is continued: what comes is another run, and nothing of the
 * earlier ones is compared with it. Any other file is refused.
 *
 * While another program has locked the file, what comes is kept in memory, up to 32 MB of it; then
 * samples are left out, as a hole in the recording. How a command has ended, and the end, wait some
 * seconds for the lock; the error says what is missing then.
 *
 * Errors: -errno with a sentence; the file then has all samples before. Who gets one closes the
 * writer.
 */
#ifndef RECORD_WRITER_H
#define RECORD_WRITER_H

#include <stdbool.h>

#include "base/err.h"
#include "model/ending.h"
#include "model/sample.h"

/* What is written of the run at its begin. */
struct record_about {
	const char *kernel;  /* "6.1.0-18-amd64" */
	const char *version; /* of tiptop */
	/* The options that are not as by default, name and value in turn, ended by NULL; or NULL.
	 */
	const char *const *option;
	char *const *command; /* the words of the command that is followed; NULL: none is */
	/* Says that the end waits for another program; NULL: nothing is said. */
	void (*report_wait)(const char *path);
	bool reports_late;   /* a screen is shown until the writer is closed: only that says it */
	bool (*stops)(void); /* returns whether the end is to wait no longer; NULL: it is not */
};

/* What is kept; the rest is taken out of the file again, the oldest first. What a sample that stays
 * has from earlier ones stays, too. */
struct record_limits {
	uint64_t bytes; /* so much, with the log of changes beside the file; 0: all */
	uint64_t ns;    /* the samples of so long, by the clock of people; 0: all */
	/* Only what is around samples that are marked. */
	bool marked_only;
	uint64_t before_ns, after_ns;
};

struct record_writer;

/* *out is NULL on failure. -EEXIST: the file is something else; -EBUSY: another tiptop writes it.
 */
int record_writer_new(struct record_writer **out, const char *path,
		      const struct record_about *about, struct err *err);
int record_writer_sample(struct record_writer *w, const struct sample *sample, struct err *err);
/* Before the first sample. */
int record_writer_limit(struct record_writer *w, const struct record_limits *keep, struct err *err);
/* The sample that was written last is one to keep what is around. */
void record_writer_mark(struct record_writer *w);
/* A screen that is shown, as XML; each name once. */
int record_writer_screen(struct record_writer *w, const char *name, const char *xml,
			 struct err *err);
/* The command has ended, between whose samples of its row it has done all that it did. Where there
 * was no sample of the run, nothing is written. */
int record_writer_ending(struct record_writer *w, const struct ending *how,
			 const struct sample *begin, const struct sample *end, struct err *err);
/* The run is over: a sample that comes is the first one of another run of the same command. */
int record_writer_next_run(struct record_writer *w, struct err *err);
/* One sentence about how it is written, or NULL. */
const char *record_writer_note(const struct record_writer *w);
/* From here on nothing waits for the disk, not even the end. */
void record_writer_hurry(struct record_writer *w);
/* Finishes the file, and frees the writer; NULL is fine. */
int record_writer_close(struct record_writer *w, struct err *err);

#endif
