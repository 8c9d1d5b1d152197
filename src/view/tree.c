/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/tree.h"

#include <stdlib.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "model/fact_list.h"

/* An index of possible parents by owner: leaders only; those that have ended come last. */
struct leader {
	struct owner owner;
	int node;
};

static int compare_leaders(const void *a, const void *b)
{
	const struct leader *x = a, *y = b;
	int order = owner_compare(x->owner, y->owner);

	return order ? order : x->node - y->node;
}

struct leaders {
	struct leader *v;
	int n;
};

static struct leaders list_leaders(const struct tree *t, int n_sorted, struct arena *arena)
{
	struct leaders l = {arena_alloc(arena, (size_t)t->n * sizeof *l.v), 0};

	for (int i = 0; i < t->n; i++)
		if (task_is_leader(t->node[i].task))
			l.v[l.n++] = (struct leader){task_owner(t->node[i].task), i};
	if (n_sorted < t->n)
		array_sort(l.v, (size_t)l.n, sizeof *l.v, compare_leaders);
	return l;
}

static int first_of(const struct leaders *l, struct owner owner)
{
	int low = 0, high = l->n;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (owner_compare(l->v[middle].owner, owner) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns whether a process can be the parent. Processes without a start are compared by pid
 * only. */
static bool may_be_parent(const struct task *parent, const struct task *child)
{
	return parent != child &&
	       (!parent->start_ns || !child->start_ns || parent->start_ns <= child->start_ns);
}

static int find_parent(const struct tree *t, const struct leaders *l, const struct task *child)
{
	struct owner owner = task_owner(child);

	if (task_is_leader(child)) {
		if (!fact_in(child->known, FACT_PPID) || !task_fact(child, FACT_PPID))
			return TREE_NONE;
		owner.id = task_fact(child, FACT_PPID);
	}
	for (int i = first_of(l, owner); i < l->n && !owner_compare(l->v[i].owner, owner); i++)
		if (may_be_parent(t->node[l->v[i].node].task, child))
			return l->v[i].node;
	return TREE_NONE;
}

/* Makes a root of one node of each circle. Each node is visited once; meeting a node of the same
 * walk again is a circle. */
static void cut_circles(struct tree *t, struct arena *arena)
{
	int *walk = arena_calloc(arena, (size_t)t->n, sizeof *walk);

	for (int i = 0; i < t->n; i++) {
		int k = i;

		while (k != TREE_NONE && !walk[k]) {
			walk[k] = i + 1;
			k = t->node[k].parent;
		}
		if (k != TREE_NONE && walk[k] == i + 1)
			t->node[k].parent = TREE_NONE;
	}
}

void tree_link(struct tree *t, const int *order, int n)
{
	t->first = t->last = TREE_NONE;
	for (int i = 0; i < t->n; i++)
		t->node[i].first = t->node[i].last = t->node[i].next = TREE_NONE;
	for (int i = 0; i < n; i++) {
		int k = order ? order[i] : i, parent = t->node[k].parent;
		int *first = parent == TREE_NONE ? &t->first : &t->node[parent].first;
		int *last = parent == TREE_NONE ? &t->last : &t->node[parent].last;

		if (*last == TREE_NONE)
			*first = k;
		else
			t->node[*last].next = k;
		*last = k;
	}
}

void tree_make(struct tree *t, struct tree_node *node, int n, int n_sorted, struct arena *arena)
{
	struct leaders leaders;

	*t = (struct tree){.node = node, .n = n};
	leaders = list_leaders(t, n_sorted, arena);
	for (int i = 0; i < n; i++)
		node[i].parent = find_parent(t, &leaders, node[i].task);
	cut_circles(t, arena);
	tree_link(t, NULL, n);
}

int tree_next(const struct tree *t, int node, bool into, int top)
{
	if (into && t->node[node].first != TREE_NONE)
		return t->node[node].first;
	while (node != top && t->node[node].next == TREE_NONE) {
		node = t->node[node].parent;
		if (node == TREE_NONE)
			return TREE_NONE;
	}
	return node == top ? TREE_NONE : t->node[node].next;
}

/* ---- lineage ---- */

/* A process and its parent. */
struct ancestor {
	uint64_t pid, parent, start_ns;
	bool parent_known;
	bool answered;
	bool met; /* visited in the current walk */
	enum tri answer;
};

static void list_processes(struct lineage *l, const struct sample *s)
{
	l->n = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct task *t = s->task[i];
		bool known = fact_in(t->known, FACT_PPID);

		if (!task_is_leader(t) || !t->kind->pid)
			continue;
		/* Two processes may have had one pid: the later start has it now. */
		if (l->n && l->v[l->n - 1].pid == t->id)
			l->n--;
		l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
		l->v[l->n++] = (struct ancestor){
			.pid = t->id,
			.parent = known ? task_fact(t, FACT_PPID) : 0,
			.start_ns = t->start_ns,
			.parent_known = known,
		};
	}
}

static int compare_pids(const void *key, const void *element)
{
	const uint64_t *pid = key;
	const struct ancestor *a = element;

	return *pid < a->pid ? -1 : *pid > a->pid;
}

static struct ancestor *find(const struct lineage *l, uint64_t pid)
{
	return array_find(&pid, l->v, l->n, sizeof *l->v, compare_pids);
}

/* Returns the parent process; NULL: it is unknown, or not in the sample. */
static struct ancestor *parent_of(const struct lineage *l, const struct ancestor *a)
{
	struct ancestor *parent = a->parent_known ? find(l, a->parent) : NULL;

	return parent && parent->start_ns <= a->start_ns ? parent : NULL;
}

/* Walks up to a process with a known answer. A circle of parents, which the kernel never makes,
 * gives TRI_FALSE. */
static enum tri go_up(const struct lineage *l, struct ancestor *a)
{
	while (!a->answered && !a->met) {
		struct ancestor *parent = parent_of(l, a);

		if (a->pid == l->root || (a->parent_known && a->parent == l->root))
			return TRI_TRUE;
		if (!parent)
			return a->parent_known && !a->parent ? TRI_FALSE : TRI_UNKNOWN;
		a->met = true;
		a = parent;
	}
	return a->answered ? a->answer : TRI_FALSE;
}

/* Stores the answer for all processes of the walk. */
static void answer_way(const struct lineage *l, struct ancestor *a, enum tri answer)
{
	for (; a && !a->answered; a = parent_of(l, a)) {
		a->answered = true;
		a->answer = answer;
		if (a->pid == l->root || (a->parent_known && a->parent == l->root))
			return;
	}
}

void lineage_trace(struct lineage *l, const struct sample *s, uint64_t root)
{
	l->root = root;
	list_processes(l, s);
	for (size_t i = 0; i < l->n; i++)
		answer_way(l, &l->v[i], go_up(l, &l->v[i]));
}

enum tri lineage_has(const struct lineage *l, uint64_t pid)
{
	const struct ancestor *a;

	if (pid == l->root)
		return TRI_TRUE;
	a = find(l, pid);
	return a ? a->answer : TRI_UNKNOWN;
}

void lineage_done(struct lineage *l)
{
	free(l->v);
	*l = (struct lineage)LINEAGE_INIT;
}
