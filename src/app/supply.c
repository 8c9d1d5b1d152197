/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/supply.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "check/privilege.h"
#include "check/probe.h"
#include "check/refusal.h"
#include "event/describe.h"
#include "source/live/live.h"

/* $TIPTOP_CPU tries a configuration as if on another CPU: which screens and counters are for it. */
void supply_find_machine(struct machine *m)
{
	const char *other = getenv("TIPTOP_CPU");
	struct cpu_id cpu;

	machine_init(m, &event_host_here);
	if (other && cpu_parse(&cpu, other))
		m->cpu = cpu;
}

void supply_identify(struct setup *s)
{
	const struct event_table *table = s->machine.table;

	supply_find_machine(&s->machine);
	s->machine.table = table;
	perf_kernel_init(&s->kernel, s->machine.core, s->machine.n_cores);
	privilege_wrap(&s->kernel);
	s->counts_others = probe_may_count_others();
}

struct offer supply_offer(struct setup *s, bool kernel)
{
	return offer_live(&s->machine, &s->kernel.sys, kernel);
}

/* The soft limit of descriptors to the hard one: each counter needs one. */
static void raise_limit(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

int supply_open(struct setup *s, struct err *err)
{
	struct sample_machine *told;

	/* Counting in the kernel may be refused where counting the rest is not. */
	refusal_try_hardware(&s->kernel.sys, false, &s->hardware);
	raise_limit();
	s->proc = proc_lib_new(err);
	if (!s->proc)
		return -err->code;
	told = machine_describe(&s->machine);
	s->source = source_live_new(&s->kernel.sys, s->proc, told);
	sample_machine_unref(told);
	return 0;
}
