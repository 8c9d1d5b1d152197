/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreign_cpu - makes a struct machine for a CPU other than that of this machine. Its events are
 * known from tiptop's own tables only.
 *
 * sysfs is not read, as it describes the CPU of this machine. Nor is libpfm4 used, except for
 * events whose names contain their PMU ("skl::INST_RETIRED"). So the results are the same on every
 * machine; what only sysfs could provide is reported as unknown. Nothing can be counted on such a
 * CPU: use perf_foreign_init().
 *
 * Its kinds of cores are those that the tables name for its model ("alder-lake@cpu_core"); rows for
 * all CPUs of a vendor are ignored here.
 */
#ifndef PMU_EVENT_FOREIGN_CPU_H
#define PMU_EVENT_FOREIGN_CPU_H

#include "base/strbuf.h"
#include "pmu/event/machine.h"

/* The host of a foreign CPU: its paths lead to no files. */
extern const struct event_host event_host_empty;

/* Sets the CPU of m, whose table is set already, to the CPU with this name: a name of the table
 * ("zen4"), for the first of its models; a model ("06_AD", "41_D40"); or a model with its
 * architecture ("x86:06_AD"). -EINVAL, with m unchanged: there is no such CPU. */
int machine_set_foreign(struct machine *m, const char *name, struct err *err);

/* Calls visit once for each model of the table, in the form for machine_set_foreign(). A pattern
 * with one '?' gives its first model; a pattern with several is for a vendor, not for a CPU, and is
 * skipped. */
void machine_each_model(const struct event_table *table,
			void (*visit)(void *context, const char *model), void *context);

/* Appends the type of an event in hex; or, if only the kernel of a machine with that CPU could
 * assign the type, the name of the PMU. */
void machine_add_type(struct strbuf *out, const struct machine *m, const struct event *e);
/* Returns the config of an event; for a generic event of a PMU with an unknown type, without the
 * upper half, which contains this type. */
uint64_t machine_config(const struct machine *m, const struct event *e);

#endif
