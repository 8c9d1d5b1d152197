/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of screen: the variables of expressions. */
#include "screen/screen.h"

/* clang-format off */
static const struct variable_row derived_table[VARIABLE_FIRST_FACT] = {
	[VARIABLE_CPU_TOT] = {"CPU_TOT", FACT_BIT(FACT_CPU_NS), "CPU usage in this interval (% of one CPU)"},
	[VARIABLE_CPU_SYS] = {"CPU_SYS", FACT_BIT(FACT_STIME_NS), "CPU usage in the kernel (% of one CPU)"},
	[VARIABLE_CPU_USER] = {"CPU_USER", FACT_BIT(FACT_UTIME_NS), "CPU usage in user mode (% of one CPU)"},
	[VARIABLE_FAST_CORES] = {"FAST_CORES", 0,
				 "time on the performance cores of a hybrid CPU (% of the time on any)"},
};
/* clang-format on */

struct variable_row variable_at(int v)
{
	if (v < VARIABLE_FIRST_FACT)
		return derived_table[v];
	v -= VARIABLE_FIRST_FACT;
	return (struct variable_row){fact_table[v].name, FACT_BIT(v), fact_table[v].help};
}
