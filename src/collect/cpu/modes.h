/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modes - samples of the CPUs of the running machine with two rows for each CPU: one of user mode
 * and one of the kernel.
 *
 * Each mode has counters of its own, which are on the PMU together with those of the other mode, or
 * take turns with them.
 */
#ifndef COLLECT_CPU_MODES_H
#define COLLECT_CPU_MODES_H

#include "collect/cpu/cpus.h"

/* Creates the source. Parameters as for source_cpus_new(); scope->mode is ignored. */
struct source *source_modes_new(struct perf_sys *sys, struct proc *proc,
				const struct machine *machine, const struct sample_machine *told,
				const struct cpus_scope *scope);

#endif
