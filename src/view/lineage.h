/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lineage - finds which processes of a sample descend from a given process.
 *
 * A process descends from its parent, the fact PPID. Descent is unknown if the ancestors lead to a
 * process that is not in the sample, or whose parent is unknown. If the process with the pid of the
 * parent started later than the child, the pid was reused: that process is not the parent.
 */
#ifndef VIEW_LINEAGE_H
#define VIEW_LINEAGE_H

#include "base/tri.h"
#include "model/sample.h"

struct ancestor;

struct lineage {
	uint64_t root; /* the pid of the ancestor */
	struct ancestor *v;
	size_t n, cap;
};

#define LINEAGE_INIT                                                                               \
	{                                                                                          \
		0, NULL, 0, 0                                                                      \
	}

/* Determines for all processes of the sample whether they are `root` or its descendants. */
void lineage_trace(struct lineage *l, const struct sample *s, uint64_t root);
/* Returns whether this process is `root` or one of its descendants. */
enum tri lineage_has(const struct lineage *l, uint64_t pid);
void lineage_done(struct lineage *l);

#endif
