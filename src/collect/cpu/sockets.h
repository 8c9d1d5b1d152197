/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sockets - a source with a row for each socket of the running machine: the counts of uncore PMUs,
 * such as those of memory controllers, which the CPUs of a socket share.
 *
 * Each socket with an online CPU is a row. Its count is the sum over its PMU instances, and belongs
 * to no CPU and no task. The sum is unknown if the event could not be read on all of them. If
 * counters were multiplexed, the sum is scaled by the enabled and running times summed over all
 * instances.
 *
 * When an instance moves to another CPU, the counters of the socket are opened again. The socket
 * then becomes another row (start_ns), as the counts in between are unknown.
 */
#ifndef COLLECT_CPU_SOCKETS_H
#define COLLECT_CPU_SOCKETS_H

#include "base/strbuf.h"
#include "collect/source.h"
#include "collect/task/proc.h"
#include "pmu/event/machine.h"
#include "pmu/perf/event.h"
#include "pmu/perf/sys.h"

/* ---- pmu instances ----
 *
 * Finds the CPUs on which events of uncore PMUs are counted. A PMU has an instance for each CPU in
 * its file `cpumask`. There the kernel lists one CPU for each socket, or for each part of a socket
 * that has its own PMU, such as each L3. When such a CPU goes offline, the kernel lists another CPU
 * of that socket or part.
 *
 * An event of several PMUs (pmu/event/sysfs.h) has the instances of all of them.
 */

/* An event on one instance. */
struct pmu_instance {
	int event; /* index in the set */
	uint32_t type;
	int cpu;
	long socket;
};

/* An uncore PMU that counts some of the events of the set. */
struct shared_pmu {
	char *name;
	uint32_t type;
	uint64_t events;    /* bit i: event i of the set */
	struct strbuf cpus; /* its cpumask, as read last */
};

struct pmu_instances {
	const struct machine *machine;
	struct shared_pmu *pmu;
	size_t n_pmus, cap_pmus;
	struct strbuf online;   /* the online CPUs, as read last */
	struct pmu_instance *v; /* [n] sorted by socket */
	size_t n, cap;
	long *socket; /* numbers of the sockets with an online CPU, ascending */
	size_t n_sockets, cap_sockets;
};

/* Initializes an empty list. machine must outlive it. Next, call pmu_instances_find() and
 * pmu_instances_update(). */
void pmu_instances_init(struct pmu_instances *b, const struct machine *machine);
void pmu_instances_done(struct pmu_instances *b);
/* Finds the PMUs of the available uncore events of the set. */
void pmu_instances_find(struct pmu_instances *b, const struct event_set *set);
/* Reads the CPUs of the PMUs and the list of sockets again. Returns whether something has
 * changed. */
bool pmu_instances_update(struct pmu_instances *b);

/* ---- sockets ---- */

/* Creates the source. sys, proc and machine must outlive it. description: that of the machine
 * for its samples, of which a reference is taken; NULL: none. */
struct source *source_sockets_new(struct perf_sys *sys, struct proc *proc,
				  const struct machine *machine,
				  const struct sample_machine *description);

#endif
