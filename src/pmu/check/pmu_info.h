/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu_info - the PMUs of the machine, as the kernel describes them in sysfs, and the counters of a
 * core, as CPUID of x86 tells them.
 *
 * What is not known is -1 or "".
 */
#ifndef PMU_CHECK_PMU_INFO_H
#define PMU_CHECK_PMU_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmu/event/machine.h"
#include "pmu/perf/arch.h"

enum pmu_kind {
	PMU_CORE,     /* counts what tasks do on a CPU */
	PMU_SOFTWARE, /* the kernel itself counts, or stops at a place in the code */
	/* Counts for a whole package or cache: nothing there can be told of one task. */
	PMU_UNCORE,
	PMU_OTHER, /* of its own kind: tracing hardware, registers that are read (msr) */
	N_PMU_KINDS
};

struct pmu_info {
	char name[64];
	long type;    /* perf_event_attr.type */
	uint8_t kind; /* enum pmu_kind */
	int8_t core;  /* its index in machine->core; EVENT_NO_CORE: it is no core PMU */
	/* The CPUs that it counts on: "0-7"; of an uncore PMU, those on which it can be opened. */
	char cpus[128];
	char caps[256]; /* "NAME=VALUE" of each file in caps/, with blanks between */
	long mux_ms;    /* the time after which other groups get their turn */
};

struct pmu_info_list {
	struct pmu_info *v; /* core PMUs first, as in the machine; each other kind by name */
	size_t n;
};

/* Lists all PMUs of machine->host. */
void pmu_info_read(struct pmu_info_list *out, const struct machine *m);
void pmu_info_done(struct pmu_info_list *list);
/* "core", "software", "uncore", "other". */
const char *pmu_kind_name(enum pmu_kind kind);

/* The leaves of CPUID that tell of counters, as the instruction gives them; a leaf that the CPU
 * does not have is all 0. */
struct pmu_cpuid {
	struct arch_cpuid leaf_0, leaf_1, leaf_a, leaf_80000001, leaf_80000022;
};

/* Whose rules say how many counters there are. */
enum pmu_scheme {
	SCHEME_NONE,
	/* Intel SDM, volume 3, "Architectural Performance Monitoring": leaf 0xA. */
	SCHEME_ARCHITECTURAL,
	SCHEME_AMD_V2,       /* AMD64 APM, volume 3, CPUID Fn8000_0022 */
	SCHEME_AMD_EXTENDED, /* PerfCtrExtCore, Fn8000_0001: 6 counters of a core */
	SCHEME_AMD_LEGACY    /* 4, which all have; in a virtual machine perhaps none */
};

/* The events that leaf 0xA knows: cycles, instructions, reference cycles, ... */
#define PMU_N_EVENTS 8

struct pmu_counters {
	enum pmu_scheme scheme;
	bool hypervisor; /* it is a virtual CPU */
	int version;     /* of architectural monitoring; 0 elsewhere */
	int n_general, general_bits;
	/* Counters that count one event only; 0 bits where there are none. */
	int n_fixed, fixed_bits;
	/* The architectural events: bit i is set where the CPU has event i. */
	uint32_t events;
};

/* Tells from these leaves what counters there are. Pure. */
void pmu_counters_decode(struct pmu_counters *c, const struct pmu_cpuid *raw);
/* The usual name of the architectural event i, in the order of leaf 0xA. */
const char *pmu_event_name(int i);

/* Reads the leaves of the present CPU, or of the first CPU in a list ("4-7"), since kinds of cores
 * differ. False, and all 0, where the processor has no CPUID, or where the process may not run
 * there. */
bool pmu_cpuid_read(struct pmu_cpuid *raw, const char *cpus);
/* The same, and what counters they tell of. */
bool pmu_counters_read(struct pmu_counters *c, const char *cpus);

#endif
