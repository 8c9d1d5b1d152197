/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_place - the core and socket of a CPU, from sysfs, and the kind of its core. */
#ifndef COLLECT_CPU_CPU_PLACE_H
#define COLLECT_CPU_CPU_PLACE_H

#include "base/strbuf.h"
#include "pmu/event/machine.h"

struct place {
	long core;   /* number of the first CPU of the core; -1: unknown */
	long socket; /* -1: unknown */
	int kind;    /* index of machine.core; -1: unknown */
};

void place_find(struct place *out, const struct machine *machine, int cpu);
/* Appends the place for people: "socket 0, core 2 (cpu_atom)"; "?" if nothing is known. */
void place_add(struct strbuf *out, const struct machine *machine, const struct place *place);

#endif
