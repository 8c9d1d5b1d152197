/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer_part - what the files of the writer have in common.
 */
#ifndef RECORD_WRITER_PART_H
#define RECORD_WRITER_PART_H

#include "record/db.h"
#include "record/schema.h"
#include "record/timeline.h"
#include "record/writer.h"

/* The rows that the present reading of a task is. */
struct writer_entry {
	int64_t task, reading;
};

struct writer_layout {
	struct record_layout layout;
	sqlite3_stmt *insert;
};

/* So much waits in memory at most while another program has locked the file. */
#define WRITER_WAIT_BYTES (32u << 20)

struct record_follow_row;
struct writer_waiting;

/* What waits, in its order; once it is full, samples are left out. */
struct writer_queue {
	struct writer_waiting *v; /* [n], of which `done` are written */
	size_t n, done, cap;
	uint64_t bytes;
	int64_t n_left_out;
};

struct record_writer {
	struct record_db db;
	sqlite3_stmt *follow, *follow_count; /* NULL: there are no rows of these */
	uint64_t follow_ns; /* what their times count from, on the clock of people */
	sqlite3_stmt *begin, *commit, *sample, *cpu_use, *task, *gone, *keyframe;
	struct writer_layout *layout;
	size_t n_layouts, cap_layouts;
	/* The next free number of each table. */
	int64_t next_sample, next_reading, next_task, next_layout, next_set;
	int64_t run;
	int64_t oldest_run;        /* of which something is left, as far as is known */
	int64_t own_layout;        /* the first layout of this run */
	bool begun;                /* the row of the run is there */
	struct sample *previous;   /* NULL: none yet */
	uint64_t wall_ns, mono_ns; /* of the sample before */
	struct writer_entry *old;  /* [previous->n] */
	struct writer_entry *new;
	size_t cap_old, cap_new;
	size_t n_since_keyframe; /* readings since the last keyframe */
	uint64_t keyframe_ns;    /* when that was, CLOCK_MONOTONIC */
	uint64_t grown;          /* by how much the file has grown since */
	struct record_limits keep;
	int64_t page_bytes;
	uint64_t log_bytes;       /* what the log of changes grows to before it is emptied */
	uint64_t used;            /* what the file had in it at the sample before */
	bool request_keyframe;    /* the next sample is to have a keyframe */
	bool marked;              /* a sample was */
	uint64_t marked_ns;       /* which, CLOCK_MONOTONIC */
	struct timeline timeline; /* where the keeping asks for time */
	int64_t undecided; /* the first sample that may still be dropped for want of a mark */
	struct record_about about; /* in the arena */
	struct arena arena;
	struct writer_queue queue;
	bool gave_up;     /* what waited was dropped, as was said */
	bool last;        /* the writer is being closed */
	bool said;        /* that the end waits */
	uint64_t wait_ns; /* since when it does, CLOCK_MONOTONIC; 0: it does not yet */
	char note[ERR_TEXT_MAX];
};

/* The first numbers of what is written for a sample. */
struct writer_begin {
	int64_t reading, task;
};

/* Ends the transaction: what failed in it undoes all of it. Returns ret, or why that failed. */
int writer_commit(struct record_writer *w, int ret, struct err *err);
/* Write one of each. -EBUSY: nothing is written, since another program has locked the file. */
int writer_write_sample(struct record_writer *w, const struct sample *s, struct err *err);
int writer_write_screen(struct record_writer *w, const char *name, const char *xml,
			struct err *err);
/* Marks the sample that is in the file last. */
void writer_mark(struct record_writer *w);
/* Writes all that waits in memory. From here on, statements wait some seconds for the lock of the
 * file. last: the writer is being closed. */
int writer_settle(struct record_writer *w, bool last, struct err *err);
/* Drops all that waits; nothing is written any more. Returns -EBUSY and says what is missing, with
 * `also`. */
int writer_give_up(struct record_writer *w, const char *also, struct err *err);
/* Drops what still waits. */
void writer_wait_done(struct record_writer *w);
/* Whether samples are dropped again. */
bool writer_is_limited(const struct record_writer *w);
/* Whether a part that can be dropped, or kept, is to begin with this sample. */
bool writer_wants_keyframe(const struct record_writer *w, const struct sample *s);
/* Drops what is not to be kept, behind each sample; and at the end. */
int writer_keep(struct record_writer *w, struct err *err);
int writer_end_limits(struct record_writer *w, struct err *err);
/* The rows of the run and of its machine. */
int writer_begin_run(struct record_writer *w, const struct sample *sample, struct err *err);
/* The layout of a reading; made where there is none. */
int writer_find_layout(struct record_writer *w, struct writer_layout **out, const struct task *t,
		       struct err *err);
/* Makes the views of all layouts together anew. */
int writer_make_views(struct record_writer *w, struct err *err);
/* Describes a task: what it is, and its texts. */
int writer_add_task(struct record_writer *w, const struct task *t, int64_t *id, struct err *err);

/* A row of texts and numbers, put in the order of its columns. */
struct writer_row {
	sqlite3_stmt *stmt;
	int column;
};

int writer_begin_row(struct record_writer *w, struct writer_row *row, const char *sql,
		     struct err *err);
void writer_put_text(struct writer_row *row, const char *text); /* NULL is NULL */
void writer_put_number(struct writer_row *row, uint64_t number);
void writer_put_real(struct writer_row *row, double number);
void writer_put_null(struct writer_row *row);
/* Three columns: the number, NULL where there is none; its share; its quality. */
void writer_put_value(struct writer_row *row, struct value v);
/* Inserts the row. */
int writer_end_row(struct record_writer *w, struct writer_row *row, struct err *err);

#endif
