/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop - the main loop: waits for the timer, signals and keys in one poll(2), and handles them.
 *
 * A tick of the timer takes a sample and shows it. A key shows the same sample again, unless the
 * key changes the counters. The first interval, also after a change of the counters, is short
 * (0.25 s at most), so that numbers are shown soon; all others have the length of the user's delay
 * (-d).
 *
 * The loop ends after the number of refreshes of -n, unless a command is still running: then only
 * the output ends. The loop also ends by the key q, by SIGINT, SIGTERM, SIGHUP or SIGQUIT, and when
 * the reader of the output has exited. In batch mode it ends, too, when the source has no more
 * data, when the command has exited, and when the only task of -p has exited.
 */
#ifndef SESSION_LOOP_H
#define SESSION_LOOP_H

#include "output/output.h"
#include "run/lifecycle.h"
#include "run/wait.h"
#include "session/output.h"
#include "session/page_feed.h"
#include "session/pipeline.h"
#include "session/replay_session.h"
#include "session/request.h"
#include "session/setup.h"
#include "session/summary_feed.h"
#include "tui/live.h"

/* Maximum memory for the history of tasks. */
#define LOOP_HISTORY_BYTES ((size_t)64 << 20)

struct loop {
	struct setup *setup;
	struct pipeline *pipeline;
	struct outputs *outputs;
	struct sink *screen;     /* the live screen in `outputs`; NULL: batch mode */
	struct lifecycle *life;  /* life->spawn.pid 0: no command */
	struct signals *signals; /* signals that are blocked, and read by signalfd(2) */
	struct faults *faults;
	struct summary_feed *summary; /* summary of the command */
	/* State of the loop: */
	struct live *live;       /* the live display of `screen`; NULL: batch mode, or closed */
	struct wait wait;        /* everything that is polled */
	struct dest_wake wake;   /* used while an output waits for its reader */
	struct pace pace;        /* time of the next sample */
	uint64_t collect_ns;     /* when the source is to collect data (source.h); 0: never */
	long shown;              /* number of refreshes shown */
	bool touched;            /* a key was pressed */
	bool source_note_logged; /* the source had a note at the last refresh */
	bool remark_shown;       /* setup->display.remark was reported */
	struct unseen_note unseen;
	/* Why no task has passed -p and -u in any refresh so far; code 0: one has, or it may be for
	 * another reason. */
	struct err none_passed;
	bool end_requested; /* the command was asked to end, and tiptop ends with it */
	/* SIGCHLD may have been missed: while an output blocked, or before the loop began. */
	bool child_pending;
	bool done;
	bool frozen;     /* the command or the data has ended: the screen keeps the last numbers */
	bool data_ended; /* the source has no more samples */
	/* Nothing is shown any more; the loop only waits until the command has exited. */
	bool silent;
	bool at_once;                 /* a signal ended the loop */
	int quit_signal;              /* signal to re-raise at exit; 0: none */
	struct paging paging;         /* the page of a row, while open */
	bool page_opened;             /* the page of --page was opened */
	struct story_feed story_feed; /* the story of what happened; made when first requested */
	struct targets targets;       /* tasks selected for a key, see request.h */
	struct live_info info;
	struct reading reading;      /* progress through the recording, or through the refreshes */
	char note[2 * ERR_TEXT_MAX]; /* sentence above the table; "": none */
};

/* Runs until the end. Returns 0, or -errno with the reason; -ENOENT, -ESRCH: in batch mode, no task
 * passed -p and -u in any refresh. */
int loop_run(struct loop *loop, struct err *err);

#endif
