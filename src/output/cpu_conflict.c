/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "output/cpu_conflict.h"

/* What may lack in the counters: so much in any case, this share of what is accounted, and so much
 * for each switch. */
#define LESS_NS    50e6
#define LESS_SHARE 0.25
#define SWITCH_NS  2000.0

/* A host that is busy takes half of the time, and more. */
#define MORE_NS    100e6
#define MORE_SHARE 0.75

static bool counts_less(const struct cpu_times *t)
{
	return t->accounted_ns - t->counted_ns >
	       LESS_NS + LESS_SHARE * t->accounted_ns + SWITCH_NS * t->switches;
}

static bool counts_more(const struct cpu_times *t)
{
	return t->counted_ns - t->accounted_ns > MORE_NS + MORE_SHARE * t->counted_ns;
}

bool cpu_conflict_add_text(struct strbuf *out, const struct cpu_times *t)
{
	if (counts_less(t))
		strbuf_addf(out,
			    "the counters lack %.3f s of the CPU time that the kernel accounts to "
			    "the command (user and system): some tasks were not counted, which may "
			    "be threads that the kernel made for it",
			    (t->accounted_ns - t->counted_ns) / 1e9);
	else if (counts_more(t))
		strbuf_addf(
			out,
			"user and system lack %.3f s of the CPU time that was counted: they are "
			"of processes that their parents waited for, and not of those that live "
			"on or were left to init",
			(t->counted_ns - t->accounted_ns) / 1e9);
	else
		return false;
	return true;
}
