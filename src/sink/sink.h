/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sink - where samples and frames go: one struct of functions for each output, one row of
 * sink_table for each struct.
 *
 * A function that is NULL means "not interested". What is written lives in the sink, where it goes
 * is the descriptor it was opened with (owned by the caller). Endings (closing brackets, last
 * lines) live in close(), so that the loop knows no format.
 *
 * Errors: -errno with a sentence. -EPIPE (the reader has gone) and -ECANCELED (told to stop) end
 * the loop quietly.
 */
#ifndef SINK_SINK_H
#define SINK_SINK_H

#include "base/err.h"
#include "model/sample.h"
#include "view/frame.h"

struct sink {
	const struct sink_ops *ops;
	int fd;
	const char *path; /* of fd, for sentences; NULL: standard output */
	/* Bytes that one write(2) may take without blocking for ever: all for a
	 * file, PIPE_BUF else. */
	size_t chunk;
	/* A reader that does not read must not hold tiptop: while waiting for it, wake_fd is
	 * polled, too (-1: not), and where stop() says so, writing ends with -ECANCELED. */
	int wake_fd;
	bool (*stop)(void *context);
	void *context;
	void *state; /* the sink's own, made by open() and freed by close() */
};

struct sink_ops {
	const char *name, *help;
	int (*open)(struct sink *sink, struct err *err);
	int (*sample)(struct sink *sink, const struct sample *sample, struct err *err);
	int (*frame)(struct sink *sink, const struct frame *frame, struct err *err);
	int (*close)(struct sink *sink, struct err *err);
};

extern const struct sink_ops sink_text;

/* Ended by a NULL. */
extern const struct sink_ops *const sink_table[];

/* Writes all of it, whatever the kernel takes at a time. */
int sink_write(struct sink *sink, const char *data, size_t n, struct err *err);

#endif
