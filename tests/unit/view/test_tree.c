/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parent of each task: checked by hand, and in random forests with cycles.
 */
#include <stdlib.h>

#include "base/strbuf.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "tap.h"
#include "view/tree.h"

#define TASKS_MAX 200

struct wood {
	struct arena arena;
	struct task *task[TASKS_MAX];
	struct tree_node node[TASKS_MAX];
	struct tree tree;
	int n;
};

/* parent: 0: none; -1: unknown. */
static void add(struct wood *w, int id, int pid, int parent, uint64_t start_ns)
{
	struct task *t = task_new(&kind_task, FACT_SET(FACT_PPID), 0, &(struct task_texts){0});

	t->id = (uint64_t)id;
	t->owner = (uint64_t)pid;
	t->start_ns = start_ns;
	if (parent >= 0)
		task_set_fact(t, FACT_PPID, (uint64_t)parent);
	w->task[w->n] = t;
	w->node[w->n++].task = t;
}

static void done(struct wood *w)
{
	for (int i = 0; i < w->n; i++)
		task_unref(w->task[i]);
	arena_done(&w->arena);
	*w = (struct wood){.n = 0};
}

/* Compares the tree as text: "1 >2 >>3" is 1 with the child 2, which has the child 3. */
static void check(struct wood *w, int n_sorted, const char *want, const char *what)
{
	struct strbuf text;

	tree_make(&w->tree, w->node, w->n, n_sorted, &w->arena);
	strbuf_init(&text);
	for (int i = w->tree.first; i != TREE_NONE; i = tree_next(&w->tree, i, true, TREE_NONE)) {
		if (i != w->tree.first)
			strbuf_addch(&text, ' ');
		for (int k = w->node[i].parent; k != TREE_NONE; k = w->node[k].parent)
			strbuf_addch(&text, '>');
		strbuf_addf(&text, "%d", (int)w->task[i]->id);
	}
	tap_str(text.text, want, "%s", what);
	strbuf_done(&text);
	done(w);
}

static void test_by_hand(void)
{
	struct wood w = {.n = 0};

	add(&w, 1, 1, 0, 1);
	add(&w, 5, 5, 7, 3);
	add(&w, 7, 7, 1, 2);
	add(&w, 9, 9, 1, 2);
	check(&w, 4, "1 >7 >>5 >9", "children are below their parents, whatever their pids");
	add(&w, 5, 5, 4, 3);
	add(&w, 6, 6, -1, 3);
	check(&w, 2, "5 6", "a parent that is not there, or not known");
	add(&w, 1, 1, 0, 1);
	add(&w, 5, 5, 1, 2);
	add(&w, 6, 5, 1, 2);
	add(&w, 7, 7, 5, 3);
	check(&w, 4, "1 >5 >>6 >>7", "threads are below their process");
	add(&w, 5, 5, 0, 9);
	add(&w, 7, 7, 5, 3);
	check(&w, 2, "5 7", "a younger one has only the pid of the parent");
	add(&w, 5, 5, 0, 0);
	add(&w, 7, 7, 5, 3);
	check(&w, 2, "5 >7", "where a start is not known, the pid tells");
}

static void test_circles(void)
{
	struct wood w = {.n = 0};

	add(&w, 5, 5, 5, 1);
	check(&w, 1, "5", "a task that is its own parent");
	add(&w, 1, 1, 3, 1);
	add(&w, 2, 2, 1, 1);
	add(&w, 3, 3, 2, 1);
	add(&w, 4, 4, 3, 1);
	check(&w, 4, "1 >2 >>3 >>>4", "the first of a circle is the root");
	add(&w, 1, 1, 2, 1);
	add(&w, 2, 2, 3, 1);
	add(&w, 3, 3, 2, 1);
	check(&w, 3, "2 >1 >3", "also where one outside of it comes first");
}

/* Ended tasks have parents, too. Another task may have the parent's pid by now. */
static void test_ended(void)
{
	struct wood w = {.n = 0};

	add(&w, 1, 1, 0, 1);
	add(&w, 5, 5, 1, 9);
	add(&w, 6, 6, 5, 3);
	add(&w, 5, 5, 1, 2);
	check(&w, 2, "1 >5 >5 >>6", "the parent that was, not the one that has its pid");
}

static void test_random(void)
{
	unsigned twice = 0, wrong = 0, missing = 0;

	for (unsigned seed = 0; seed < 500; seed++) {
		struct wood w = {.n = 0};
		int seen[TASKS_MAX] = {0}, n = 1 + (int)(seed % TASKS_MAX);

		srand(seed);
		for (int i = 0; i < n; i++)
			add(&w, i + 1, i + 1, rand() % (n + 2), (uint64_t)(1 + rand() % 2));
		tree_make(&w.tree, w.node, w.n, w.n, &w.arena);
		for (int i = w.tree.first; i != TREE_NONE;
		     i = tree_next(&w.tree, i, true, TREE_NONE)) {
			twice += seen[i]++;
			wrong += w.node[i].parent != TREE_NONE && !seen[w.node[i].parent];
		}
		for (int i = 0; i < n; i++)
			missing += !seen[i];
		done(&w);
	}
	tap_int(twice, 0, "500 woods: no node comes twice");
	tap_int(missing, 0, "none is missing");
	tap_int(wrong, 0, "each comes behind its parent");
}

/* Walking only the subtree of a node, and linking the nodes in another order. */
static void test_walk(void)
{
	static const int order[] = {0, 3, 2};
	struct wood w = {.n = 0};
	int n = 0;

	add(&w, 1, 1, 0, 1);
	add(&w, 2, 2, 1, 1);
	add(&w, 3, 3, 1, 1);
	add(&w, 4, 4, 3, 1);
	add(&w, 5, 5, 0, 1);
	tree_make(&w.tree, w.node, w.n, w.n, &w.arena);
	for (int i = 2; i != TREE_NONE; i = tree_next(&w.tree, i, true, 2))
		n += (int)w.task[i]->id;
	tap_int(n, 3 + 4, "a node and what is below it");
	tap_int(tree_next(&w.tree, 1, true, 1), TREE_NONE, "one without children is alone");
	tap_int(tree_next(&w.tree, 0, false, TREE_NONE), 4, "its children may be passed over");
	tree_link(&w.tree, order, 3);
	tap_int(w.tree.node[0].first, 2, "linked again, without one");
	tap_int(w.tree.node[2].next, TREE_NONE, "which comes nowhere");
	tap_int(w.tree.node[2].first, 3, "children come in the order given");
	done(&w);
}

int main(void)
{
	test_by_hand();
	test_circles();
	test_ended();
	test_random();
	test_walk();
	return tap_done();
}
