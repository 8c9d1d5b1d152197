/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_type - the names that a tiptoprc has for the types of events and for their numbers.
 */
#ifndef PMU_EVENT_TYPE_H
#define PMU_EVENT_TYPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The type attribute of a tiptoprc, and the names that its config attribute may use. */
struct event_type {
	const char *name;
	uint32_t type;
	/* 0 and the value of a name, or -1; for expr_config_eval(). */
	int (*constant)(const char *name, size_t len, uint64_t *value);
};

/* Finds a type by its name; NULL stands for HARDWARE. Returns NULL where there is no such type,
 * with a sentence that lists the types. */
const struct event_type *event_type_find(const char *name, struct err *err);

#endif
