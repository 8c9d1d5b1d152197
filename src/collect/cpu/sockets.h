/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sockets - samples of the sockets of the running machine: what PMUs count that CPUs share, such as
 * those of memory controllers.
 *
 * Each socket with a CPU that is online is a row. Its count is the sum over its boxes
 * (pmu_instances.h), as nothing of it belongs to a CPU, or to who runs there; and no part is taken
 * for the sum: an event that could not be read on one of its boxes was not read. Where counters
 * took turns, the sum is scaled by the share of all boxes together.
 *
 * Where a box moves to another CPU, the counters of the socket are opened anew, and it is another
 * row (start_ns): what happened meanwhile nobody knows.
 */
#ifndef COLLECT_CPU_SOCKETS_H
#define COLLECT_CPU_SOCKETS_H

#include "collect/source.h"
#include "collect/task/proc.h"
#include "pmu/event/machine.h"
#include "pmu/perf/sys.h"

/* The machine, seen through these two seams, which must outlive the source, as must `machine`. What
 * samples say of it is `told`, of which a reference is taken; NULL: nothing. */
struct source *source_sockets_new(struct perf_sys *sys, struct proc *proc,
				  const struct machine *machine, const struct sample_machine *told);

#endif
