/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The syntax of times in a recording.
 */
#include "session/replay_session.h"

#include <stdlib.h>

#include "tap.h"

#define NS_PER_S 1000000000ull
#define HOUR_S   3600

/* 2026-01-31 14:03:20.25 UTC. */
#define BEGIN_S  1769868200
#define BEGIN_NS (BEGIN_S * NS_PER_S + 250000000u)

#define TWO_HOURS                                                                                  \
	{                                                                                          \
		.end_ns = 2 * HOUR_S * (int64_t)NS_PER_S, .begin_wall_ns = BEGIN_NS,               \
		.end_wall_ns = BEGIN_NS + 2 * HOUR_S * NS_PER_S                                    \
	}

static const struct record_span usual[] = {TWO_HOURS};

/* After two hours the clock was set back by one hour, and after another hour by a day; an hour
 * follows. */
static const struct record_span set_back[] = {
	TWO_HOURS,
	{.begin_ns = 2 * HOUR_S * (int64_t)NS_PER_S,
	 .end_ns = 3 * HOUR_S * (int64_t)NS_PER_S,
	 .begin_wall_ns = BEGIN_NS + HOUR_S * NS_PER_S,
	 .end_wall_ns = BEGIN_NS + 2 * HOUR_S * NS_PER_S},
	{.begin_ns = 3 * HOUR_S * (int64_t)NS_PER_S,
	 .end_ns = 4 * HOUR_S * (int64_t)NS_PER_S,
	 .begin_wall_ns = BEGIN_NS - 22 * HOUR_S * NS_PER_S,
	 .end_wall_ns = BEGIN_NS - 21 * HOUR_S * NS_PER_S},
};

static struct time_spec parse(const char *text, const struct record_span *span, size_t n)
{
	struct err err = ERR_INIT;
	struct time_spec when = {.is_wall = false};

	tap_int(time_spec_parse(text, span, n, &when, &err), 0, "%s is a time %s", text, err.text);
	return when;
}

/* want_s: seconds after 14:03:20. */
static void test(const char *text, double want_s)
{
	const struct time_spec when = parse(text, usual, 1);

	tap_ok(when.is_wall, "%s is one of people", text);
	tap_num((double)(int64_t)(when.wall_ns - BEGIN_S * NS_PER_S) / 1e9, want_s, "%s", text);
}

/* want_s: seconds of recorded time. */
static void test_recorded(const char *text, double want_s)
{
	const struct time_spec when = parse(text, usual, 1);

	tap_ok(!when.is_wall, "%s is one of the recording", text);
	tap_num((double)when.at_ns / 1e9, want_s, "%s", text);
}

/* If the clock was set, a time of day may occur several times, or on another day. */
static void test_set_back(void)
{
	tap_num((double)(int64_t)(parse("15:33:20", set_back, 3).wall_ns - BEGIN_S * NS_PER_S) /
			1e9,
		1.5 * HOUR_S, "it is of the first span that has it");
	tap_num((double)(int64_t)(parse("16:33:20", set_back, 3).wall_ns - BEGIN_S * NS_PER_S) /
			1e9,
		-21.5 * HOUR_S, "on its day");
	tap_num((double)(int64_t)(parse("20:00:00", set_back, 3).wall_ns - BEGIN_S * NS_PER_S) /
			1e9,
		5 * HOUR_S + 3400, "which is the first one where none has it");
	tap_num((double)parse("-1800", set_back, 3).at_ns / 1e9, 3.5 * HOUR_S,
		"the end is that of recorded time");
	tap_num((double)parse("+1800", set_back, 3).at_ns / 1e9, HOUR_S / 2.0,
		"the begin likewise");
}

static void test_none(const char *text)
{
	struct err err = ERR_INIT;
	struct time_spec when;

	tap_ok(time_spec_parse(text, usual, 1, &when, &err) < 0 && err.text[0], "'%s' is none: %s",
	       text, err.text);
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	test("14:03:20", 0);
	test("14:03:21", 1);
	test("15:00", 3400);
	test("14:03", -20); /* the minute in which the recording begins */
	test("14:02",
	     -80); /* before the recording begins: still a time of that day, not of the next one */
	test("14:03:19", -1);
	test("2026-01-31 14:04:20", 60);
	test("2026-01-31T14:04", 40);
	test("2026-01-31 14:00", -200);
	test("2026-02-01", 86400 - 14 * 3600 - 200);
	test_recorded("+90", 90);
	test_recorded("+0.5", 0.5);
	test_recorded("-90", 7200 - 90);
	test_set_back();
	setenv("TZ", "CET-1", 1);
	test("15:03:20", 0);
	test("2026-01-31 15:04:20", 60);
	test_none("noon");
	test_none("14:");
	test_none("25:00");
	test_none("14:03:20x");
	test_none("+");
	test_none("-x");
	tap_int(time_spec_parse("14:03", NULL, 0, &(struct time_spec){.is_wall = false}, NULL), 0,
		"of an empty recording, any time will do");
	return tap_done();
}
