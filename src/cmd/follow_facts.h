/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow_facts - what /proc says of the tasks that are followed, in the place of counters: where
 * the machine has none.
 *
 * A task that has ended is read while it is a zombie, before the tracer takes its end: so what it
 * did is complete. To see that, this stands between the tracer and the kernel (trace_sys.h). A
 * thread whose end the kernel does not tell, at an exec, has what was read of it last.
 */
#ifndef CMD_FOLLOW_FACTS_H
#define CMD_FOLLOW_FACTS_H

#include "collect/command/job.h"
#include "collect/command/trace_sys.h"

/* The names of what is read, with ',' between them. */
#define FOLLOW_FACTS_NAMES                                                                         \
	"cpu-us,user-us,system-us,wait-us,page-faults,context-switches,cpu-migrations"

struct follow_facts {
	struct trace_sys sys;   /* the kernel as the tracer is to see it */
	struct trace_sys inner; /* as it is */
	uint64_t tick_ns;
	pid_t ended; /* read last before its end is taken; 0: none */
	uint64_t last[EVENT_SET_MAX], unknown;
};

void follow_facts_init(struct follow_facts *f);
/* Makes the set that has these names, and no event. */
void follow_facts_set(struct event_set *set);
/* job_read: context is a struct follow_facts. */
uint64_t follow_facts_read(void *context, pid_t task, uint64_t *out);

#endif
