/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event - what a counter counts: a named event with the attributes that the kernel wants, and sets of them.
 *
 * A set is what one screen needs; event i of the set is event i of every sample. The set also remembers what this
 * machine taught when groups were opened: which events it lacks, which refuse exclude_guest, and where a group has to
 * be cut because the PMU takes no more (see group.h).
 *
 * Ownership: the set owns the names. A struct event_set is moved by assignment; the old one is then not used again.
 */
#ifndef PERF_EVENT_H
#define PERF_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/value.h"
#include "perf/sys.h"

#define EVENT_SET_MAX 64

struct event {
	char *name;    /* as the user calls it */
	uint32_t type; /* perf_event_attr.type */
	uint64_t config, config1, config2;
	uint8_t quality; /* QUALITY_EXACT, or why nobody here can open it */
	bool guest_too;  /* exclude_guest was refused, or it is to count in guests */
	bool no_host;    /* only in guests */
	bool no_user,
		no_kernel; /* by its own modifiers (:k, :u); where there are any, they alone say what is counted */
	bool no_hv;
	bool all_modes; /* its PMU knows no modes, and refuses to leave one out */
};

struct event_set {
	struct event *event;
	int n;           /* at most EVENT_SET_MAX */
	bool kernel;     /* count in the kernel, too */
	bool inherit;    /* count the threads, too, that the task starts from now on */
	uint64_t starts; /* bit i: event i begins a group of its own */
};

void event_set_init(struct event_set *set);
void event_set_done(struct event_set *set);
/* A new event at the end, unknown to the machine so far; NULL where the set is full. */
struct event *event_set_add(struct event_set *set, const char *name);

/* The attributes that open event i. on_exec: a group leader that starts to count at the task's next execve(2). */
void event_attr(const struct event_set *set, int i, bool leader, bool on_exec, struct perf_event_attr *attr);

/* Opens event i alone on tiptop itself, and learns whether it refuses exclude_guest. Returns the descriptor, which the
 * caller closes, or -errno. */
int event_probe(struct perf_sys *sys, struct event_set *set, int i);

/* Whether the kernel counts the event in its own name: without the kernel's part it would always be 0. */
bool event_is_kernel_side(const struct event *e);

/* The type attribute of a tiptoprc, and the names that its config attribute may use. */
struct event_type {
	const char *name;
	uint32_t type;
	/* 0 and the value of a name, or -1; for expr_config_eval(). */
	int (*constant)(const char *name, size_t len, uint64_t *value);
};

/* NULL is HARDWARE. Returns NULL where there is no such type, with a sentence that lists them. */
const struct event_type *event_type_find(const char *name, struct err *err);

#endif
