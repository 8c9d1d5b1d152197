/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * describe - describes events and machines in a form that is valid on other machines and later, for
 * samples, which must be self-contained; and merges sets of events that are equal in this form.
 */
#ifndef PMU_EVENT_DESCRIBE_H
#define PMU_EVENT_DESCRIBE_H

#include "model/sample_event.h"
#include "pmu/event/machine.h"
#include "pmu/event/sysfs.h"
#include "pmu/perf/event.h"

/* ---- one event ----
 *
 * Converts an event of a set to the form of a sample (model/sample_event.h), without the numbers
 * that this boot of the kernel assigned. Pure.
 */

enum event_kind event_kind_of(const struct event *e);

/* Returns event i of the set; texts are borrowed from it. Fields that depend on the plan are not
 * set. */
struct sample_event event_to_sample(const struct event_set *set, int i);

/* ---- places ----
 *
 * Which core, caches and memory each CPU shares with others, from sysfs.
 */

/* Reads what each CPU shares into *out, an array by CPU number, which the caller frees. Returns its
 * length, the highest number of an online CPU plus 1. If that is unknown, returns 0, and *out is
 * NULL. */
int places_read(const struct event_host *host, struct sample_place **out);

/* ---- sets and machines ---- */

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

/* ---- merge ----
 *
 * Merges the event sets of several screens into one, so that a counter that several screens need is
 * opened once.
 *
 * Two counters are the same if their events are equal (model/sample_event.h), whatever the screens
 * call them. A counter without a known event equals no other.
 */

/* Returns the counter of the set that equals this one of the other set; -1: none. */
int event_set_find(const struct event_set *set, const struct event_set *other, int counter);

/* Replaces the masks of the set (event_set.together) by those of the other set, without the
 * counters that the set lacks. */
void event_set_rejoin(struct event_set *set, const struct event_set *other);

/* Adds the counters of the other set that the set lacks, and the other set's masks
 * (event_set.together). Takes ownership of the other set. Returns how many counters had no room. */
int event_set_merge(struct event_set *set, struct event_set *other);

/* Keeps only the first of equal counters, so that a counter for which a screen has several aliases
 * is opened once. */
void event_set_dedupe(struct event_set *set);

#endif
