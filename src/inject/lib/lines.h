/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lines - writes the report of regions: a line for each region as text, CSV or JSON, and one for
 * each kind of thing that the numbers leave out (lacks). The text goes through a buffer (output).
 *
 * Allocates no memory: a signal handler of the measured program may write its report (process.c).
 */
#ifndef INJECT_LIB_LINES_H
#define INJECT_LIB_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "inject/lib/table.h"

/* ---- output ----
 *
 * Buffers a report and writes it to a file that other processes may write, too.
 *
 * Each write(2) ends at the end of a line and appends to the file. A regular file is also locked
 * (flock(2)), so that reports do not mix. Without a lock, as for a pipe, or if the lock is not free
 * within a second, each line is written by itself: writes to a pipe are atomic up to PIPE_BUF
 * bytes. Allocates no memory: safe in a signal handler.
 */

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
/* Discards the buffered text. */
void tt_output_drop(struct tt_output *o);
/* Writes the buffered text and releases the lock. The file stays open. */
void tt_output_end(struct tt_output *o);

/* ---- lines ---- */

/* The subject of a row: a region in all threads or in one. */
struct tt_subject {
	const char *label;
	uint32_t tid; /* 0: all threads */
};

/* A line about something that the numbers leave out. */
struct tt_lack {
	const char *key;
	uint64_t n;           /* the number before the sentence; 0: no number */
	const char *sentence; /* continues after the number: "calls ..." */
};

/* A format of the report: functions that append its lines. */
struct tt_lines {
	const char *name;
	void (*head)(struct tt_output *o);
	bool once; /* the head is written only at the beginning of a file */
	/* Writes the row of a region that has been called. */
	void (*row)(struct tt_output *o, const struct tt_subject *of, struct table_row *row);
	void (*lack)(struct tt_output *o, const struct tt_lack *lack);
};

/* Returns the format with this name; text if there is none. */
const struct tt_lines *tt_lines_find(const char *name);

/* Writes a time of CLOCK_REALTIME, in ns since 1970, in tiptop's format and in UTC: for local time
 * the C library would read time zone files. */
#define TT_TIME_SIZE 64
void tt_lines_time(char text[TT_TIME_SIZE], uint64_t wall_ns);
/* In the text format, appends the lines above the table: process, host and time. */
void tt_lines_put_sentence(struct tt_output *o);
/* Returns the width of the column of a derived number in the text format: at least that of its
 * name. */
int tt_lines_width(const char *derived);

/* ---- lacks ----
 *
 * The lines of a report that say what its numbers leave out, one for each reason.
 */

/* The process that the report describes. */
enum tt_reported {
	TT_REPORTED_SELF,  /* the process that writes the report */
	TT_REPORTED_RUNS,  /* another process, which runs */
	TT_REPORTED_ENDED, /* another process, which has ended by exit(3) */
	TT_REPORTED_CUT,   /* another process, which has ended otherwise: by a signal, _exit(2) or
			      execve(2) */
};

/* The numbers of calls and other things that the report leaves out (table.h), over all threads. */
struct tt_lacks {
	uint64_t n_abandoned, n_unmatched, n_too_deep, n_rowless, n_going_on, n_waited;
	uint64_t threads_joined; /* threads that have no rows in the report, although TIPTOP_THREADS
				    requests rows of threads; the sums include them */
	/* For another process: rows that it was writing when it ended, and pieces of its table that
	 * are missing in the file. */
	uint64_t n_torn, n_unseen;
	enum tt_reported of;
};

/* Writes a line about the process (sum->of), one for each event that is not counted as requested,
 * and one for each number that is not 0 in *sum, and of what the header counts as left out. */
void tt_lacks_write(struct tt_output *o, const struct tt_lines *lines, const struct tt_lacks *sum);

#endif
