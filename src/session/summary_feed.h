/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary_feed - the summary of the followed command: the counts of the command with its
 * descendants, in the columns of the first screen, whatever screen is shown at the end.
 *
 *   summary_feed_begin()   before the command is released
 *   summary_feed_wait()    while it runs
 *   summary_feed_end()     after it was reaped: passes the summary to the outputs that print it
 *   summary_feed_done()
 *
 * For a recording: summary_feed_begin_replay(), summary_feed_replay() after each refresh,
 * summary_feed_end_replay(); they do nothing otherwise.
 *
 * After the live screen, the text goes to standard output once the terminal is restored.
 */
#ifndef SESSION_SUMMARY_FEED_H
#define SESSION_SUMMARY_FEED_H

#include <sys/resource.h>

#include "collect/command/command_total.h"
#include "output/output_list.h"
#include "run/lifecycle.h"
#include "run/pace.h"
#include "run/wait.h"
#include "session/setup.h"

struct summary_feed {
	struct filter_family family; /* the command's descendants */
	struct command_total *whole; /* NULL: no command, or not released yet */
	struct exits_sys exits;      /* the source of exit statuses */
	struct rusage before;
	struct view view;
	struct screen_numbers numbers;
	struct binding binding;
	struct sample begin, end;
	struct delta first, last;
	struct frame frame;
	uint64_t start_ns; /* when the command was released */
	struct pace after; /* --start-after: when counting begins */
	struct pace news;  /* when reports of ends are taken next */
	bool busy;         /* until then, reports come too often to wait for each */
	uint64_t news_ns;  /* when reports were taken last */
	bool exact;        /* --exact: tasks of the command wait until their reports are taken */
	bool hung;         /* its descriptors failed: the remaining reports are taken at the end */
	struct err left_out;   /* events or tasks that the summary lacks; code 0: none */
	struct strbuf text;    /* the summary; empty: the command has not ended */
	uint64_t passed_on_ns; /* replay: end of the command whose summary was passed on; 0: none */
	int status;            /* exit status of that command; below 0: unknown */
};

/* Returns a view of the summary row, which ignores filters and groups of the view of tasks. */
struct view summary_view(const struct view *of);
/* Returns the kernel's task name for a program's path. */
const char *summary_task_name(const char *path);

void summary_feed_init(struct summary_feed *s);
/* Begins to count. Returns 0, or -errno with a sentence: the command cannot be followed as
 * requested.
 */
int summary_feed_begin(struct summary_feed *s, struct setup *setup, const struct lifecycle *life,
		       struct err *err);
/* Adds the descriptors to wait for while the command runs: the kernel's reports of exited tasks. */
void summary_feed_wait(struct summary_feed *s, struct wait *wait);
/* Handles SIGCHLD. */
void summary_feed_on_child(struct summary_feed *s);
/* Takes the command's exit status, before it is reaped and before its last rows. */
void summary_feed_end_command(struct summary_feed *s, const struct lifecycle *life);
/* Excludes from the summary what the command did so far. */
void summary_feed_mark(struct summary_feed *s);
/* Passes the summary to the outputs. Returns 0, or -errno of an output whose failure ends the loop.
 */
int summary_feed_end(struct summary_feed *s, const struct setup *setup,
		     const struct lifecycle *life, struct outputs *outputs, struct err *err);
/* Prepares for a recording, before its first refresh. */
void summary_feed_begin_replay(struct summary_feed *s, struct setup *setup);
/* Passes the recorded summary to the outputs after the last refresh of a run; to be called after
 * each. */
int summary_feed_replay(struct summary_feed *s, const struct setup *setup, struct outputs *outputs,
			struct err *err);
/* Reports, at the end of the recording, why there is no summary. */
void summary_feed_end_replay(const struct summary_feed *s, struct setup *setup);
void summary_feed_done(struct summary_feed *s);

#endif
