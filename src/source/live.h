/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live - the inside of the live source, shared by its three files: live.c (the steps of a refresh), walk.c (who is
 * there) and threads.c (one process: its counters, its threads, its facts). Users of the source need source.h only.
 */
#ifndef SOURCE_LIVE_H
#define SOURCE_LIVE_H

#include "source/schedule.h"
#include "source/source.h"
#include "source/table.h"

/* A process that has run, and its CPU clock at the last look. */
struct ran {
	struct process *process;
	uint64_t clock_before;
};

struct live {
	struct source source;
	struct proc *proc;
	struct attach attach;
	struct table table;
	struct want want;
	struct schedule schedule;
	uint64_t generation;
	uint32_t refresh;                 /* the number of the sample that is taken */
	uint32_t made_room;               /* the refresh in which descriptors were last taken from idle tasks */
	uint32_t listed;                  /* the refresh in which the names in /proc were last read */
	int last_pid, older_pid;          /* the newest pid of the machine at the last look, and at the one before */
	uint64_t before_ns;               /* the moment of the last sample since boot; 0: there was none */
	bool walk_again;                  /* all have to be described */
	bool list_again;                  /* a pid was used again */
	bool drifting;                    /* facts are wanted that change though nothing runs */
	bool plenty;                      /* there are descriptors for all, and many more */
	struct pid_list pids, walk, tids; /* walk: pids to be described; the others are scratch */
	struct ran *ran;                  /* scratch */
	size_t n_ran, cap_ran;
	struct source_cost cost;
	char note[256];
};

/* Which facts there is to be room for; p NULL: of a newcomer. */
fact_mask live_room(const struct live *l, const struct process *p);

/* For a process that ran, or is looked at for the first time: attaches it where that was not tried yet, finds its
 * threads where they matter, reads facts and counters. Sets ended for one that has gone or is a zombie. clock_before:
 * its CPU clock at the last look. */
void live_update_process(struct live *l, struct process *p, uint64_t clock_before, bool ran);

/* Reads facts that may change though the process does not run. */
void live_update_facts(struct live *l, struct process *p);

/* The last reading of the counters of a thread that has ended. */
void live_read_last(struct live *l, struct thread *t);

/* Where descriptors have run out: closes the counters of tasks that have been idle for longest. Returns whether there
 * is room now. What they counted is kept, and they are opened again when the task runs. */
bool live_make_room(struct live *l);

/* Forgets the threads whose end has been sampled and that nothing needs any more. */
void live_drop_ended_threads(struct live *l, struct process *p);

/* ---- walk.c: who is there ---- */

/* Whether the walk that found the process has told all that is wanted. libproc2 escapes names: what may have been
 * escaped is read again. */
bool live_walk_told_all(const struct live *l, const struct process *p);

/* Finds newcomers and those whose description may have changed. 0, or -errno where the tasks cannot be listed. */
int live_discover(struct live *l, int last_pid);
/* Whether the process passes the filter. */
bool live_is_wanted(const struct live *l, const struct process *p);
/* Whether it is its turn: each process has one in LIVE_SLICES refreshes. */
bool live_has_turn(const struct live *l, const struct process *p);

#define LIVE_SLICES 10

#endif
