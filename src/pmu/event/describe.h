/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * describe - describes events and machines in a form that is valid on other machines and later, for
 * samples, which must be self-contained.
 */
#ifndef PMU_EVENT_DESCRIBE_H
#define PMU_EVENT_DESCRIBE_H

#include "model/sample_machine.h"
#include "pmu/event/machine.h"
#include "pmu/event/sysfs.h"

/* ---- places ----
 *
 * Which core, caches and memory each CPU shares with others, from sysfs.
 */

/* Reads what each CPU shares into *out, an array by CPU number, which the caller frees. Returns its
 * length, the highest number of an online CPU plus 1. If that is unknown, returns 0, and *out is
 * NULL. The files of a shared core or cache are read only once. */
int places_read(const struct event_host *host, struct sample_place **out);

/* ---- describe ---- */

/* Sets pmu, format and resolved of all events of the set: the PMU that counts the event, the event
 * in the terms of that PMU, and the fields of the terms. An event that was not found gets the PMU
 * of its kind of cores. */
void event_set_describe(struct event_set *set, const struct machine *m);

/* Describes the machine. places: also what its CPUs share, for which several files of each CPU are
 * read. Returns a reference, which the caller owns. */
struct sample_machine *machine_describe(const struct machine *m, bool places);

/* Restores the machine from a description: its CPU, its kinds of cores and the built-in event
 * table. The files of that machine cannot be read (pmu/event/foreign_cpu.h). */
void machine_restore(struct machine *m, const struct sample_machine *description);

#endif
