/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_threads - threads of a process that is followed of which no tracer is told, as the kernel
 * makes them itself for it: workers of io_uring.
 *
 * That they began is in the kernel's records (pmu/perf/lives.h). What they have counted is what
 * counters that all threads of the process inherit have beyond those of the tasks that are
 * followed. Of events of a PMU that is not known, as no counter is taken for it; nor where several
 * sets take turns.
 */
#ifndef COLLECT_COMMAND_KERNEL_THREADS_H
#define COLLECT_COMMAND_KERNEL_THREADS_H

#include "base/value.h"
#include "pmu/perf/event.h"
#include "pmu/perf/group.h"
#include "pmu/perf/lives.h"

/* What is inherited, and by whom. */
struct others {
	struct perf_sys *sys;
	struct event_set set; /* events of a PMU are in no group of its plan */
	bool counts;          /* the set is counted; else it is not known what they count */
	struct lives *lives;  /* NULL: not known whether there are any */
};

/* Those of one process. */
struct process_others {
	struct group *group; /* NULL: none could be opened */
	struct count last[EVENT_SET_MAX];
	uint32_t followed, begun; /* tasks of it, and threads, since its last exec */
};

/* set: the only one; NULL: there are several. */
void others_init(struct others *o, struct perf_sys *sys, const struct event_set *set);
/* The command is at its first stop. */
void others_listen(struct others *o, pid_t command);
void others_done(struct others *o);

void process_others_open(const struct others *o, struct process_others *p, pid_t process,
			 bool on_exec);
/* Adds what the other threads have counted, if there are any, to the n values of the process, all
 * of whose tasks have added theirs. */
void process_others_add(const struct others *o, const struct process_others *p, struct value *total,
			size_t n);
/* The process has a new image. */
void process_others_renew(const struct others *o, struct process_others *p);
void process_others_close(const struct others *o, struct process_others *p);

#endif
