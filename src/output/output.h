/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output - where samples and frames go: one struct of functions for each format, one row of
 * SINK_FORMATS for each struct.
 *
 * A function that is NULL means "not interested". What is written lives in the sink, where it goes
 * is its destination; output_list.h opens and closes both. Endings (closing brackets, last lines)
 * live in close(), so that the loop knows no format.
 *
 * A cell is written by report/scalar.h, as in reports. Rows are not records of a report: to fill
 * one and to copy its texts takes 6 % more instructions than to write its cells as they come, at
 * each refresh.
 *
 * Errors: -errno with a sentence. -EPIPE (the reader has gone) and -ECANCELED (told to stop) are
 * ends without a fault.
 */
#ifndef OUTPUT_OUTPUT_H
#define OUTPUT_OUTPUT_H

#include "base/destination.h"
#include "base/err.h"
#include "model/sample.h"
#include "output/summary.h"
#include "view/frame.h"

struct sink {
	const struct sink_ops *ops;
	struct dest dest; /* not open: it needs none */
	void *state;      /* the sink's own, made by open() and freed by close() */
	bool ends_loop;   /* its end is that of the loop; else the others go on without it */
	/* What is written of each row, see output/fields.h; NULL: all. Borrowed. */
	const char *fields;
	size_t rows; /* of each frame, so many rows at most; 0: all */
	struct sink *next;
};

struct sink_ops {
	const char *name, *help;
	bool redraws;     /* wants frames, too, that a key has built anew from the same sample */
	bool machine_use; /* samples are to tell what CPUs and memory of the machine are used for */
	unsigned lacks;   /* a bit for each field of output/fields.h that it cannot write */
	int (*open)(struct sink *sink, struct err *err);
	/* Appends what a file must begin with to be appended to. */
	int (*header)(const struct sink *sink, const struct screen *screen, const struct view *view,
		      struct strbuf *out, struct err *err);
	int (*sample)(struct sink *sink, const struct sample *sample, struct err *err);
	int (*frame)(struct sink *sink, const struct frame *frame, struct err *err);
	/* The command that was followed has ended. */
	int (*summary)(struct sink *sink, const struct summary *summary, struct err *err);
	/* One of its several runs has; the summary of all comes at the end. */
	int (*run)(struct sink *sink, const struct summary *summary, struct err *err);
	int (*close)(struct sink *sink, struct err *err);
};

/* The formats, a row for each. The first one is written unless another is asked for. */
#define SINK_FORMATS(row) row(sink_text) row(sink_csv) row(sink_json) row(sink_verdicts)

#define SINK_DECLARE(name) extern const struct sink_ops name;
SINK_FORMATS(SINK_DECLARE)
#undef SINK_DECLARE

/* What can be written, ended by a NULL. */
extern const struct sink_ops *const sink_table[];

/* The row of this name. -EINVAL: there is none; the sentence names those that are there. */
int sink_find(const struct sink_ops **out, const char *name, struct err *err);

#endif
