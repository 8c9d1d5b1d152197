/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sched - reads how long a thread has run, and was ready to run without a CPU, and notes how long
 * it was blocked, by kind of lock (struct locks_sched).
 *
 * The totals are read when the thread starts and when it exits, or at the end of the process if it
 * lives until then. Opening a file of a thread in /proc takes as long as creating the thread. So
 * the file is not read for the start of a thread whose creation was seen: its delay up to there is
 * taken to be the time since pthread_create() was called. Nor is it read for a thread that lived
 * for less than 5 ms, which is taken to have had no delay.
 *
 * For a wait in which the thread may be blocked, the thread reads its own CPU time before and
 * after: while it tries to acquire the lock, goes to sleep and wakes up, it is not blocked. As
 * these readings are system calls, they are made for the first 16 waits of a thread, and then for
 * one wait in 16, selected by a hash of the clock, which stands for 16 waits.
 *
 * Nothing is read once the program has set a system call filter.
 */
#ifndef INJECT_PRELOAD_SCHED_H
#define INJECT_PRELOAD_SCHED_H

#include "inject/preload/thread.h"

/* The time at which the creation of this thread began, in ticks; 0: unknown. The new thread sets it
 * before thread_enter(). */
extern __thread uint64_t sched_created __attribute__((tls_model("initial-exec")));

/* Read the totals of the calling thread, when it starts and when it exits. Called under the guard.
 */
void sched_begin(struct locks_thread *slot);
void sched_end(struct locks_thread *slot);
/* Reads the totals of another thread of this process. Called under the guard. */
void sched_end_other(struct locks_thread *slot);

/* Begin and end a wait in which the thread may be blocked. ticks: the time of the wait. For a spin
 * lock only sched_end_wait() is called, as all of the wait is CPU time. */
void sched_begin_wait(struct thread *t);
void sched_end_wait(struct thread *t, enum locks_kind kind, uint64_t ticks);

#endif
