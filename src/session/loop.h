/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop - time, signals and keys, under one poll(2).
 *
 * A tick of the timer takes a sample and shows it; a key only shows what is there again, unless it
 * asks for other counters. The first interval is short (LOOP_FIRST_S at most), so that there is
 * something to see at once; the next ones have the length that the user asked for.
 *
 * It ends after the wanted number of refreshes (where a command runs, that only ends the showing),
 * by the key q, by SIGINT, SIGTERM, SIGHUP or SIGQUIT, when the reader of the output has gone, and
 * in batch mode with the data of the source, with the command that is followed, or with the only
 * task of -p.
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
 *
 * Keeps the page of a row up to date while it is open: finds the row, asks the source what
 * else there is to be known of it, and binds all screens. While no page is open it does nothing.
 *
 * Once in each refresh the source is asked; of limits only when the page is opened, and when the
 * user wants all anew.
 */

struct paging {
	struct page page;
	struct curves curves;
	struct detail detail;
	const struct task *task; /* its last reading */
	bool has_detail;         /* the source has been asked */
	/* As of the last time: */
	unsigned asked;
	uint64_t number; /* of the refresh */
	/* What screens are here, for the present one and the modes in which is counted. */
	struct bound_screens bound;
	size_t present;
};

void paging_done(struct paging *p);

/* ---- loop ---- */

#define LOOP_FIRST_S 0.25

/* What may be kept of what tasks did before. */
#define LOOP_HISTORY_BYTES ((size_t)64 << 20)

struct loop {
	struct setup *setup;
	struct pipeline *pipeline;
	struct outputs *outputs;
	struct sink *screen;     /* the live screen among them; NULL in batch mode */
	struct lifecycle *life;  /* life->spawn.pid 0: no command */
	struct signals *signals; /* taken */
	struct faults *faults;
	struct summary_feed *summary; /* of the command */
	/* The loop's own state: */
	struct live *live;       /* of the screen; NULL: there is none (any more) */
	struct wait wait;        /* all that is waited for */
	struct dest_wake wake;   /* while an output waits for its reader */
	struct pace pace;        /* when the next sample is taken */
	long shown;              /* how many refreshes were shown */
	bool touched;            /* a key was pressed */
	bool source_note_logged; /* the source had a note at the last refresh */
	bool remark_shown;       /* so it was said why the screen has no hardware counters */
	bool end_requested;      /* the command was told to end, and tiptop ends with it */
	/* The command's end may have come unseen: while an output blocked, or before the loop. */
	bool child_pending;
	bool done;
	bool frozen; /* the command or the data has ended: the last numbers stay on the screen */
	bool data_ended; /* the source has no more samples */
	/* Nothing is shown any more; only the end of the command is waited for. */
	bool silent;
	bool at_once;                 /* a signal ended the loop */
	int quit_signal;              /* the signal that tiptop has to die of, or 0 */
	struct paging paging;         /* the page of a row, while one is open */
	bool page_opened;             /* that of --page has been */
	struct story_feed story_feed; /* what happened, once somebody has asked */
	struct targets targets;       /* what a key that acts on tasks is about */
	struct live_info info;
	struct reading reading; /* how far it is */
	bool counts_refreshes;  /* that is, of those that are wanted */
	char note[2 * ERR_TEXT_MAX];
};

/* Runs until the end. Returns 0, or -errno with the sentence why it could not go on. */
int loop_run(struct loop *loop, struct err *err);

#endif
