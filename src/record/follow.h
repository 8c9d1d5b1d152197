/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow - records rows about tasks at their fork, exec and exit, and reads them. A run has either
 * such rows or samples.
 *
 *   record_writer_new(); record_writer_follow(); record_writer_add_follow() for each row;
 *   record_writer_close()
 *
 *   record_reader_new(); record_reader_next_follow() for each row; record_reader_free()
 *
 * Each row is committed when it is added, so it survives a crash of the program. Only while another
 * program has locked the file, rows wait in memory (writer.h). A file may have several runs, of
 * rows or of samples. Rows are read in the order in which they were added.
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

/* A set of counters that are counted together, by their names. */
struct record_follow_set {
	const char *name[RECORD_FOLLOW_COUNTERS];
	int n;
};

struct record_follow_row {
	int64_t run;      /* id of the run in the file; set by the reader */
	uint64_t time_ns; /* since the begin of the run */
	const char *event;
	/* Ids: of the process; of its task, 0: the row is about the process; of the new process
	 * after a fork, 0: no fork. */
	int process, task, made;
	const char *image; /* name of the program that an exec started; NULL: none */
	bool ended; /* `how` is known: the status of the ended process, as wait(2) returns it */
	int how;
	int set;                   /* index of the set that was counted */
	const struct value *value; /* one for each counter of the set; NULL: no counts */
};

/* Begins a run of rows. wall_ns: CLOCK_REALTIME at its begin. */
int record_writer_follow(struct record_writer *w, const struct record_follow_set *set, int n_sets,
			 uint64_t wall_ns, struct err *err);
/* Adds a row; n: the number of counters in its set. */
int record_writer_add_follow(struct record_writer *w, const struct record_follow_row *row, int n,
			     struct err *err);

/* Reads the next row, valid until the next call. Returns 1: a row; 0: no further row yet; or
 * -errno. */
int record_reader_next_follow(struct record_reader *r, struct record_follow_row *out,
			      struct err *err);
/* Returns the number of counter sets in the run of the row read last. *out: the sets, valid until
 * the next row is read. */
int record_reader_follow_sets(const struct record_reader *r, const struct record_follow_set **out);
/* Returns whether the recording of the last run with rows was cut off: its end is not in the file,
 * and no program is writing the file. */
bool record_reader_follow_is_cut(struct record_reader *r);

#endif
