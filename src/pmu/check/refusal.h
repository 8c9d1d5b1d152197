/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refusal - explains why the kernel refused to count: the true cause and the remedy, as a sentence.
 */
#ifndef PMU_CHECK_REFUSAL_H
#define PMU_CHECK_REFUSAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "pmu/perf/sys.h"

#define REFUSAL_CPU (-1)

/* What tiptop attempted when the kernel refused. */
struct refusal_attempt {
	/* The name of the event; NULL: cycles, to test whether there are hardware counters at
	 * all. */
	const char *event;
	pid_t tid;     /* the task; 0: tiptop itself; REFUSAL_CPU: everything on a CPU */
	bool kernel;   /* counting in the kernel was wanted */
	bool no_modes; /* the event cannot be counted in user mode alone */
	bool untried; /* the PMU may be unable to count in user mode alone, which could not be tried
			 as counting in all modes is not allowed (event.h: modes_denied) */
	bool hardware;    /* the event is one of a hardware PMU */
	bool no_hardware; /* the machine has no hardware counters at all */
	/* The common event that the PMU does not implement (event.h); NULL: none. */
	const char *absent;
	/* How to need fewer descriptors, as an imperative; NULL: the filters of tasks (-p, -u). */
	const char *fewer;
};

/* Returns the remedy for a user who has no permission to count. Root may lack a capability, as in a
 * container. */
const char *refusal_remedy(void);

/* Sets err to the sentence for a perf_event_open(2) that returned ret (-errno): the true cause and
 * the remedy. Returns ret, negative. */
int refusal_explain(int ret, const struct refusal_attempt *attempt, struct err *err);

/* Sets err to the sentence for an event that counts in all modes because its PMU can exclude
 * none. */
void refusal_explain_modes(const char *event, struct err *err);

/* Tries to count cycles on tiptop itself. Returns 0, or -errno with the reason why no hardware
 * column can work. *all_modes, unless NULL: whether the PMU can exclude no mode. */
int refusal_try_hardware(struct perf_sys *sys, bool kernel, bool *all_modes, struct err *err);

/* Tries to count everything on a CPU, by an event that needs no PMU. Returns 0, or -errno with the
 * reason. */
int refusal_try_cpus(struct perf_sys *sys, struct err *err);
/* Tries to count a control group on a CPU. group_fd: its open folder; path: its name in errors.
 * Returns as refusal_try_cpus() does. */
int refusal_try_cgroup(struct perf_sys *sys, int group_fd, const char *path, struct err *err);

#endif
