/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offer - an interface that answers which events are available. It has two implementations: for the
 * running machine, and for a recording. Code that fits and binds screens uses only this interface.
 *
 * The implementation for a recording finds an event by its recorded name or by its code; it uses no
 * tables and files of the running machine. A recorded event with other modes than the wanted ones
 * does not match.
 */
#ifndef SCREEN_BIND_OFFER_H
#define SCREEN_BIND_OFFER_H

#include "model/sample_event.h"
#include "pmu/event/machine.h"
#include "screen/screen.h"

/* ---- candidate ----
 *
 * One of the alternatives of a counter's declaration: a name of its event attribute, or its type
 * and config.
 */

struct candidate {
	const struct counter_decl *decl;
	char *name;         /* the name of the event; NULL: use the declaration's type and config */
	const char *weight; /* the value of one count, as in pmu/event/table.h; NULL: 1 */
};

/* Sets type and config of the event from the declaration, for this kind of cores. Returns -EINVAL
 * or -ERANGE if they are invalid. */
int candidate_config(struct event *e, const struct counter_decl *c, const struct machine *m,
		     int core, struct err *err);

/* Sets the event to the candidate on this machine, but keeps e->name, e->what and e->counter.
 * Returns -EINVAL or -ERANGE if the candidate is invalid on any machine; other errors if this
 * machine does not know it. */
int candidate_resolve(struct event *e, const struct candidate *c, const struct machine *m, int core,
		      struct err *err);

/* ---- offer ---- */

struct offer;

struct offer_ops {
	/* Sets event e to the candidate on this kind of cores, but keeps e->name, e->what and
	 * e->counter. Returns 0, or -errno if these cores do not know the candidate. */
	int (*resolve)(const struct offer *o, struct event *e, int core, const struct candidate *c);
	/* Returns true if the event surely exists by its name; false: resolve() has to look it up,
	 * which may be slow. */
	bool (*is_certain)(const struct offer *o, const char *name);
	/* Returns whether event i of the set is available. If the kernel refuses an event for a
	 * reason other than its absence, it counts as available. */
	bool (*has)(const struct offer *o, struct event_set *set, int i);
	/* Sets the descriptions of the events of the set (pmu/event/describe.h). */
	void (*describe)(const struct offer *o, struct event_set *set);
};

struct offer {
	const struct offer_ops *ops;
	const struct machine *machine; /* CPU, kinds of cores, and event table */
	bool kernel;                   /* count kernel mode, too */
	bool sockets;         /* the rows are sockets: only events that CPUs share are available */
	struct perf_sys *sys; /* for the running machine; else NULL */
	const struct sample_events *events; /* for a recording: all its events; else NULL */
	/* The quality of an event that is declared for this CPU, but not known. */
	enum quality lack;
};

/* Returns an offer for the running machine. */
struct offer offer_live(const struct machine *machine, struct perf_sys *sys, bool kernel);

/* Returns an offer for a recording. machine: the recorded machine (see machine_restore()); events:
 * all events that were recorded. */
struct offer offer_recorded(const struct machine *machine, const struct sample_events *events,
			    bool kernel);

#endif
