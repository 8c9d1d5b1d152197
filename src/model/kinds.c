/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/kinds.h"

#include "model/sample.h"

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
	.facts = FACT_BIT(N_FACTS) - 1,
	.conditions = CONDITION_PID | CONDITION_USER | CONDITION_TEXT,
	.label = label_of_task,
	.pid = pid_of_task,
};
