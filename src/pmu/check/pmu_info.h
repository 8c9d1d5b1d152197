/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu_info - the PMUs of the machine, as the kernel describes them in sysfs, and the counters of a
 * core, from CPUID of x86, whose leaf 0xA cpuid_bits_each() describes field by field.
 *
 * Unknown values are -1 or "".
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
	PMU_SOFTWARE, /* counts in the kernel, or at places in the code */
	/* Counts for a whole package or cache: its counts cannot be attributed to a task. */
	PMU_UNCORE,
	PMU_OTHER, /* anything else: tracing hardware, registers that are read (msr) */
	N_PMU_KINDS
};

struct pmu_info {
	char name[64];
	long type;    /* perf_event_attr.type */
	uint8_t kind; /* enum pmu_kind */
	int8_t core;  /* index of the PMU in machine->core; EVENT_NO_CORE: not a core PMU */
	/* The CPUs on which the PMU counts: "0-7"; for an uncore PMU, the CPUs on which its events
	 * can be opened. A list that is too long ends with "...". */
	char cpus[128];
	char caps[256]; /* "NAME=VALUE" for the files in caps/, separated by blanks; may be cut off
			 */
	long mux_ms;    /* the interval of multiplexing, in ms */
};

struct pmu_info_list {
	struct pmu_info
		*v; /* core PMUs first, in the order of the machine; the other kinds by name */
	size_t n;
};

/* Lists all PMUs of machine->host. */
void pmu_info_read(struct pmu_info_list *out, const struct machine *m);
void pmu_info_done(struct pmu_info_list *list);
/* Returns "core", "software", "uncore" or "other". */
const char *pmu_kind_name(enum pmu_kind kind);

/* The leaves of CPUID that describe counters, as the instruction returns them; all 0: the CPU lacks
 * the leaf. */
struct pmu_cpuid {
	struct arch_cpuid leaf_0, leaf_1, leaf_a, leaf_80000001, leaf_80000022;
};

/* The document whose rules give the number of counters. */
enum pmu_scheme {
	SCHEME_NONE,
	/* Intel SDM, volume 3, "Architectural Performance Monitoring": leaf 0xA. */
	SCHEME_ARCHITECTURAL,
	SCHEME_AMD_V2,       /* AMD64 APM, volume 3, CPUID Fn8000_0022 */
	SCHEME_AMD_EXTENDED, /* PerfCtrExtCore, Fn8000_0001: 6 counters for each core */
	SCHEME_AMD_LEGACY    /* 4 counters, as all AMD CPUs have; a virtual machine may have none */
};

/* The number of events of leaf 0xA: cycles, instructions, reference cycles, ... */
#define PMU_N_EVENTS 8

struct pmu_counters {
	enum pmu_scheme scheme;
	bool hypervisor; /* the CPU is virtual */
	int version;     /* of architectural monitoring; 0: the CPU has another scheme */
	int n_general, general_bits;
	/* Counters that count one fixed event; fixed_bits is 0 if there are none. */
	int n_fixed, fixed_bits;
	/* The architectural events: bit i is set if the CPU has event i. */
	uint32_t events;
};

/* Computes the counters from the leaves of CPUID. Pure. */
void pmu_counters_decode(struct pmu_counters *c, const struct pmu_cpuid *raw);
/* Returns the usual name of the architectural event i, in the order of leaf 0xA. */
const char *pmu_event_name(int i);

/* Reads the leaves on the first CPU of the list `cpus` ("4-7"), as kinds of cores differ; if the
 * list is "", on the current CPU. Returns false, with all leaves 0, if the processor has no CPUID,
 * or if the process cannot run on that CPU. */
bool pmu_cpuid_read(struct pmu_cpuid *raw, const char *cpus);
/* Reads the leaves as pmu_cpuid_read() does, and computes the counters. */
bool pmu_counters_read(struct pmu_counters *c, const char *cpus);

/* ---- cpuid_bits ----
 *
 * The fields of leaf 0xA: Intel SDM, volume 2, CPUID, "Architectural Performance Monitoring Leaf".
 */

/* Is called for one field. bits: its register and bits, "EAX 7:0". text: the meaning of the value,
 * a sentence without a full stop; valid during the call. */
typedef void (*cpuid_bits_visit)(void *context, const char *bits, uint32_t value, const char *text);

/* Calls visit for each field that the version of the leaf has, and for each architectural event
 * that is missing (if none is, once for all of them); not at all if the version is 0: the CPU has
 * no architectural monitoring. Pure. */
void cpuid_bits_each(const struct arch_cpuid *leaf_a, cpuid_bits_visit visit, void *context);

#endif
