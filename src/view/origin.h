/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * origin - the events of a screen's counters on this machine, as texts for the explanation of
 * columns.
 *
 * Ownership: the list owns its strings; origins_done() frees them.
 */
#ifndef VIEW_ORIGIN_H
#define VIEW_ORIGIN_H

#include <stddef.h>

/* One event; a counter on a hybrid machine has several. */
struct origin {
	char *counter; /* the alias in expressions */
	/* The next four are NULL if this machine has no event for the counter. modes: those in
	 * which the event is counted. */
	char *what;  /* the event as declared: "FP_ASSIST:ANY" */
	char *pmu;   /* "cpu", "cpu_atom", "software" */
	char *code;  /* "type 4, config 0x1eca" */
	char *modes; /* "user mode", "user mode and kernel" */
	/* What the event counts on this CPU: a sentence without a full stop; NULL: unknown. */
	char *meaning;
};

struct origins {
	struct origin *v;
	size_t n;
};

void origins_done(struct origins *e);

#endif
