/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story - what happened in a span of time: what ran, why it was no faster, what ended, and what was
 * not measured. Pure.
 *
 *   story_init(); story_interval() and story_row() for each row of it; story_end(); then
 * story_page.h and json.h tell it; story_done()
 *
 * Rows come in any order of tasks: one moment after the other, as a recording has them, or one task
 * after the other, as a history has.
 *
 * Programs. Tasks of the same name are one program. A task that takes another name, by execve(2),
 * goes on as one of that program.
 *
 * Verdicts. The CPU time of an interval of a task is that of its first verdict. Intervals in which
 * it had less than STORY_JUDGED_NS are not judged: too little can be said of them.
 *
 * Time. What is not known counts for nothing, and is told: the CPU time in which a metric was
 * unknown, for each reason.
 */
#ifndef DIAGNOSE_STORY_H
#define DIAGNOSE_STORY_H

#include "base/hash.h"
#include "base/mem.h"
#include "diagnose/judge.h"
#include "model/delta.h"

/* The page says it in words. */
#define STORY_JUDGED_NS 10000000u

/* What was told of some tasks, in a word. */
struct story_time_of {
	double cpu_ns;
	double maybe_ns; /* of that: told as "maybe" */
};

struct story_program {
	const char *name;
	size_t n_tasks, n_ended;
	double cpu_ns;
	/* Its IPC: the mean over the CPU time in which it was known. */
	double ipc, ipc_ns;
	struct story_time_of *told; /* [n_words] */
	uint64_t busiest;           /* the id of the task with the most CPU time */
	double busiest_ns;
};

/* Of a metric that was not known. */
struct story_unknown {
	double cpu_ns[N_QUALITIES]; /* for each reason */
};

/* What may change its level. */
enum story_level { STORY_IPC, STORY_CPU, N_STORY_LEVELS };

/* When something happened. A wall clock may be set back, so that it gives no order. */
struct story_time {
	uint32_t moment;  /* of the history: later is greater; 0: it is not known when */
	uint64_t wall_ns; /* for people; 0: not known */
};

/* A task of which a number changed its level. */
struct story_change {
	struct story_time at;
	uint64_t id;
	const char *name;
	double before, after; /* the means */
	double likelier;      /* than no change: a logarithm to the base 10 */
	enum story_level of;
};

/* How a task ended, where somebody knows. */
struct story_exit {
	struct story_time at;
	uint64_t id;
	const char *name;
	int signal; /* that ended it; 0: none */
	int status; /* where it ended by itself */
};

/* A sentence of a moment. */
struct story_note {
	struct story_time at;
	const char *of; /* the name of the program that it is about */
	const char *text;
};

struct story {
	const struct rules *rules; /* borrowed */
	/* The span, by the wall clock; and its end by CLOCK_MONOTONIC. */
	uint64_t from_ns, to_ns, end_ns;
	size_t n_intervals;
	double interval_ns; /* all of them together */
	double last_ns;     /* the last one */
	/* Counting began anew so often, and this is how long nothing was counted. */
	size_t n_gaps;
	double gap_ns;
	int n_cpus;        /* at its end; 0: not known */
	size_t n_left_out; /* the most that there were at once */
	float least_share; /* of the time that an event was on its PMU */
	/* What ran. */
	size_t n_tasks, n_born, n_ended;
	double cpu_ns, judged_ns;
	bool cpu_partial; /* of some interval it was not known */
	/* What they waited in the run queue, ready to run; of some interval it may not be known. */
	double wait_ns;
	bool wait_known, wait_partial;
	struct story_program **program; /* the one with the most CPU time first */
	size_t n_programs, cap_programs;
	/* The words of verdicts, each once; the last one, NULL, is for no verdict at all. */
	const char **word;
	size_t n_words;
	struct story_time_of *told;    /* [n_words] of all */
	size_t *word_of;               /* of each rule */
	struct story_unknown *unknown; /* of each metric */
	size_t ipc;                    /* which of them it is */
	struct story_change *change;
	size_t n_changes, cap_changes;
	struct story_exit *bad; /* by a signal, or with a status other than 0 */
	size_t n_bad, cap_bad;
	size_t n_exits;   /* of so many it is known how they ended */
	bool kills_known; /* how many the kernel has killed for want of memory */
	uint64_t kills;
	struct story_note *note;
	size_t n_notes, cap_notes;
	/* What was not known where it was asked who disturbed whom; NULL: all was. */
	const char *no_culprit;
	/* To find them again. */
	struct hash programs, tasks;
	struct arena arena;
};

/* The interval that ends now. */
struct story_interval {
	uint64_t wall_ns;     /* its end */
	uint64_t mono_ns;     /* likewise; of another boot, it may be earlier than the one before */
	uint64_t interval_ns; /* 0: it has none, as counting began anew */
	size_t n_left_out;
	int n_cpus;
};

struct story_row {
	const struct delta_row *row;
	bool thread; /* it is that of a thread */
	bool born;   /* it began in the span */
	/* Where it is judged: the metrics and the verdicts that were found; else NULL. */
	const struct value *cell;
	const struct verdict *found;
	size_t n_found;
};

void story_init(struct story *s, const struct rules *rules);
void story_done(struct story *s);
/* In the order of time. */
void story_interval(struct story *s, const struct story_interval *interval);
/* Whether it is worth to judge the row. */
bool story_wants_verdict(const struct delta_row *row);
void story_row(struct story *s, const struct story_row *row);
/* What somebody else has found: a change, which is copied. */
void story_change(struct story *s, const struct story_change *change);
/* How a task ended, well or badly; it is told whatever rows there are. */
void story_exit(struct story *s, const struct story_exit *how);
/* So many processes of the machine the kernel has killed for want of memory. */
void story_kills(struct story *s, uint64_t n);
/* The same: a sentence; the time of what it tells of. */
void story_note(struct story *s, struct story_time at, const char *of, const char *text);
/* There are no more: puts all in order. What was found of programs that are not in the story, as
 * their rows were left out, is dropped. */
void story_end(struct story *s);

#endif
