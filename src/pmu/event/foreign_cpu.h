/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreign_cpu - a CPU that is not here, of which only tiptop's own tables are known.
 *
 * sysfs is not asked: it speaks of the CPU that is here. Nor is libpfm4, but for events whose names
 * say of which PMU they are ("skl::INST_RETIRED"). So the answer is the same on every machine; what
 * only sysfs would know is said to be unknown. Nothing of it may be counted: perf_foreign_init()
 * goes with it.
 *
 * Its kinds of cores are those that the tables tell apart ("alder-lake@cpu_core"), but
 * for those of any CPU of a maker.
 */
#ifndef PMU_EVENT_FOREIGN_CPU_H
#define PMU_EVENT_FOREIGN_CPU_H

#include "base/strbuf.h"
#include "pmu/event/machine.h"

/* The host of such a machine: there is nothing. */
extern const struct event_host event_host_empty;

/* Makes m, which has its table, the CPU of this name: one of the table ("zen4"), which is the first
 * of its models; a model ("06_AD", "41_D40"); or that with its architecture ("x86:06_AD"). -EINVAL,
 * and m is as it was, where there is none. */
int machine_set_foreign(struct machine *m, const char *name, struct err *err);

/* Calls visit once for each model of the table, as machine_set_foreign() takes it. Of a pattern
 * with one '?' it is the first model; one with more is that of a maker, not of a CPU. */
void machine_each_model(const struct event_table *table,
			void (*visit)(void *context, const char *model), void *context);

/* Appends the type of an event in hex; or the name of its PMU, where only the kernel of that
 * machine could tell the number. */
void machine_add_type(struct strbuf *out, const struct machine *m, const struct event *e);
/* The config, without the number of a PMU that is not known. */
uint64_t machine_config(const struct machine *m, const struct event *e);

#endif
