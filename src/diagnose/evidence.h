/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence - inputs of metrics beyond the columns of screens: the attribute "look" of a metric.
 * Some inputs come from the row of a task; the others are read only for a task whose page is shown.
 */
#ifndef DIAGNOSE_EVIDENCE_H
#define DIAGNOSE_EVIDENCE_H

#include "base/value.h"
#include "model/detail.h"

enum evidence {
	/* From the row: */
	EVIDENCE_CPU_MS,        /* ms on a CPU in the interval */
	EVIDENCE_ASLEEP,        /* % of the interval: neither on a CPU nor waiting for one */
	EVIDENCE_QUEUE_EARLIER, /* seconds of a wait for a CPU that were before the interval */
	/* From the details of the task (model/detail.h): */
	EVIDENCE_THREADS,
	EVIDENCE_QUEUE,     /* % of the interval: ready, but not on a CPU; sum over its threads */
	EVIDENCE_SWITCHES,  /* voluntary context switches per second; sum over its threads */
	EVIDENCE_MINOR,     /* minor page faults per second */
	EVIDENCE_MAJOR,     /* major page faults per second */
	EVIDENCE_THROTTLED, /* ms per second: its control group was throttled by a quota */
	/* % of the interval: some task of its control group waited for a CPU, I/O, memory. */
	EVIDENCE_CPU_PRESSURE,
	EVIDENCE_IO_PRESSURE,
	EVIDENCE_MEMORY_PRESSURE,
	EVIDENCE_ALLOWED_CPUS, /* number of CPUs on which the task may run */
	EVIDENCE_OTHER_CPUS,   /* number of online CPUs on which the task may not run */
	EVIDENCE_OTHER_IDLE,   /* % of the interval: idle time of those CPUs, summed */
	/* 1: the task sleeps in this kind of wait; 0: it does not. */
	EVIDENCE_IN_DEVICE,
	EVIDENCE_IN_LOCK,
	EVIDENCE_IN_PIPE,
	EVIDENCE_IN_SOCKET,
	EVIDENCE_IN_TIMER,
	EVIDENCE_IN_POLL,
	EVIDENCE_IN_CHILD,
	EVIDENCE_FROZEN, /* 1: its control group is frozen; then all EVIDENCE_IN_... are 0 */
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
 * Counters are converted to rates between two readings. The kind of wait is derived from the system
 * call that the task is in; or, if that call has many uses, from the kernel function in which the
 * task sleeps. Both are as of the last reading.
 */

/* Fills out[] from the details. before: the previous reading; its mono_ns is 0 if there is none. */
void evidence_read(struct value out[N_EVIDENCE], const struct detail_wait *before,
		   const struct detail *now);

#endif
