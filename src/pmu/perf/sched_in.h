/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_in - tells without a system call whether a thread has run.
 *
 * The kernel updates the mapped page of an event whenever it puts the event on a CPU: each time the
 * thread of the event is scheduled in. The page has a sequence number for readers, `lock`
 * (perf_event_open(2)), which grows with each update. If it has not grown, the thread has not been
 * scheduled in; a thread that was not on a CPU before has not run.
 *
 * The event is the task clock: as a software event, it never waits for a place on the PMU. It
 * belongs to one thread (inherit is off), and is not in a group.
 *
 * The number stands still, too, if the kernel has ended the event, as execve(2) of a program with
 * other rights does. The thread has run then, which is seen; afterwards the event must be closed.
 *
 * Costs, on the 2-core virtual machine of doc/performance.md: opening takes 15 to 30 us, a question
 * 15 to 30 ns; each context switch of the thread takes 1 us longer if it has no other event. The
 * kernel locks a page of memory for it.
 */
#ifndef PMU_PERF_SCHED_IN_H
#define PMU_PERF_SCHED_IN_H

#include <stdint.h>

#include "pmu/perf/sys.h"

struct sched_in {
	const struct perf_event_mmap_page *page; /* NULL: not open */
	int fd;
	uint32_t lock; /* the sequence number when it was opened */
};

/* Opens the event of a thread (tid 0: of the caller). Returns 0 or -errno; after an error, *s is
 * not open. -ENOBUFS: the user may not lock another page. */
int sched_in_open(struct sched_in *s, struct perf_sys *sys, pid_t tid);
/* Returns whether the kernel has put the thread on a CPU since *s was opened. What the caller reads
 * of the thread afterwards is not older than the answer. */
bool sched_in_happened(const struct sched_in *s);
/* Closes *s if it is open. */
void sched_in_close(struct sched_in *s, struct perf_sys *sys);

#endif
