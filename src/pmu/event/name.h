/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * name - resolves the name of an event. These sources are tried in this order:
 *
 *   1. an event of the table (table.h), "l1d-misses": the first of its names for this CPU that is
 *      known here;
 *   2. the generic events (perf_name.h): "cycles", "page-faults", "L1-dcache-load-misses";
 *   3. the kernel's description of this machine (sysfs.h): "cpu/event=0x3c,cmask=1/", "msr/tsc/",
 *      and the events of a core PMU by their bare names, "mem-loads";
 *   4. a number: "r1c2" as in perf(1), or "0x5301c2", a value of the x86 register PERFEVTSEL, whose
 *      bits for user mode and kernel select the modes and whose bits for enable and interrupt are
 *      dropped; on other architectures that is the same as "r5301c2";
 *   5. the vendor's name, through libpfm4 (pfm.h): "FP_ASSIST:ANY"; for another CPU, or if libpfm4
 *      has no such name, through tiptop's own tables: "INST_RETIRED.ANY";
 *   6. a tracepoint: "sched:sched_switch".
 *
 * Modifiers. They follow a colon, "cycles:u", or the last '/' of 3: u, k and h count in user mode,
 * in the kernel and in the hypervisor only, G in guests only, H in the host only; several of them
 * are combined. libpfm4 parses its own. Terms and modifiers of perf(1) for sampling have no effect,
 * see perf_name.h.
 *
 * Phases. A suffix at the very end, as in "cycles@hold", restricts counting to the time in which a
 * lock is acquired (@acquire), held (@hold) or released (@release). Only the measurement of locks
 * supports phases.
 *
 * event_suggest() finds the event that an unknown name was probably meant to be.
 */
#ifndef PMU_EVENT_NAME_H
#define PMU_EVENT_NAME_H

#include "pmu/event/machine.h"

/*
 * Sets what to count and in which modes, in an event whose fields other than name and quality are
 * 0. core: the kind of cores, 0 if the machine has one kind; "cpu/.../" means the PMU of this kind.
 * Returns 0; -EINVAL: the name is invalid on any machine; -ENOENT, -EOPNOTSUPP, -ERANGE or -EACCES:
 * this machine lacks the event.
 */
int event_name_resolve(struct event *e, const struct machine *m, int core, const char *name,
		       struct err *err);

/* Sets the scale of the event, on this kind of cores, from the weight (table.h) of its choice. If
 * the weight is NULL, changes nothing. -ENOENT: this machine does not provide the weight. */
int event_weigh(struct event *e, const struct machine *m, int core, const char *weight,
		struct err *err);

/* Returns the name with a modifier of one letter, "cycles:u" and "cpu/event=0x3c/u", and with a
 * phase, "cycles@hold"; mode 0: without a modifier. The caller frees it. */
char *event_name_extend(const char *name, char mode, enum event_phase phase);

/* Returns the length of the name without its phase. *phase: the phase, or EVENT_ANY_PHASE. */
size_t event_name_phase(const char *name, enum event_phase *phase);

/* Returns whether the name, if it is valid, is sure to resolve, without resolving it: it is a
 * number, or, unless the machine is hybrid, a generic event. */
bool event_name_is_certain(const struct machine *m, const char *name);

/* Applies the modifiers of a name, "u" of "cycles:u", to an event that has none yet. NULL changes
 * nothing. -EINVAL: a letter is not a modifier, or the event cannot have this modifier. */
int event_modifiers_apply(struct event *e, const char *name, const char *modifiers,
			  struct err *err);

/* ---- vendor names ----
 *
 * Resolves the event names of CPU vendors without libpfm4: names of the kernel's generic events,
 * and names that are in a choice of the event table.
 *
 * Names are compared regardless of case and of the separators between their words: vendors write
 * EVENT.UMASK, ocperf and perf on AMD and Arm event.umask and event_umask, likwid EVENT_UMASK,
 * libpfm4 EVENT:UMASK.
 */

bool event_vendor_names_same(const char *x, const char *y);
/* Returns the generic event that has this name at the vendor of this CPU; NULL: none. */
const char *event_vendor_generic(const struct machine *m, const char *name);
/* Finds the event of the table whose choice for this CPU has this vendor name. pmu: the PMU of one
 * kind of cores; NULL: of any kind. *outside: the event is of a PMU outside of the cores, and
 * cannot be counted for a task. An event of the cores whose choice has a weight is not found, since
 * the vendor does not apply the weight. */
const struct event_def *event_vendor_find(const struct machine *m, const char *pmu,
					  const char *name, bool *outside);
/* Returns whether the PMU with this name, `len` characters, is a core PMU. */
bool machine_is_core_pmu(const struct machine *m, const char *name, size_t len);

/* ---- suggestions ----
 *
 * Finds the event that an unknown name was probably meant to be.
 *
 * The candidates are the generic events, and the events of the table for this CPU, of sysfs and of
 * libpfm4. base/suggestion.h defines when a name is near.
 */

/* Returns the nearest known name; of several equally near names, the first. NULL: no name is near.
 * The caller frees the name. */
char *event_suggest(const struct machine *m, const char *name);
/* Appends a suggestion to the sentence in err, if there is one. */
void event_suggest_add(const struct machine *m, const char *name, struct err *err);

#endif
