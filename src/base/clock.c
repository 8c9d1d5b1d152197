/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/clock.h"

#include <stdio.h>

uint64_t clock_ns(clockid_t id)
{
	struct timespec t = {0, 0};

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t clock_tick_ns(void)
{
	struct timespec t;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &t))
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t clock_process_ns(pid_t pid)
{
	clockid_t id;

	return clock_getcpuclockid(pid, &id) ? 0 : clock_ns(id);
}

#define NS_PER_S  1000000000u
#define NS_PER_MS 1000000u

void clock_add_time(struct strbuf *out, uint64_t wall_ns)
{
	time_t t = (time_t)(wall_ns / NS_PER_S);
	char date[64], zone[16];
	struct tm tm;

	localtime_r(&t, &tm);
	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &tm);
	strftime(zone, sizeof zone, "%z", &tm);
	/* strftime(3) leaves out the colon: "+0100". */
	strbuf_addf(out, "%s.%03u%.3s:%s", date, (unsigned)(wall_ns % NS_PER_S / NS_PER_MS), zone,
		    zone + 3);
}

/* Returns whether the text has the characters of a time at their places. */
static bool is_time(const char *text)
{
	static const char form[] = "0000-00-00T00:00:00.000+00:00";
	size_t i = 0;

	while (form[i] && (form[i] == '0'   ? text[i] >= '0' && text[i] <= '9'
			   : form[i] == '+' ? text[i] == '+' || text[i] == '-'
					    : text[i] == form[i]))
		i++;
	return !form[i] && !text[i];
}

bool clock_parse_time(const char *text, uint64_t *wall_ns)
{
	struct tm tm = {.tm_isdst = 0};
	int hours, minutes;
	const char *rest;
	unsigned ms;
	char sign;
	int64_t s;

	if (!is_time(text))
		return false;
	/* It refuses months above 12, and so on. */
	rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	if (!rest || sscanf(rest, ".%3u%c%2d:%2d", &ms, &sign, &hours, &minutes) != 4)
		return false;
	s = timegm(&tm) - (sign == '-' ? -1 : 1) * (hours * 60 + minutes) * 60;
	*wall_ns = (uint64_t)s * NS_PER_S + ms * NS_PER_MS;
	return s >= 0;
}

void clock_add_date(struct strbuf *out, uint64_t wall_ns)
{
	const time_t t = (time_t)(wall_ns / NS_PER_S);
	char date[64];
	struct tm tm;

	/* localtime_r(3) cannot fail: it can express every year that 64 bits of ns reach. */
	localtime_r(&t, &tm);
	strftime(date, sizeof date, "%Y-%m-%d ", &tm);
	strbuf_addstr(out, date);
	clock_add_time_of_day(out, wall_ns);
}

void clock_add_time_of_day(struct strbuf *out, uint64_t wall_ns)
{
	const time_t t = (time_t)(wall_ns / NS_PER_S);
	struct tm tm;

	localtime_r(&t, &tm);
	strbuf_addf(out, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
}
