/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * event_name - an event by its name, whoever has given it. In this order:
 *
 *   1. an event of the table (table.h), "l1d-misses": the first of its names for this CPU
 *      that is known here;
 *   2. the generic events (generic.h): "cycles", "page-faults", "L1-dcache-load-misses";
 *   3. the kernel's description of this machine (sysfs.h): "cpu/event=0x3c,cmask=1/", "msr/tsc/",
 *      and the events of a core PMU by their bare names, "mem-loads";
 *   4. the vendor's name, through libpfm4 (pfm.h): "FP_ASSIST:ANY"; of another CPU, and where
 *      libpfm4 has no such name, what this project knows of it (maker.h): "INST_RETIRED.ANY";
 *   5. a number: "r1c2" as in perf(1), "0x5301c2" as in the register PERFEVTSEL of x86, whose bits
 *      for user mode and kernel say where to count and whose bits for enable and interrupt are left
 *      out; elsewhere as "r5301c2";
 *   6. a tracepoint: "sched:sched_switch".
 *
 * Modifiers. Behind a colon, "cycles:u", or the last '/' of 3: u, k and h count in user mode, in
 * the kernel and in the hypervisor only, G in guests only, H in the host only; several of them
 * join. libpfm4 reads its own. Terms and modifiers of perf(1) that are for sampling change nothing,
 * see spelling.h.
 *
 * Phases. At the very end, "cycles@hold": of a lock, while it is acquired, held or released
 * (@acquire, @hold, @release). Only what measures locks counts so.
 */
#ifndef PMU_EVENT_NAME_H
#define PMU_EVENT_NAME_H

#include "pmu/event/machine.h"

/*
 * Sets what to count and in which modes, in an event that is cleared but for its name and quality.
 * core: the kind of cores of the machine, 0 where it has one kind; "cpu/.../" is any kind. Errors:
 * -EINVAL for what is wrong on any machine; others where this machine lacks the event: -ENOENT,
 * -EOPNOTSUPP, -ERANGE, -EACCES.
 */
int event_name_resolve(struct event *e, const struct machine *m, int core, const char *name,
		       struct err *err);

/* Sets what one count of the event stands for, by the weight (weight.h) of the choice that it is
 * of, on this kind of cores. NULL changes nothing. -ENOENT: this machine does not tell it. */
int event_weigh(struct event *e, const struct machine *m, int core, const char *weight,
		struct err *err);

/* The name of an event with a modifier of one letter, "cycles:u" and "cpu/event=0x3c/u", and with a
 * phase, "cycles@hold"; mode 0: without a modifier. The caller frees it. */
char *event_name_extend(const char *name, char mode, enum event_phase phase);

/* How long the name is without its phase, which is set where it has one. */
size_t event_name_phase(const char *name, enum event_phase *phase);

/* Whether the event is known on any machine: a number, or generic. Of a hybrid machine the kinds of
 * cores have to be asked. */
bool event_name_is_certain(const struct machine *m, const char *name);

/* Applies the modifiers of a name, "u" of "cycles:u", to an event that is cleared of them. NULL
 * changes nothing. -EINVAL for what is no modifier, or none that the event can have. */
int event_modifiers_apply(struct event *e, const char *name, const char *modifiers,
			  struct err *err);

#endif
