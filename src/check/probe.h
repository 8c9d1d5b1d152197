/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe - what this machine, kernel and user allow, in sentences.
 */
#ifndef CHECK_PROBE_H
#define CHECK_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "event/machine.h"
#include "perf/sys.h"

/* kernel.perf_event_paranoid; PROBE_PARANOID_UNKNOWN where it cannot be read. */
#define PROBE_PARANOID_UNKNOWN (-100)
int probe_paranoid(void);

/* A number of /proc/self/status, the field's name without its ':'; 0 where it is not there. */
uint64_t probe_status(const char *field, int base);

/* Bits of the field CapEff: capabilities(7). */
enum probe_cap {
	CAP_SYS_PTRACE_BIT = 19,
	CAP_SYS_ADMIN_BIT = 21,
	CAP_SYS_RESOURCE_BIT = 24,
	CAP_PERFMON_BIT = 38
};

/* Whether this process may count other users' tasks: root, CAP_PERFMON or CAP_SYS_ADMIN. */
bool probe_may_count_others(void);

/* What was tried when the kernel refused. */
struct probe_attempt {
	/* Its name; NULL: cycles, to see whether there are hardware counters at all. */
	const char *event;
	pid_t tid;     /* of the task; 0: tiptop itself */
	bool kernel;   /* counting in the kernel was wanted */
	bool hardware; /* it is an event of the PMU */
};

/* The true cause and the remedy for perf_event_open() having failed with -ret. Returns ret. */
int probe_explain(int ret, const struct probe_attempt *attempt, struct err *err);

/* Opens a software event on oneself, in user mode or in the kernel, too; inherit: for the threads
 * to come, too. It needs no PMU: only rights can be missing. 0 or -errno. */
int probe_software(struct perf_sys *sys, bool kernel, bool inherit);

/* Whether cycles can be counted on oneself: 0, or -errno with the sentence why no hardware
 * column can work. */
int probe_hardware(struct perf_sys *sys, bool kernel, struct err *err);

/* Of how many events a group can be, cycles and instructions in turn, on this kind of cores: the
 * most that the kernel takes, `max` at most. 0: none. */
int probe_group(struct perf_sys *sys, const struct machine *m, int core, int max);
/* How many of such n, EVENT_SET_MAX at most, are on the PMU together now: others
 * may hold counters. */
int probe_group_now(struct perf_sys *sys, const struct machine *m, int core, int n);

#endif
