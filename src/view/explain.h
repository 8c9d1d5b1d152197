/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain - what is behind the counters of a screen on this machine: the event that was taken for
 * each alias, for the help on a column.
 *
 * Ownership: the list owns its strings; explain_done() frees them.
 */
#ifndef VIEW_EXPLAIN_H
#define VIEW_EXPLAIN_H

#include <stddef.h>

/* One event; a counter has several on a hybrid machine. */
struct explain_event {
	char *counter; /* the alias, as in the expressions */
	char *what;    /* as it was declared: "FP_ASSIST:ANY"; NULL: this machine has none */
	char *pmu;     /* "cpu", "cpu_atom", "software"; NULL as before */
	char *code;    /* "type 4, config 0x1eca"; NULL as before */
	/* In which modes it is counted: "user mode", "user mode and kernel"; NULL as before. */
	char *modes;
	/* What it counts on this CPU, one sentence without a full stop; NULL: not known. */
	char *meaning;
};

struct explain {
	struct explain_event *v;
	size_t n;
};

void explain_done(struct explain *e);

#endif
