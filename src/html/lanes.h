/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lanes - the numbers of a recording over time, in bounded memory: a lane for each program, task,
 * user and container. Pure.
 *
 *   lanes_init();
 *   for each refresh: lanes_begin(), lanes_add(LANE_TASK, frame of processes),
 *     lanes_add(LANE_PROGRAM, frame of programs), lanes_add_words() for each judged row;
 *   lanes_end(); lanes_done()
 *
 * Buckets. Time is divided into at most LANES_BUCKETS_MAX buckets. A bucket has one or more whole
 * intervals; if there are too many buckets, each two neighbours become one. A lane has a cell for
 * each bucket in which it ran: its CPU time, and for each column the mean, the smallest and the
 * largest number of the intervals in the bucket, so no peak is lost. The mean of a ratio is
 * weighted with the CPU time, that of other numbers with the time in which they were known.
 *
 * Moments. Where an interval is a step of several samples, lanes_widen_machine() and
 * lanes_widen_task() or lanes_widen_range() add the moments in it, so that peaks of the machine and
 * of %CPU are not lost. Other numbers are those of whole intervals.
 *
 * Cells. If all cells together need too much memory, the cells of the half of the lanes with the
 * least CPU time are freed, and these lanes (`cut`) keep only their sums.
 *
 * Times are of the wall clock. If it is set back, later intervals are moved after the last one.
 */
#ifndef HTML_LANES_H
#define HTML_LANES_H

#include "view/frame.h"

#define LANES_BUCKETS_MAX 960

enum lane_kind { LANE_PROGRAM, LANE_TASK, LANE_USER, LANE_CONTAINER, N_LANE_KINDS };

/* Numbers of the machine in a bucket. */
enum lane_machine {
	LANE_BUSY,    /* CPUs that were busy */
	LANE_RUNNING, /* threads that ran or waited for a CPU */
	LANE_LOAD,    /* load average of one minute */
	LANE_MEMORY,  /* memory that tasks could get, in bytes */
	N_LANE_MACHINE
};

/* weight 0: unknown */
struct lane_number {
	float mean, weight, min, max;
};

struct lane_bucket {
	uint64_t begin_ns, end_ns;
	double measured_s; /* sum of its intervals */
	double cpu_s;      /* of all tasks that were recorded */
	uint32_t n;        /* its intervals */
	struct lane_number machine[N_LANE_MACHINE];
};

struct lane_cell {
	uint32_t bucket;
	float cpu_s;
};

/* The CPU time of a verdict in a bucket. */
struct lane_word {
	uint32_t bucket;
	uint32_t word; /* index of the word in the story */
	float cpu_s, maybe_s;
};

/* The interval in which a verdict had most CPU time. */
struct lane_example {
	double cpu_ns;
	uint64_t at_ns;
	char *text; /* its sentence and numbers; owned; NULL: none */
};

struct lane {
	enum lane_kind kind;
	const char *name;
	uint64_t id, start_ns; /* of a task */
	/* Of a task; NULL: unknown. */
	const char *user, *container, *arguments;
	uint64_t first_ns, last_ns; /* of its intervals */
	double cpu_s;
	bool partial; /* its CPU time was unknown or partial in some interval */
	bool ended, cut;
	bool in_moment;   /* a program that has a task in the current moment */
	float moment_cpu; /* the CPU usage of these tasks, 1: one CPU */
	struct lane_cell *cell;
	struct lane_number *number; /* [n][n_columns]; only of programs and tasks */
	size_t n, cap;
	struct lane_word *by_word;
	size_t n_by_word, cap_by_word;
	struct lane_example *example; /* [n_words], of a program */
	/* [n_columns] of each column the last reason why a number was unknown, and the worst
	 * quality of a known number (enum quality). */
	uint8_t *why, *quality;
};

struct lanes {
	const struct screen *screen; /* borrowed */
	size_t *column;              /* [n_columns] its columns with numbers */
	size_t n_columns, n_words;
	size_t cpu; /* index in column[] of %CPU; n_columns: none */
	struct lane **v;
	size_t n, cap;
	struct hash index; /* lanes by kind and name or id */
	struct lane_bucket *bucket;
	size_t n_buckets, cap_buckets;
	uint32_t per; /* the most intervals of a bucket */
	uint64_t set_back_ns;
	double interval_s;    /* of the current interval */
	struct lane **moment; /* [n_moment] programs with tasks in the current moment */
	size_t n_moment, cap_moment;
	size_t n_cells, cells_max; /* room for cells of programs and tasks */
	struct hash texts;         /* the texts of all lanes, in the arena, each once */
	struct arena arena;
	bool container_known; /* the container of some task was recorded */
};

/* n_words: number of words of verdicts. cells_max: the most cells; 0: the default. */
void lanes_init(struct lanes *l, const struct screen *screen, size_t n_words, size_t cells_max);
void lanes_done(struct lanes *l);
/* Begins the interval of a frame. Returns false if the frame has no interval. */
bool lanes_begin(struct lanes *l, const struct frame *frame);
/* Adds the rows of a frame, which are programs or processes. The frame of processes must come
 * first. */
void lanes_add(struct lanes *l, enum lane_kind kind, const struct frame *frame);
/* Adds CPU time with this verdict to the task and to its program. Returns the example to be
 * filled, if this is the interval with the most CPU time for the verdict in the program; else
 * NULL. */
struct lane_example *lanes_add_words(struct lanes *l, const struct task *task, size_t word,
				     double cpu_ns, bool maybe);
/* Extend the ranges of the current bucket to the numbers at a moment in it: lanes_widen_machine()
 * those of the machine, lanes_widen_task() %CPU of a task that has a lane (cpu 1: one CPU). After
 * the tasks of a moment, lanes_end_moment() does so for %CPU of their programs. */
void lanes_widen_machine(struct lanes *l, const struct host *host, const struct use_delta *use);
void lanes_widen_task(struct lanes *l, const struct task *task, float cpu);
void lanes_end_moment(struct lanes *l);
/* Extends the range of %CPU of a task, or of a program by its name (task NULL), to the range of all
 * moments of an interval. least, most: 1 is one CPU. */
void lanes_widen_range(struct lanes *l, const struct task *task, const char *program, double least,
		       double most);
/* Sorts the lanes by kind, then by CPU time, the most first. */
void lanes_end(struct lanes *l);

#endif
