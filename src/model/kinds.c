/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/kinds.h"

#include "model/sample.h"

/* Where a CPU is. */
#define PLACE_FACTS (FACT_BIT(FACT_CORE) | FACT_BIT(FACT_SOCKET) | FACT_BIT(FACT_CORE_KIND))

static const char *label_of_task(const struct task *t, bool cmdline)
{
	return cmdline && t->cmdline ? t->cmdline : t->process;
}

static int32_t pid_of_task(const struct task *t)
{
	return (int32_t)t->owner;
}

const struct kind kind_task = {
	.name = "process",
	.part = "thread",
	.id_name = "PID",
	.id_help = "the number of the process, or of the thread: the kernel gives them in turn, so "
		   "that younger tasks "
		   "have larger ones until it begins anew",
	.label_name = "COMMAND",
	.label_help = "the name that a task has given itself (/proc/PID/comm), or its command line "
		      "(/proc/PID/cmdline): c changes from one to the other",
	.enabled_on_cpu = true,
	.facts = (FACT_BIT(N_FACTS) - 1) & ~PLACE_FACTS,
	.conditions = CONDITION_PID | CONDITION_USER | CONDITION_TEXT,
	.label = label_of_task,
	.pid = pid_of_task,
};

const struct kind kind_cpu = {
	.name = "CPU",
	.part = "CPU",
	.id_name = "CPU",
	.id_help = "the number of the CPU, as the kernel has it",
	.label_name = "PLACE",
	.label_help = "the socket and the core that it belongs to; a core is called by the number "
		      "of its first CPU",
	.facts = FACT_BIT(FACT_CPU_NS) | FACT_BIT(FACT_UTIME_NS) | FACT_BIT(FACT_STIME_NS) |
		 PLACE_FACTS,
};
