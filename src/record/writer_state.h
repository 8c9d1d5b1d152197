/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer_state - part of writer: the state of a writer, and what its files offer each other.
 */
#ifndef RECORD_WRITER_STATE_H
#define RECORD_WRITER_STATE_H

#include "base/lookup.h"
#include "record/db.h"
#include "record/minute.h"
#include "record/schema.h"
#include "record/timeline.h"
#include "record/writer.h"

/* Ids of a task's current reading: in the tables task and reading_N. */
struct writer_entry {
	int64_t task, reading;
	size_t entry; /* index plus 1 of its entry in the list of the minute; 0: none */
};

struct minute_sum;

/* The list of the current minute (minute.h). */
struct writer_minute {
	bool open;       /* all samples and readings since list.first_sample are in it */
	uint64_t number; /* the minute, by the wall clock */
	struct minute_list list;
	uint64_t n_readings;
	struct minute_sum *program; /* [n_programs] */
	size_t n_programs, cap_programs;
	size_t *program_of; /* [list.n] index of the program of each entry */
	size_t cap_program_of;
	size_t *used; /* [n_used] programs that used CPU time in the current sample */
	size_t n_used, cap_used;
	struct hash names; /* the programs, by their names */
	struct arena arena;
};

struct writer_layout {
	struct record_layout layout;
	sqlite3_stmt *insert;
};

/* The maximal size of samples and rows that wait in memory while another program has locked the
 * file. */
#define WRITER_WAIT_BYTES (32u << 20)

struct record_follow_row;
struct writer_waiting;

/* Items that wait until the file is unlocked, in order. When the queue is full, samples are left
 * out. */
struct writer_queue {
	struct writer_waiting *v; /* [n]; the first `done` are written */
	size_t n, done, cap;
	uint64_t bytes;
	int64_t n_left_out;
};

struct record_writer {
	struct record_db db;
	sqlite3_stmt *follow, *follow_count; /* NULL: the run has no follow rows */
	uint64_t follow_ns; /* CLOCK_REALTIME at the begin of a run of follow rows */
	sqlite3_stmt *begin, *commit, *sample, *cpu_use, *task, *gone, *keyframe;
	struct writer_layout *layout;
	size_t n_layouts, cap_layouts;
	/* The next free id of each table. */
	int64_t next_sample, next_reading, next_task, next_layout, next_set;
	int64_t run;
	int64_t oldest_run;        /* the oldest run with samples, as far as known */
	int64_t own_layout;        /* the first layout of this run */
	bool begun;                /* the row of the run was written */
	struct sample *previous;   /* NULL: none */
	uint64_t wall_ns, mono_ns; /* of the previous sample */
	struct writer_entry *old;  /* [previous->n] ids of the readings of the previous sample */
	struct writer_entry *new;  /* ids of the readings of the sample being written */
	size_t cap_old, cap_new;
	size_t n_since_keyframe; /* number of readings since the last keyframe */
	uint64_t keyframe_ns;    /* time of the last keyframe, CLOCK_MONOTONIC */
	uint64_t grown;          /* bytes that the file grew since the last keyframe */
	struct writer_minute minute;
	struct record_limits keep;
	int64_t page_bytes;
	uint64_t log_bytes;       /* size at which the write-ahead log is checkpointed */
	uint64_t used;            /* bytes used in the file after the previous sample */
	bool request_keyframe;    /* the next sample gets a keyframe */
	bool marked;              /* a sample was marked */
	uint64_t marked_ns;       /* time of the last mark, CLOCK_MONOTONIC */
	struct timeline timeline; /* used for the limit by time */
	int64_t undecided; /* the first sample that may still be deleted if no mark follows */
	struct record_about about; /* its texts are in the arena */
	struct arena arena;
	struct writer_queue queue;
	bool gave_up;     /* waiting items were dropped, and the caller got an error that says so */
	bool last;        /* the writer is being closed */
	bool said;        /* the wait for the lock at the end was reported */
	uint64_t wait_ns; /* begin of the wait for the lock at the end, CLOCK_MONOTONIC; 0: not
			     waiting */
	char note[ERR_TEXT_MAX];
};

/* Ids of the first reading and task written for a sample. */
struct writer_begin {
	int64_t reading, task;
};

