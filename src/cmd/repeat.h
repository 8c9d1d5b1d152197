/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repeat - implements tiptop --repeat N -- command, without the loop of the monitor: runs the
 * command several times and prints a summary of all runs.
 */
#ifndef CMD_REPEAT_H
#define CMD_REPEAT_H

#include "base/progress.h"
#include "collect/command/command_total.h"
#include "compare/runs.h"
#include "output/summary.h"
#include "run/lifecycle.h"
#include "run/wait.h"
#include "session/setup.h"

/* ---- repeating ----
 *
 * Repeated runs of one command: the counts of each run, descendants included, and of all runs
 * together.
 *
 *   repetition_init(&r, setup, signals, &how);
 *   repetition_run(&r, &err);                 how.warmups times, and how.wanted times
 *   repetition_summarize(&r, &summary);       of the runs that counted
 *   repetition_done(&r);
 *
 * The results of the warm-up runs, which come first, are dropped. There are no rows of tasks; the
 * command total has all counters (collect/command/command_total.h).
 *
 * Ownership: setup, signals and the objects that `how` points to are borrowed. The setup must have
 * its screen (setup_choose()), and signals must be blocked (signals_block()).
 */

struct repeat_config {
	char **command;
	char **prepare; /* command to run before each run, without counting it; NULL: none */
	enum spawn_files files;
	long wanted, warmups;
	double start_after_s;      /* seconds from the start of each run to the start of counting */
	bool ignore_failure;       /* continue after a failed run */
	struct progress *progress; /* shows each run as a unit of `track` */
	int track;
};

struct repetition {
	struct setup *setup;
	struct signals *signals;
	const struct repeat_config *how;
	struct outputs *outputs; /* begun when the first run executes the command; NULL: none */
	long begun;              /* runs begun, warm-up runs included */
	int signal;              /* the signal that ended tiptop; 0: none */
	int status;              /* the exit status if the command could not be run; else 0 */
	struct err left_out;     /* which events cannot be counted; code 0: all can */
	struct runs runs;
	/* Private to repeat.c: */
	struct view view;
	struct screen_numbers numbers;
	struct binding binding;
	struct command_total *whole;
	struct rusage used;
	struct pace after;          /* timer for the start of counting in a run */
	bool marked;                /* counting began after the start of the run */
	uint64_t start_ns;          /* start of the current run, CLOCK_MONOTONIC */
	struct lifecycle life;      /* of the process that was started last */
	const char *started;        /* the name of its program; borrowed; NULL: none was started */
	bool kept;                  /* the last run is among the results */
	struct sample *begin, *end; /* start and end of the last run; NULL: no run yet */
	struct delta first, last;
	struct frame frame;
	struct run_sum sum;
};

void repetition_init(struct repetition *r, struct setup *setup, struct signals *signals,
		     const struct repeat_config *how);
void repetition_done(struct repetition *r);
/* Returns whether there is another run to do. */
bool repetition_has_next(const struct repetition *r);
/* Returns the number of runs, warm-up runs included, if none fails. */
long repetition_total(const struct repeat_config *how);
/* Does the next run. -errno with a sentence: the command cannot be run at all. A run that fails, or
 * is ended by a signal, is not an error of this function. */
int repetition_run(struct repetition *r, struct err *err);
/* Sets why to the reason for which there are fewer runs than wanted. Returns the exit status; 0: no
 * reason. */
int repetition_explain(const struct repetition *r, struct err *why);

/* ---- repeat ---- */

/* With --repeat, checks that the other options can be combined with it; without --repeat, that no
 * option needs it. -EINVAL with a sentence: the options are refused. */
int repeat_check(const struct options *o, struct err *err);
/* Runs the command. The setup must have its configuration. Returns the exit status. */
int repeat_command(struct setup *setup, struct signals *signals);

#endif
