/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary_feed - the summary of the command that is followed: what it has done with all that it
 * made, by the columns of the first screen, whatever keys have led to since.
 *
 *   summary_feed_begin()   before the command goes on
 *   summary_feed_wait()    while it runs
 *   summary_feed_end()     once it has been reaped: outputs that tell of it get the summary
 *   summary_feed_done()
 *
 * Of a recording: summary_feed_begin_replay(), summary_feed_replay() behind each refresh,
 * summary_feed_end_replay(), which do nothing elsewhere.
 *
 * Where the live screen was, the text goes to standard output, once the screen has been left.
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
	struct filter_family family; /* what the command has made */
	struct command_total *whole; /* NULL: there is no command, or it has not begun */
	struct exits_sys exits;      /* who tells how children end */
	struct rusage before;
	struct view view;
	struct screen_numbers numbers;
	struct binding binding;
	struct sample begin, end;
	struct delta first, last;
	struct frame frame;
	uint64_t start_ns; /* when the command was let go */
	struct pace after; /* --start-after: when the count begins */
	struct pace news;  /* when news of ends is taken again; */
	bool busy;         /* until then, it comes too often to be waited for */
	uint64_t news_ns;  /* when some was taken last */
	bool exact;        /* the tasks of the command wait until their news are taken (--exact) */
	bool hung; /* its descriptors tell nothing any more: what waits is taken at the end */
	struct err left_out;   /* events that only the rows have, or tasks; code 0: none */
	struct strbuf text;    /* of the summary; empty: the command has not ended */
	uint64_t passed_on_ns; /* of a recording: when that ended whose summary was told; 0: none */
	int status;            /* of that; below 0: not known */
};

/* A view of the one row, which is shown whatever the user has chosen for those of tasks. */
struct view summary_view(const struct view *of);
/* What the kernel calls the task of this program. */
const char *summary_task_name(const char *path);

void summary_feed_init(struct summary_feed *s);
/* -errno with a sentence: the command cannot be followed as it was asked for. */
int summary_feed_begin(struct summary_feed *s, struct setup *setup, const struct lifecycle *life,
		       struct err *err);
/* Adds what is to be waited for while the command runs: the kernel tells of tasks that have ended.
 */
void summary_feed_wait(struct summary_feed *s, struct wait *wait);
/* SIGCHLD has come. */
void summary_feed_on_child(struct summary_feed *s);
/* The command has ended, and has not been reaped: its last rows follow. */
void summary_feed_end_command(struct summary_feed *s, const struct lifecycle *life);
/* What the command has done so far is not in its summary. */
void summary_feed_mark(struct summary_feed *s);
/* A failure is that of an output that ends the loop. */
int summary_feed_end(struct summary_feed *s, const struct setup *setup,
		     const struct lifecycle *life, struct outputs *outputs, struct err *err);
/* Of a recording, before its first refresh. */
void summary_feed_begin_replay(struct summary_feed *s, struct setup *setup);
/* Behind each refresh of it: where that is the last one of its run, outputs get the summary that
 * was recorded. */
int summary_feed_replay(struct summary_feed *s, const struct setup *setup, struct outputs *outputs,
			struct err *err);
/* At its end: says what is lacking. */
void summary_feed_end_replay(const struct summary_feed *s, struct setup *setup);
void summary_feed_done(struct summary_feed *s);

#endif
