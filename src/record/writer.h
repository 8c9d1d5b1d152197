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
 * A file that is a recording already is continued: what comes is another run, and nothing of the
 * earlier ones is compared with it. Any other file is refused.
 *
 * Errors: -errno with a sentence; the file then has all samples before. Who gets one closes the
 * writer.
 */
#ifndef RECORD_WRITER_H
#define RECORD_WRITER_H

#include "base/err.h"
#include "model/sample.h"

/* What is written of the run at its begin. */
struct record_about {
	const char *kernel;  /* "6.1.0-18-amd64" */
	const char *version; /* of tiptop */
	/* The options that are not as by default, name and value in turn, ended by NULL; or NULL.
	 */
	const char *const *option;
};

struct record_writer;

/* *out is NULL on failure. -EEXIST: the file is something else; -EBUSY: another tiptop writes it.
 */
int record_writer_new(struct record_writer **out, const char *path,
		      const struct record_about *about, struct err *err);
int record_writer_sample(struct record_writer *w, const struct sample *sample, struct err *err);
/* A screen that is shown, as XML; each name once. */
int record_writer_screen(struct record_writer *w, const char *name, const char *xml,
			 struct err *err);
/* One sentence about how it is written, or NULL. */
const char *record_writer_note(const struct record_writer *w);
/* Finishes the file, and frees the writer; NULL is fine. */
int record_writer_close(struct record_writer *w, struct err *err);

#endif
