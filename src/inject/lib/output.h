/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * output - buffers a report and writes it to a file that other processes may write, too.
 *
 * Each write(2) ends at the end of a line and appends to the file. A regular file is also locked
 * (flock(2)), so that reports do not mix. Without a lock, as for a pipe, or if the lock is not free
 * within a second, each line is written by itself: writes to a pipe are atomic up to PIPE_BUF
 * bytes. Allocates no memory: safe in a signal handler.
 */
#ifndef INJECT_LIB_OUTPUT_H
#define INJECT_LIB_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct table_header;

struct tt_output {
	const struct table_header *of; /* the header of the reported table */
	uint64_t wall_ns;              /* when the output began */
	int fd;                        /* of the file; -1: the text goes elsewhere, by `write` */
	ssize_t (*write)(struct tt_output *o, const char *text, size_t size);
	bool failed, locked;
	bool held; /* tt_output_put() only buffers text, as tt_output_drop() may discard it */
	uint32_t n_derived; /* derived numbers in each row (figures.h) */
	size_t n, lines; /* characters in `text`, and characters up to the end of the last complete
			    line */
	char text[8192]; /* larger than any line */
};

/* write: called for text to write, to o->fd or elsewhere. If it needs more state, *o is a member of
 * a larger struct. */
void tt_output_begin(struct tt_output *o, const struct table_header *of, int fd,
		     ssize_t (*write)(struct tt_output *o, const char *text, size_t size));
/* Appends a formatted text, which is written to the file by tt_output_end() at the latest. */
void tt_output_put(struct tt_output *o, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Discards the buffered text. */
void tt_output_drop(struct tt_output *o);
/* Writes the buffered text and releases the lock. The file stays open. */
void tt_output_end(struct tt_output *o);

#endif
