/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offer - which events there are to be had. The code that fits and binds screens asks the offer,
 * and does not know whether the running machine answers, or what was recorded on another one.
 *
 * A recording knows an event by the name that it was given then, or by its code: nobody asks the
 * tables and files of the machine that it is looked at on. In other modes than those that are
 * wanted, an event is another one.
 */
#ifndef SCREEN_BIND_OFFER_H
#define SCREEN_BIND_OFFER_H

#include "model/sample_event.h"
#include "pmu/event/machine.h"
#include "screen/screen.h"

/* ---- candidate ----
 *
 * One thing that the declaration of a counter may stand for.
 */

struct candidate {
	const struct counter_decl *decl;
	char *name;         /* of the event; NULL: the declaration's type and config */
	const char *weight; /* what one count stands for, as pmu/event/weight.h has it; NULL: 1 */
};

/* Sets type and config, as numbers of this kind of cores. -EINVAL or -ERANGE: nobody can read
 * them. */
int candidate_config(struct event *e, const struct counter_decl *c, const struct machine *m,
		     int core, struct err *err);

/* Makes the event what the candidate is on this machine. What the event was before is forgotten,
 * but for its names and its counter. -EINVAL for what is wrong on any machine; others where this
 * one does not know it. */
int candidate_resolve(struct event *e, const struct candidate *c, const struct machine *m, int core,
		      struct err *err);

/* ---- offer ---- */

struct offer;

struct offer_ops {
	/* Makes event e what the candidate is on this kind of cores. 0, or -errno where it is not
	 * known there; what the event was before is forgotten, but for its names and its
	 * counter. */
	int (*resolve)(const struct offer *o, struct event *e, int core, const struct candidate *c);
	/* Whether an event of this name is known, where that can be told at once. */
	bool (*is_certain)(const struct offer *o, const char *name);
	/* Whether event i of the set can be had. One that is refused for another reason than its
	 * absence counts as one that can. */
	bool (*has)(const struct offer *o, struct event_set *set, int i);
	/* Sets the words of the events of the set (pmu/event/describe.h). */
	void (*describe)(const struct offer *o, struct event_set *set);
};

struct offer {
	const struct offer_ops *ops;
	const struct machine *machine;      /* the CPU, its kinds of cores, and the event table */
	bool kernel;                        /* the kernel is to be counted, too */
	bool sockets;                       /* rows are sockets: what CPUs share, and that alone */
	struct perf_sys *sys;               /* of the running machine */
	const struct sample_events *events; /* of a recording: all that it has */
	enum quality lack;                  /* why an event that is for this CPU is not to be had */
};

/* The running machine. */
struct offer offer_live(const struct machine *machine, struct perf_sys *sys, bool kernel);

/* These events, which were recorded on that machine (machine_restore()). */
struct offer offer_recorded(const struct machine *machine, const struct sample_events *events,
			    bool kernel);

#endif
