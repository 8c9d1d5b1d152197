/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_type - the names that a tiptoprc file can use for event types, and for the configs of each
 * type.
 */
#ifndef PMU_EVENT_TYPE_H
#define PMU_EVENT_TYPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

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

#endif
