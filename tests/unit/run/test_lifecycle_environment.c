/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Environment variables for a command which the C library has removed from tiptop's own
 * environment.
 */
#include "run/lifecycle.h"

#include <stdlib.h>

#include "tap.h"

static const char given[] = "HOME=/given\0"
			    "TMPDIR=/given/tmp\0"
			    "EMPTY=\0"
			    "EQUALS=a=b\0"
			    "no variable\0"
			    "=no name\0"
			    "TIPTOP_EVENTS=given\0"
			    "TMPDIR=/second\0"
			    "LD_PRELOAD=own.so:other.so";

static const char *value(const char *name)
{
	const char *text = getenv(name);

	return text ? text : "not set";
}

/* clang-format off */
static const struct {
	const char *name, *value, *why;
} rows[] = {
	{"HOME", "/now", "what is set stays"},
	{"TMPDIR", "/given/tmp", "what was removed is put back, as getenv(3) would have found it"},
	{"EMPTY", "", "an empty value"},
	{"EQUALS", "a=b", "the name ends before the first ="},
	{"TIPTOP_EVENTS", "not set", "what tiptop has removed stays so"},
};
/* clang-format on */

int main(void)
{
	clearenv();
	setenv("HOME", "/now", 1);
	tap_int(environment_add(given, sizeof given), 0, "a text is added");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		tap_str(value(rows[i].name), rows[i].value, "%s: %s", rows[i].name, rows[i].why);
	tap_str(value("LD_PRELOAD"), "own.so:other.so", "objects alone");
	setenv("LD_PRELOAD", "tiptop-locks.so", 1);
	environment_add(given, sizeof given);
	tap_str(value("LD_PRELOAD"), "tiptop-locks.so:own.so:other.so",
		"objects come behind that of tiptop");
	environment_add("LD_PRELOAD=", sizeof "LD_PRELOAD=");
	tap_str(value("LD_PRELOAD"), "tiptop-locks.so:own.so:other.so", "an empty list adds none");
	tap_int(environment_add("", 0), 0, "no text");
	tap_int(environment_restore(), 0, "without capabilities of a file nothing is read");
	tap_str(value("LD_PRELOAD"), "tiptop-locks.so:own.so:other.so", "and nothing is added");
	return tap_done();
}
