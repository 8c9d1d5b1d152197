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
	pid_t tid;     /* the task; 0: tiptop itself; REFUSAL_CPU: all tasks on a CPU */
	bool kernel;   /* counting in the kernel was wanted */
	bool no_modes; /* the event cannot be counted in user mode alone */
	/* The PMU may be unable to count in user mode alone, which is unknown, since this user may
	 * not count in all modes (event.h: modes_denied). */
	bool untried;
	bool hardware;    /* the event is one of a hardware PMU */
	bool no_hardware; /* the machine has no hardware counters at all */
	/* Number and name of a common event of Arm that the PMU does not implement (event.h); NULL:
	 * this is not the cause. */
	const char *absent;
	/* An advice, as an imperative, how to need fewer descriptors; NULL: to count fewer tasks
	 * (-p, -u). */
	const char *fewer;
};

/* Returns the remedy for a user who has no permission to count. The user may be root without a
 * capability, as in a container. */
const char *refusal_remedy(void);

/* Sets err to the sentence for a perf_event_open(2) that returned ret (-errno): the true cause and
 * the remedy. Returns ret, negative. */
int refusal_explain(int ret, const struct refusal_attempt *attempt, struct err *err);

/* Sets err to a sentence for an event that counts in all modes because its PMU cannot exclude any
 * mode. */
void refusal_explain_modes(const char *event, struct err *err);

/* Tries to count cycles on tiptop itself. Returns 0, or -errno with the reason why hardware events
 * cannot be counted. all_modes may be NULL; *all_modes: the PMU can only count in all modes. */
int refusal_try_hardware(struct perf_sys *sys, bool kernel, bool *all_modes, struct err *err);

/* Tries to count all tasks on a CPU, with an event that needs no PMU. Returns 0, or -errno with the
 * reason. */
int refusal_try_cpus(struct perf_sys *sys, struct err *err);
/* Tries to count a control group on a CPU. group_fd: its open folder; path: its name in errors.
 * Returns as refusal_try_cpus() does. */
int refusal_try_cgroup(struct perf_sys *sys, int group_fd, const char *path, struct err *err);

#endif
