/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * machine - what events are resolved for: the CPU, where the kernel describes it, its core PMUs,
 * and the table of what tiptop itself knows.
 *
 * A hybrid machine has several kinds of cores, each with a PMU of its own: cpu_core and cpu_atom on
 * Intel, one of each type on Arm. An event of one counts nothing while the task is on a core of
 * another kind. So what the screen calls one counter is one event for each kind there; their counts
 * are added, see model/delta.h.
 */
#ifndef PMU_EVENT_MACHINE_H
#define PMU_EVENT_MACHINE_H

#include "pmu/event/cpu.h"
#include "pmu/event/sysfs.h"
#include "pmu/event/table.h"
#include "pmu/perf/core.h"

struct machine {
	struct cpu_id cpu;
	const struct event_host *host;
	/* The table of CPUs and events: the built-in one, or one above it; NULL: nothing is
	 * known. */
	const struct event_table *table;
	/* One for each kind of cores, the fastest first: Intel's cpu_core; on Arm the one with the
	 * highest cpu_capacity. */
	struct core_pmu core[CORES_MAX];
	int n_cores; /* 0: the kernel describes none */
	/* Another CPU than the one that is here, see foreign_cpu.h: libpfm4 is not asked. */
	bool elsewhere;
	/* One whose kernel is taken to describe the events of the table that have a code there. */
	bool takes_codes;
};

/* Fills in the CPU of this machine, and the core PMUs that the host describes. */
void machine_init(struct machine *m, const struct event_host *host);

/* The same of this machine, as if its CPU were the one that the text names, as cpu_parse() takes
 * it: the value of $TIPTOP_CPU. NULL, or a text that names none: the CPU that is here. */
void machine_init_as(struct machine *m, const char *cpu);
/* The same, with the CPU that $TIPTOP_CPU names: it tries a configuration as if on another one. */
void machine_init_here(struct machine *m);

bool machine_is_hybrid(const struct machine *m);

/* For how many kinds of cores each counter is resolved: at least 1. */
int machine_kinds(const struct machine *m);

/* The name of the PMU of a kind of cores; "" where the kernel describes none. */
const char *machine_pmu(const struct machine *m, int core);

/* Whether something that is restricted to this arch and list of models (table.h) may be used on
 * this kind of cores; -1: on any kind. */
bool machine_fits(const struct machine *m, int core, const char *arch, const char *models);

/* The type of an event that is given as a number, for this kind of cores: RAW, or the type of their
 * PMU where there are several kinds. */
uint32_t machine_raw_type(const struct machine *m, int core);

/*
 * Ties an event that has type and config to the core PMU with the index `core`, or to none
 * (EVENT_NO_CORE): software events, tracepoints, and those of PMUs outside of the cores. On a
 * hybrid machine a generic event gets the type of the PMU: in the upper half of config, see
 * perf_event_open(2), PERF_COUNT_HW_*; on a PMU of Arm's own, where kernels before 6.6 do not know
 * that, by the code that the architecture has for it. Notes a common event of Arm that the PMU does
 * not implement (struct event, absent). -ENOENT: the event is one of another core PMU, or this kind
 * of cores has no such generic event.
 */
int machine_bind(const struct machine *m, int core, struct event *e, struct err *err);

#endif
