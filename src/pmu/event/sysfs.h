/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sysfs - reads the kernel's description of events: the PMUs in /sys/bus/event_source/devices, and
 * tracepoints.
 *
 * A PMU is a folder there: `type` is perf_event_attr.type; format/TERM has the bits that a term
 * sets ("config:0-7,21"); events/NAME is a list of terms ("event=0x3c,umask=0x1"). A core PMU,
 * which counts what tasks do on a CPU, is called cpu, or has a file `cpus`. The others have no
 * modes: their events are counted in all modes. Of these, a PMU with a file `cpumask` counts for a
 * whole socket, or another part of the machine that CPUs share; the file lists the CPUs on which it
 * is read. If the names of several of these differ only in the number at their end (uncore_imc_0,
 * uncore_imc_1), the name without it (uncore_imc) means all of them together.
 *
 * Errors, each with its sentence: -EINVAL for a text that is invalid on any machine, -ENOENT for
 * something that this machine lacks, and -ERANGE for a value that does not fit in its field.
 */
#ifndef PMU_EVENT_SYSFS_H
#define PMU_EVENT_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "pmu/perf/core.h"
#include "pmu/perf/event.h"

/* Reads the first line of the file. Returns the number of its characters, or -errno; -EFBIG: the
 * file does not fit in buf. */
ssize_t sysfs_read_line(char *buf, size_t size, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* The folders and files in which the kernel describes a machine. */
struct event_host {
	const char *devices;    /* the folder of the PMUs */
	const char *tracing[2]; /* tracefs, and its place on older systems */
	/* The file in which root has listed tracepoints for users without permission to read
	 * tracefs: a line "SYSTEM:NAME ID" for each. */
	const char *tracepoints;
	const char *cpus;    /* the folder of the CPUs: cpu0/cpu_capacity */
	const char *boot_id; /* the file with the id of this boot of the kernel; NULL: none */
	const char *name;    /* the file with the name of the machine; NULL: none */
	const char *release; /* the file with the kernel's release, "6.1.0-18-arm64"; NULL: none */
};

/* The folders and files of this machine. */
extern const struct event_host event_host_here;

/* The bits of a config word that a term sets, from the lowest bit of its value on. */
struct event_field {
	int word; /* 0: config, 1: config1, 2: config2 */
	uint64_t mask;
};

/* Parses the text of a format file: "config:0-7,21". -EINVAL: it has another form. */
int event_field_parse(struct event_field *f, const char *text, struct err *err);

/* Resolves "PMU/TERM[=VALUE],.../". A TERM without a value is an event of the PMU, whose name may
 * differ in case, or has the value 1. Terms are applied from left to right, so that a term after an
 * event changes it. Sets scale and unit, if the event has them. Refuses events with parameters
 * ('?'). */
int event_sysfs_resolve(struct event *e, const struct event_host *host, const char *name,
			struct err *err);

/* Returns whether the PMU `pmu` counts an event that was resolved on the PMU `one`: if they are the
 * same; or, if `several` (event.several) is true, if their names differ only in the number at the
 * end. */
bool event_sysfs_is_of(const char *pmu, const char *one, bool several);

/* Resolves the event with this name of the first core PMU that has it, or of the core PMU `pmu` if
 * that is not NULL. Returns 1; 0: no core PMU has the event; or -errno. */
int event_sysfs_find(struct event *e, const struct event_host *host, const char *pmu,
		     const char *name, struct err *err);

/* Lists the core PMUs, those of the fastest cores first. Returns how many were stored in `out`, at
 * most max. */
int event_sysfs_cores(const struct event_host *host, struct core_pmu *out, int max);

/* Returns the number of slots for operations per cycle of the cores of this PMU. -ENOENT: the
 * kernel does not provide this number, or the CPU is not that of this machine. */
int event_sysfs_slots(const struct event_host *host, const char *pmu, struct err *err);

/* Resolves the tracepoint "SYSTEM:NAME" by tracefs; if it is not found there, by the list of
 * tracepoints. The list is used only if it belongs to root or to this user, and no other user may
 * write it; else the error says why the list is not used. -EACCES: no permission to read tracefs;
 * -ENOENT: tracefs has no such tracepoint, or is not mounted. */
int event_sysfs_tracepoint(struct event *e, const struct event_host *host, const char *name,
			   struct err *err);

/* An event that a PMU lists in sysfs. */
struct event_sysfs_row {
	const char *pmu, *name;
	const char *terms;        /* "event=0x3c,umask=0x1" */
	const char *scale, *unit; /* "": none */
};

/* The texts are valid during the call. */
typedef void (*event_sysfs_visit)(void *context, const struct event_sysfs_row *row);
typedef void (*event_sysfs_tracepoint_visit)(void *context, const char *name);

/* Calls visit for each event of each PMU, in the order of their names. */
void event_sysfs_each(const struct event_host *host, event_sysfs_visit visit, void *context);
/* Returns why there is no permission to read tracefs, and the remedy for this user. */
const char *event_sysfs_tracing_denied(void);
/* Calls visit for each entry "SYSTEM:NAME" of tracefs; these include control files such as enable,
 * which event_sysfs_tracepoint() refuses. -EACCES: no permission to read tracefs; -ENOENT: it is
 * not mounted. */
int event_sysfs_each_tracepoint(const struct event_host *host, event_sysfs_tracepoint_visit visit,
				void *context);

#endif
