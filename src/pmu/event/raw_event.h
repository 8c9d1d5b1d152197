/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * raw_event - events that are given by numbers instead of names: the words that a tiptoprc file can
 * use for event types and for the configs of each type, and the explanation of a number.
 *
 * No event is opened. Errors have a sentence.
 */
#ifndef PMU_EVENT_RAW_EVENT_H
#define PMU_EVENT_RAW_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "pmu/event/machine.h"

/* ---- types ---- */

/* A value of the type attribute in a tiptoprc file, and the names that the config attribute may use
 * with this type. */
struct event_type {
	const char *name;
	uint32_t type;
	/* Sets *value for a name; returns 0, or -1 if there is no such name; for
	 * expr_config_eval(). */
	int (*constant)(const char *name, size_t len, uint64_t *value);
};

/* Finds a type by its name; NULL stands for HARDWARE. Returns NULL, with a sentence that lists the
 * types, if there is no such type. */
const struct event_type *event_type_find(const char *name, struct err *err);

/* ---- decode ----
 *
 * Explains a number that stands for an event: a value of the x86 register PERFEVTSEL ("0x43412e"),
 * a raw event ("r412e"), or the terms of a core PMU ("cpu/event=0x2e,umask=0x41/").
 *
 * event_decode() reports the fields, the config for the kernel, the known names of the event on the
 * machine, and errors.
 */

/* Returns whether a text has one of these forms. */
bool event_is_code(const char *text);

/* Is called for one line of the explanation. The texts are valid during the call. */
typedef void (*event_decode_visit)(void *context, const char *field, const char *value,
				   const char *text);

/* Calls visit for each line of the explanation: a field, its value in hex or a name, and a sentence
 * without a full stop. Returns 0; -EINVAL: the number cannot be parsed; or an error of
 * event_name_resolve() (name.h) for terms. */
int event_decode(const struct machine *m, const char *code, event_decode_visit visit, void *context,
		 struct err *err);

#endif
