/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader_part - what the files of the reader have in common.
 */
#ifndef RECORD_READER_PART_H
#define RECORD_READER_PART_H

#include "base/hash.h"
#include "record/db.h"
#include "record/late_wait.h"
#include "record/reader.h"
#include "record/schema.h"
#include "record/timeline.h"

struct reader_layout {
	struct record_layout layout;
	sqlite3_stmt *range; /* from a number on */
	sqlite3_stmt *waits; /* the same, as far as waits need it; NULL: it has none */
};

struct reader_set {
	int64_t id;
	struct sample_events *events; /* NULL: damaged */
};

struct reader_screen {
	char *name, *xml;
};

/* A task that is there, with its present reading. */
struct living {
	int64_t reading, row; /* its rows in reading_N and in task */
	struct task *task;
	/* As they were given with the last sample. */
	struct task_time time;
	/* Of one that was just read: its interval, where it has one. */
	int64_t counts_ns, facts_ns;
	bool fresh; /* just read, and there was nothing to compare with */
};

struct living_list {
	struct living *v;
	size_t n, cap;
};

/* A row of sample. */
struct reader_head {
	int64_t id, run, first_reading;
	struct sample head; /* no tasks, no CPUs */
};

/* What the samples behind the present one tell of waits for a CPU. */
struct reader_ahead {
	struct late_waits waits;
	int64_t sample; /* the last one that was looked at; 0: none */
	int64_t at_ns;  /* when that was */
	bool stopped;   /* the one behind it cannot be compared with it */
};

struct record_reader {
	struct record_db db;
	sqlite3_stmt *sample, *task, *gone, *keyframe, *layouts;
	sqlite3_stmt *cpu_use; /* NULL: a file of version 1 */
	sqlite3_stmt *end;     /* NULL: a file of a version before 4 */
	struct reader_layout *layout;
	size_t n_layouts, cap_layouts;
	int64_t last_layout; /* the largest number that was asked for */
	struct reader_set *set;
	size_t n_sets, cap_sets;
	struct sample_events *events;   /* of all sets */
	struct sample_machine *machine; /* of the present run */
	int64_t machine_run;            /* which it is */
	/* The sample that was read last; id 0: none. */
	struct reader_head now;
	bool ready; /* what is there at `now` is known, and was not given yet */
	struct timeline timeline;
	/* A bit of generations: another one behind each hole, across which nothing is compared. */
	uint64_t hole;
	struct living_list living;
	struct living_list read; /* readings of one sample */
	struct living_list merged;
	struct reader_ahead ahead;
	struct hash described; /* the living tasks, by the row of their description */
	struct reader_screen *screen;
	size_t n_screens, cap_screens;
	struct reader_follow *follow; /* NULL: nobody has asked for such rows yet */
	struct arena ending;          /* what was given of the last one */
	char fault[ERR_TEXT_MAX];
};

/* Asks for the row of the ending of a run, behind this sample. */
extern const char reader_sql_ending[], reader_sql_ending_4[];

/* Notes what is wrong, the first of all. */
void reader_complain(struct record_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* record_db_step() */
int reader_step(struct record_reader *r, sqlite3_stmt *stmt, struct err *err);
/* Of what is damaged, the rest is used: makes such a failure a fault of the recording, and returns
 * 0.
 */
int reader_pass_over(struct record_reader *r, int ret, const struct err *why, struct err *err);
/* Reads the layouts that have come since, with their sets. */
int reader_load_layouts(struct record_reader *r, struct err *err);
/* Adds the reading in the present row of stmt to the list, unless it is of nothing that is known.
 */
int reader_add(struct record_reader *r, const struct record_layout *l, sqlite3_stmt *stmt,
	       struct living_list *list, struct err *err);
/* Finds a reading by its number, and adds it to those that were read. *hint: where to begin. */
int reader_add_reading(struct record_reader *r, int64_t reading, size_t *hint, struct err *err);
/* All statements between the two see the same state, and the file is locked once for all of them.
 * reader_end() returns ret. */
void reader_begin(struct record_reader *r);
int reader_end(struct record_reader *r, int ret);
/* The head of the first sample behind this one. 1: there is one; 0; or -errno. */
int reader_find_head(struct record_reader *r, int64_t after, struct reader_head *out,
		     struct err *err);
/* Brings the list into the order of samples, with each task once. */
/* Lets its readings go; those of an attempt that failed may be there. */
void reader_drop(struct living_list *list);
int reader_load_machine(struct record_reader *r, int64_t run, struct err *err);
/* Sets what the present row of the statement `sample` says of CPUs and memory. */
void reader_set_use(const struct record_reader *r, struct machine_use *out);
/* Adds the CPUs of the present sample. */
int reader_add_cpus(struct record_reader *r, struct sample *out, struct err *err);
/* The value in three columns: its number, its share, its quality. What makes no sense is what was
 * not read. */
struct value reader_value(sqlite3_stmt *stmt, int column);
/* Prepares what reads the waits of a layout. */
int reader_prepare_waits(struct record_reader *r, struct reader_layout *at, struct err *err);
/* Puts waits for a CPU that end in later samples where they were (late_wait.h): raises the totals
 * of the present sample. */
int reader_place_waits(struct record_reader *r, struct sample *out, struct err *err);
/* NULL is fine. */
void reader_follow_free(struct reader_follow *f);
/* µs as a sample has them. */
float reader_us(int64_t us);

#endif
