/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * output - a report on its way to a file that other processes may write, too.
 *
 * Each write(2) ends at the end of a line, and is behind all that is in the file. Of a regular file
 * a lock is held as well (flock(2)), so that reports do not mix. Without one, as for a pipe, or
 * where it is not had within a second, each line is written by itself: a pipe takes it in one piece
 * up to PIPE_BUF. No memory is asked for: safe in a signal handler.
 */
#ifndef INJECT_LIB_OUTPUT_H
#define INJECT_LIB_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct table_header;

struct tt_output {
	const struct table_header *of; /* of the table that is reported */
	uint64_t wall_ns;              /* when it began */
	int fd;                        /* of the file; -1: it goes elsewhere */
	ssize_t (*write)(struct tt_output *o, const char *text, size_t size);
	bool failed, locked;
	bool held;          /* what is put may be dropped yet */
	uint32_t n_derived; /* numbers that each row has behind its events, see derived.h */
	size_t n, lines;    /* characters in all, and those of whole lines */
	char text[8192];    /* more than a line has */
};

/* write: as that in the struct; what it needs stands around this. */
void tt_output_begin(struct tt_output *o, const struct table_header *of, int fd,
		     ssize_t (*write)(struct tt_output *o, const char *text, size_t size));
/* What is put goes to the file at the latest at the end. */
void tt_output_put(struct tt_output *o, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Forgets what has been put since the last write. */
void tt_output_drop(struct tt_output *o);
/* The file stays open. */
void tt_output_end(struct tt_output *o);

#endif
