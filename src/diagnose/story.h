/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story - summarizes a span of time: what ran, why it was no faster, what ended, and what was not
 * measured. Pure.
 *
 *   story_init(); story_interval(), then story_row() for each of its rows; story_end();
 *   story_page_make() or story_add_json(); story_done()
 *
 * Rows may come moment by moment, as from a recording, or task by task, as from a history.
 *
 * Programs. Tasks of the same name are one program. A task that changes its name by execve(2)
 * belongs to the program of the new name from then on.
 *
 * Verdicts. The CPU time of a task in an interval is attributed to its first verdict. Intervals
 * with less CPU time than STORY_JUDGED_NS are not judged: their numbers are too uncertain.
 *
 * Time. The CPU time in which a metric was unknown is summed for each reason, and reported.
 */
#ifndef DIAGNOSE_STORY_H
#define DIAGNOSE_STORY_H

#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "diagnose/judge.h"
#include "model/delta.h"
#include "model/detail.h"

/* story_page.c has this number in a sentence. */
#define STORY_JUDGED_NS 10000000u

/* The time attributed to verdicts that have the same word, such as "branches". */
struct story_time_of {
	double cpu_ns;
	double maybe_ns; /* the part of cpu_ns with the certainty SURE_MAYBE */
};

struct story_program {
	const char *name;
	size_t n_tasks, n_ended;
	double cpu_ns;
	/* Its IPC: the mean over ipc_ns, the CPU time in which the IPC was known. */
	double ipc, ipc_ns;
	struct story_time_of *by_word; /* [n_words] its time by word of the verdict */
	uint64_t busiest;              /* the id of the task with the most CPU time */
	double busiest_ns;
};

/* The times in which a metric was unknown. */
struct story_unknown {
	double cpu_ns[N_QUALITIES]; /* by reason */
};

/* Numbers whose level can change. */
enum story_level { STORY_IPC, STORY_CPU, N_STORY_LEVELS };

/* The time of an event. The wall clock may be set back, so only `moment` gives the order. */
struct story_time {
	uint32_t moment;  /* number of the moment in the history; 0: unknown */
	uint64_t wall_ns; /* for display; 0: unknown */
};

/* A change of the level of a number of a task. */
struct story_change {
	struct story_time at;
	uint64_t id;
	const char *name;
	double before, after; /* the means before and after the change */
	double likelier;      /* log10 of how much likelier a change is than no change */
	enum story_level of;
};

/* How a task ended. */
struct story_exit {
	struct story_time at;
	uint64_t id;
	const char *name;
	int signal; /* the signal that ended the task; 0: none */
	int status; /* exit status, if signal is 0 */
};

/* A sentence about a moment. */
struct story_note {
	struct story_time at;
	const char *of; /* the program that it is about */
	const char *text;
	const char *id; /* names the kind of sentence in JSON; not owned */
};

