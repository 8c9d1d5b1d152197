/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu_conflict - whether the CPU time that counters of a command have counted contradicts the one
 * that the kernel accounts to it (getrusage(2)): then one of both lacks tasks.
 *
 * Both differ a little where nothing is lacking. The kernel accounts the switches between tasks and
 * what a task does before its counters are open; it rounds to ticks on some configurations; and the
 * time that a host takes from a virtual machine is in the counters alone. None of this makes a
 * conflict.
 */
#ifndef OUTPUT_CPU_CONFLICT_H
#define OUTPUT_CPU_CONFLICT_H

#include <stdbool.h>

#include "base/strbuf.h"

struct cpu_times {
	double counted_ns, accounted_ns;
	double switches; /* that the kernel accounts */
};

/* Appends a sentence where they contradict each other. Returns whether they do. */
bool cpu_conflict_add_text(struct strbuf *out, const struct cpu_times *times);

#endif
