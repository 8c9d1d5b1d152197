/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow - rows of tasks through fork, exec and exit in a recording, in place of samples.
 *
 *   record_writer_new(); record_writer_follow(); record_writer_add_follow() for each row;
 *   record_writer_close()
 *
 *   record_reader_new(); record_reader_next_follow() for each row; record_reader_free()
 *
 * A row is in the file once it has been added, whatever happens then, unless another program has
 * locked the file (writer.h). A file may have several runs,
 * of samples, too; rows come in the order of runs and times.
 *
 * Errors: as those of writer.h and reader.h.
 */
#ifndef RECORD_FOLLOW_H
#define RECORD_FOLLOW_H

#include "base/value.h"
#include "record/reader.h"
#include "record/writer.h"

#define RECORD_FOLLOW_SETS     16
#define RECORD_FOLLOW_COUNTERS 64

/* The names of the counters of a set. */
struct record_follow_set {
	const char *name[RECORD_FOLLOW_COUNTERS];
	int n;
};

struct record_follow_row {
	int64_t run;      /* set by the reader: another number is another run */
	uint64_t time_ns; /* since the begin of the run */
	const char *event;
	int process, task, made; /* task, made 0: none */
	const char *image;       /* NULL: none */
	bool ended;              /* how the process has, as wait(2) has it, is known */
	int how;
	int set;
	const struct value *value; /* [n] of the set; NULL: it has none */
};

/* Begins the run. */
int record_writer_follow(struct record_writer *w, const struct record_follow_set *set, int n_sets,
			 uint64_t wall_ns, struct err *err);
/* n: how many counters its set has. */
int record_writer_add_follow(struct record_writer *w, const struct record_follow_row *row, int n,
			     struct err *err);

/* The next row, valid until the next call. 1: there is one; 0: there is none (yet). */
int record_reader_next_follow(struct record_reader *r, struct record_follow_row *out,
			      struct err *err);
/* The sets of the run of the last row, valid likewise. Returns how many there are. */
int record_reader_follow_sets(const struct record_reader *r, const struct record_follow_set **out);
/* Whether the last run was ended before it was over, and nobody writes it any more. */
bool record_reader_follow_is_cut(struct record_reader *r);

#endif
