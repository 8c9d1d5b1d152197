/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/kinds.h"

#include <string.h>

#include "model/fact_list.h"
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
	.many = "tasks",
	.part = "thread",
	.id_name = "PID",
	.id_help = "the number of the process, or of the thread: the kernel gives them in turn, so "
		   "that younger tasks have larger ones until the numbers wrap around",
	.label_name = "COMMAND",
	.label_help = "the name that a task has given itself (/proc/PID/comm), or its command line "
		      "(/proc/PID/cmdline): c changes from one to the other",
	.enabled_on_cpu = true,
	.facts = &fact_of_table[FACT_OF_TASK],
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
	.command = "system",
	.part = "CPU",
	.id_name = "CPU",
	.id_help = "the number of the CPU, as the kernel has it",
	.label_name = "PLACE",
	.label_help = "the socket and the core that it belongs to; a core is called by the number "
		      "of its first CPU",
	.enabled_always = true,
	.facts = &fact_of_table[FACT_OF_CPU],
	.label = label_of_cpu,
};

const struct kind kind_cpu_cgroup = {
	.name = "CPU of a control group",
	.like = &kind_cpu,
	.many = "CPUs",
	.part = "CPU",
	.id_name = "CPU",
	.id_help = "the number of the CPU, as the kernel has it",
	.label_name = "PLACE",
	.label_help = "the socket and the core that it belongs to",
	.enabled_on_cpu = true,
	.facts = &fact_of_table[FACT_OF_CPU_CGROUP],
	.label = label_of_cpu,
};

const char *const cpu_mode_names[N_CPU_MODES] = {"", "user", "kernel"};

const struct kind kind_cpu_mode = {
	.name = "mode of a CPU",
	.like = &kind_cpu,
	.many = "modes of CPUs",
	.part = "mode of a CPU",
	.id_name = "MODE",
	.id_help =
		"the number of the CPU, as the kernel has it, and the mode that it was counted in",
	.id_is_text = true,
	.label_name = "PLACE",
	.label_help = "the socket and the core that the CPU belongs to",
	.enabled_always = true,
	.facts = &fact_of_table[FACT_OF_CPU_MODE],
	.label = label_of_cpu,
};

/* How many low bits of an id are the number of the CPU; the mode is above them. */
#define CPU_MODE_BITS 32

uint64_t kind_cpu_mode_id(int cpu, enum cpu_mode mode)
{
	return (uint64_t)mode << CPU_MODE_BITS | (unsigned)cpu;
}

enum cpu_mode kind_cpu_mode_of(uint64_t id)
{
	const uint64_t mode = id >> CPU_MODE_BITS;

	return mode < N_CPU_MODES ? (enum cpu_mode)mode : CPU_MODE_ALL;
}

const struct kind kind_socket = {
	.name = "socket",
	.many = "sockets",
	.part = "socket",
	.id_name = "SOCKET",
	.id_help = "the socket (physical_package_id)",
	.label_name = "COUNTED ON",
	.label_help = "the CPUs that the kernel counts it on (the files cpumask of its PMUs)",
	.facts = &fact_of_table[FACT_OF_CPU_SOCKET],
	.label = label_of_cpu,
};

const struct kind kind_command = {
	.name = "command",
	.like = &kind_cpu,
	.many = "commands",
	.part = "command",
	.id_name = "PID",
	.id_help = "the number of the process that the command began as",
	.label_name = "COMMAND",
	.label_help = "the name of the program",
	.enabled_on_cpu = true,
	.facts = &fact_of_table[FACT_OF_COMMAND],
};

/* An id has, from its low bits on: the number of the region, the number of the table, the pid.
 * Recordings have these ids, so they must not change. */
#define REGION_TABLE_BITS 6
#define REGION_ROW_BITS   10
#define REGION_BITS       (REGION_TABLE_BITS + REGION_ROW_BITS)
/* If the number of a region has more than REGION_ROW_BITS bits, its id has this bit, and more bits
 * for the number. */
#define REGION_FAR_BIT      (1ull << 62)
#define REGION_FAR_ROW_BITS 20
#define REGION_FAR_BITS     (REGION_TABLE_BITS + REGION_FAR_ROW_BITS)

