/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree - the tree of tasks by their parents, and the descendants of one process. Pure.
 *
 * The parent of a thread is the leader of its process; the parent of a process is given by the fact
 * PPID. A task is a root if its parent is unknown, or not among the tasks, or started later, so
 * that the pid belonged to another process before. In a circle of parents, which the kernel never
 * makes, one task becomes the root of the others.
 *
 * Nodes are indices into the given tasks; TREE_NONE is none. tree_make() links children in the
 * order of their indices.
 */
#ifndef VIEW_TREE_H
#define VIEW_TREE_H

#include "base/mem.h"
#include "base/value.h"
#include "model/sample.h"

#define TREE_NONE (-1)

struct tree_node {
	const struct task *task;
	int parent;      /* TREE_NONE: root */
	int first, last; /* its children */
	int next;        /* the next sibling, or the next root */
};

struct tree {
	struct tree_node *node;
	int n;
	int first, last; /* roots */
};

/* Makes the tree of these nodes, of which only the tasks are set. The first n_sorted nodes are in
 * the order of a sample. The tasks of the others have ended; they become parents only of nodes that
 * have none among the first. Allocates in the arena. */
void tree_make(struct tree *t, struct tree_node *node, int n, int n_sorted, struct arena *arena);
/* Relinks the tree with only these n nodes, in this order; the other nodes get no links. */
void tree_link(struct tree *t, const int *order, int n);
/* Returns the next node in preorder; TREE_NONE: none. into: visit its children; else skip them.
 * top: the subtree to visit; TREE_NONE: the whole tree. */
int tree_next(const struct tree *t, int node, bool into, int top);

/* ---- lineage ----
 *
 * Finds which processes of a sample descend from a given process.
 *
 * A process descends from its parent, the fact PPID. Descent is unknown if the ancestors lead to a
 * process that is not in the sample, or whose parent is unknown. If the process with the pid of the
 * parent started later than the child, the pid was reused: that process is not the parent.
 */

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
