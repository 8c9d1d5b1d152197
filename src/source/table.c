/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void pid_list_add(struct pid_list *list, int pid)
{
	list->v = xgrow(list->v, &list->cap, list->n + 1, sizeof *list->v);
	list->v[list->n++] = pid;
}

struct process *table_get(const struct table *t, int pid)
{
	return hash_get(&t->by_pid, (uint32_t)pid);
}

static void set_text(char **old, const char *text)
{
	if (*old && text && !strcmp(*old, text))
		return;
	free(*old);
	*old = text ? xstrdup(text) : NULL;
}

struct process *table_add(struct table *t, const struct proc_process *from, fact_mask facts)
{
	struct process *p = xcalloc(1, sizeof *p);

	p->pid = from->pid;
	p->start_ns = from->facts.start_ns;
	process_add_thread(p, from->pid);
	process_describe(p, from, facts);
	hash_put(&t->by_pid, (uint32_t)p->pid, p);
	return p;
}

static void free_thread(struct thread *t, struct attach *a)
{
	thread_close(t, a);
	free(t->count);
	free(t->base);
	free(t->name);
}

static void free_process(struct process *p, struct attach *a)
{
	for (size_t i = 0; i < p->n; i++)
		free_thread(&p->thread[i], a);
	free(p->thread);
	free(p->user);
	free(p->name);
	free(p->cmdline);
	free(p);
}

void table_remove(struct table *t, struct process *p, struct attach *a)
{
	hash_remove(&t->by_pid, (uint32_t)p->pid);
	free_process(p, a);
}

void table_done(struct table *t, struct attach *a)
{
	struct process *p;
	size_t pos = 0;

	while ((p = hash_next(&t->by_pid, &pos)))
		free_process(p, a);
	hash_done(&t->by_pid);
}

void process_describe(struct process *p, const struct proc_process *from, fact_mask facts)
{
	struct thread *leader = &p->thread[0];

	p->uid = from->uid;
	set_text(&p->user, from->user ? from->user : "?");
	/* libproc2 escapes what the files give as it is; a process that is looked at has its name from there. */
	if (!p->attached)
		set_text(&p->name, from->facts.name);
	if (from->cmdline)
		set_text(&p->cmdline, from->cmdline);
	leader->start_ns = from->facts.start_ns;
	leader->state = from->facts.state;
	facts &= from->facts.known;
	leader->known |= facts;
	for (int f = 0; f < N_FACTS; f++)
		if (facts & FACT_BIT(f))
			leader->fact[f] = from->facts.fact[f];
}

bool process_take_facts(struct process *p, struct thread *t, const struct proc_facts *facts)
{
	bool leader = t == &p->thread[0], renamed = leader && strcmp(p->name, facts->name);

	t->state = facts->state;
	t->start_ns = facts->start_ns;
	/* The CPU clock of a process comes by another way. */
	t->known = facts->known | (t->known & FACT_BIT(FACT_CPU_NS));
	for (int f = 0; f < N_FACTS; f++)
		if (facts->known & FACT_BIT(f))
			t->fact[f] = facts->fact[f];
	set_text(leader ? &p->name : &t->name, facts->name);
	return renamed;
}

struct thread *process_find_thread(const struct process *p, int tid)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->thread[i].tid == tid)
			return &p->thread[i];
	return NULL;
}

struct thread *process_add_thread(struct process *p, int tid)
{
	struct thread *t;

	if (p->n == p->cap) {
		/* Most processes have one thread. */
		p->cap = p->cap ? p->cap * 2 : 1;
		p->thread = xreallocarray(p->thread, p->cap, sizeof *p->thread);
	}
	t = &p->thread[p->n++];
	memset(t, 0, sizeof *t);
	t->tid = tid;
	t->state = '?';
	return t;
}

void process_remove_thread(struct process *p, size_t i, struct attach *a)
{
	free_thread(&p->thread[i], a);
	p->thread[i] = p->thread[--p->n];
}

void process_detach(struct process *p, struct attach *a)
{
	while (p->n > 1)
		process_remove_thread(p, p->n - 1, a);
	thread_close(&p->thread[0], a);
	free(p->thread[0].count);
	free(p->thread[0].base);
	p->thread[0].count = p->thread[0].base = NULL;
	p->parked = false;
	p->thread[0].counting = COUNT_NONE;
	p->thread[0].known = 0;
	p->attached = false;
}

void thread_read(struct thread *t, struct attach *a)
{
	if (!t->group)
		return;
	if (!t->count)
		t->count = xcalloc((size_t)a->set.plan.n, sizeof *t->count);
	t->unread = group_read(t->group, a->sys, t->count);
	for (int i = 0; t->base && i < a->set.plan.n; i++) {
		t->count[i].value += t->base[i].value;
		t->count[i].enabled_ns += t->base[i].enabled_ns;
		t->count[i].running_ns += t->base[i].running_ns;
	}
}

void thread_park(struct thread *t, struct attach *a)
{
	size_t size = (size_t)a->set.plan.n * sizeof *t->base;

	if (!t->group)
		return;
	thread_read(t, a);
	if (!t->base)
		t->base = xmalloc(size);
	memcpy(t->base, t->count, size);
	thread_close(t, a);
}

void thread_forget_increments(struct thread *t)
{
	for (int f = 0; f < N_FACTS; f++)
		if (fact_table[f].kind == FACT_COUNTER)
			t->known &= ~FACT_BIT(f);
}

void thread_close(struct thread *t, struct attach *a)
{
	attach_close(a, t->group);
	t->group = NULL;
}
