/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lineage - which processes of a sample descend from one: its children, theirs, and itself.
 *
 * The way up goes by PPID, as it was read. Where it leads to a process that is not in the sample,
 * or whose parent is not known, nobody knows where it would go on. A parent that is younger than
 * its child is another process that was given the pid since.
 */
#ifndef VIEW_LINEAGE_H
#define VIEW_LINEAGE_H

#include "base/tri.h"
#include "model/sample.h"

struct ancestor;

struct lineage {
	uint64_t root; /* the pid that is asked for */
	struct ancestor *v;
	size_t n, cap;
};

#define LINEAGE_INIT                                                                               \
	{                                                                                          \
		0, NULL, 0, 0                                                                      \
	}

/* Finds out for all processes of the sample whether they descend from this one. */
void lineage_trace(struct lineage *l, const struct sample *s, uint64_t root);
/* Whether this process does. */
enum tri lineage_has(const struct lineage *l, uint64_t pid);
void lineage_done(struct lineage *l);

#endif
