/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refusal - why the kernel refused to count: the true cause and the remedy, as a sentence.
 */
#ifndef PMU_CHECK_REFUSAL_H
#define PMU_CHECK_REFUSAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "pmu/perf/sys.h"

#define REFUSAL_CPU (-1)

/* What was tried when the kernel refused. */
struct refusal_attempt {
	/* Its name; NULL: cycles, to see whether there are hardware counters at all. */
	const char *event;
	pid_t tid;     /* the task; 0: tiptop itself; REFUSAL_CPU: whatever runs on a CPU */
	bool kernel;   /* counting in the kernel was wanted */
	bool no_modes; /* the event cannot be counted in user mode alone */
	bool untried; /* it may be so, but in all modes it is not allowed (event.h, modes_denied) */
	bool hardware; /* the event is one of the PMU */
	/* The common event that the PMU does not implement (event.h); NULL: none. */
	const char *absent;
	/* What takes fewer descriptors, as an imperative; NULL: the filters of the tasks shown. */
	const char *fewer;
};

/* Makes the sentence for a perf_event_open() that failed with -ret: the true cause and the remedy.
 * Returns ret. */
int refusal_explain(int ret, const struct refusal_attempt *attempt, struct err *err);

/* Makes the sentence for an event that counts in all modes since its PMU can leave none out. */
void refusal_explain_modes(const char *event, struct err *err);

/* Tries whether cycles can be counted on tiptop itself: 0, or -errno with the sentence why no
 * hardware column can work. *all_modes, unless NULL: whether the PMU can leave no mode out. */
int refusal_try_hardware(struct perf_sys *sys, bool kernel, bool *all_modes, struct err *err);

/* Tries whether all that runs on a CPU can be counted, by an event that no PMU is needed for: 0, or
 * -errno with the sentence why not. */
int refusal_try_cpus(struct perf_sys *sys, struct err *err);
/* The same of what a control group does there, by its open folder; path: what it is called. */
int refusal_try_cgroup(struct perf_sys *sys, int group_fd, const char *path, struct err *err);

#endif
