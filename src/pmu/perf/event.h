/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * event - an event with its attributes for perf_event_open(2), and sets of events.
 *
 * A set has the events of one screen. The screen wants counters, by their aliases; on a hybrid
 * machine a counter is one event for each kind of cores (core.h), elsewhere one event.
 *
 * The plan (plan.h) says which events are opened as one group, so that they are on the PMU at the
 * same time. Its members, in their order, are the events of every sample; an event may be a member
 * of several groups.
 *
 * Ownership: the set owns its strings and arrays. A struct event_set is moved by assignment; the
 * old one must not be used again.
 */
#ifndef PMU_PERF_EVENT_H
#define PMU_PERF_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/value.h"
#include "pmu/perf/sys.h"

/* The most events, and the most members, that a set can have. */
#define EVENT_SET_MAX 64

#define EVENT_NO_GROUP 255

/* Intel's top-down metrics can only be counted in a group that SLOTS leads. */
enum event_topdown { TOPDOWN_NONE, TOPDOWN_SLOTS, TOPDOWN_METRIC };

/* The phase of using a lock in which an event is counted. Only rows of locks have such events; the
 * kernel cannot count by phase. */
enum event_phase { EVENT_ANY_PHASE, EVENT_ACQUIRE, EVENT_HOLD, EVENT_RELEASE, N_EVENT_PHASES };

struct event {
	char *name; /* the name of the counter, as the user calls it */
	/* The name of the event, as it was declared: "FP_ASSIST:ANY"; NULL: no event was found. */
	char *what;
	/* A description that is valid on other machines (pmu/event/describe.h); NULL: none. */
	char *pmu;      /* "cpu" */
	char *format;   /* the fields of its configs: "event=config:0-7 umask=config:8-15" */
	char *resolved; /* "cpu/event=0xca,umask=0x1e/" */
	uint32_t type;  /* perf_event_attr.type */
	uint64_t config, config1, config2;
	/* The factor from the raw count to a number in `unit`, from sysfs or the event table; 0: no
	 * factor. May be SCALE_NOTHING (base/value.h). */
	double scale;
	char unit[16]; /* of the scaled count; "": a number of events */
	/* The index, in the set, of the counter that this event implements, alone or in part. */
	uint8_t counter;
	uint8_t quality; /* QUALITY_EXACT, or why the event cannot be opened here */
	uint8_t topdown; /* enum event_topdown */
	/* Index of its core PMU; EVENT_NO_CORE: counted on all kinds of cores. */
	int8_t core;
	/* If the PMU does not implement this common event of Arm, its number and name: the kernel
	 * would open the event and count 0. NULL: the PMU implements the event, or this is
	 * unknown. */
	const char *absent;
	bool lacking;      /* the set had no room for the events of further kinds of cores */
	bool guest_too;    /* also counts in guests: wanted, or exclude_guest was refused */
	bool guest_forced; /* exclude_guest was refused: guests are counted although not wanted */
	bool no_host;      /* counts in guests only */
	/* The event has modifiers (:k, :u), which override the modes of the set. */
	bool own_modes;
	bool no_user, no_kernel; /* valid if own_modes is set */
	bool no_hv;
	uint8_t phase;  /* enum event_phase */
	bool all_modes; /* its PMU has no modes, and refuses to exclude one */
	/* event_probe() has found that the core PMU cannot exclude a mode: the event counts in all
	 * modes, although not wanted. */
	bool modes_forced;
	/* event_probe() has found that the kernel accepts that the event excludes modes, but that
	 * it counts in all modes. */
	bool modes_ignored;
	/* The core PMU may be unable to exclude a mode, which is unknown, since this user may not
	 * count in all modes. */
	bool modes_denied;
	/* Its PMU counts for a whole socket, or another part of the machine that CPUs share: its
	 * counts cannot be attributed to a task or a CPU. */
	bool shared;
	/* Several PMUs count the event, whose names differ only in the number at the end
	 * (uncore_imc_0, uncore_imc_1); type is the type of one of them. */
	bool several;
};

