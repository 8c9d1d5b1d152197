/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/kinds.h"

#include <string.h>

#include "model/sample.h"

/* Where a CPU is. */
#define PLACE_FACTS (FACT_BIT(FACT_CORE) | FACT_BIT(FACT_SOCKET) | FACT_BIT(FACT_CORE_KIND))

/* What a program tells of a region. */
#define REGION_FACTS                                                                               \
	(FACT_BIT(FACT_CALLS) | FACT_BIT(FACT_REGION_NS) | FACT_BIT(FACT_SELF_NS) |                \
	 FACT_BIT(FACT_MIN_NS) | FACT_BIT(FACT_MAX_NS) | FACT_BIT(FACT_HISTOGRAM))

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
	.many = "tasks",
	.part = "thread",
	.id_name = "PID",
	.id_help = "the number of the process, or of the thread: the kernel gives them in turn, so "
		   "that younger tasks "
		   "have larger ones until it begins anew",
	.label_name = "COMMAND",
	.label_help = "the name that a task has given itself (/proc/PID/comm), or its command line "
		      "(/proc/PID/cmdline): c changes from one to the other",
	.enabled_on_cpu = true,
	.facts = (FACT_BIT(N_FACTS) - 1) & ~PLACE_FACTS & ~REGION_FACTS,
	.conditions = CONDITION_PID | CONDITION_USER | CONDITION_TEXT,
	.label = label_of_task,
	.pid = pid_of_task,
};

static const char *label_of_cpu(const struct task *t, bool cmdline)
{
	(void)cmdline;
	return t->cmdline;
}

const struct kind kind_cpu = {
	.name = "CPU",
	.many = "CPUs",
	.part = "CPU",
	.id_name = "CPU",
	.id_help = "the number of the CPU, as the kernel has it",
	.label_name = "PLACE",
	.label_help = "the socket and the core that it belongs to; a core is called by the number "
		      "of its first CPU",
	.facts = FACT_BIT(FACT_CPU_NS) | FACT_BIT(FACT_UTIME_NS) | FACT_BIT(FACT_STIME_NS) |
		 PLACE_FACTS,
	.label = label_of_cpu,
};

/* Behind the pid. */
#define REGION_BITS 16

uint64_t kind_region_id(int pid, uint32_t i)
{
	return (uint64_t)pid << REGION_BITS | i;
}

static int32_t pid_of_region(const struct task *t)
{
	return (int32_t)(t->id >> REGION_BITS);
}

const struct kind kind_region = {
	.name = "region",
	.part = "region",
	.id_name = "PID",
	.id_help = "the number of the process that the region is in",
	.label_name = "REGION",
	.label_help = "the name that the program has given the region",
	.id_is_pid = true,
	.busy = FACT_CALLS,
	.facts = FACT_BIT(FACT_USER) | FACT_BIT(FACT_PROGRAM) | REGION_FACTS,
	.conditions = CONDITION_PID | CONDITION_USER | CONDITION_TEXT,
	.pid = pid_of_region,
};

const struct kind *kinds_find(const char *name)
{
	static const struct kind *const table[] = {&kind_task, &kind_cpu, &kind_region};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (!strcmp(table[i]->name, name))
			return table[i];
	return NULL;
}
