/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary_feed - counts a followed command together with its descendants, and passes the summary of
 * these counts to the outputs at the end. The summary has the columns of the first screen,
 * whichever screen is shown at the end.
 *
 *   summary_feed_begin()   before the command is released
 *   summary_feed_wait()    while it runs
 *   summary_feed_end()     after it was reaped: passes the summary to the outputs that print it
 *   summary_feed_done()
 *
 * For a recording: summary_feed_begin_replay(), summary_feed_replay() after each refresh,
 * summary_feed_end_replay(). Without a recording, these three do nothing.
 *
 * If the live screen was shown, the text goes to standard output once the terminal is restored.
 */
#ifndef SESSION_SUMMARY_FEED_H
#define SESSION_SUMMARY_FEED_H

#include <sys/resource.h>

#include "collect/command/command_total.h"
#include "output/output.h"
#include "run/lifecycle.h"
#include "run/wait.h"
#include "session/setup.h"

struct summary_feed {
	struct filter_family family; /* the command's descendants */
	struct command_total *whole; /* NULL: no command, or not released yet */
	struct exits_sys exits;      /* the source of exit statuses */
	struct rusage before;        /* RUSAGE_CHILDREN before the command was released */
	struct view view;
	struct screen_numbers numbers;
	struct binding binding;
	struct sample begin, end;
	struct delta first, last;
	struct frame frame;
	uint64_t start_ns; /* CLOCK_MONOTONIC when counting was set up */
	struct pace after; /* timer for --start-after: begin of the summary */
	struct pace news;  /* timer for the next reading of exit reports, if busy */
	bool busy;         /* exit reports are frequent: wait for `news`, not for each report */
	uint64_t news_ns;  /* CLOCK_MONOTONIC when exit reports were last read */
	/* --exact: exiting tasks of the command wait until tiptop has read their exit reports. */
	bool exact;
	/* The descriptors of `whole` report POLLHUP or POLLERR: remaining exit reports are read at
	 * the end. */
	bool hung;
	struct err left_out; /* events or tasks that the summary lacks; code 0: none */
	struct strbuf text;  /* the summary; empty: the command has not ended */
	/* In a replay, the wall time at which the command ended whose summary was passed on last;
	 * 0: none. */
	uint64_t passed_on_ns;
	int status; /* in a replay, the exit status of this command; below 0: unknown */
};

/* Returns a view for the summary row: like the view of the tasks, but without filters and
 * groups. */
struct view summary_view(const struct view *of);
/* Returns the file name in a program's path, which the kernel makes the name of the task. */
const char *summary_task_name(const char *path);

void summary_feed_init(struct summary_feed *s);
/* Begins to count. Returns 0, or -errno with a sentence: the command cannot be followed as
 * requested.
 */
int summary_feed_begin(struct summary_feed *s, struct setup *setup, const struct lifecycle *life,
		       struct err *err);
/* Adds the descriptors to wait for while the command runs: the kernel's reports of exited tasks. */
void summary_feed_wait(struct summary_feed *s, struct wait *wait);
/* Call it after SIGCHLD: reads the exit reports of a command of --exact. */
void summary_feed_on_child(struct summary_feed *s);
/* Passes the command's exit status on to the total. Call it before the command is reaped, and
 * before its last rows are read. */
void summary_feed_end_command(struct summary_feed *s, const struct lifecycle *life);
/* Excludes from the summary what the command did so far. */
void summary_feed_mark(struct summary_feed *s);
/* Passes the summary to the outputs. Returns 0, or -errno of an output whose failure ends the loop.
 */
int summary_feed_end(struct summary_feed *s, const struct configuration *config,
		     const struct lifecycle *life, struct outputs *outputs, struct err *err);
/* Prepares for a recording, before its first refresh. */
void summary_feed_begin_replay(struct summary_feed *s, struct setup *setup);
/* Call it after each refresh of a replay: if this was the last refresh of a run, passes the
 * recorded summary to the outputs. */
int summary_feed_replay(struct summary_feed *s, const struct backend *backend,
			struct outputs *outputs, struct err *err);
/* Reports, at the end of the recording, why there is no summary. */
void summary_feed_end_replay(const struct summary_feed *s, struct configuration *config,
			     struct backend *backend);
void summary_feed_done(struct summary_feed *s);

#endif
