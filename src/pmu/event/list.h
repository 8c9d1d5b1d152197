/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list - lists the events that this machine knows by name, what each counts on this CPU, and
 * whether it can be counted here.
 *
 * The list has the generic events, the events of the table for this CPU, of the PMUs in sysfs, and
 * of libpfm4 for the core PMUs, and tracepoints. On a hybrid machine there is a row for each kind
 * of cores that has the event.
 *
 * Whether an event can be counted is tested by opening it on tiptop itself, in user mode and
 * disabled. It thus never gets onto the PMU, since some hypervisors fail when many event numbers
 * are tried there. A top-down metric is opened with SLOTS as leader. Each event is closed at once,
 * except the first of each type, which stays open until the list is complete: the kernel starts to
 * use a PMU with its first event and stops with its last one, which costs far more than opening an
 * event. One tracepoint is tested for all: opening one modifies the kernel's code, which takes 40
 * ms, and a user who can count one can count all.
 *
 * Ownership: the list owns its strings; event_list_done() frees them.
 */
#ifndef PMU_EVENT_LIST_H
#define PMU_EVENT_LIST_H

#include "base/strbuf.h"
#include "pmu/event/machine.h"

/* ---- meaning ----
 *
 * Describes what an event counts on this CPU. The generic names mean different things on different
 * vendors' CPUs: "cache-misses" are misses of the last level on Intel, of L2 on AMD Zen, of the L1
 * data cache on Arm.
 */

/* Appends one sentence without a full stop: from a table of tiptop for generic and software events,
 * by vendor and model; else libpfm4's description of the event that e->what names; else the
 * description in the machine's event table, with the vendor's name. Returns false, with nothing
 * appended, if the event is in none of these. */
bool meaning_add(struct strbuf *out, const struct event *e, const struct machine *m);

/* ---- list ---- */

enum event_opens {
	OPENS_YES,
	OPENS_ABSENT,
	OPENS_DENIED,
	OPENS_REFUSED,
	OPENS_BUSY,
	OPENS_FAILED,
	OPENS_UNTRIED,
	OPENS_UNUSABLE,
	N_EVENT_OPENS
};

/* The row of a result: one word for scripts, and a sentence without a full stop. */
struct event_opens_row {
	const char *name, *text;
};

extern const struct event_opens_row event_opens_table[N_EVENT_OPENS];

struct event_row {
	char *name; /* in the form for event_name_resolve() */
	char *pmu;  /* name of the PMU in sysfs or in libpfm4; "-": none here */
	char *help; /* what it counts, or why it is unusable; one line, never empty */
	bool has_code;
	struct event event; /* valid if has_code is set, except name and what */
	uint8_t opens;      /* enum event_opens */
};

struct event_list {
	struct event_row *row;
	size_t n, cap;
	/* 0: the matching tracepoints are in the list; -ENODATA: tracepoints were not searched, as
	 * no text was given, or the CPU is not that of this machine; -EACCES: no permission to read
	 * tracefs; -ENOENT: tracefs is not mounted. */
	int tracepoints;
};

/* Lists the events whose name, PMU or help contains the text, regardless of case. NULL or "": all
 * events but tracepoints, of which there are thousands. */
void event_list_make(struct event_list *l, const struct machine *m, struct perf_sys *sys,
		     const char *text);
void event_list_done(struct event_list *l);

#endif
