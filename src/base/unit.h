/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit - what a number counts or measures, and how people like to read it.
 *
 * A number is kept raw, in its unit: 12345678 bytes. For people it is short. A positive number, as
 * large as such numbers are met, has no more characters than its row says:
 *
 *   large   three digits or so, and K, M, G, T, P, E for a thousand times, for bytes for
 *           1024 times: 12.3M
 *   time    minutes, seconds and tenths: 4:05.2; from 100 minutes on with hours: 1:40:00;
 *           from 100 hours on with days: 4d04h
 *   plain   one or two digits behind the point
 */
#ifndef BASE_UNIT_H
#define BASE_UNIT_H

#include <stdbool.h>

#include "base/strbuf.h"

/* ---- short number ----
 *
 * A number for people, in four digits or so, whatever it is of.
 */

/* Appends the number, in so many characters where two digits or more have room; "?": NaN. */
void short_number_add(struct strbuf *out, double number, int width);

/* ---- unit ---- */

enum unit {
	UNIT_NONE,
	UNIT_TEXT,
	UNIT_COUNT,
	UNIT_PERCENT,
	UNIT_PER_1000,
	UNIT_RATIO,
	UNIT_PER_S,
	UNIT_MILLION,
	UNIT_MILLION_PER_S,
	UNIT_MS_PER_S,
	UNIT_GHZ,
	UNIT_NS,
	UNIT_US,
	UNIT_MS,
	UNIT_S,
	UNIT_BYTES,
	UNIT_KIB,
	N_UNITS
};

struct unit_row {
	const char *name; /* as in a tiptoprc */
	void (*add)(struct strbuf *out, double number);
	double factor; /* one of this unit in the unit that add() writes */
	int width;
	const char *help;
};

/* UNIT_NONE and UNIT_TEXT have no add(). */
extern const struct unit_row unit_table[N_UNITS];

/* Finds a unit by its name; -1: there is none. */
int unit_find(const char *name);
/* Appends the number for people. */
void unit_add(struct strbuf *out, enum unit unit, double number);
/* Appends the number in at most so many characters: with fewer digits behind the point, or if it
 * may have a prefix, in K, M, G and so on, whatever has the most digits. UNIT_NONE: by thousands.
 * False: it has no room, or is a time, and nothing is appended. */
bool unit_add_within(struct strbuf *out, enum unit unit, double number, int width, bool prefixed);

#endif
