/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * event_suggest - finds the event that an unknown name was probably meant to be.
 *
 * The candidates are the generic events, and the events of the table for this CPU, of sysfs and of
 * libpfm4. base/suggestion.h defines when a name is near.
 */
#ifndef PMU_EVENT_SUGGEST_H
#define PMU_EVENT_SUGGEST_H

#include "pmu/event/machine.h"

/* Returns the nearest known name; of several equally near names, the first. NULL: no name is near.
 * The caller frees the name. */
char *event_suggest(const struct machine *m, const char *name);
/* Appends a suggestion to the sentence in err, if there is one. */
void event_suggest_add(const struct machine *m, const char *name, struct err *err);

#endif
