/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/lineage.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/mem.h"
#include "model/fact_list.h"

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
