/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * describe - events and machines in words that mean the same elsewhere and later, for the samples
 * that have to stand alone.
 */
#ifndef PMU_EVENT_DESCRIBE_H
#define PMU_EVENT_DESCRIBE_H

#include "model/sample_machine.h"
#include "pmu/event/machine.h"
#include "pmu/event/sysfs.h"

/* ---- places ----
 *
 * What each CPU of the machine shares with others, as sysfs tells: core, caches, memory.
 */

/* Returns how many CPUs there are, by the highest number of one that is online, and *out, which the
 * caller frees: of each, what it shares. 0, and NULL: nothing is known. Of CPUs that share a core
 * or a cache, the files of one are read. */
int places_read(const struct event_host *host, struct sample_place **out);

/* ---- describe ---- */

/* Sets the words of all events of the set: the PMU that counts each, how the event is written in
 * its terms, and its fields. Events that were not found have the PMU of their kind of cores. */
void event_set_describe(struct event_set *set, const struct machine *m);

/* Describes the machine; places: with what its CPUs share, some files for each. The one reference
 * belongs to the caller. */
struct sample_machine *machine_describe(const struct machine *m, bool places);

/* The machine that was told so, as far as that goes: its CPU and its kinds of cores, with the
 * built-in event table; nobody can look into its files any more (pmu/event/foreign_cpu.h). */
void machine_restore(struct machine *m, const struct sample_machine *told);

#endif
