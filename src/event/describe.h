/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * describe - events and machines in words that mean the same elsewhere and later, for the samples
 * that have to stand alone.
 */
#ifndef EVENT_DESCRIBE_H
#define EVENT_DESCRIBE_H

#include "event/machine.h"
#include "model/sample_machine.h"

/* Sets the words of all events of the set: the PMU that counts each, how the event is written in
 * its terms, and its fields. Events that were not found have the PMU of their kind of cores. */
void event_set_describe(struct event_set *set, const struct machine *m);

/* Describes the machine. The one reference belongs to the caller. */
struct sample_machine *machine_describe(const struct machine *m);

#endif
