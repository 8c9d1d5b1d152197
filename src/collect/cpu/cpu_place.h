/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu_place - where a CPU is, as sysfs tells: its core, its socket, and the kind of its core.
 */
#ifndef COLLECT_CPU_CPU_PLACE_H
#define COLLECT_CPU_CPU_PLACE_H

#include "base/strbuf.h"
#include "pmu/event/machine.h"

struct place {
	long core;   /* the number of the first CPU of the core; -1: not known */
	long socket; /* -1: not known */
	int kind;    /* of its core, an index of machine.core; -1: not known */
};

void place_find(struct place *out, const struct machine *machine, int cpu);
/* Appends it for people: "socket 0, core 2 (cpu_atom)"; "?" where nothing is known. */
void place_add(struct strbuf *out, const struct machine *machine, const struct place *place);

#endif
