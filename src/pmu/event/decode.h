/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decode - a number that stands for an event, taken apart: a value of the register PERFEVTSEL of
 * x86 ("0x43412e"), a raw event ("r412e"), or the terms of a core PMU
 * ("cpu/event=0x2e,umask=0x41/").
 *
 * Told are its fields, the config that the kernel gets, the names that are known for it on the
 * machine, and what is wrong with it. Nothing is opened.
 */
#ifndef PMU_EVENT_DECODE_H
#define PMU_EVENT_DECODE_H

#include "pmu/event/machine.h"

/* Whether a text is such a number. */
bool event_is_code(const char *text);

/* The texts are lent for the call. */
typedef void (*event_decode_visit)(void *context, const char *field, const char *value,
				   const char *text);

/* Calls visit for each line of the answer: a field, its value in hex or a name, and a sentence
 * without a full stop. -EINVAL where the number cannot be read. */
int event_decode(const struct machine *m, const char *code, event_decode_visit visit, void *context,
		 struct err *err);

#endif