/* The data of a reading that the list of the minute needs, besides the task. */
struct minute_reading {
	int64_t layout, sample;
	int64_t previous;    /* the column of this name; 0: NULL */
	bool joined;         /* it belongs to the entry of the task's reading before it */
	int64_t interval_ns; /* the column facts_ns; 0: NULL */
	uint64_t mono_ns;    /* of the sample */
};

/* Prepares the list for a sample: writes that of the minute before if the sample begins another
 * one. */
int writer_minute_begin(struct record_writer *w, const struct sample *s, struct err *err);
/* Adds a reading of the sample; old: the task's reading before it, NULL: none. Sets
 * entry->entry. */
void writer_minute_add(struct record_writer *w, const struct task *t, const struct task *old,
		       const struct minute_reading *reading, struct writer_entry *entry);
void writer_minute_end_sample(struct record_writer *w);
/* Writes the list of the current minute, if one is open. */
int writer_minute_close(struct record_writer *w, struct err *err);
/* Gives up the list of the current minute, as it may not have all readings. */
void writer_minute_drop(struct record_writer *w);
void writer_minute_done(struct writer_minute *m);

/* Commits the transaction if ret is 0, else rolls it back. Returns ret, or the error of the
 * commit. */
int writer_commit(struct record_writer *w, int ret, struct err *err);
/* Write a sample or a screen. -EBUSY: nothing is written, as another program has locked the
 * file. */
int writer_write_sample(struct record_writer *w, const struct sample *s, struct err *err);
int writer_write_screen(struct record_writer *w, const char *name, const char *xml,
			struct err *err);
/* Marks the last sample in the file. */
void writer_mark(struct record_writer *w);
/* Writes all waiting items. From now on statements wait some seconds for the lock of the file.
 * last: the writer is being closed. */
int writer_settle(struct record_writer *w, bool last, struct err *err);
/* Drops all waiting items; nothing is written any more. Returns -EBUSY with a sentence that lists
 * the missing items, the last one as `also`. */
int writer_give_up(struct record_writer *w, const char *also, struct err *err);
/* Writes a row of follow.h. -EBUSY: as writer_write_sample(). */
int writer_write_follow(struct record_writer *w, const struct record_follow_row *row, int n,
			struct err *err);
/* Drops waiting items. */
void writer_wait_done(struct record_writer *w);
/* Returns whether a retention limit is set. */
bool writer_is_limited(const struct record_writer *w);
/* Returns whether the retention limits want a keyframe for this sample, which begins a new part of
 * the file. */
bool writer_wants_keyframe(const struct record_writer *w, const struct sample *s);
/* Delete samples beyond the retention limits: writer_keep() after each sample, writer_end_limits()
 * at the end of the run. */
int writer_keep(struct record_writer *w, struct err *err);
int writer_end_limits(struct record_writer *w, struct err *err);
/* Writes the rows of the run and of its machine. */
int writer_begin_run(struct record_writer *w, const struct sample *sample, struct err *err);
/* Returns the layout for a reading; creates it on first use. */
int writer_find_layout(struct record_writer *w, struct writer_layout **out, const struct task *t,
		       struct err *err);
/* Recreates all views. */
int writer_make_views(struct record_writer *w, struct err *err);
/* Writes the description of a task: its identity and texts. *id: its new id in the table task. */
int writer_add_task(struct record_writer *w, const struct task *t, int64_t *id, struct err *err);

/* A statement to which values are bound in the order of its parameters. column: the number of
 * values bound so far. */
struct writer_row {
	sqlite3_stmt *stmt;
	int column;
};

int writer_begin_row(struct record_writer *w, struct writer_row *row, const char *sql,
		     struct err *err);
void writer_put_text(struct writer_row *row, const char *text); /* NULL becomes NULL */
void writer_put_number(struct writer_row *row, uint64_t number);
void writer_put_real(struct writer_row *row, double number);
void writer_put_null(struct writer_row *row);
/* Binds three columns: the number, NULL if unknown; its share; its quality. */
void writer_put_value(struct writer_row *row, struct value v);
/* Runs and finalizes the statement. */
int writer_end_row(struct record_writer *w, struct writer_row *row, struct err *err);

#endif
