/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers with units, in the form for people.
 */
#include <math.h>
#include <string.h>

#include "base/unit.h"
#include "tap.h"

static const struct {
	enum unit unit;
	double number;
	const char *text;
} cases[] = {
	{UNIT_COUNT, 0, "0"},
	{UNIT_COUNT, 7, "7"},
	{UNIT_COUNT, 999, "999"},
	{UNIT_COUNT, 999.4, "999"},
	{UNIT_COUNT, 999.6, "1.0K"},
	{UNIT_COUNT, 1000, "1.0K"},
	{UNIT_COUNT, 12345678, "12.3M"},
	{UNIT_COUNT, 99940000, "99.9M"},
	{UNIT_COUNT, 99960000, "100M"},
	{UNIT_COUNT, 999600000, "1.0G"},
	{UNIT_COUNT, 1.8446744073709552e19, "18.4E"},
	{UNIT_COUNT, -12345, "-12.3K"},
	{UNIT_PER_S, 0.5, "0.5"},
	{UNIT_PER_S, 99.96, "100"},
	{UNIT_PER_S, 1234.5, "1.2K"},
	{UNIT_BYTES, 1000, "1.0K"},
	{UNIT_BYTES, 1023, "1.0K"},
	{UNIT_BYTES, 1024, "1.0K"},
	{UNIT_BYTES, 1536, "1.5K"},
	{UNIT_BYTES, 12.3 * 1024 * 1024, "12.3M"},
	{UNIT_KIB, 4, "4.0K"},
	{UNIT_KIB, 1024, "1.0M"},
	{UNIT_KIB, 999 * 1024, "999M"},
	{UNIT_KIB, 1000 * 1024, "1.0G"},
	{UNIT_PERCENT, 12.34, "12.3"},
	{UNIT_MILLION, 0.5, "500K"},
	{UNIT_MILLION_PER_S, 1234.5, "1.2G"},
	{UNIT_MS_PER_S, 12.34, "12.3"},
	{UNIT_PER_1000, 7, "7.0"},
	{UNIT_GHZ, 3.214, "3.21"},
	{UNIT_RATIO, 1.005, "1.00"},
	{UNIT_S, 0, "0:00.0"},
	{UNIT_S, 245.25, "4:05.2"},
	{UNIT_S, 59.99, "0:59.9"},
	{UNIT_S, 99 * 60 + 59.96, "99:59.9"},
	{UNIT_S, 6000, "1:40:00"},
	{UNIT_S, 100 * 3600 - 0.5, "99:59:59"},
	{UNIT_S, 100 * 3600, "4d04h"},
	{UNIT_S, 10000 * 86400.0 - 1, "9999d23h"},
	{UNIT_S, 10000 * 86400.0, "10000d"},
	{UNIT_S, -61, "-1:01.0"},
	{UNIT_NS, 245.25e9, "4:05.2"},
	{UNIT_NS, 1e6, "0:00.0"},
	{UNIT_US, 65.25e6, "1:05.2"},
	{UNIT_MS, 65.25e3, "1:05.2"},
	{UNIT_NS, 1e300, "1e+291"},
};

/* Returns whether numbers with this unit are never large. */
static bool small(const char *name)
{
	static const char *const names[] = {"%", "1/1000", "ratio", "ms/s", "GHz"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Any number fits into a column of the width of its unit. */
static void test_width(void)
{
	struct strbuf out;

	strbuf_init(&out);
	for (int u = UNIT_COUNT; u < N_UNITS; u++) {
		double last = small(unit_table[u].name) ? 999
			      : u == UNIT_S             ? 1e11
			      : u >= UNIT_MILLION       ? 1e14
							: 1e20;
		int wide = 0;

		for (double number = 1e-3; number < last; number *= 1.03) {
			strbuf_reset(&out);
			unit_add(&out, (enum unit)u, number);
			wide = (int)out.len > wide ? (int)out.len : wide;
		}
		tap_ok(wide <= unit_table[u].width, "%s: %d characters at most", unit_table[u].name,
		       unit_table[u].width);
	}
	strbuf_done(&out);
}

static void test_within(void)
{
	static const struct {
		enum unit unit;
		double number;
		int width;
		const char *text; /* "": the width is too small */
	} within[] = {
		{UNIT_NONE, 12.5, 5, "12.50"},
		{UNIT_NONE, 123456.75, 8, "123456.8"},
		{UNIT_NONE, 123456.75, 6, "123457"},
		{UNIT_NONE, 123456.75, 5, "123K"},
		{UNIT_NONE, 1234567, 6, "1.23M"},
		{UNIT_NONE, 1234567, 4, "1.2M"},
		{UNIT_NONE, 1234567, 3, "1M"},
		{UNIT_NONE, 999.6, 3, "1K"},
		{UNIT_NONE, 999.4, 3, "999"},
		{UNIT_NONE, -1234.5, 5, "-1234"},
		{UNIT_NONE, -1234.5, 4, "-1K"},
		{UNIT_NONE, 123, 2, ""},
		{UNIT_NONE, 99, 1, ""},
		{UNIT_NONE, 1e300, 8, ""},
		{UNIT_MILLION, 1234.5, 4, "1.2G"},
		{UNIT_KIB, 1024, 4, "1.0M"},
		{UNIT_KIB, 1024, 2, "1M"},
		{UNIT_S, 245.25, 4, ""},
	};
	struct strbuf sb;

	strbuf_init(&sb);
	for (size_t i = 0; i < sizeof within / sizeof *within; i++) {
		strbuf_reset(&sb);
		tap_int(unit_add_within(&sb, within[i].unit, within[i].number, within[i].width,
					true),
			*within[i].text != 0, "%g in %d characters", within[i].number,
			within[i].width);
		tap_str(sb.text, within[i].text, "as a text");
	}
	strbuf_reset(&sb);
	tap_int(unit_add_within(&sb, UNIT_NONE, 1234.5, 4, false), true, "fewer digits");
	tap_str(sb.text, "1234", "need no prefix");
	tap_int(unit_add_within(&sb, UNIT_NONE, 12345, 4, false), false, "without one");
	tap_str(sb.text, "1234", "nothing is appended");
	strbuf_done(&sb);
}

int main(void)
{
	struct strbuf out;

	strbuf_init(&out);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		strbuf_reset(&out);
		unit_add(&out, cases[i].unit, cases[i].number);
		tap_str(out.text, cases[i].text, "%.17g %s", cases[i].number,
			unit_table[cases[i].unit].name);
	}
	strbuf_done(&out);
	test_width();
	test_within();
	for (int u = 0; u < N_UNITS; u++)
		tap_int(unit_find(unit_table[u].name), u, "'%s' is found by its name",
			unit_table[u].name);
	tap_int(unit_find("furlong"), -1, "others are not");
	return tap_done();
}
