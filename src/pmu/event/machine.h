/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * machine - the machine for which events are resolved: its CPU, the files in which the kernel
 * describes it, its core PMUs, and the table of events that tiptop itself knows.
 *
 * A hybrid machine has several kinds of cores, each with a PMU of its own: cpu_core and cpu_atom on
 * Intel, one for each type on Arm. An event of one counts nothing while the task is on a core of
 * another kind. So there, one counter of a screen is one event for each kind, and their counts are
 * added, see model/delta.h.
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
	/* The table of CPUs and events: the built-in one, or one above it; NULL: none. */
	const struct event_table *table;
	/* One for each kind of cores, the fastest first: Intel's cpu_core; on Arm the one with the
	 * highest cpu_capacity. */
	struct core_pmu core[CORES_MAX];
	int n_cores; /* 0: the kernel describes none */
	/* This is not the CPU of this machine, see foreign_cpu.h: libpfm4 is not used. */
	bool elsewhere;
	/* The kernel is assumed to have those events of the table that have a code. */
	bool takes_codes;
};

/* Fills in the CPU of this machine, and the core PMUs that the host describes. */
void machine_init(struct machine *m, const struct event_host *host);

/* Fills in this machine, but with the CPU that the text names (cpu_parse()), the value of
 * $TIPTOP_CPU. NULL, or a text that names none: the CPU of this machine. */
void machine_init_as(struct machine *m, const char *cpu);
/* Fills in this machine with the CPU that $TIPTOP_CPU names, which tests a configuration as if on
 * another CPU. */
void machine_init_here(struct machine *m);

bool machine_is_hybrid(const struct machine *m);

/* Returns for how many kinds of cores each counter is resolved: at least 1. */
int machine_kinds(const struct machine *m);

/* Returns the name of the PMU of a kind of cores; "": the kernel describes none. */
const char *machine_pmu(const struct machine *m, int core);

/* Returns whether something restricted to this arch and list of models (table.h) applies to this
 * kind of cores; core -1: to any kind. */
bool machine_fits(const struct machine *m, int core, const char *arch, const char *models);

/* Returns the type of an event given as a number, for this kind of cores: PERF_TYPE_RAW, or the
 * type of their PMU on a hybrid machine. */
uint32_t machine_raw_type(const struct machine *m, int core);

/*
 * Binds an event that has type and config to the core PMU with the index `core`, or to none
 * (EVENT_NO_CORE): software events, tracepoints, and events of other PMUs. On a hybrid machine a
 * generic event gets the type of the PMU: in the upper half of config, see perf_event_open(2),
 * PERF_COUNT_HW_*; on Arm's own PMUs, where kernels before 6.6 do not know that, by the
 * architectural code of the event. Sets `absent` for a common event of Arm that the PMU does not
 * implement. -ENOENT: the event is one of another core PMU, or this kind of cores has no such
 * generic event.
 */
int machine_bind(const struct machine *m, int core, struct event *e, struct err *err);

#endif
