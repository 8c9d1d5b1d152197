/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader_state - part of reader: the state of a reader, and what its files offer each other.
 */
#ifndef RECORD_READER_STATE_H
#define RECORD_READER_STATE_H

#include "base/lookup.h"
#include "record/db.h"
#include "record/minute.h"
#include "record/reader.h"
#include "record/schema.h"
#include "record/timeline.h"

/* ---- waits for a CPU that end later: reader_waits.c ---- */

#define LATE_UNKNOWN (-1)

struct late_reading {
	int64_t id, previous; /* previous: id of the task's reading before this one; 0: none */
	int64_t task, sample; /* ids of the task and of the sample */
	bool first;           /* no interval ends with this reading */
	int64_t before_ns;    /* begin of the interval that ends with this reading, in the previous
				 sample */
	int64_t at_ns;        /* moment of the reading, the end of that interval */
	int64_t waited_ns;    /* total wait; or LATE_UNKNOWN */
	int64_t ran_ns;       /* total CPU time; LATE_UNKNOWN: it does not limit the wait */
	int64_t longest_ns;   /* longest possible wait in that interval; set by late_waits_add() */
};

/* A range of samples in which the task waited all the time, up to the moment end_ns. */
struct late_stretch {
	int64_t task, first_sample, last_sample;
	int64_t end_ns, waited_ns; /* waited_ns: the task's total at end_ns */
};

struct late_waits {
	/* [n], indexed by id - first, where `first` is the id of reading[0]. An element with id 0
	 * was not added. */
	struct late_reading *reading;
	size_t n, cap;
	int64_t first;
	struct late_stretch *stretch;
	size_t n_stretches, cap_stretches;
};

/* ---- the reader ---- */

struct reader_layout {
	struct record_layout layout;
	sqlite3_stmt *range; /* selects the readings from an id on */
	sqlite3_stmt *scan;  /* selects few columns for a step; NULL: not prepared */
	sqlite3_stmt *waits; /* selects only the columns that reader_waits.c needs; NULL: the layout
				has no waits */
};

struct reader_set {
	int64_t id;
	struct sample_events *events; /* NULL: damaged */
};

struct reader_screen {
	char *name, *xml;
};

/* A task of the current sample, with its current reading. */
struct living {
	int64_t reading, row; /* ids in the tables reading_N and task */
	struct task *task;
	/* The moments of its counts and facts, for the current sample. */
	struct task_time time;
	/* The intervals that end with its reading; 0: none. */
	int64_t counts_ns, facts_ns;
	bool fresh;     /* its reading ends no interval: it is the first one, or from a keyframe */
	bool leaves;    /* it left the samples within the step, and is not in the next one */
	int64_t begins; /* in a step: the id of the sample of its first reading in it */
};

struct living_list {
	struct living *v;
	size_t n, cap;
};

/* A row of the table sample. */
struct reader_head {
	int64_t id, run, first_reading;
	struct sample head; /* without tasks and CPUs */
};

/* The look-ahead for waits for a CPU that end after the current sample. */
struct reader_ahead {
	struct late_waits waits;
	int64_t sample; /* id of the last sample looked at; 0: none */
	int64_t at_ns;  /* time of that sample, CLOCK_MONOTONIC */
	bool stopped;   /* sample `sample` cannot be compared with the next one */
};

/* A reading in a step. entry: index of the task among those of the step; row: id of its description
 * in this reading; sample: index of the sample; known: cpu_ns is the total CPU time; ns: the
 * interval, 0: unknown. reading: 0, unless the element is no moment, but has the id of the last
 * reading of the task in the list of a minute; its CPU time is read if a moment of the task
 * follows. layout: the index of the layout of that reading. */
struct found_moment {
	size_t entry, layout;
	int64_t row, reading;
	uint32_t sample;
	bool known;
	uint64_t cpu_ns;
	int64_t ns;
};

