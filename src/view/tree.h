/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree - whose child each task is. Pure.
 *
 * The parent of a thread is the leader of its process, that of a process the one that the fact PPID
 * names. Where that is not there, or is not known, or is younger than the child, which therefore
 * belonged to another one with this pid, the task is a root. So it is where parents go round in
 * a circle, which no kernel has: the first one of the circle is the root of the others.
 *
 * Nodes are indexes into the tasks that were given; TREE_NONE is none. Children are linked in the
 * order of their indexes.
 */
#ifndef VIEW_TREE_H
#define VIEW_TREE_H

#include "base/mem.h"
#include "model/sample.h"

#define TREE_NONE (-1)

struct tree_node {
	const struct task *task;
	int parent;      /* TREE_NONE: a root */
	int first, last; /* its children */
	int next;        /* the next child of the same parent, or the next root */
};

struct tree {
	struct tree_node *node;
	int n;
	int first, last; /* the roots */
};

/* Makes the tree of these nodes, of which only the tasks are set. The first n_sorted of them are in
 * the order of a sample; the others have ended, and are the parents only of those that find none
 * there. Scratch memory comes from the arena. */
void tree_make(struct tree *t, struct tree_node *node, int n, int n_sorted, struct arena *arena);
/* Links all nodes anew, as they come in this order, of n nodes; others are not linked any more. */
void tree_link(struct tree *t, const int *order, int n);
/* The node behind this one where children come behind their parents; TREE_NONE: it was the last.
 * into: its children come next; else they are passed over. top: not beyond what is below this one;
 * TREE_NONE: of all. */
int tree_next(const struct tree *t, int node, bool into, int top);

#endif
