/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence - what is looked for in a task beyond the columns of screens: the attribute "look" of a
 * metric. Some follows from its row; the rest is known only where somebody looked at the task
 * itself, for its page.
 */
#ifndef DIAGNOSE_EVIDENCE_H
#define DIAGNOSE_EVIDENCE_H

#include "base/value.h"
#include "model/detail.h"

enum evidence {
	/* Of the row: */
	EVIDENCE_CPU_MS,        /* time on a CPU in the interval */
	EVIDENCE_ASLEEP,        /* % of the interval: neither on a CPU nor waiting for one */
	EVIDENCE_QUEUE_EARLIER, /* s before the interval: ready, but not on a CPU */
	/* Of the task itself: */
	EVIDENCE_THREADS,
	EVIDENCE_QUEUE, /* % of the interval: ready, but not on a CPU; all its threads */
	EVIDENCE_SWITCHES,
	EVIDENCE_MINOR,
	EVIDENCE_MAJOR,     /* each per second */
	EVIDENCE_THROTTLED, /* ms a second: its control group, by a quota */
	EVIDENCE_CPU_PRESSURE,
	EVIDENCE_IO_PRESSURE,
	EVIDENCE_MEMORY_PRESSURE, /* % of the interval: of its control group */
	EVIDENCE_ALLOWED_CPUS,
	EVIDENCE_OTHER_CPUS, /* how many it may run on, and how many not */
	EVIDENCE_OTHER_IDLE, /* % of the interval: these were idle, all together */
	/* 1: it was seen there, 0: elsewhere */
	EVIDENCE_IN_DEVICE,
	EVIDENCE_IN_LOCK,
	EVIDENCE_IN_PIPE,
	EVIDENCE_IN_SOCKET,
	EVIDENCE_IN_TIMER,
	EVIDENCE_IN_POLL,
	EVIDENCE_IN_CHILD,
	EVIDENCE_FROZEN, /* 1: its control group is frozen, so that it is in none of these */
	N_EVIDENCE
};

/* Finds it by its name; -1: there is none. */
int evidence_find(const char *name);
/* All unknown: nobody has looked. */
void evidence_clear(struct value evidence[N_EVIDENCE]);

/* ---- seen evidence ----
 *
 * What somebody who looked at a task has seen, as evidence. Pure.
 *
 * What grows while it waits is an increment between two looks. Where it sleeps is told by the
 * system call that it is in, and where that may be for many reasons, by the function of the kernel:
 * both are of that one moment.
 */

/* before: its last look; one without a time: there was none. */
void evidence_read(struct value out[N_EVIDENCE], const struct detail_wait *before,
		   const struct detail *now);

#endif
