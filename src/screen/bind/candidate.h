/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidate - one thing that the declaration of a counter may stand for.
 */
#ifndef SCREEN_BIND_CANDIDATE_H
#define SCREEN_BIND_CANDIDATE_H

#include "pmu/event/machine.h"
#include "screen/screen.h"

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

#endif
