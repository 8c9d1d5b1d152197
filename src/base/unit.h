/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit - numbers as people read them: with their units, and the codes of signals and errors by
 * name.
 *
 * A number is kept raw, in its unit: 12345678 bytes. For people it is shortened. Positive numbers
 * of the usual size need at most unit_row.width characters:
 *
 *   large   about three digits, and K, M, G, T, P, E, Z for steps of 1000, or of 1024 for bytes:
 *           12.3M
 *   time    minutes, seconds and tenths: 4:05.2; from 100 minutes on with hours: 1:40:00; from 100
 *           hours on with days: 4d04h
 *   plain   one or two decimals
 */
#ifndef BASE_UNIT_H
#define BASE_UNIT_H

#include <stdbool.h>

#include "base/strbuf.h"

/* ---- short number ----
 *
 * A number for people in about four digits, independent of its unit.
 */

/* Appends the number; "?" for NaN. A number below 1000 has as many of four significant digits as
 * fit in `width` characters, but at least two. */
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
	const char *name; /* as in a tiptoprc file */
	void (*add)(struct strbuf *out, double number);
	double factor; /* from this unit to that of add(): 1e-9 from ns to s */
	/* The characters that numbers of the usual size need at most. */
	int width;
	const char *help;
};

/* UNIT_NONE and UNIT_TEXT have no add(). */
extern const struct unit_row unit_table[N_UNITS];

/* Finds a unit by its name; -1: none. */
int unit_find(const char *name);
/* Appends the number for people. */
void unit_add(struct strbuf *out, enum unit unit, double number);
/* Appends the number in at most `width` characters, in the first of these forms that fits: with
 * two, one or no decimals; the same with the prefix K, M, G and so on, if `prefixed` is true.
 * Prefixes of UNIT_NONE are steps of 1000. Returns false, with nothing appended, if no form fits or
 * the unit is a time. */
bool unit_add_within(struct strbuf *out, enum unit unit, double number, int width, bool prefixed);

/* ---- names of codes ----
 *
 * The names of signals and of error codes, as programs write them: "TERM", "EACCES".
 *
 * glibc has functions for this only since 2.32, and tiptop also runs with older releases. The
 * tables have the names of Linux's generic headers (asm-generic); the compiler supplies the numbers
 * of the target architecture.
 */

/* Returns the name without "SIG"; NULL: a real-time signal, or not a signal. */
const char *code_name_signal(int signal);
/* Returns the name of a value of errno; "an unknown error" if the value has no name. */
const char *code_name_error(int error);

#endif
