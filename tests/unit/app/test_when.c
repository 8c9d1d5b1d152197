/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times in a recording as users write them.
 */
#include "app/when.h"

#include <stdlib.h>

#include "tap.h"

/* 2026-01-31 14:03:20.25 UTC. */
#define BEGIN_S  1769868200
#define BEGIN_NS (BEGIN_S * 1000000000ull + 250000000u)
#define END_NS   (BEGIN_NS + 7200 * 1000000000ull)

/* want_s: seconds after 14:03:20. */
static void test(const char *text, double want_s)
{
	struct err err = ERR_INIT;
	uint64_t ns = 0;

	tap_int(when_parse(text, BEGIN_NS, END_NS, &ns, &err), 0, "%s is a time %s", text,
		err.text);
	tap_num((double)(int64_t)(ns - BEGIN_S * 1000000000ull) / 1e9, want_s, "%s", text);
}

static void test_none(const char *text)
{
	struct err err = ERR_INIT;
	uint64_t ns;

	tap_ok(when_parse(text, BEGIN_NS, END_NS, &ns, &err) < 0 && err.text[0], "'%s' is none: %s",
	       text, err.text);
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	test("14:03:20", 0);
	test("14:03:21", 1);
	test("15:00", 3400);
	test("14:03", -20); /* the minute in which it begins */
	test("14:02", 86400 - 80);
	test("14:03:19", 86400 - 1);
	test("2026-01-31 14:04:20", 60);
	test("2026-01-31T14:04", 40);
	test("2026-01-31 14:00", -200);
	test("2026-02-01", 86400 - 14 * 3600 - 200);
	test("+90", 90.25);
	test("+0.5", 0.75);
	test("-90", 7200.25 - 90);
	setenv("TZ", "CET-1", 1);
	test("15:03:20", 0);
	test("2026-01-31 15:04:20", 60);
	test_none("noon");
	test_none("14:");
	test_none("25:00");
	test_none("14:03:20x");
	test_none("+");
	test_none("-x");
	return tap_done();
}
