/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/when.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "base/num.h"

#define NS_PER_S    1000000000u
#define SECONDS_MAX 1e9

static const char *const dates[] = {"%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M",
				    "%Y-%m-%dT%H:%M", "%Y-%m-%d"};
static const struct {
	const char *form;
	unsigned seconds; /* how long the time is that it names */
} times[] = {{"%H:%M:%S", 1}, {"%H:%M", 60}};

/* Whether the whole text is of this form; fields that it does not have stay. */
static bool fits(const char *text, const char *form, struct tm *tm)
{
	const struct tm before = *tm;
	const char *end = strptime(text, form, tm);

	if (end && !*end)
		return true;
	*tm = before;
	return false;
}

static uint64_t ns_of(struct tm *tm)
{
	time_t s;

	tm->tm_isdst = -1;
	s = mktime(tm);
	return s > 0 ? (uint64_t)s * NS_PER_S : 0;
}

static int parse_relative(const char *text, uint64_t first_ns, uint64_t last_ns, uint64_t *out,
			  struct err *err)
{
	double s;
	int ret = num_parse_double(text + 1, "the time", 0, SECONDS_MAX, &s, err);
	uint64_t ns = ret ? 0 : (uint64_t)(s * NS_PER_S);

	if (*text == '+')
		*out = first_ns + ns;
	else
		*out = last_ns > ns ? last_ns - ns : 0;
	return ret;
}

int when_parse(const char *text, uint64_t first_ns, uint64_t last_ns, uint64_t *out,
	       struct err *err)
{
	const time_t first_s = (time_t)(first_ns / NS_PER_S);
	struct tm tm;

	if (*text == '+' || *text == '-')
		return parse_relative(text, first_ns, last_ns, out, err);
	for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
		memset(&tm, 0, sizeof tm);
		if (fits(text, dates[i], &tm)) {
			*out = ns_of(&tm);
			return 0;
		}
	}
	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		if (!localtime_r(&first_s, &tm))
			break;
		tm.tm_sec = 0;
		if (!fits(text, times[i].form, &tm))
			continue;
		*out = ns_of(&tm);
		/* A whole second or minute is not before its own parts. */
		if (*out + (uint64_t)times[i].seconds * NS_PER_S <= first_ns) {
			tm.tm_mday++;
			*out = ns_of(&tm);
		}
		return 0;
	}
	return err_set(err, EINVAL,
		       "'%s' is no time: give 14:03, 2026-01-31 14:03:20, or +90 for seconds after "
		       "the begin, -90 before the end",
		       text);
}
