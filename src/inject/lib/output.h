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
	bool held;          /* put text is not written yet, as it may be dropped */
	uint32_t n_derived; /* numbers after the events in each row, see derived.h */
	size_t n, lines;    /* characters in `text`, and those up to the last line end */
	char text[8192];    /* more than a line has */
};

/* write: as in the struct; its own state, if any, is in a struct around *o. */
void tt_output_begin(struct tt_output *o, const struct table_header *of, int fd,
		     ssize_t (*write)(struct tt_output *o, const char *text, size_t size));
/* Appends a formatted text, which is written to the file by tt_output_end() at the latest. */
void tt_output_put(struct tt_output *o, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Discards the text that was put since the last write. */
void tt_output_drop(struct tt_output *o);
/* Writes the rest of the text and releases the lock. The file stays open. */
void tt_output_end(struct tt_output *o);

#endif
