/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop - the main loop: time, signals and keys, in one poll(2).
 *
 * A tick of the timer takes a sample and shows it; a key shows the same sample again, unless it
 * changes the counters. The first interval is short (LOOP_FIRST_S at most), so that something is
 * shown soon; the next ones have the delay of the user.
 *
 * The loop ends after the wanted number of refreshes (with a command, that only ends the output);
 * by the key q; by SIGINT, SIGTERM, SIGHUP or SIGQUIT; when the reader of the output has exited; in
 * batch mode also at the end of the source's data, with the command that is followed, or with the
 * only task of -p.
 */
#ifndef SESSION_LOOP_H
#define SESSION_LOOP_H

#include "output/output_list.h"
#include "run/lifecycle.h"
#include "run/pace.h"
#include "run/signals.h"
#include "run/wait.h"
#include "session/faults.h"
#include "session/pipeline.h"
#include "session/read_progress.h"
#include "session/setup.h"
#include "session/story_feed.h"
#include "session/summary_feed.h"
#include "session/target.h"
#include "session/verdict_engine.h"
#include "tui/live.h"
#include "view/curve.h"

/* ---- paging ----
 * Keeps the page of a row up to date while it is open: finds the row, reads its details from the
 * source, and binds all screens. Does nothing while no page is open.
 *
 * Details are read once per refresh; limits only when the page is opened, and when the user
 * requests them. */

struct paging {
	struct page page;
	struct curves curves;
	struct detail detail;
	const struct task *task; /* the row's last reading */
	bool has_detail;         /* details were read */
	/* At the last update: */
	unsigned asked;
	uint64_t number; /* number of the refresh */
	/* The screens available, for the current screen and the current modes of counting. */
	struct bound_screens bound;
	size_t present;
};

void paging_done(struct paging *p);

/* ---- loop ---- */

#define LOOP_FIRST_S 0.25

/* Maximum memory for the history of tasks. */
#define LOOP_HISTORY_BYTES ((size_t)64 << 20)

struct loop {
	struct setup *setup;
	struct pipeline *pipeline;
	struct outputs *outputs;
	struct sink *screen;     /* the live screen in `outputs`; NULL: batch mode */
	struct lifecycle *life;  /* life->spawn.pid 0: no command */
	struct signals *signals; /* blocked, and read by signalfd */
	struct faults *faults;
	struct summary_feed *summary; /* of the command */
	/* State of the loop: */
	struct live *live;       /* of the screen; NULL: none, or closed */
	struct wait wait;        /* everything that is polled */
	struct dest_wake wake;   /* used while an output waits for its reader */
	struct pace pace;        /* time of the next sample */
	long shown;              /* number of refreshes shown */
	bool touched;            /* a key was pressed */
	bool source_note_logged; /* the source had a note at the last refresh */
	bool remark_shown;       /* the missing hardware counters of the screen were reported */
	bool end_requested;      /* the command was told to end, and tiptop ends with it */
	/* The command's exit may have been missed: while an output blocked, or before the loop. */
	bool child_pending;
	bool done;
	bool frozen;     /* the command or the data has ended: the screen keeps the last numbers */
	bool data_ended; /* the source has no more samples */
	/* Shows nothing any more; only waits for the end of the command. */
	bool silent;
	bool at_once;                 /* a signal ended the loop */
	int quit_signal;              /* signal to re-raise at exit; 0: none */
	struct paging paging;         /* the page of a row, while open */
	bool page_opened;             /* the page of --page was opened */
	struct story_feed story_feed; /* the story of what happened; made when first requested */
	struct targets targets;       /* targets of a key that acts on tasks */
	struct live_info info;
	struct reading reading; /* progress of reading */
	bool counts_refreshes;  /* progress counts the refreshes of -n */
	char note[2 * ERR_TEXT_MAX];
};

/* Runs until the end. Returns 0, or -errno with the reason. */
int loop_run(struct loop *loop, struct err *err);

#endif
