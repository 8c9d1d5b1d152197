/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sched - reads how long a thread has run and has waited for a CPU, and notes how long it was
 * blocked, by kind of lock (struct locks_sched).
 *
 * The totals are read when the thread starts and when it exits; those of threads that live to the
 * end of the process are read then. Opening a file of a thread in /proc takes as long as making the
 * thread. So a thread that lived for less than some ms is taken to have had no delay, and the delay
 * of a new thread until it starts to run is the time since its creation began. For blocked waits,
 * the thread reads its own CPU time before and after: the time in which it tried, went to sleep and
 * woke up is not time in which it was blocked. As these readings are system calls, only the first
 * waits of a thread and then one in 16 are read, chosen by the low bits of the clock; these count
 * 16 times.
 *
 * Nothing is read once the program has set a system call filter.
 */
#ifndef INJECT_PRELOAD_SCHED_H
#define INJECT_PRELOAD_SCHED_H

#include "inject/preload/thread.h"

/* When the creation of this thread began, in ticks, set by the thread before it is entered; 0:
 * unknown. */
extern __thread uint64_t sched_created __attribute__((tls_model("initial-exec")));

/* Reads the totals of the calling thread at its start, or at its exit. Called under the guard. */
void sched_begin(struct locks_thread *slot);
void sched_end(struct locks_thread *slot);
/* Reads the totals of another thread of this process. Called under the guard. */
void sched_end_other(struct locks_thread *slot);

/* Begin and end a wait in which the thread may be blocked; ticks: its time. A wait for a spin lock
 * is not begun, as it is CPU time. */
void sched_begin_wait(struct thread *t);
void sched_end_wait(struct thread *t, enum locks_kind kind, uint64_t ticks);

#endif
