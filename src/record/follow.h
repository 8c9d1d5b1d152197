/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow - a recording of rows about tasks at fork, exec and exit, instead of samples.
 *
 *   record_writer_new(); record_writer_follow(); record_writer_add_follow() for each row;
 *   record_writer_close()
 *
 *   record_reader_new(); record_reader_next_follow() for each row; record_reader_free()
 *
 * An added row is in the file at once, and survives a crash of the program, unless another program
 * has locked the file (writer.h). A file may have several runs, also runs of samples; rows are
 * ordered by run and time.
 *
 * Errors: as in writer.h and reader.h.
 */
#ifndef RECORD_FOLLOW_H
#define RECORD_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/value.h"

struct record_reader;
struct record_writer;

#define RECORD_FOLLOW_SETS     16
#define RECORD_FOLLOW_COUNTERS 64

/* The names of the counters of one set. */
struct record_follow_set {
	const char *name[RECORD_FOLLOW_COUNTERS];
	int n;
};

struct record_follow_row {
	int64_t run;      /* set by the reader; each run has another number */
	uint64_t time_ns; /* since the begin of the run */
	const char *event;
	int process, task, made; /* task, made: 0: none */
	const char *image;       /* NULL: none */
	bool ended; /* the exit status of the process is known: `how`, as wait(2) returns it */
	int how;
	int set;
	const struct value *value; /* one for each counter of the set; NULL: no counts */
};

/* Begins the run. */
int record_writer_follow(struct record_writer *w, const struct record_follow_set *set, int n_sets,
			 uint64_t wall_ns, struct err *err);
/* Adds a row; n: the number of counters in its set. */
int record_writer_add_follow(struct record_writer *w, const struct record_follow_row *row, int n,
			     struct err *err);

/* Reads the next row, valid until the next call. Returns 1: a row; 0: none yet; or -errno. */
int record_reader_next_follow(struct record_reader *r, struct record_follow_row *out,
			      struct err *err);
/* Returns the number of sets of the run of the last row; *out is valid until the next call. */
int record_reader_follow_sets(const struct record_reader *r, const struct record_follow_set **out);
/* Returns whether the last run was cut off: it has no end, and no program is writing the file. */
bool record_reader_follow_is_cut(struct record_reader *r);

#endif
