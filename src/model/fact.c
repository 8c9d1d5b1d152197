/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/fact.h"

const struct fact_row fact_table[N_FACTS] = {
	[FACT_CPU_NS] = {"CPU_NS", FACT_COUNTER, UNIT_NS, false, false, "CPU clock",
			 "time on a CPU (ns)"},
	[FACT_UTIME_NS] = {"UTIME_NS", FACT_COUNTER, UNIT_NS, false, false, "stat: utime",
			   "time in user mode (ns, in steps of a tick)"},
	[FACT_STIME_NS] = {"STIME_NS", FACT_COUNTER, UNIT_NS, false, false, "stat: stime",
			   "time in the kernel (ns, in steps of a tick)"},
	[FACT_PROCESSOR] = {"PROC_ID", FACT_GAUGE, UNIT_NONE, false, false, "stat: processor",
			    "processor where last seen"},
	[FACT_MINFLT] = {"MINFLT", FACT_COUNTER, UNIT_COUNT, false, false, "stat: minflt",
			 "page faults served without I/O"},
	[FACT_MAJFLT] = {"MAJFLT", FACT_COUNTER, UNIT_COUNT, false, false, "stat: majflt",
			 "page faults that had to wait for I/O"},
	[FACT_VCSW] = {"VCSW", FACT_COUNTER, UNIT_COUNT, true, false,
		       "status: voluntary_ctxt_switches", "context switches because it waited"},
	[FACT_NVCSW] = {"NVCSW", FACT_COUNTER, UNIT_COUNT, true, false,
			"status: nonvoluntary_ctxt_switches",
			"context switches because it was preempted"},
	[FACT_MIGRATIONS] = {"MIGRATIONS", FACT_COUNTER, UNIT_COUNT, true, false,
			     "sched: se.nr_migrations", "moves to another CPU"},
	[FACT_WAIT_NS] = {"WAIT_NS", FACT_COUNTER, UNIT_NS, true, false, "schedstat: field 2",
			  "time ready to run but waiting for a CPU (ns)"},
	[FACT_NUM_THREADS] = {"NUM_THREADS", FACT_GAUGE, UNIT_COUNT, false, false,
			      "stat: num_threads", "threads of the process", true},
	[FACT_RSS_KB] = {"RSS_KB", FACT_GAUGE, UNIT_KIB, false, true, "stat: rss",
			 "memory that is in RAM (KiB)", true},
	[FACT_VSZ_KB] = {"VSZ_KB", FACT_GAUGE, UNIT_KIB, false, false, "stat: vsize",
			 "size of the address space (KiB)", true},
	[FACT_NICE] = {"NICE", FACT_GAUGE, UNIT_NONE, false, true, "stat: nice",
		       "nice value: 19 is the most patient, -20 the least"},
	[FACT_SESSION] = {"SESSION", FACT_GAUGE, UNIT_NONE, false, false, "stat: session",
			  "session, by the pid of its leader"},
	[FACT_USER] = {"USER", FACT_TEXT, UNIT_TEXT, false, false, "owner of /proc/PID",
		       "name of the user"},
	[FACT_STATE] = {"STATE", FACT_TEXT, UNIT_TEXT, false, false, "stat: state",
			"R running, S sleeping, D waiting for a device, T stopped, Z ended"},
	[FACT_PROGRAM] = {"PROGRAM", FACT_TEXT, UNIT_TEXT, false, false, "comm",
			  "name of the program, 15 characters of it"},
	[FACT_CGROUP] = {"CGROUP", FACT_TEXT, UNIT_TEXT, false, true, "cgroup",
			 "path of the control group"},
	[FACT_CONTAINER] = {"CONTAINER", FACT_TEXT, UNIT_TEXT, false, true, "cgroup",
			    "container, as docker:0123456789ab or lxc:name, by the control group"},
	[FACT_EXECUTABLE] = {"EXECUTABLE", FACT_TEXT, UNIT_TEXT, false, false, "exe",
			     "path of the program's file"},
};

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
