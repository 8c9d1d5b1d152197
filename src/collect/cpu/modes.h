/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modes - a source with two rows for each CPU of the running machine: one for user mode and one for
 * the kernel.
 *
 * The two rows of a CPU have separate counters. Both are on the PMU at the same time, or are
 * multiplexed if the PMU has too few counters.
 */
#ifndef COLLECT_CPU_MODES_H
#define COLLECT_CPU_MODES_H

#include "collect/cpu/cpus.h"

/* Creates the source. Parameters as for source_cpus_new(); scope->mode is ignored. */
struct source *source_modes_new(struct perf_sys *sys, struct proc *proc,
				const struct machine *machine,
				const struct sample_machine *description,
				const struct cpus_scope *scope);

#endif
