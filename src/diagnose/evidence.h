/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence - inputs of metrics beyond the columns of screens: the attribute "look" of a metric.
 * Some come from the row of a task; the others are read only for a task whose page is shown.
 */
#ifndef DIAGNOSE_EVIDENCE_H
#define DIAGNOSE_EVIDENCE_H

#include "base/value.h"
#include "model/detail.h"

enum evidence {
	/* From the row: */
	EVIDENCE_CPU_MS,        /* ms on a CPU in the interval */
	EVIDENCE_ASLEEP,        /* % of the interval: neither on a CPU nor waiting for one */
	EVIDENCE_QUEUE_EARLIER, /* seconds before the interval: ready, but not on a CPU */
	/* From the details of the task (model/detail.h): */
	EVIDENCE_THREADS,
	EVIDENCE_QUEUE, /* % of the interval: ready, but not on a CPU; sum over its threads */
	EVIDENCE_SWITCHES,
	EVIDENCE_MINOR,
	EVIDENCE_MAJOR,     /* this one and the two above: per second */
	EVIDENCE_THROTTLED, /* ms per second: its control group was throttled by a quota */
	EVIDENCE_CPU_PRESSURE,
	EVIDENCE_IO_PRESSURE,
	EVIDENCE_MEMORY_PRESSURE, /* this one and the two above: % of the interval, of its control
				     group */
	EVIDENCE_ALLOWED_CPUS,
	EVIDENCE_OTHER_CPUS, /* number of CPUs on which it may run; on which it may not */
	EVIDENCE_OTHER_IDLE, /* % of the interval: idle time of the latter, summed */
	/* 1: it sleeps there; 0: elsewhere */
	EVIDENCE_IN_DEVICE,
	EVIDENCE_IN_LOCK,
	EVIDENCE_IN_PIPE,
	EVIDENCE_IN_SOCKET,
	EVIDENCE_IN_TIMER,
	EVIDENCE_IN_POLL,
	EVIDENCE_IN_CHILD,
	EVIDENCE_FROZEN, /* 1: its control group is frozen; then all the above are 0 */
	N_EVIDENCE
};

/* Returns the evidence with this name; -1: none. */
int evidence_find(const char *name);
/* Makes all evidence unknown. */
void evidence_clear(struct value evidence[N_EVIDENCE]);

/* ---- seen evidence ----
 *
 * Converts the details of a task into evidence. Pure.
 *
 * Counters give increments between two readings. Where the task sleeps follows from its system
 * call, or if that has many uses, from the kernel function: both are those of the moment of the
 * reading.
 */

/* Fills out from the details. before: the previous reading; mono_ns 0: none. */
void evidence_read(struct value out[N_EVIDENCE], const struct detail_wait *before,
		   const struct detail *now);

#endif
