/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample_event - a complete description of a counted event, which can be understood without the
 * machine and the screen for which it was counted; and of the machine itself, as far as numbers
 * depend on it (struct sample_machine).
 *
 * Equality. Two events are equal if they have the same PMU name, kind, configs, modes and scale;
 * events of kind EVENT_NONE, if they have the same PMU name. The name in a screen and the numbers
 * that the kernel assigns at each boot do not matter: the type of a PMU is not stored, and
 * tracepoints are compared by their names.
 *
 * Numbers. On a hybrid machine one number is several events, one for each kind of cores. The first
 * of them, the head, represents the number; the others refer to it by part_of. Two numbers are
 * equal if each part of one equals a part of the other. An event that a kind of cores lacks is also
 * a part, of kind EVENT_NONE. Each part may have its own scale: for instance, the number of slots
 * per cycle differs between kinds of cores.
 *
 * Groups. Numbers of one group are on the PMU at the same time, separately for each kind of cores:
 * while the kernel multiplexes, only ratios of such numbers are true. A number may be in several
 * groups.
 *
 * Sets. A struct sample_events is one block of memory with all its strings. It never changes, and
 * has a reference count; a reading holds a reference to the set of its counts. So a sample may have
 * readings with different sets.
 */
#ifndef MODEL_SAMPLE_EVENT_H
#define MODEL_SAMPLE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"

/* The maximal number of events in the set of a reading: they are bits of task.unread. */
#define SAMPLE_MAX_EVENTS 64

#define SAMPLE_ANY_CORE (-1)
#define SAMPLE_NO_GROUP UINT16_MAX

enum event_kind {
	EVENT_NONE,       /* this machine, or this kind of cores, lacks the event */
	EVENT_HARDWARE,   /* a generic event: PERF_COUNT_HW_* */
	EVENT_CACHE,      /* a generic event of a cache: PERF_COUNT_HW_CACHE_* */
	EVENT_RAW,        /* a code of the core PMU */
	EVENT_SOFTWARE,   /* an event of the kernel: PERF_COUNT_SW_* */
	EVENT_TRACEPOINT, /* a tracepoint of the kernel */
	EVENT_PMU,        /* a code of a PMU outside of the cores */
	N_EVENT_KINDS
};

/* Bits of sample_event.modes: the modes in which the event counts. */
#define MODE_USER   1u
#define MODE_KERNEL 2u
#define MODE_HV     4u
#define MODE_GUEST  8u
#define MODE_HOST   16u
#define MODES_ALL   31u
/* Modes of the rows of locks: while a lock was acquired, held, or released. */
#define MODE_ACQUIRE 32u
#define MODE_HOLD    64u
#define MODE_RELEASE 128u

/* One event. Its texts are never NULL. */
struct sample_event {
	const char *given;    /* the name in the screen or the user's option: "FP_ASSIST:ANY" */
	const char *resolved; /* in the terms of its PMU: "cpu/event=0xca,umask=0x1e/" */
	const char *pmu; /* as in sysfs; "cpu" if sysfs has no name for the core PMU; "software" */
	const char *format; /* the fields of its configs: "event=config:0-7 umask=config:8-15" */
	const char *unit;   /* of scale; "": a number of events */
	/* Of a generic event, without the PMU type in the upper 32 bits. */
	uint64_t config, config1, config2;
	/* The value of one count; 0: counts are not scaled; or SCALE_NOTHING. */
	double scale;
	uint16_t group;   /* the number of its group; SAMPLE_NO_GROUP: never opened */
	uint16_t part_of; /* 1 + the index of the head of its number; 0: it is a head */
	uint8_t kind;     /* enum event_kind */
	uint8_t modes;
	int8_t core;     /* kind of cores that counts it, 0 is the fastest; or SAMPLE_ANY_CORE */
	uint8_t quality; /* QUALITY_EXACT, or why it is not available here */
	bool guests_too; /* the PMU cannot exclude guests */
	bool modes_too;  /* the PMU cannot exclude any mode: the event counts in all modes */
	bool lacking;    /* the last part of a number: there was no space for further ones */
};

struct sample_events {
	uint32_t refs;
	int n;
	bool in_parts; /* at least one number has several parts */
	struct sample_event event[];
};

