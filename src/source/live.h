/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live - the inside of the live source, shared by its two files: live.c (the steps of a refresh) and threads.c (one
 * process: its counters, its threads, its facts). Users of the source need source.h only.
 */
#ifndef SOURCE_LIVE_H
#define SOURCE_LIVE_H

#include "source/schedule.h"
#include "source/source.h"
#include "source/table.h"

struct live {
	struct source source;
	struct proc *proc;
	struct attach attach;
	struct table table;
	struct want want;
	struct schedule schedule;
	uint64_t generation;
	unsigned refresh;                 /* how many samples were taken */
	unsigned made_room;               /* the refresh in which descriptors were last taken from idle tasks */
	unsigned until_walk;              /* refreshes that may pass before the next full walk */
	int last_pid;                     /* the newest pid of the machine at the last look */
	bool list_again;                  /* a pid was used again */
	struct pid_list pids, walk, tids; /* walk: pids to be described anew; the others are scratch */
	char note[256];
};

/* For a process that ran, or is new: attaches it where that was not tried yet, finds its threads where they matter,
 * reads facts and counters. Sets ended for one that has gone or is a zombie. clock_before: its CPU clock at the last
 * look. */
void live_update_process(struct live *l, struct process *p, uint64_t clock_before);

/* Where descriptors have run out: closes the counters of tasks that have been idle for longest. Returns whether there
 * is room now. What they counted is kept, and they are opened again when the task runs. */
bool live_make_room(struct live *l);

/* Forgets the threads whose end has been sampled and that nothing needs any more. */
void live_drop_ended_threads(struct live *l, struct process *p);

#endif
