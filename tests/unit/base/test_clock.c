/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times as text, written and parsed. */
#include "base/clock.h"

#include <stdlib.h>

#include "tap.h"

static void check_zone(const char *zone, const char *text)
{
	const uint64_t wall_ns = 1763785242123000000u;
	struct strbuf out;
	uint64_t back = 0;

	setenv("TZ", zone, 1);
	tzset();
	strbuf_init(&out);
	clock_add_time(&out, wall_ns);
	tap_str(out.text, text, "a time in the zone %s", zone);
	tap_ok(clock_parse_time(out.text, &back) && back == wall_ns, "parsed again");
	strbuf_done(&out);
}

static void check_refused(const char *text)
{
	uint64_t wall_ns;

	tap_ok(!clock_parse_time(text, &wall_ns), "'%s' is no time", text);
}

int main(void)
{
	check_zone("UTC0", "2025-11-22T04:20:42.123+00:00");
	check_zone("EST5", "2025-11-21T23:20:42.123-05:00");
	check_zone("IST-5:30", "2025-11-22T09:50:42.123+05:30");
	check_refused("2025-11-22T04:20:42.123");
	check_refused("2025-11-22T04:20:42.123+00:00 ");
	check_refused("2025-11-22T04:20:42.123x00:00");
	check_refused("2025-11-22 04:20:42");
	check_refused("2025-11-22T04:20:42.5+00:00");
	check_refused("2025-1-2T04:20:42.123+00:00");
	check_refused("2025-13-22T04:20:42.123+00:00");
	check_refused("2025-11-22T04:20:42.123+00:-1");
	check_refused("");
	return tap_done();
}
