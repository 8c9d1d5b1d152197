/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/value.h"

#include <math.h>

const struct quality_row quality_table[N_QUALITIES] = {
	[QUALITY_EXACT] = {"exact", "", "counted during the whole interval"},
	[QUALITY_SCALED] = {"scaled", "~", "the counter had to share the PMU: extrapolated from its share of the time"},
	[QUALITY_PARTIAL] = {"partial", "~", "some threads could not be counted: the number is a lower bound"},
	[QUALITY_DIVZERO] = {"divzero", "-", "a division by zero: nothing happened in this interval to divide by"},
	[QUALITY_FRESH] = {"fresh", "?", "seen for the first time: the next refresh has a number"},
	[QUALITY_NOT_SCHEDULED] = {"not-scheduled", "?", "the counter never got onto the PMU: others hold it"},
	[QUALITY_NOT_READ] = {"not-read", "?", "the kernel did not give this fact"},
	[QUALITY_GONE] = {"gone", "?", "the task ended before it could be counted"},
	[QUALITY_NOFILE] = {"nofile", "?", "no file descriptor left: raise 'ulimit -n' or filter with -p or -u"},
	[QUALITY_DENIED] = {"denied", "?", "the kernel does not let you count this task"},
	[QUALITY_UNSUPPORTED] = {"unsupported", "?", "this machine does not have the event"},
};

struct value value_exact(double number)
{
	return (struct value){number, 1, QUALITY_EXACT};
}

struct value value_none(enum quality why)
{
	return (struct value){NAN, 1, (uint8_t)why};
}

bool value_known(struct value v)
{
	return v.quality < QUALITY_FIRST_NONE;
}

struct value value_combine(double result, struct value a, struct value b)
{
	struct value v = {result, a.share < b.share ? a.share : b.share, a.quality > b.quality ? a.quality : b.quality};

	return value_known(v) ? v : value_none(v.quality);
}

struct value value_divide(struct value a, struct value b)
{
	if (value_known(a) && value_known(b) && b.number == 0)
		return value_none(QUALITY_DIVZERO);
	return value_combine(a.number / b.number, a, b);
}

struct value value_accumulate(struct value sum, struct value part)
{
	if (value_known(sum) && value_known(part))
		return value_combine(sum.number + part.number, sum, part);
	if (!value_known(sum) && !value_known(part))
		return value_none(sum.quality > part.quality ? sum.quality : part.quality);
	if (!value_known(sum))
		sum = part;
	sum.quality = QUALITY_PARTIAL;
	return sum;
}
