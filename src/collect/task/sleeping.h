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
 * A process of several threads, up to SLEEPING_THREADS, gets an event for each, after as many times
 * the refreshes. Only one of its threads can start another one, so a new thread is seen, too.
 *
 * The clock is still read in some refreshes after the events were opened: if it stands still, no
 * thread was on a CPU or started another one at that time, so one can only run after its event has
 * seen it. A process that may have run is woken: its events are closed, and its clock is read at
 * each refresh as before.
 *
 * Safeguards: no process is put to sleep before an event on tiptop itself has shown that this
 * kernel updates the page; and one in SLEEPING_CHECKS of the sleeping processes is asked for its
 * clock anyway. If that has grown, the process is not put to sleep any more, and its time is shown,
 * late by at most SLEEPING_CHECKS refreshes.
 */
#ifndef COLLECT_TASK_SLEEPING_H
#define COLLECT_TASK_SLEEPING_H

#include "collect/task/process_table.h"

#define SLEEPING_AFTER   16
#define SLEEPING_THREADS 8
#define SLEEPING_CHECKS  64

enum sleeping_proof {
	SLEEPING_UNTRIED,
	SLEEPING_TRIED,   /* the event on tiptop itself is open */
	SLEEPING_PROVEN,  /* it has seen tiptop being given a CPU */
	SLEEPING_REFUSED, /* it cannot be opened */
};

struct sleeping {
	enum sleeping_proof proof;
	struct sched_in self; /* the event on tiptop itself; open if TRIED */
	long max;             /* number of events that may be open at a time */
	long n_begin;         /* number of events that may still be opened in this refresh */
};

/* Begins a refresh, with this number, of n processes. */
void sleeping_update(struct sleeping *s, struct attach *a, size_t n, uint32_t refresh);
/* Closes the event on tiptop itself, if it is open; a later refresh opens it again. */
void sleeping_stop(struct sleeping *s, struct attach *a);

/* Returns whether the process has been idle for so long that it may be put to sleep, and the limits
 * allow it. Its number of threads is known then. */
bool sleeping_may_begin(const struct sleeping *s, const struct attach *a, const struct process *p,
			uint32_t refresh);
/* Puts the process to sleep, whose threads have just been listed. */
void sleeping_begin(struct sleeping *s, struct attach *a, struct process *p,
		    const struct pid_list *tids, uint32_t refresh);
/* Returns whether process_was_scheduled() decides in this refresh whether the process has run; else
 * its clock must be read. */
bool sleeping_trusts(const struct process *p, uint32_t refresh);
/* Wakes the sleeping process if it may have run. ran: its clock, which has just been read, has
 * grown. */
void sleeping_check(struct attach *a, struct process *p, bool ran, uint32_t refresh);

#endif