/* The moments of the step that was read last (struct record_moments). */
struct reader_moments {
	bool keep;              /* moments or ranges are computed */
	bool ranges;            /* ranges, no single moments */
	struct sample **sample; /* [n_samples] */
	size_t n_samples, cap_samples;
	int64_t first; /* the id of sample[0] */
	struct found_moment *found;
	size_t n_found, cap_found;
	struct record_moment *v; /* [n], with references to the tasks */
	size_t n, cap;
	struct minute_range *listed; /* [n_listed] by entry: of lists of minutes */
	size_t n_listed, cap_listed;
	struct reader_program *program; /* [n_programs] */
	size_t n_programs, cap_programs;
	struct hash programs, rows; /* indexes in program[] plus 1 as pointers, by hash of the
				       name and by id of a description */
	struct record_range *range; /* [n_ranges], with references to the tasks */
	size_t n_ranges, cap_ranges;
	struct arena names;
	struct record_moments out;
};

/* A program in a step. used: its tasks used CPU time in the current sample. sum: the sum of their
 * usages in it, in millionths of a CPU. */
struct reader_program {
	const char *name;
	uint64_t sum;
	bool used;
	struct minute_range cpu;
};

struct record_reader {
	struct record_db db;
	sqlite3_stmt *sample, *task, *gone, *keyframe, *layouts;
	sqlite3_stmt *cpu_use; /* NULL: the file has version 1 */
	sqlite3_stmt *end;     /* NULL: the file has a version before 4 */
	sqlite3_stmt *minute;  /* NULL: the file has a version before 8 */
	sqlite3_stmt *process; /* selects the name of the process of a description */
	bool distrusts;        /* a list of a minute contradicted the readings: none is used */
	uint64_t n_lists;      /* lists of minutes that were used */
	struct minute_list list;
	struct reader_layout *layout;
	size_t n_layouts, cap_layouts;
	int64_t last_layout; /* the largest layout id read so far */
	struct reader_set *set;
	size_t n_sets, cap_sets;
	struct sample_events *events;   /* the union of all sets */
	struct sample_machine *machine; /* of the current run */
	int64_t machine_run;            /* the run of `machine` */
	/* The sample read last; id 0: none. */
	struct reader_head now;
	bool ready; /* the tasks of `now` are loaded, but the sample was not returned yet */
	struct timeline timeline;
	/* XORed into generations: a bit that is inverted at each hole (missing samples), so that
	 * samples are not compared across holes. */
	uint64_t hole;
	struct living_list living;
	struct living_list read;   /* readings of one sample */
	struct living_list merged; /* scratch of reader_merge() */
	struct reader_ahead ahead;
	/* record_reader_set_step(); step_ns 0: each sample. in_steps: a sample was read since. */
	uint64_t step_ns;
	int64_t until_ns;
	bool in_steps;
	int64_t samples_max; /* of the next step, see reader_advance_step() */
	struct reader_moments moments;
	struct hash described; /* the living tasks, by their id in the table task */
	struct reader_screen *screen;
	size_t n_screens, cap_screens;
	struct reader_follow *follow; /* NULL: no rows of follow.h were read yet */
	struct arena ending;          /* texts of the last ending returned */
	char fault[ERR_TEXT_MAX];
};

/* Statements that read the ending of a run, if no later sample belongs to that run;
 * reader_sql_ending_4 is for files of version 4. */
extern const char reader_sql_ending[], reader_sql_ending_4[];

