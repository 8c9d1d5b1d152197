/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sockets - samples of the sockets of the running machine: what PMUs count that CPUs share, such as
 * those of memory controllers.
 *
 * Each socket with a CPU that is online is a row. Its count is the sum over its boxes
 * as nothing of it belongs to a CPU, or to who runs there; and no part is taken
 * for the sum: an event that could not be read on one of its boxes was not read. Where counters
 * took turns, the sum is scaled by the share of all boxes together.
 *
 * Where a box moves to another CPU, the counters of the socket are opened anew, and it is another
 * row (start_ns): what happened meanwhile nobody knows.
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
 * Where events of PMUs that CPUs share are counted: a box is a PMU on one CPU of
 * its file `cpumask`. The kernel names there a CPU of each socket, or of each part of it that has
 * such a PMU of its own, as one for each L3. When that CPU goes offline, it names another one.
 *
 * An event of several PMUs (pmu/event/sysfs.h) has the boxes of all of them.
 */

/* An event to be opened there. */
struct pmu_instance {
	int event; /* of the set */
	uint32_t type;
	int cpu;
	long socket;
};

/* A PMU that counts some of the events. */
struct shared_pmu {
	char *name;
	uint32_t type;
	uint64_t events;    /* bit i: event i of the set */
	struct strbuf cpus; /* as its cpumask was read last */
};

struct pmu_instances {
	const struct machine *machine;
	struct shared_pmu *pmu;
	size_t n_pmus, cap_pmus;
	struct strbuf online;   /* as the file was read last */
	struct pmu_instance *v; /* by socket */
	size_t n, cap;
	long *socket; /* the numbers of the sockets with a CPU that is online, the lowest first */
	size_t n_sockets, cap_sockets;
};

/* machine: must outlive it. Empty, until pmu_instances_find(). */
void pmu_instances_init(struct pmu_instances *b, const struct machine *machine);
void pmu_instances_done(struct pmu_instances *b);
/* Finds the PMUs of those events of the set that are shared and can be had. */
void pmu_instances_find(struct pmu_instances *b, const struct event_set *set);
/* Reads once more where they can be opened, and which sockets there are. Whether that is something
 * else than before. */
bool pmu_instances_update(struct pmu_instances *b);

/* ---- sockets ---- */

/* The machine, seen through these two seams, which must outlive the source, as must `machine`. What
 * samples say of it is `told`, of which a reference is taken; NULL: nothing. */
struct source *source_sockets_new(struct perf_sys *sys, struct proc *proc,
				  const struct machine *machine, const struct sample_machine *told);

#endif
