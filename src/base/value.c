/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/value.h"

#include <math.h>

/* clang-format off */
const struct quality_row quality_table[N_QUALITIES] = {
	[QUALITY_EXACT] = {"exact", "", "counted during the whole interval"},
	[QUALITY_SCALED] = {"scaled", "~", "the counter had to share the PMU: extrapolated from its share of the time"},
	[QUALITY_UNEQUAL] = {"unequal", "~",
			     "its parts cover different intervals, its wait began before the interval, or "
			     "its clock is a tick late"},
	[QUALITY_STALE] = {"stale", "'",
			   "read in an earlier refresh: it may have changed since, or the task has ended"},
	[QUALITY_PARTIAL] = {"partial", "*",
			     "a part could not be counted: some threads, exited children, or the time on one "
			     "kind of cores"},
	[QUALITY_DIVZERO] = {"divzero", "-", "a division by zero: nothing happened in this interval to divide by"},
	[QUALITY_DIFFER] = {"differ", "-", "the members of the group differ in this"},
	[QUALITY_FRESH] = {"fresh", "?", "seen for the first time: the next refresh has a number"},
	[QUALITY_OTHER_CORE] = {"other-core", "-", "the task ran only on cores that do not have the event"},
	[QUALITY_NOT_SCHEDULED] = {"not-scheduled", "?", "the counter never got onto the PMU: others hold it"},
	[QUALITY_NOT_READ] = {"not-read", "?", "the kernel did not give this fact"},
	[QUALITY_NOT_COUNTED] = {"not-counted", "?",
				 "its event is not among those that were counted"},
	[QUALITY_GONE] = {"gone", "?", "the task ended before it could be counted"},
	[QUALITY_NOFILE] = {"nofile", "?", "no file descriptor left: raise 'ulimit -n' or filter with -p or -u"},
	[QUALITY_DENIED] = {"denied", "?", "the kernel does not let you count this task"},
	[QUALITY_UNSUPPORTED] = {"unsupported", "?", "this machine does not have the event"},
};
/* clang-format on */

const char *quality_text(enum quality quality, bool ended)
{
	if (quality == QUALITY_NOT_READ && ended)
		return "not read before the task ended";
	return quality_table[quality].text;
}

/* The low bits of a count, which a double has no room for: it holds 53 bits. */
#define LOW_BITS 0x7ffu

struct value value_count(uint64_t count)
{
	if (count >> 53)
		return (struct value){(double)(count & ~(uint64_t)LOW_BITS), 1, QUALITY_EXACT,
				      count & LOW_BITS};
	return value_exact((double)count);
}

bool value_is_count(struct value v, uint64_t *count)
{
	if (v.quality != QUALITY_EXACT || v.number < 0 || v.number >= 0x1p64 ||
	    v.number != trunc(v.number))
		return false;
	*count = (uint64_t)v.number + v.rest;
	return true;
}

struct value value_stale(double number)
{
	return (struct value){number, 1, QUALITY_STALE, 0};
}

struct value value_none(enum quality why)
{
	return (struct value){NAN, 1, (uint8_t)why, 0};
}

struct value value_combine(double result, struct value a, struct value b)
{
	struct value v = {result, a.share < b.share ? a.share : b.share,
			  a.quality > b.quality ? a.quality : b.quality, 0};

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
	uint64_t a, b;

	if (value_is_zero(part) && value_known(sum))
		return sum;
	if ((sum.rest || part.rest || sum.number + part.number >= 0x1p53) &&
	    value_is_count(sum, &a) && value_is_count(part, &b) && a + b >= a)
		return value_count(a + b);
	if (value_known(sum) && value_known(part))
		return value_combine(sum.number + part.number, sum, part);
	if (!value_known(sum) && !value_known(part))
		return value_none(sum.quality > part.quality ? sum.quality : part.quality);
	if (!value_known(sum))
		sum = part;
	sum.quality = QUALITY_PARTIAL;
	return sum;
}
