/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offer - the events that are available. Code that fits and binds screens uses this interface, for
 * the running machine as well as for a recording of another one.
 *
 * A recording finds an event by its name in the recording, or by its code; tables and files of the
 * running machine are not used. An event with other modes than the wanted ones is another event.
 */
#ifndef SCREEN_BIND_OFFER_H
#define SCREEN_BIND_OFFER_H

#include "model/sample_event.h"
#include "pmu/event/machine.h"
#include "screen/screen.h"

/* ---- candidate ----
 *
 * One of the alternatives of a counter's declaration.
 */

struct candidate {
	const struct counter_decl *decl;
	char *name;         /* of the event; NULL: use the declaration's type and config */
	const char *weight; /* the value of one count, as in pmu/event/weight.h; NULL: 1 */
};

/* Sets type and config for this kind of cores. Returns -EINVAL or -ERANGE if they are invalid. */
int candidate_config(struct event *e, const struct counter_decl *c, const struct machine *m,
		     int core, struct err *err);

/* Sets the event to the candidate on this machine; keeps only its names and its counter. Returns
 * -EINVAL if the candidate is wrong on any machine; other errors if this machine does not know
 * it. */
int candidate_resolve(struct event *e, const struct candidate *c, const struct machine *m, int core,
		      struct err *err);

/* ---- offer ---- */

struct offer;

struct offer_ops {
	/* Sets event e to the candidate on this kind of cores; keeps only its names and its
	 * counter. Returns 0, or -errno if it is unknown there. */
	int (*resolve)(const struct offer *o, struct event *e, int core, const struct candidate *c);
	/* Returns whether an event with this name is known without a slow lookup. */
	bool (*is_certain)(const struct offer *o, const char *name);
	/* Returns whether event i of the set is available. An event that is refused for another
	 * reason than absence counts as available. */
	bool (*has)(const struct offer *o, struct event_set *set, int i);
	/* Sets the descriptions of the events of the set (pmu/event/describe.h). */
	void (*describe)(const struct offer *o, struct event_set *set);
};

struct offer {
	const struct offer_ops *ops;
	const struct machine *machine;      /* CPU, kinds of cores, and event table */
	bool kernel;                        /* count kernel mode, too */
	bool sockets;                       /* rows are sockets: only events that CPUs share */
	struct perf_sys *sys;               /* of the running machine */
	const struct sample_events *events; /* of a recording: all its events */
	enum quality lack; /* the reason for an event of this CPU that is not available */
};

/* Returns the offer of the running machine. */
struct offer offer_live(const struct machine *machine, struct perf_sys *sys, bool kernel);

/* Returns the offer of these events, recorded on that machine (machine_restore()). */
struct offer offer_recorded(const struct machine *machine, const struct sample_events *events,
			    bool kernel);

#endif
