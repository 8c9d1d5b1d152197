/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/fact.h"

/* clang-format off */
const struct fact_row fact_table[N_FACTS] = {
	[FACT_CPU_NS] = {.name = "CPU_NS", .kind = FACT_COUNTER, .unit = UNIT_NS,
		.origin = "CPU clock", .help = "time on a CPU (ns)"},
	[FACT_UTIME_NS] = {.name = "UTIME_NS", .kind = FACT_COUNTER, .unit = UNIT_NS,
		.origin = "stat: utime", .help = "time in user mode (ns, in steps of a tick)"},
	[FACT_STIME_NS] = {.name = "STIME_NS", .kind = FACT_COUNTER, .unit = UNIT_NS,
		.origin = "stat: stime", .help = "time in the kernel (ns, in steps of a tick)"},
	[FACT_PROCESSOR] = {.name = "PROC_ID", .kind = FACT_GAUGE, .unit = UNIT_NONE,
		.origin = "stat: processor", .help = "processor where last seen"},
	[FACT_MINFLT] = {.name = "MINFLT", .kind = FACT_COUNTER, .unit = UNIT_COUNT,
		.origin = "stat: minflt", .help = "page faults served without I/O"},
	[FACT_MAJFLT] = {.name = "MAJFLT", .kind = FACT_COUNTER, .unit = UNIT_COUNT,
		.origin = "stat: majflt", .help = "page faults that had to wait for I/O"},
	[FACT_VCSW] = {.name = "VCSW", .kind = FACT_COUNTER, .unit = UNIT_COUNT, .per_thread = true,
		.origin = "status: voluntary_ctxt_switches", .help = "context switches because it waited"},
	[FACT_NVCSW] = {.name = "NVCSW", .kind = FACT_COUNTER, .unit = UNIT_COUNT, .per_thread = true,
		.origin = "status: nonvoluntary_ctxt_switches", .help = "context switches because it was preempted"},
	[FACT_MIGRATIONS] = {.name = "MIGRATIONS", .kind = FACT_COUNTER, .unit = UNIT_COUNT, .per_thread = true,
		.origin = "sched: se.nr_migrations", .help = "moves to another CPU"},
	[FACT_WAIT_NS] = {.name = "WAIT_NS", .kind = FACT_COUNTER, .unit = UNIT_NS, .per_thread = true,
		.origin = "schedstat: field 2; of a CPU /proc/schedstat: field 8",
		.help = "time ready to run but waiting for a CPU (ns)"},
	[FACT_NUM_THREADS] = {.name = "NUM_THREADS", .kind = FACT_GAUGE, .unit = UNIT_COUNT, .adds = true,
		.origin = "stat: num_threads", .help = "threads of the process"},
	[FACT_RSS_KB] = {.name = "RSS_KB", .kind = FACT_GAUGE, .unit = UNIT_KIB, .drifts = true, .adds = true,
		.origin = "stat: rss", .help = "memory that is in RAM (KiB)"},
	[FACT_VSZ_KB] = {.name = "VSZ_KB", .kind = FACT_GAUGE, .unit = UNIT_KIB, .adds = true,
		.origin = "stat: vsize", .help = "size of the address space (KiB)"},
	[FACT_NICE] = {.name = "NICE", .kind = FACT_GAUGE, .unit = UNIT_NONE, .drifts = true,
		.origin = "stat: nice", .help = "nice value: 19 is the most patient, -20 the least"},
	[FACT_SESSION] = {.name = "SESSION", .kind = FACT_GAUGE, .unit = UNIT_NONE,
		.origin = "stat: session", .help = "session, by the pid of its leader"},
	[FACT_PPID] = {.name = "PPID", .kind = FACT_GAUGE, .unit = UNIT_NONE, .drifts = true,
		.origin = "stat: ppid", .help = "process that started it, or took it over; 0: none"},
	[FACT_CHILD_NS] = {.name = "CHILD_NS", .kind = FACT_COUNTER, .unit = UNIT_NS, .of_process = true,
		.origin = "stat: cutime + cstime",
		.help = "CPU time of children that have ended and were waited for (ns, in steps of a tick)"},
	[FACT_EXIT] = {.name = "EXIT", .kind = FACT_GAUGE, .unit = UNIT_NONE, .of_process = true,
		.of_ended = true, .origin = "waitid(2), process connector",
		.help = "with what status a process of the command has ended; below 0: by that signal"},
	[FACT_LIFE_NS] = {.name = "LIFE_NS", .kind = FACT_GAUGE, .unit = UNIT_NS, .of_process = true,
		.of_ended = true, .origin = "records of forks and ends",
		.help = "from the start of a process of the command to its end (ns)"},
	[FACT_CORE] = {.name = "CORE", .kind = FACT_GAUGE, .unit = UNIT_NONE,
		.origin = "thread_siblings_list", .help = "of a CPU, its core, by that one's first CPU"},
	[FACT_SOCKET] = {.name = "SOCKET", .kind = FACT_GAUGE, .unit = UNIT_NONE,
		.origin = "physical_package_id", .help = "of a CPU, its socket"},
	[FACT_CORE_KIND] = {.name = "CORE_KIND", .kind = FACT_GAUGE, .unit = UNIT_NONE,
		.origin = "PMUs of the cores", .help = "of a CPU, the kind of its core: 0 is the fastest"},
	[FACT_IDLE_NS] = {.name = "IDLE_NS", .kind = FACT_COUNTER, .unit = UNIT_NS,
		.origin = "/proc/stat: idle",
		.help = "of a CPU, the time that it was idle, without IOWAIT_NS (ns, in steps of a tick)"},
	[FACT_IOWAIT_NS] = {.name = "IOWAIT_NS", .kind = FACT_COUNTER, .unit = UNIT_NS,
		.origin = "/proc/stat: iowait",
		.help = "of a CPU, the time that it was idle while a task waited for I/O (ns, in steps of a tick)"},
	[FACT_STEAL_NS] = {.name = "STEAL_NS", .kind = FACT_COUNTER, .unit = UNIT_NS,
		.origin = "/proc/stat: steal",
		.help = "of a CPU, the time that the hypervisor gave to others (ns, in steps of a tick)"},
	[FACT_CALLS] = {.name = "CALLS", .kind = FACT_COUNTER, .unit = UNIT_COUNT,
		.origin = "table of regions, of calls",
		.help = "calls of a region that have ended; of a function, those that have begun"},
	[FACT_REGION_NS] = {.name = "REGION_NS", .kind = FACT_COUNTER, .unit = UNIT_NS,
		.origin = "table of regions", .help = "time in calls of a region that have ended (ns)"},
	[FACT_SELF_NS] = {.name = "SELF_NS", .kind = FACT_COUNTER, .unit = UNIT_NS,
		.origin = "table of regions, of calls",
		.help = "the same without the regions in it (ns); of a function, without those that it calls"},
	[FACT_MIN_NS] = {.name = "MIN_NS", .kind = FACT_GAUGE, .unit = UNIT_NS,
		.origin = "table of regions", .help = "shortest call of a region since its program began (ns)"},
	[FACT_MAX_NS] = {.name = "MAX_NS", .kind = FACT_GAUGE, .unit = UNIT_NS,
		.origin = "table of regions, of calls",
		.help = "longest call of a region or a function since its program began (ns)"},
	[FACT_WORK1] = {.name = "WORK1", .kind = FACT_COUNTER, .unit = UNIT_COUNT,
		.origin = "table of regions", .help = "work that a region has done: of the first unit of KIND"},
	[FACT_WORK2] = {.name = "WORK2", .kind = FACT_COUNTER, .unit = UNIT_COUNT,
		.origin = "table of regions", .help = "the same of the second one"},
	[FACT_WORK3] = {.name = "WORK3", .kind = FACT_COUNTER, .unit = UNIT_COUNT,
		.origin = "table of regions", .help = "the same of the third one"},
	[FACT_WORK4] = {.name = "WORK4", .kind = FACT_COUNTER, .unit = UNIT_COUNT,
		.origin = "table of regions", .help = "the same of the fourth one"},
	[FACT_ACQUISITIONS] = {.name = "ACQUISITIONS", .kind = FACT_COUNTER, .unit = UNIT_COUNT,
		.origin = "table of locks", .help = "how often a lock was acquired"},
	[FACT_CONTENDED] = {.name = "CONTENDED", .kind = FACT_COUNTER, .unit = UNIT_COUNT,
		.origin = "table of locks", .help = "how often it was taken by somebody else then"},
	[FACT_ACQUIRE_NS] = {.name = "ACQUIRE_NS", .kind = FACT_COUNTER, .unit = UNIT_NS,
		.origin = "table of locks", .help = "time that threads took to acquire it (ns)"},
	[FACT_HOLDS] = {.name = "HOLDS", .kind = FACT_COUNTER, .unit = UNIT_COUNT,
		.origin = "table of locks", .help = "how often it was held, and is no more"},
	[FACT_HOLD_NS] = {.name = "HOLD_NS", .kind = FACT_COUNTER, .unit = UNIT_NS,
		.origin = "table of locks", .help = "time for which it was held then (ns)"},
	[FACT_RELEASES] = {.name = "RELEASES", .kind = FACT_COUNTER, .unit = UNIT_COUNT,
		.origin = "table of locks", .help = "how often it was released"},
	[FACT_RELEASE_NS] = {.name = "RELEASE_NS", .kind = FACT_COUNTER, .unit = UNIT_NS,
		.origin = "table of locks", .help = "time that threads took to release it (ns)"},
	[FACT_OWNER_CHANGES] = {.name = "OWNER_CHANGES", .kind = FACT_COUNTER, .unit = UNIT_COUNT,
		.origin = "table of locks",
		.help = "how often the thread was another one than before: in the row of its first caller"},
	[FACT_TRYING_NS] = {.name = "TRYING_NS", .kind = FACT_COUNTER, .unit = UNIT_NS,
		.origin = "table of locks",
		.help = "time that threads tried to acquire it, also in vain and in waits that go on (ns)"},
	[FACT_USER] = {.name = "USER", .kind = FACT_TEXT, .unit = UNIT_TEXT,
		.origin = "owner of /proc/PID", .help = "name of the user"},
	[FACT_STATE] = {.name = "STATE", .kind = FACT_TEXT, .unit = UNIT_TEXT,
		.origin = "stat: state", .help = "R running, S sleeping, D waiting for a device, T stopped, Z ended"},
	[FACT_PROGRAM] = {.name = "PROGRAM", .kind = FACT_TEXT, .unit = UNIT_TEXT,
		.origin = "comm", .help = "name of the program, 15 characters of it"},
	[FACT_CGROUP] = {.name = "CGROUP", .kind = FACT_TEXT, .unit = UNIT_TEXT, .drifts = true,
		.origin = "cgroup", .help = "path of the control group"},
	[FACT_CONTAINER] = {.name = "CONTAINER", .kind = FACT_TEXT, .unit = UNIT_TEXT, .drifts = true,
		.origin = "cgroup", .help = "container, as docker:0123456789ab or lxc:name, by the control group"},
	[FACT_EXECUTABLE] = {.name = "EXECUTABLE", .kind = FACT_TEXT, .unit = UNIT_TEXT,
		.origin = "exe", .help = "path of the program's file"},
	[FACT_HISTOGRAM] = {.name = "HISTOGRAM", .kind = FACT_TEXT, .unit = UNIT_TEXT,
		.origin = "table of regions",
		.help = "how long all calls since a program began took: tenths of them for each power of two"},
	[FACT_KIND] = {.name = "KIND", .kind = FACT_TEXT, .unit = UNIT_TEXT,
		.origin = "table of locks, of calls, of regions",
		.help = "what a lock is: mutex, ...; the group of a function: io, ...; the units of work of a region"},
	[FACT_CALLER] = {.name = "CALLER", .kind = FACT_TEXT, .unit = UNIT_TEXT,
		.origin = "table of locks", .help = "the function that acquired a lock, and where in it"},
};
/* clang-format on */

fact_mask fact_per_thread(void)
{
	fact_mask mask = 0;

	for (int f = 0; f < N_FACTS; f++)
		mask |= fact_table[f].per_thread ? FACT_BIT(f) : 0;
	return mask;
}

fact_mask fact_drifting(void)
{
	fact_mask mask = 0;

	for (int f = 0; f < N_FACTS; f++)
		mask |= fact_table[f].drifts ? FACT_BIT(f) : 0;
	return mask;
}

fact_mask fact_given(void)
{
	return FACT_BIT(FACT_FIRST_READ_TEXT) - FACT_BIT(N_NUMBER_FACTS);
}

fact_mask fact_read_texts(void)
{
	return FACT_BIT(N_FACTS) - FACT_BIT(FACT_FIRST_READ_TEXT);
}
