/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/axis.h"

#include <math.h>
#include <time.h>

/* What is between two ticks is not less than this part of the numbers: doubles have 16 digits. */
#define FINEST 1e-9

#define MINUTE 60
#define HOUR   3600
#define DAY    86400

/* How numbers of a unit are written: the step from one prefix to the next (0: there are none), and
 * what stands behind. */
struct writing {
	double factor, base;
	const char *behind;
};

static struct writing writing_of(enum unit unit)
{
	const double factor = unit_table[unit].factor;

	switch (unit) {
	case UNIT_PERCENT:
		return (struct writing){1, 0, "%"};
	case UNIT_MS_PER_S:
		return (struct writing){1, 0, "ms/s"};
	case UNIT_NS:
	case UNIT_US:
	case UNIT_MS:
	case UNIT_S:
		return (struct writing){factor, 0, "s"};
	case UNIT_PER_S:
	case UNIT_MILLION_PER_S:
		return (struct writing){factor, 1000, "/s"};
	case UNIT_BYTES:
	case UNIT_KIB:
		return (struct writing){factor, 1024, ""};
	default:
		return (struct writing){factor, 1000, ""};
	}
}

/* The step, in what is written: 1, 2 or 5 times a power of ten; of memory, times its prefix. */
static double round_step(double least, double base)
{
	const double prefix = base > 1000 ? pow(base, floor(log(least) / log(base))) : 1;
	const double power = pow(10, floor(log10(least / prefix)));
	const double steps[] = {1, 2, 5, 10};

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (steps[i] * power * prefix >= least * (1 - FINEST))
			return steps[i] * power * prefix;
	return 10 * power * prefix;
}

static void set_step(struct axis *a, int most)
{
	const struct writing w = writing_of(a->unit);
	const double size = fmax(fabs(a->low), fabs(a->high));

	if (!(a->high - a->low > size * FINEST))
		a->high = a->low + (size > 0 ? size : 1);
	a->step = round_step((a->high - a->low) * w.factor / (most > 1 ? most : 1), w.base) /
		  w.factor;
}

void axis_fit_exactly(struct axis *a, enum unit unit, double low, double high, int most)
{
	*a = (struct axis){.low = low, .high = high, .unit = unit};
	set_step(a, most);
}

void axis_fit(struct axis *a, enum unit unit, double low, double high, int most)
{
	axis_fit_exactly(a, unit, low, high, most);
	a->low = floor(a->low / a->step + FINEST) * a->step;
	a->high = ceil(a->high / a->step - FINEST) * a->step;
}

void axis_fit_time(struct axis *a, double low, double high, double shift_s, int most)
{
	static const int steps[] = {1,           2,           5,          10,         15,
				    30,          MINUTE,      2 * MINUTE, 5 * MINUTE, 10 * MINUTE,
				    15 * MINUTE, 30 * MINUTE, HOUR,       2 * HOUR,   3 * HOUR,
				    6 * HOUR,    12 * HOUR,   DAY};
	const size_t n = sizeof steps / sizeof *steps;
	size_t i = 0;

	*a = (struct axis){.low = low, .high = high > low ? high : low + 1, .shift_s = shift_s};
	while (i + 1 < n && (a->high - a->low) / steps[i] > most)
		i++;
	a->step = steps[i] * fmax(1, ceil((a->high - a->low) / steps[i] / (most > 1 ? most : 1)));
}

double axis_first_tick(const struct axis *a)
{
	const double shift = a->shift_s;

	return ceil((a->low + shift) / a->step - FINEST) * a->step - shift;
}

void axis_write(const struct axis *a, double tick, struct strbuf *out)
{
	const struct writing w = writing_of(a->unit);
	static const char prefixes[] = {'\0', 'K', 'M', 'G', 'T', 'P', 'E'};
	double number = tick * w.factor, step = a->step * w.factor;
	const double top = fmax(fabs(a->low), fabs(a->high)) * w.factor;
	size_t i = 0;
	int digits;

	for (double least = w.base; w.base > 0 && top >= least && i + 1 < sizeof prefixes;
	     least *= w.base) {
		number /= w.base;
		step /= w.base;
		i++;
	}
	digits = (int)fmax(0, ceil(-log10(step) - FINEST));
	/* No -0. */
	strbuf_addf(out, "%.*f", digits, fabs(number) < step * FINEST ? 0 : number);
	if (prefixes[i] && number != 0)
		strbuf_addch(out, prefixes[i]);
	strbuf_addstr(out, w.behind);
}

void axis_write_time(const struct axis *a, double tick, struct strbuf *out)
{
	const time_t t = (time_t)llround(tick + a->shift_s);
	char text[32];
	struct tm tm;

	/* The shift makes it a local time. */
	gmtime_r(&t, &tm);
	strftime(text, sizeof text,
		 a->step >= DAY      ? "%m-%d"
		 : a->step >= MINUTE ? "%H:%M"
				     : "%H:%M:%S",
		 &tm);
	strbuf_addstr(out, text);
}
