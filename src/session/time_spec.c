/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/time_spec.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/num.h"

#define NS_PER_S    1000000000u
#define SECONDS_MAX 1e9

static const char *const dates[] = {"%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M",
				    "%Y-%m-%dT%H:%M", "%Y-%m-%d"};
static const struct {
	const char *form;
	unsigned seconds; /* duration of the time named */
} times[] = {{"%H:%M:%S", 1}, {"%H:%M", 60}};

/* Returns whether the whole text has this format; sets only the fields in it. */
static bool parse_form(const char *text, const char *form, struct tm *tm)
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

static int parse_relative(const char *text, int64_t end_ns, int64_t *out, struct err *err)
{
	double s;
	int ret = num_parse_double(text + 1, "the time", 0, SECONDS_MAX, &s, err);
	int64_t ns = ret ? 0 : (int64_t)(s * NS_PER_S);

	*out = *text == '+' ? ns : end_ns - ns;
	return ret;
}

/* Returns the wall time of a time of day, in ns: on the day on which the span begins, or with
 * `next_day` on the next day if the time is before the span. 0: not a time of day. */
static uint64_t time_of_day(const char *text, const struct record_span *span, bool next_day)
{
	const time_t begin_s = (time_t)(span->begin_wall_ns / NS_PER_S);
	struct tm tm;

	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		uint64_t ns;

		if (!localtime_r(&begin_s, &tm))
			break;
		tm.tm_sec = 0;
		if (!parse_form(text, times[i].form, &tm))
			continue;
		ns = ns_of(&tm);
		/* A named second or minute that contains the begin of the span is not before the
		 * span. */
		if (!next_day || ns + (uint64_t)times[i].seconds * NS_PER_S > span->begin_wall_ns)
			return ns;
		tm.tm_mday++;
		return ns_of(&tm);
	}
	return 0;
}

/* Returns the wall time of a time of day, in ns, in the first span that contains it; if none does,
 * on the day on which the first span begins. 0: not a time of day. */
static uint64_t find_of_day(const char *text, const struct record_span *span, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t ns = time_of_day(text, &span[i], true);

		if (!ns || ns <= span[i].end_wall_ns)
			return ns;
	}
	return time_of_day(text, &span[0], false);
}

int time_spec_parse(const char *text, const struct record_span *span, size_t n,
		    struct time_spec *out, struct err *err)
{
	static const struct record_span none = {0};
	struct tm tm;

	*out = (struct time_spec){.is_wall = true};
	if (*text == '+' || *text == '-') {
		out->is_wall = false;
		return parse_relative(text, n ? span[n - 1].end_ns : 0, &out->at_ns, err);
	}
	for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
		memset(&tm, 0, sizeof tm);
		if (parse_form(text, dates[i], &tm)) {
			out->wall_ns = ns_of(&tm);
			return 0;
		}
	}
	out->wall_ns = n ? find_of_day(text, span, n) : time_of_day(text, &none, false);
	if (out->wall_ns)
		return 0;
	return err_set(
		err, EINVAL,
		"'%s' is not a time: give 14:03, 2026-01-31 14:03:20, or +90 for seconds after "
		"the beginning, -90 before the end",
		text);
}
