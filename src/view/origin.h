/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * origin - where the numbers of a screen come from on this machine: the event that was taken for
 * each alias, for the explanation of a column.
 *
 * Ownership: the list owns its strings; origins_done() frees them.
 */
#ifndef VIEW_ORIGIN_H
#define VIEW_ORIGIN_H

#include <stddef.h>

/* One event; a counter has several on a hybrid machine. */
struct origin {
	char *counter; /* the alias, as in the expressions */
	char *what;    /* as it was declared: "FP_ASSIST:ANY"; NULL: this machine has none */
	char *pmu;     /* "cpu", "cpu_atom", "software"; NULL as before */
	char *code;    /* "type 4, config 0x1eca"; NULL as before */
	/* In which modes it is counted: "user mode", "user mode and kernel"; NULL as before. */
	char *modes;
	/* What it counts on this CPU, one sentence without a full stop; NULL: not known. */
	char *meaning;
};

struct origins {
	struct origin *v;
	size_t n;
};

void origins_done(struct origins *e);

#endif
