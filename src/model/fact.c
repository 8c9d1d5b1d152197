/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/fact.h"

const struct fact_row fact_table[N_FACTS] = {
	[FACT_CPU_NS] = {"CPU_NS", FACT_COUNTER, false, "CPU clock", "time on a CPU (ns)"},
	[FACT_UTIME_NS] = {"UTIME_NS", FACT_COUNTER, false, "stat: utime",
			   "time in user mode (ns, in steps of a tick)"},
	[FACT_STIME_NS] = {"STIME_NS", FACT_COUNTER, false, "stat: stime",
			   "time in the kernel (ns, in steps of a tick)"},
	[FACT_PROCESSOR] = {"PROC_ID", FACT_GAUGE, false, "stat: processor", "processor where last seen"},
	[FACT_MINFLT] = {"MINFLT", FACT_COUNTER, false, "stat: minflt", "page faults served without I/O"},
	[FACT_MAJFLT] = {"MAJFLT", FACT_COUNTER, false, "stat: majflt", "page faults that had to wait for I/O"},
	[FACT_VCSW] = {"VCSW", FACT_COUNTER, true, "status: voluntary_ctxt_switches",
		       "context switches because it waited"},
	[FACT_NVCSW] = {"NVCSW", FACT_COUNTER, true, "status: nonvoluntary_ctxt_switches",
			"context switches because it was preempted"},
	[FACT_MIGRATIONS] = {"MIGRATIONS", FACT_COUNTER, true, "sched: se.nr_migrations", "moves to another CPU"},
	[FACT_WAIT_NS] = {"WAIT_NS", FACT_COUNTER, true, "schedstat: field 2",
			  "time ready to run but waiting for a CPU (ns)"},
	[FACT_NUM_THREADS] = {"NUM_THREADS", FACT_GAUGE, false, "stat: num_threads", "threads of the process"},
};
