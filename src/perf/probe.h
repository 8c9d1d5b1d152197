/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe - what this machine, kernel and user allow, in sentences.
 */
#ifndef PERF_PROBE_H
#define PERF_PROBE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "perf/sys.h"

/* kernel.perf_event_paranoid; PROBE_PARANOID_UNKNOWN where it cannot be read. */
#define PROBE_PARANOID_UNKNOWN (-100)
int probe_paranoid(void);

/* Whether this process may count other users' tasks: root, CAP_PERFMON or CAP_SYS_ADMIN. */
bool probe_may_count_others(void);

/* What was tried when the kernel refused. */
struct probe_attempt {
	const char *event; /* its name; NULL: cycles, to see whether there are hardware counters at all */
	pid_t tid;         /* of the task; 0: tiptop itself */
	bool kernel;       /* counting in the kernel was wanted */
	bool hardware;     /* it is an event of the PMU */
};

/* The true cause and the remedy for perf_event_open() having failed with -ret. Returns ret. */
int probe_explain(int ret, const struct probe_attempt *attempt, struct err *err);

/* Whether cycles can be counted on oneself: 0, or -errno with the sentence why no hardware column can work. */
int probe_hardware(struct perf_sys *sys, bool kernel, struct err *err);

#endif
