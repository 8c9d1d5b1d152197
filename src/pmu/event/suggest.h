/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * event_suggest - what a name that is no event may have been meant to be.
 *
 * The names that are known: the generic ones, those that the table has for this CPU, those of
 * sysfs, libpfm4's. Which of them is near, base/suggestion.h says.
 */
#ifndef PMU_EVENT_SUGGEST_H
#define PMU_EVENT_SUGGEST_H

#include "pmu/event/machine.h"

/* Returns the nearest known name, the first one of several; NULL where none is near. The caller
 * frees it. */
char *event_suggest(const struct machine *m, const char *name);
/* Appends it to the sentence why the name is not known. */
void event_suggest_add(const struct machine *m, const char *name, struct err *err);

#endif
