/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repeat - tiptop --repeat N -- command: in place of the loop, one run after the other, and at the
 * end the summary of all.
 */
#ifndef CMD_REPEAT_H
#define CMD_REPEAT_H

#include "base/progress.h"
#include "collect/command/command_total.h"
#include "collect/command/run_sum.h"
#include "compare/runs.h"
#include "output/summary.h"
#include "run/lifecycle.h"
#include "run/pace.h"
#include "run/signals.h"
#include "session/setup.h"

/* ---- repeating ----
 *
 * One command that runs again and again: what each run has done with all that it made,
 * and all of them together.
 *
 *   repetition_init(&r, setup, signals, &how);
 *   repetition_run(&r, &err);                 how.warmups times, and how.wanted times
 *   repetition_summarize(&r, &summary);       of the runs that counted
 *   repetition_done(&r);
 *
 * The first runs are to warm up: nothing of them is kept. There are no rows of tasks; the whole has
 * all counters (collect/command/command_total.h).
 *
 * Ownership: setup, signals and what `how` points to are borrowed. A setup has its screen
 * (setup_choose()); signals have been taken.
 */

struct repeat_config {
	char **command;
	char **prepare; /* runs before each of them, and is not counted; NULL: nothing does */
	enum spawn_files files;
	long wanted, warmups;
	double start_after_s;      /* each run counts only from then on; 0: from its start */
	bool ignore_failure;       /* else a run that fails is the last one */
	struct progress *progress; /* gets a unit for each run, of this track */
	int track;
};

struct repetition {
	struct setup *setup;
	struct signals *signals;
	const struct repeat_config *how;
	long begun;          /* runs, those to warm up among them */
	int signal;          /* that has ended tiptop; 0: none */
	int status;          /* of a command that could not be run; 0: it could */
	struct err left_out; /* what cannot be counted; code 0: nothing to say */
	struct runs runs;
	/* Its own state: */
	struct view view;
	struct screen_numbers numbers;
	struct binding binding;
	struct command_total *whole;
	struct rusage used;
	struct pace after;          /* when the count of a run begins */
	bool marked;                /* it has begun after the start of the run */
	uint64_t start_ns;          /* of the run, CLOCK_MONOTONIC */
	struct lifecycle life;      /* of the process that was started last */
	bool kept;                  /* the last run counted */
	struct sample *begin, *end; /* of the last run; NULL: there was none */
	struct delta first, last;
	struct frame frame;
	struct run_sum sum;
};

void repetition_init(struct repetition *r, struct setup *setup, struct signals *signals,
		     const struct repeat_config *how);
void repetition_done(struct repetition *r);
/* Whether there is another run to do. */
bool repetition_has_next(const struct repetition *r);
/* Runs of both kinds, as far as the command does not fail. */
long repetition_total(const struct repeat_config *how);
/* Does the next run. -errno with a sentence where it cannot be done at all; that it failed, or a
 * signal ended it, is no error of this function. */
int repetition_run(struct repetition *r, struct err *err);
/* The sentence why there are not as many runs as were wanted, and the status to end with. */
int repetition_explain(const struct repetition *r, struct err *why);

/* ---- repeat ---- */

/* Whether the options of a setup go together with --repeat, or are those of it alone. -EINVAL with
 * a sentence: they do not. */
int repeat_check(const struct options *o, struct err *err);
/* Runs the command. The setup has its configuration. Returns the exit status. */
int repeat_command(struct setup *setup, struct signals *signals);

#endif