/* An event as a member of a group. */
struct event_member {
	uint8_t event;
	/* Members of a group are adjacent, the leader first; EVENT_NO_GROUP: never opened. */
	uint8_t group;
	/* Counters of a bundle are in one group on each kind of cores. */
	uint8_t bundle;
	/* For a further event of a counter (on another kind of cores): 1 + the index of the
	 * counter's first member in the bundle; else 0. */
	uint8_t part_of;
};

struct event_plan {
	struct event_member member[EVENT_SET_MAX];
	int n;
	int n_fds;    /* the number of members that are opened */
	int n_groups; /* the number of groups that are multiplexed */
	bool unsure;  /* some groups could not be tried */
	/* The moment (struct trial) from which making the plan again may give a better one; 0:
	 * never. */
	uint32_t again;
};

struct event_set {
	struct event *event;
	int n;          /* at most EVENT_SET_MAX */
	int n_counters; /* at most EVENT_SET_MAX */
	bool kernel;    /* count in the kernel, too */
	bool no_user;   /* count in the kernel only */
	bool inherit;   /* also count threads that the task starts from now on */
	bool children;  /* also count all descendants from now on, processes included */
	bool finals;    /* the kernel reports the final counts of each task that ends, see ring.h */
	/* Masks of counters: bit c is counter c. The counters of one mask should be in one group.
	 * There is a mask for each column, followed by those that the user wants. */
	uint64_t *together;
	int n_together;
	/* How many of these masks, the last ones, are wishes of the user, which take precedence
	 * over columns. */
	int n_wishes;
	struct event_plan plan;
};

void event_set_init(struct event_set *set);
void event_set_done(struct event_set *set);
/* Copies the set with its plan. */
void event_set_copy(struct event_set *out, const struct event_set *set);
/* Adds an event, not yet resolved, as the only part of a new counter. Returns NULL if the set is
 * full. */
struct event *event_set_add(struct event_set *set, const char *name);
/* Adds an event as a further part of the counter that was added last. Returns as
 * event_set_add(). */
struct event *event_set_add_part(struct event_set *set, const char *name);
/* Appends a mask to `together`. If it is a wish of the user, the caller counts it in n_wishes. */
void event_set_join(struct event_set *set, uint64_t counters);
/* Returns the declared name of the counter's event; if no event was found, the name of the
 * counter. */
const char *event_set_counter_name(const struct event_set *set, int counter);
/* Sets name[n_counters] to the names of all counters. */
void event_set_counter_names(const struct event_set *set, const char *name[]);

/* Fills in the attributes for opening event i. on_exec: a group leader starts to count at the next
 * execve(2) of the task. */
void event_attr(const struct event_set *set, int i, bool leader, bool on_exec,
		struct perf_event_attr *attr);

/* Opens event i alone, disabled, on tiptop itself (a top-down metric with SLOTS as leader). If the
 * kernel refuses the modes, retries without exclude_guest (sets guest_forced), then in all modes
 * (sets modes_forced or modes_denied). Sets modes_ignored. Returns the descriptor, which the caller
 * closes, or -errno; without a system call: -EXDEV for a shared event, -ENOENT for an absent one.
 */
int event_probe(struct perf_sys *sys, struct event_set *set, int i);

/* Returns the quality of an event, or of the counts of a task, after an attempt to open it. ret: 0,
 * or -errno. */
enum quality event_opening_quality(int ret);

/* Returns whether event i is opened to count in the kernel, too. */
bool event_counts_kernel(const struct event_set *set, int i);

/* Returns whether the event is opened in all modes, whatever the user wants. */
static inline bool event_has_no_modes(const struct event *e)
{
	return e->all_modes || e->modes_forced;
}

/* Returns whether the core PMU counts the event in all modes, although not wanted. */
static inline bool event_is_beyond_modes(const struct event *e)
{
	return e->modes_forced || e->modes_ignored;
}

/* Returns whether a core PMU counts the event. */
bool event_is_hardware(const struct event *e);

/* Returns whether the event occurs only in the kernel (a context switch): in user mode alone its
 * count would always be 0. */
bool event_is_kernel_side(const struct event *e);

#endif