uint64_t kind_region_id(int pid, unsigned table, uint32_t i)
{
	const uint64_t number = table & ((1u << REGION_TABLE_BITS) - 1);

	if (i >> REGION_ROW_BITS)
		return REGION_FAR_BIT | (uint64_t)pid << REGION_FAR_BITS |
		       number << REGION_FAR_ROW_BITS | i;
	return (uint64_t)pid << REGION_BITS | number << REGION_ROW_BITS | i;
}

static int32_t pid_of_region(const struct task *t)
{
	if (t->id & REGION_FAR_BIT)
		return (int32_t)((t->id & ~REGION_FAR_BIT) >> REGION_FAR_BITS);
	return (int32_t)(t->id >> REGION_BITS);
}

const struct kind kind_region = {
	.name = "region",
	.many = "regions",
	.command = "regions",
	.part = "region",
	.id_name = "PID",
	.id_help = "the number of the process that the region is in",
	.label_name = "REGION",
	.label_help = "the name that the program has given the region",
	.id_is_pid = true,
	.busy = FACT_CALLS,
	.own_time = FACT_SELF_NS,
	.in_program = true,
	.facts = &fact_of_table[FACT_OF_REGION],
	.conditions = CONDITION_PID | CONDITION_USER | CONDITION_TEXT,
	.pid = pid_of_region,
};

/* An id has, from its low bits on: the row in the table, the number of the table, the pid. */
#define TABLE_NUMBER_BITS 10
#define TABLE_ROW_BITS    30

uint64_t kind_table_id(int pid, unsigned table, size_t row)
{
	const uint64_t number = table & ((1u << TABLE_NUMBER_BITS) - 1);

	return ((uint64_t)pid << TABLE_NUMBER_BITS | number) << TABLE_ROW_BITS | row;
}

static int32_t pid_of_table(const struct task *t)
{
	return (int32_t)(t->id >> (TABLE_NUMBER_BITS + TABLE_ROW_BITS));
}

const struct kind kind_lock = {
	.name = "lock",
	.many = "locks",
	.command = "locks --live",
	.part = "lock",
	.id_name = "PID",
	.id_help = "the number of the process that the lock is in",
	.label_name = "LOCK",
	.label_help =
		"the name of the lock, where it is a variable that has one; else, in brackets, "
		"who acquired it first",
	.id_is_pid = true,
	.busy = FACT_ACQUISITIONS,
	.own_time = FACT_ACQUIRE_NS,
	.in_program = true,
	.facts = &fact_of_table[FACT_OF_LOCK],
	.conditions = CONDITION_PID | CONDITION_USER | CONDITION_TEXT,
	.pid = pid_of_table,
};

const struct kind kind_call = {
	.name = "call",
	.many = "library calls",
	.command = "calls --live",
	.part = "function",
	.id_name = "PID",
	.id_help = "the number of the process that calls the function",
	.label_name = "FUNCTION",
	.label_help = "the function of a library; (program): the time outside of these functions",
	.id_is_pid = true,
	.busy = FACT_CALLS,
	.own_time = FACT_SELF_NS,
	.in_program = true,
	.facts = &fact_of_table[FACT_OF_CALL],
	.conditions = CONDITION_PID | CONDITION_USER | CONDITION_TEXT,
	.pid = pid_of_table,
};

const struct kind kind_rest = {
	.name = "rest",
	.part = "rest",
	.id_name = "PID",
	.id_help = "0: it is not a process",
	.label_name = "COMMAND",
	.label_help = "work of children of the command that no other row shows",
	.enabled_on_cpu = true,
	.facts = &fact_of_table[FACT_OF_REST],
	.conditions = CONDITION_PID,
};

bool kind_is(const struct kind *kind, const struct kind *of)
{
	return kind == of || kind->like == of;
}

const struct kind *kinds_find(const char *name)
{
	static const struct kind *const table[] = {
		&kind_task,    &kind_cpu,    &kind_cpu_mode, &kind_cpu_cgroup, &kind_socket,
		&kind_command, &kind_region, &kind_lock,     &kind_call,       &kind_rest};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (!strcmp(table[i]->name, name))
			return table[i];
	return NULL;
}
