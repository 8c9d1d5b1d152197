/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decode - explains a number that stands for an event: a value of the x86 register PERFEVTSEL
 * ("0x43412e"), a raw event ("r412e"), or the terms of a core PMU ("cpu/event=0x2e,umask=0x41/").
 *
 * event_decode() reports the fields, the config for the kernel, the known names of the event on the
 * machine, and errors. No event is opened.
 */
#ifndef PMU_EVENT_DECODE_H
#define PMU_EVENT_DECODE_H

#include "pmu/event/machine.h"

/* Returns whether a text has one of these forms. */
bool event_is_code(const char *text);

/* Is called for one line of the explanation. The texts are valid during the call. */
typedef void (*event_decode_visit)(void *context, const char *field, const char *value,
				   const char *text);

/* Calls visit for each line of the explanation: a field, its value in hex or a name, and a sentence
 * without a full stop. Returns 0; -EINVAL: the number cannot be parsed. */
int event_decode(const struct machine *m, const char *code, event_decode_visit visit, void *context,
		 struct err *err);

#endif
