/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sleeping - finds out without a system call that a process has not run (pmu/perf/sched_in.h).
 *
 * The CPU clock of each process is read at each refresh: one system call, which on a machine with
 * many idle processes is most of a refresh. A process that has been idle for SLEEPING_AFTER
 * refreshes is put to sleep instead: from then on, the mapped page of an event says whether it was
 * given a CPU, and its clock is read only after that. Opening the event costs about as much as that
 * many readings of the clock, so at most twice the necessary time is spent, however long the
 * process will be idle.
 *
 * Only processes with one thread are put to sleep. Their clocks are still read in some refreshes
 * after the event was opened: if they stand still, the process was not on a CPU at that time, so it
 * can only run after the event has seen it. A process that may have run is woken: the event is
 * closed, and its clock is read at each refresh as before.
 *
 * Safeguards: no process is put to sleep before an event on tiptop itself has shown that this
 * kernel updates the page; and one in SLEEPING_CHECKS of the sleeping processes is asked for its
 * clock anyway. If that has grown, the process is not put to sleep any more, and its time is shown,
 * late by at most SLEEPING_CHECKS refreshes.
 */
#ifndef COLLECT_TASK_SLEEPING_H
#define COLLECT_TASK_SLEEPING_H

#include "collect/task/process_table.h"

#define SLEEPING_AFTER  16
#define SLEEPING_CHECKS 64

enum sleeping_proof {
	SLEEPING_UNTRIED,
	SLEEPING_TRIED,   /* the event on tiptop itself is open */
	SLEEPING_PROVEN,  /* it has seen tiptop being given a CPU */
	SLEEPING_REFUSED, /* it cannot be opened */
};

struct sleeping {
	enum sleeping_proof proof;
	struct sched_in self; /* the event on tiptop itself; open if TRIED */
	long max;             /* number of processes that may sleep at a time */
	long n_begin; /* number of processes that may still be put to sleep in this refresh */
};

/* Begins a refresh, with this number, of n processes. */
void sleeping_update(struct sleeping *s, struct attach *a, size_t n, uint32_t refresh);
/* Closes the event on tiptop itself, if it is open; a later refresh opens it again. */
void sleeping_stop(struct sleeping *s, struct attach *a);

/* Puts the process to sleep if it has not run since refresh `last_ran` long ago, and all limits
 * allow it. */
void sleeping_begin(struct sleeping *s, struct attach *a, struct process *p, uint32_t refresh);
/* Returns whether sched_in_happened() decides in this refresh whether the process has run; else its
 * clock must be read. */
bool sleeping_trusts(const struct process *p, uint32_t refresh);
/* Wakes the sleeping process if it may have run. ran: its clock, which has just been read, has
 * grown. */
void sleeping_check(struct attach *a, struct process *p, bool ran, uint32_t refresh);

#endif
