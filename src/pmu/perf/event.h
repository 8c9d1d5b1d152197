/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * event - what a counter counts: an event with the attributes that the kernel wants,
 * and sets of them.
 *
 * A set is what one screen needs. The screen asks for counters, by their aliases; on a hybrid
 * machine a counter is one event for each kind of cores (core.h), elsewhere one event.
 *
 * The plan (plan.h) says which events are opened as one group, so that they are on the PMU at the
 * same time. Its members, in their order, are the events of every sample; an event may be a member
 * of several groups.
 *
 * Ownership: the set owns its strings and arrays. A struct event_set is moved by assignment; the
 * old one is then not used again.
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

/* Intel's top-down metrics are only counted behind SLOTS, in its group. */
enum event_topdown { TOPDOWN_NONE, TOPDOWN_SLOTS, TOPDOWN_METRIC };

/* What a thread does with a lock while an event is counted: of rows of locks alone. No kernel
 * counts so. */
enum event_phase { EVENT_ANY_PHASE, EVENT_ACQUIRE, EVENT_HOLD, EVENT_RELEASE, N_EVENT_PHASES };

struct event {
	char *name; /* the name of the counter, as the user calls it */
	/* The name of the event, as it was declared: "FP_ASSIST:ANY"; NULL: none was found. */
	char *what;
	/* Words that mean the same elsewhere (pmu/event/tell.h); NULL: not told. */
	char *pmu;      /* "cpu" */
	char *format;   /* the fields of its configs: "event=config:0-7 umask=config:8-15" */
	char *resolved; /* "cpu/event=0xca,umask=0x1e/" */
	uint32_t type;  /* perf_event_attr.type */
	uint64_t config, config1, config2;
	/* What one count stands for, where its PMU or the event table says so; else 0, which stands
	 * for 1, or SCALE_NOTHING (base/count.h). */
	double scale;
	char unit[16]; /* in this unit; "" where it is a number of events */
	/* The index, in the set, of the counter that this event is, or is a part of. */
	uint8_t counter;
	uint8_t quality; /* QUALITY_EXACT, or why nobody here can open it */
	uint8_t topdown; /* enum event_topdown */
	/* Index of its core PMU; EVENT_NO_CORE: it is counted wherever the task runs. */
	int8_t core;
	/* A number and a name: the common event that its PMU does not implement, so that the kernel
	 * would open it and count 0; NULL: none. */
	const char *absent;
	bool lacking;      /* the set had no room for the events of other kinds of cores */
	bool guest_too;    /* exclude_guest was refused, or it is to count in guests */
	bool guest_forced; /* the former: nobody asked for it */
	bool no_host;      /* only in guests */
	/* Modifiers of its own (:k, :u) say in which modes it is counted, and they alone. */
	bool own_modes;
	bool no_user, no_kernel; /* where own_modes */
	bool no_hv;
	uint8_t phase;  /* enum event_phase */
	bool all_modes; /* its PMU knows no modes, and refuses to leave one out */
	/* A PMU of the cores does, too, as event_probe() has found: the event counts in all modes,
	 * though nobody asked for that. */
	bool modes_forced;
	bool modes_denied; /* it may, but in all modes it is not allowed, so that it was not tried
			    */
	/* Its PMU counts for a whole socket, or another part of the machine that CPUs share:
	 * nothing of it is a task's or a CPU's. */
	bool shared;
	/* It is counted by all PMUs whose name differs in the number at its end; type: of one. */
	bool several;
};

/* An event as a member of a group. */
struct event_member {
	uint8_t event;
	/* Members of the same group stand together, its leader first;
	 * EVENT_NO_GROUP: never opened. */
	uint8_t group;
	/* Counters of the same bundle are in one group, on each kind of cores. */
	uint8_t bundle;
	/* 1 + the member that stands for the counter, where this is a further
	 * part of it; else 0. */
	uint8_t part_of;
};

struct event_plan {
	struct event_member member[EVENT_SET_MAX];
	int n;
	int n_fds;    /* the number of members that are opened */
	int n_groups; /* the number of groups that take turns on the PMUs */
	bool unsure;  /* some groups could not be tried */
	/* The moment of the trial (trial.h) at which another plan may be better; 0: none is. */
	uint32_t again;
};

struct event_set {
	struct event *event;
	int n;          /* at most EVENT_SET_MAX */
	int n_counters; /* at most EVENT_SET_MAX */
	bool kernel;    /* count in the kernel, too */
	bool no_user;   /* and there alone */
	bool inherit;   /* count the threads, too, that the task starts from now on */
	bool children;  /* count all that it makes from now on, processes, too */
	bool finals;    /* and have each that ends tell its counts, see finals.h */
	/* Masks of counters: bit c is counter c. The counters of one mask should be in one group.
	 * First comes a mask for each column, then those of the user's wishes. */
	uint64_t *together;
	int n_together;
	/* How many of the last masks are wishes of the user, which go before columns. */
	int n_wishes;
	struct event_plan plan;
};

void event_set_init(struct event_set *set);
void event_set_done(struct event_set *set);
/* Makes a set like this one, with its plan. */
void event_set_copy(struct event_set *out, const struct event_set *set);
/* Adds an event, not yet resolved, as the only part of a new counter. Returns NULL where the set is
 * full. */
struct event *event_set_add(struct event_set *set, const char *name);
/* Adds an event as a further part of the counter that was added last. Returns as
 * event_set_add(). */
struct event *event_set_add_part(struct event_set *set, const char *name);
/* Adds the wish that these counters be in one group. */
void event_set_join(struct event_set *set, uint64_t counters);
/* The name of a counter, as the user has given it. */
const char *event_set_counter_name(const struct event_set *set, int counter);
/* Sets name[n_counters] to the names of all of them. */
void event_set_counter_names(const struct event_set *set, const char *name[]);

/* Makes the attributes with which event i is opened. on_exec: a group leader starts to count at the
 * task's next execve(2). */
void event_attr(const struct event_set *set, int i, bool leader, bool on_exec,
		struct perf_event_attr *attr);

/* Opens event i alone on tiptop itself (a top-down metric behind SLOTS), not counting. Learns by
 * trying less whether its PMU can leave out guests (guest_forced), or any mode (modes_forced).
 * Returns the descriptor, which the caller closes, or -errno; without asking the kernel, -EXDEV for
 * one that is shared and -ENOENT for one that is absent. */
int event_probe(struct perf_sys *sys, struct event_set *set, int i);

/* Whether event i also counts what the kernel does, by the wish of the set or by modifiers of its
 * own. */
bool event_counts_kernel(const struct event_set *set, int i);

/* Whether the event counts in all modes, whatever was asked for. */
static inline bool event_has_no_modes(const struct event *e)
{
	return e->all_modes || e->modes_forced;
}

/* Whether a PMU of the cores counts the event. */
bool event_is_hardware(const struct event *e);

/* Whether the event happens in the kernel only (a context switch): counted in user mode alone, it
 * would always be 0. */
bool event_is_kernel_side(const struct event *e);

#endif
