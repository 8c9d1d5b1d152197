/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modes - samples of the CPUs of the running machine, twice each: what they do in user mode, and
 * what they do in the kernel.
 *
 * Each mode has counters of its own, which are on the PMU beside those of the other one, or take
 * turns with them.
 */
#ifndef COLLECT_CPU_MODES_H
#define COLLECT_CPU_MODES_H

#include "collect/cpu/cpus.h"

/* As source_cpus_new() has them; scope.mode is passed over. */
struct source *source_modes_new(struct perf_sys *sys, struct proc *proc,
				const struct machine *machine, const struct sample_machine *told,
				const struct cpus_scope *scope);

#endif