struct story {
	const struct rules *rules; /* borrowed */
	/* Why there were no hardware counters (borrowed); NULL, unless the caller sets it: there
	 * were, or it is unknown. */
	const char *no_counters;
	/* The span by the wall clock, and its end by CLOCK_MONOTONIC. */
	uint64_t from_ns, to_ns, end_ns;
	size_t n_intervals;
	double interval_ns; /* sum over all intervals */
	double last_ns;     /* the length of the last interval */
	long step_s;        /* samples are joined to intervals of at most this; 0: they are not */
	/* How often counting restarted or was not recorded, and the time without counts. */
	size_t n_gaps;
	double gap_ns;
	/* How often the wall clock went ahead or back within an interval, and the sum. */
	size_t n_jumps;
	double jump_ns;
	int n_cpus;        /* at the end; 0: unknown */
	size_t n_left_out; /* processes without a row; the maximum over the intervals */
	float least_share; /* the least share of an interval for which an event was on its PMU */
	/* Sums over all tasks. */
	size_t n_tasks, n_born, n_ended;
	double cpu_ns, judged_ns;
	bool cpu_partial; /* the CPU time of some interval was unknown or partial */
	/* Time for which tasks were ready to run, but not on a CPU. wait_partial: it was unknown or
	 * partial in some interval. */
	double wait_ns;
	bool wait_known, wait_partial;
	struct story_program **program; /* sorted by story_end(): most CPU time first */
	size_t n_programs, cap_programs;
	/* The words of verdicts, each once; the last one, NULL, is for "no verdict". */
	const char **word;
	size_t n_words;
	struct story_time_of *by_word; /* [n_words] sums over all tasks */
	size_t *word_of;               /* index of the word of each rule */
	struct story_unknown *unknown; /* by metric */
	size_t ipc;                    /* index of the metric "ipc" */
	struct story_change *change;
	size_t n_changes, cap_changes;
	struct story_exit *bad; /* ended by a signal or with a status other than 0; story_end()
				   sorts them by time */
	size_t n_bad, cap_bad;
	size_t n_exits;   /* tasks whose end is known */
	bool kills_known; /* false: the number of processes killed for lack of memory is unknown */
	uint64_t kills;
	struct story_note *note;
	size_t n_notes, cap_notes;
	/* Why the cause of drops of IPC, such as another task, could not be searched; NULL: it was
	 * searched. */
	const char *no_culprit;
	/* The programs by name, the tasks by id. */
	struct hash programs, tasks;
	struct arena arena;
};

/* An interval. */
struct story_interval {
	uint64_t wall_ns;     /* its end, by the wall clock */
	uint64_t mono_ns;     /* its end, on CLOCK_MONOTONIC; may fall at a reboot */
	uint64_t interval_ns; /* its length; 0: no interval, as counting restarted */
	size_t n_left_out;
	int n_cpus;
};

struct story_row {
	const struct delta_row *row;
	bool thread; /* the row is a thread */
	bool born;   /* the task began in the span */
	/* Its metrics and verdicts, if it was judged; else NULL. */
	const struct value *cell;
	const struct verdict *found;
	size_t n_found;
};

/* Returns the first verdict of a row that has one, as a sentence with its numbers in brackets; to
 * be freed by the caller. */
char *story_first_verdict(const struct story *s, const struct story_row *row);

void story_init(struct story *s, const struct rules *rules);
void story_done(struct story *s);
/* Adds an interval. To be called in the order of time. */
void story_interval(struct story *s, const struct story_interval *interval);
/* Returns whether the row has enough CPU time to be judged. */
bool story_wants_verdict(const struct delta_row *row);
void story_row(struct story *s, const struct story_row *row);
/* Adds a change of level found elsewhere; copies it. */
void story_change(struct story *s, const struct story_change *change);
/* Adds the end of a task, whether the task has rows or not. */
void story_exit(struct story *s, const struct story_exit *how);
/* Sets how many processes the kernel killed for lack of memory. */
void story_kills(struct story *s, uint64_t n);
/* Adds a sentence about a moment; copies the texts, but not the id. */
void story_note(struct story *s, const struct story_note *note);
/* Ends the story: sorts all lists, and drops changes and notes of programs without rows. */
void story_end(struct story *s);

/* ---- remarks ---- */

/* Calls say with each sentence about what is unknown of the span. id: the name of the sentence in
 * JSON (doc/what.md), which stays when the sentence is reworded. */
void story_each_remark(const struct story *s,
		       void (*say)(void *context, const char *id, const char *text), void *context);

/* ---- JSON ---- */

/* What pages and JSON say beside the story. */
struct story_about {
	const char *recording;                /* NULL: the running machine */
	const struct sample_machine *machine; /* NULL: unknown */
	char *const *command;        /* the command that was followed; NULL: none, or unknown */
	const struct ending *ending; /* how the command ended; NULL: unknown */
	uint64_t ran_ns;             /* how long the command ran, if ending is known */
	size_t rows;                 /* the maximal number of programs, and of verdicts */
};

/* Appends the whole story as one JSON object. */
void story_add_json(struct strbuf *out, const struct story *s, const struct story_about *about);

#endif
