/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * event_sysfs - events as the kernel describes them in files: the PMUs of
 * /sys/bus/event_source/devices, and tracepoints.
 *
 * A PMU is a folder there: `type` is perf_event_attr.type; format/TERM says which bits a term sets
 * ("config:0-7,21"); events/NAME is a list of terms ("event=0x3c,umask=0x1"). A core PMU, which
 * counts what tasks do on a CPU, is called cpu, cpu_core or cpu_atom, or has a file `cpus`. The
 * others know no modes: their events are counted in all of them. Of these, one with a file
 * `cpumask` counts for a whole socket, or another part of the machine that CPUs share; the file
 * names the CPUs on which it is read. Where several of these have one name with a number behind it
 * (uncore_imc_0, uncore_imc_1), the name alone (uncore_imc) is all of them together.
 *
 * Errors, each with its sentence: -EINVAL for a text that no machine could read, -ENOENT for what
 * this one lacks, and -ERANGE for a value that its field has no room for.
 */
#ifndef PMU_EVENT_SYSFS_H
#define PMU_EVENT_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "pmu/perf/core.h"
#include "pmu/perf/event.h"

/* Reads the first line of the file. Returns the number of its characters, or -errno; -EFBIG where
 * the file does not fit. */
ssize_t sysfs_read_line(char *buf, size_t size, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* The folders and files in which a machine describes itself. */
struct event_host {
	const char *devices;    /* the folder of the PMUs */
	const char *tracing[2]; /* tracefs, and where older systems have it */
	const char *cpus;       /* the folder of the CPUs: cpu0/cpu_capacity */
	const char *boot_id;    /* the file of the id that the kernel has until the next boot; NULL:
				   none */
	const char *name;       /* the file of the name of the machine; NULL: none */
	const char *release;    /* the file of the kernel's release, "6.1.0-18-arm64"; NULL: none */
};

/* The folders of this machine. */
extern const struct event_host event_host_here;

/* The bits that a term sets, the lowest first. */
struct event_field {
	int word; /* 0: config, 1: config1, 2: config2 */
	uint64_t mask;
};

/* Reads the text of a format file: "config:0-7,21". -EINVAL where it has another form. */
int event_field_parse(struct event_field *f, const char *text, struct err *err);

/* Resolves "PMU/TERM[=VALUE],.../". A TERM without a value is an event of the PMU, or has the value
 * 1; the event may be written with other capitals. Terms are applied from left to right, so that
 * one behind an event changes it. Sets scale and unit, where the event has them. Events with
 * parameters ('?') are refused. */
int event_sysfs_resolve(struct event *e, const struct event_host *host, const char *name,
			struct err *err);

/* Whether a PMU of this name counts the event that was found on the PMU `one`: it is that one, or
 * where the event is of several, one that differs from it in the number. */
bool event_sysfs_is_of(const char *pmu, const char *one, bool several);

/* Resolves the event of this name that the first core PMU has, or the core PMU `pmu` where that is
 * not NULL. Returns 1; 0 where none has it; or an error. */
int event_sysfs_find(struct event *e, const struct event_host *host, const char *pmu,
		     const char *name, struct err *err);

/* Lists the core PMUs in the order that struct machine wants. Returns how many there are, at most
 * max. */
int event_sysfs_cores(const struct event_host *host, struct core_pmu *out, int max);

/* Returns how many operations a cycle of the cores of this PMU has slots for. -ENOENT: the kernel
 * does not tell it, or is none of such a machine. */
int event_sysfs_slots(const struct event_host *host, const char *pmu, struct err *err);

/* Resolves the tracepoint "SYSTEM:NAME". -EACCES where tracefs may not be read. */
int event_sysfs_tracepoint(struct event *e, const struct event_host *host, const char *name,
			   struct err *err);

/* An event as its PMU lists it. */
struct event_sysfs_row {
	const char *pmu, *name;
	const char *terms;        /* "event=0x3c,umask=0x1" */
	const char *scale, *unit; /* "" where it has none */
};

/* The texts are lent for the call. */
typedef void (*event_sysfs_visit)(void *context, const struct event_sysfs_row *row);
typedef void (*event_sysfs_tracepoint_visit)(void *context, const char *name);

/* Calls visit for each event of each PMU, in the order of their names. */
void event_sysfs_each(const struct event_host *host, event_sysfs_visit visit, void *context);
/* Calls visit for each "SYSTEM:NAME" of tracefs, but those that event_sysfs_tracepoint() would not
 * find. -EACCES where tracefs may not be read, -ENOENT where it is not mounted. */
int event_sysfs_each_tracepoint(const struct event_host *host, event_sysfs_tracepoint_visit visit,
				void *context);

#endif
