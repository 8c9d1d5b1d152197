/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * machine - the machine for which events are resolved: its CPU, the files in which the kernel
 * describes it, its core PMUs, and the table of events that tiptop itself knows.
 *
 * A hybrid machine has several kinds of cores, each with a PMU of its own: cpu_core and cpu_atom on
 * Intel, one for each type on Arm. An event of one kind counts nothing while the task is on a core
 * of another kind. On a hybrid machine, a counter of a screen is therefore one event for each kind
 * of cores, and the counts of these events are added, see model/delta_row.h.
 *
 * On Arm, a PMU implements some of the common events of PMUv3: pmuv3_lacking() says which ones it
 * lacks.
 */
#ifndef PMU_EVENT_MACHINE_H
#define PMU_EVENT_MACHINE_H

#include "pmu/event/sysfs.h"
#include "pmu/event/table.h"
#include "pmu/perf/core.h"

/* ---- pmuv3 ----
 *
 * The common events of Arm's PMUv3, and which of them a PMU implements.
 *
 * Arm defines the numbers 0x00 to 0x3f and 0x4000 to 0x403f for all CPUs; the registers PMCEID0 and
 * PMCEID1 have a bit for each that the PMU implements. The kernel opens any number, and one that is
 * not implemented counts 0. Of the numbers for which the kernel has a name, it lists in sysfs only
 * those whose bit is set: armv8pmu_event_attr_is_visible(), in drivers/perf/arm_pmuv3.c of Linux
 * 6.8 and arch/arm64/kernel/perf_event.c before 6.4. So an event whose name is not listed is not
 * implemented, whether it is selected by name or by number.
 *
 * For the other numbers, it is unknown whether the PMU implements them: SW_INCR (0x00, no longer
 * listed, since users cannot make it count: Linux 6.8) and CHAIN (0x1e, never listed); numbers for
 * which the running kernel has no name; all numbers outside of the two ranges, for which PMCEID has
 * no bits; and all numbers if the PMU lists nothing.
 */

/* Returns the number and name of a common event that the PMU with this name does not implement:
 * "0x03 (L1D_CACHE_REFILL)"; NULL: the PMU implements the event, or it is unknown whether it does.
 * config: as in perf_event_attr. */
const char *pmuv3_lacking(const struct event_host *host, const char *pmu, uint64_t config);

/* Returns -ENOENT, with a sentence, if `lacking`, a result of pmuv3_lacking() for the event `name`,
 * is not NULL; else 0. */
int pmuv3_refuse(const char *lacking, const char *name, struct err *err);

/* ---- machine ---- */

struct machine {
	struct cpu_id cpu;
	const struct event_host *host;
	/* The table of CPUs and events: the built-in table, or a table of users' files above it;
	 * NULL: none. */
	const struct event_table *table;
	/* A PMU for each kind of cores, the fastest cores first: on Intel cpu_core, on Arm the
	 * cores with the highest cpu_capacity. */
	struct core_pmu core[CORES_MAX];
	int n_cores; /* 0: the kernel describes no core PMU */
	/* The CPU is not that of this machine (foreign_cpu.h): libpfm4 is not used. */
	bool elsewhere;
	/* Events of the table that only the kernel of some machines knows by name are resolved by
	 * their code instead (event_choice.code). */
	bool takes_codes;
};

/* Fills in the CPU of this machine, and the core PMUs that the host describes. */
void machine_init(struct machine *m, const struct event_host *host);

/* Fills in this machine, but with another CPU, given in the form of cpu_parse(): the value of
 * $TIPTOP_CPU. If `cpu` is NULL or has another form, the CPU of this machine is filled in. */
void machine_init_as(struct machine *m, const char *cpu);
/* Fills in this machine; if $TIPTOP_CPU is set, with the CPU that it names, so that a configuration
 * can be tested for that CPU. */
void machine_init_here(struct machine *m);

bool machine_is_hybrid(const struct machine *m);

/* Returns for how many kinds of cores each counter is resolved: at least 1. */
int machine_kinds(const struct machine *m);

/* Returns the name of the PMU of a kind of cores; "": the kernel describes no such PMU. */
const char *machine_pmu(const struct machine *m, int core);

/* Returns whether a declaration that is restricted to this arch and list of models
 * (event_table_fits()) applies to this kind of cores. core -1: to any kind. */
bool machine_fits(const struct machine *m, int core, const char *arch, const char *models);

/* Returns the type of an event that is given as a number: PERF_TYPE_RAW, or on a hybrid machine the
 * type of the PMU of this kind of cores. */
uint32_t machine_raw_type(const struct machine *m, int core);

/*
 * Binds an event that has type and config to the core PMU with the index `core`, or to none
 * (EVENT_NO_CORE): software events, tracepoints, and events of other PMUs. On a hybrid machine a
 * generic event gets the type of the PMU: in the upper half of config, see perf_event_open(2),
 * PERF_COUNT_HW_*; on Arm's own PMUs, since kernels before 6.6 do not support this, the event is
 * replaced by the architectural code instead. Sets `absent` for a common event of Arm that the PMU
 * does not implement. -ENOENT: the event belongs to another core PMU, or this kind of cores has no
 * such generic event.
 */
int machine_bind(const struct machine *m, int core, struct event *e, struct err *err);

#endif