/* Records a fault of the file; only the first one is kept. */
void reader_complain(struct record_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* record_db_step() for the reader's database. */
int reader_step(struct record_reader *r, sqlite3_stmt *stmt, struct err *err);
/* Turns -EBADMSG into a fault of the recording and returns 0, so that the undamaged rest is used;
 * returns other errors with *why in *err. */
int reader_pass_over(struct record_reader *r, int ret, const struct err *why, struct err *err);
/* Reads the layouts that were added to the file since the last call, and their sets of events. */
int reader_load_layouts(struct record_reader *r, struct err *err);
/* Adds the reading in the current row of stmt to the list, unless its task or events are
 * unknown. */
int reader_add(struct record_reader *r, const struct record_layout *l, sqlite3_stmt *stmt,
	       struct living_list *list, struct err *err);
/* Finds a reading by id and adds it to r->read. *hint: index of the layout to search first; set to
 * the layout that has the reading. */
int reader_add_reading(struct record_reader *r, int64_t reading, size_t *hint, struct err *err);
/* Begin and end a transaction: all statements in between see the same state, and the file is locked
 * only once. reader_end() returns ret. */
void reader_begin(struct record_reader *r);
int reader_end(struct record_reader *r, int ret);
/* Reads the head of the first sample with an id above `after`. Returns 1: read; 0: no such sample;
 * or -errno. */
int reader_find_head(struct record_reader *r, int64_t after, struct reader_head *out,
		     struct err *err);
/* Empties the list and drops its references to readings. */
void reader_drop(struct living_list *list);
int reader_load_machine(struct record_reader *r, int64_t run, struct err *err);
/* Sets the use of CPUs and memory from the current row of the statement `sample`. */
void reader_set_use(const struct record_reader *r, struct machine_use *out);
/* Adds the use of each CPU in the sample with this id. */
int reader_add_cpus(struct record_reader *r, int64_t id, struct sample *out, struct err *err);
/* Returns the value in three columns from `column` on: number, share, quality. Invalid ones become
 * QUALITY_NOT_READ. */
struct value reader_value(sqlite3_stmt *stmt, int column);
/* Readings of tasks that left the samples, sorted by id. */
struct reader_gone {
	int64_t *v; /* [n], to be freed */
	size_t n, cap;
};

/* Reads the tasks that left the samples with these ids. */
int reader_read_gone(struct record_reader *r, int64_t first, int64_t last, struct reader_gone *out,
		     struct err *err);
/* Sets the reading of each living task in the list to 0, so that reader_merge() drops it. */
void reader_mark_gone(struct record_reader *r, const struct reader_gone *gone);
/* Merges r->read, which is sorted, into r->living: replaces old readings by new ones of the same
 * task, adds new tasks and drops those that are gone. mono_ns: time between the two samples. */
void reader_merge(struct record_reader *r, int64_t mono_ns);
/* Reads the next step into the living tasks. Returns 1: read; 0: the next sample is to be read by
 * itself; or -errno. */
int reader_advance_step(struct record_reader *r, struct err *err);
void late_waits_done(struct late_waits *w);
/* Drops the moments of the last step. */
void reader_moments_reset(struct reader_moments *m);
void reader_moments_done(struct reader_moments *m);
/* Adds the next sample of a step to the moments, if they are kept. The first one to add is the
 * sample before the step. */
int reader_moments_add_head(struct record_reader *r, const struct reader_head *head,
			    struct err *err);
/* Adds the moment of a reading; those of a task may come in any order. */
void reader_moments_add(struct record_reader *r, const struct found_moment *moment, int64_t sample);
/* Adds ranges from the list of a minute: of an entry of the step with its last reading in the
 * minute, and of a program. layout: the index of that of the reading. */
void reader_moments_add_listed(struct record_reader *r, size_t entry, const struct minute_entry *e,
			       size_t layout);
int reader_moments_add_program(struct record_reader *r, const struct minute_program *program,
			       struct err *err);

/* The tasks of a step. */
struct moment_tasks {
	const size_t *of_entry; /* for each entry, the index of its task; at least n: unknown */
	size_t n_entries;
	struct task **task;         /* [n] the last reading in the step */
	const int64_t *row;         /* [n] the id of its description */
	const struct task **before; /* [n] the last reading before the step; NULL: none */
	size_t n;
};

/* Reads the total CPU time of a reading; false: it is not known. */
bool reader_read_cpu(struct record_reader *r, size_t layout, int64_t reading, uint64_t *cpu_ns);
/* Computes the CPU usage of the moments, or the ranges, and sets m->out; drops those whose usage is
 * unknown. */
int reader_moments_end(struct record_reader *r, const struct moment_tasks *tasks, struct err *err);
/* Prepares at->waits, if the layout has waits. */
int reader_prepare_waits(struct record_reader *r, struct reader_layout *at, struct err *err);
/* Corrects the current sample for waits that end in later samples (reader_waits.c): raises the
 * totals of the tasks that are waiting. */
int reader_place_waits(struct record_reader *r, struct sample *out, struct err *err);
/* Frees f; NULL is allowed. */
void reader_follow_free(struct reader_follow *f);
/* Converts µs to the type of struct task_time; limits values that are too large. */
float reader_us(int64_t us);

#endif