/* Returns the name of a kind in lists, "hardware". */
const char *event_kind_name(enum event_kind kind);

bool sample_event_equal(const struct sample_event *x, const struct sample_event *y);

/* Creates a set from copies of these events, with one reference. A NULL text becomes "". */
struct sample_events *sample_events_new(const struct sample_event *event, int n);
/* Takes a reference and returns the set; NULL for NULL. */
struct sample_events *sample_events_ref(const struct sample_events *set);
void sample_events_unref(const struct sample_events *set);
/* Returns the number of events in the set; 0 for NULL. */
static inline int sample_events_n(const struct sample_events *set)
{
	return set ? set->n : 0;
}

/* Returns the index of the next part of the number at `head` after event i; set->n: none. A loop
 * begins with i = head. */
static inline int sample_events_next_part(const struct sample_events *set, int head, int i)
{
	if (!set->in_parts)
		return set->n;
	for (i++; i < set->n; i++)
		if (set->event[i].part_of == head + 1)
			break;
	return i;
}
/* Returns QUALITY_EXACT if any part of the number is available, else the reason why not. */
enum quality sample_events_quality(const struct sample_events *set, int head);
/* Returns the index of the first head, from `from` on, whose number equals the one at `head` of
 * `other`; -1: none. */
int sample_events_find(const struct sample_events *set, int from, const struct sample_events *other,
		       int head);

/* Joins two sets: first the numbers of `a`, at their indices, then those of b that a lacks. Returns
 * a new reference, to a itself if b adds nothing. The result may have more than SAMPLE_MAX_EVENTS,
 * as only folding uses it. */
struct sample_events *sample_events_join(const struct sample_events *a,
					 const struct sample_events *b);

/* ---- machine ----
 *
 * The properties of the machine of a sample on which its numbers depend.
 *
 * It never changes, and has a reference count. All samples of a source share one. A NULL pointer
 * means that the machine is unknown.
 */

/* The resource that two CPUs, and so the tasks on them, share; a higher value is closer. */
enum sample_share {
	SHARE_NOTHING, /* nothing, or unknown */
	SHARE_NODE,    /* a NUMA node */
	SHARE_L3,
	SHARE_L2,
	SHARE_CORE,
	SHARE_CPU, /* both are the same CPU */
};

/* The place of a CPU. */
struct sample_place {
	/* Indexed by enum sample_share, from SHARE_NODE to SHARE_CORE: the first of the CPUs that
	 * share this resource; -1: unknown. */
	int16_t first[SHARE_CPU];
};

/* No text is NULL; "" is unknown. */
struct sample_machine {
	uint32_t refs;
	int n_cores; /* kinds of cores in sysfs; 0: none */
	/* Clock ticks per second (USER_HZ), the unit of some times of the kernel. */
	long ticks_per_s;
	const char *arch;        /* "x86" */
	const char *model;       /* "06_97", as in a tiptoprc */
	const char *boot_id;     /* the kernel's boot id, which differs after each boot */
	const char *host;        /* its node name */
	const char *const *core; /* [n_cores] the PMU of each kind, the fastest first */
	/* [n_cpus] the kind of cores of each CPU; n_cpus 0: a single kind, or unknown. */
	const uint8_t *cpu_kind;
	int n_cpus;
	/* [n_places] the place of each CPU; n_places 0: unknown. */
	const struct sample_place *place;
	int n_places;
	const char *const *pmu; /* all PMUs, sorted by name, terminated by NULL */
};

/* Copies `from` into one block of memory with one reference. */
struct sample_machine *sample_machine_new(const struct sample_machine *from);
/* Returns the kind of cores of a CPU; 0: unknown. machine may be NULL. */
int sample_machine_kind(const struct sample_machine *machine, int cpu);
/* Returns the closest resource that two CPUs share. machine may be NULL. */
enum sample_share sample_machine_share(const struct sample_machine *machine, int a, int b);
/* Takes a reference and returns the machine; NULL for NULL. */
struct sample_machine *sample_machine_ref(const struct sample_machine *machine);
void sample_machine_unref(const struct sample_machine *machine);

#endif
