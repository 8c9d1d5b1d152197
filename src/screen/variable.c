/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of screen: the variables of expressions. */
#include "screen/screen.h"

#include <errno.h>

static const struct variable_row derived_table[VARIABLE_FIRST_FACT] = {
	[VARIABLE_CPU_TOT] = {.name = "CPU_TOT",
			      .unit = UNIT_PERCENT,
			      .facts = FACT_BIT(FACT_CPU_NS),
			      .help = "CPU usage in this interval (% of one CPU)"},
	[VARIABLE_CPU_SYS] = {.name = "CPU_SYS",
			      .unit = UNIT_PERCENT,
			      .facts = FACT_BIT(FACT_STIME_NS),
			      .help = "CPU usage in the kernel (% of one CPU)"},
	[VARIABLE_CPU_USER] = {.name = "CPU_USER",
			       .unit = UNIT_PERCENT,
			       .facts = FACT_BIT(FACT_UTIME_NS),
			       .help = "CPU usage in user mode (% of one CPU)"},
	[VARIABLE_FAST_CORES] = {.name = "FAST_CORES",
				 .unit = UNIT_PERCENT,
				 .help = "time on the performance cores of a hybrid CPU "
					 "(% of the time on any)"},
	[VARIABLE_MEM_TOTAL_KB] = {.name = "MEM_TOTAL_KB",
				   .unit = UNIT_KIB,
				   .help = "memory of the machine (KiB)"},
	/* What the rules of config/verdicts.xml ask for. */
	[VARIABLE_VERDICT] = {.name = "VERDICT",
			      .unit = UNIT_TEXT,
			      .facts = FACT_BIT(FACT_CPU_NS) | FACT_BIT(FACT_STIME_NS) |
				       FACT_BIT(FACT_MINFLT) | FACT_BIT(FACT_MAJFLT) |
				       FACT_BIT(FACT_VCSW) | FACT_BIT(FACT_WAIT_NS) |
				       FACT_BIT(FACT_NUM_THREADS),
			      .help = "why it is no faster, in a word or two: what its numbers "
				      "say first"},
};

struct variable_row variable_at(int v)
{
	if (v < VARIABLE_FIRST_FACT)
		return derived_table[v];
	v -= VARIABLE_FIRST_FACT;
	return (struct variable_row){fact_table[v].name, fact_table[v].unit, FACT_BIT(v),
				     fact_table[v].help};
}

bool variable_is_text(int v)
{
	return v == VARIABLE_VERDICT ||
	       (v >= VARIABLE_FIRST_FACT && fact_table[v - VARIABLE_FIRST_FACT].kind == FACT_TEXT);
}

/* Whether the variable grows: the increment of a state would be a number without a meaning. */
static bool grows(int v)
{
	return v >= VARIABLE_FIRST_FACT && fact_table[v - VARIABLE_FIRST_FACT].kind == FACT_COUNTER;
}

int variable_check_mode(int v, enum expr_mode mode, struct err *err)
{
	if (mode == EXPR_TOTAL || grows(v))
		return 0;
	return err_set(err, EINVAL, "%s(%s) has no meaning: %s is a state, write it alone",
		       expr_function_table[mode].name, variable_at(v).name, variable_at(v).name);
}
