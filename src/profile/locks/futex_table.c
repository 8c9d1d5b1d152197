/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/futex_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/locks/futex_program.h"

struct futex_table {
	struct futex_table_options options;
	struct futex_pairs *pairs;
	struct hash running;            /* struct futex_program, by pid */
	struct futex_program **program; /* [n] ended, with calls */
	size_t n, cap;
};

static void take_pair(void *context, const struct futex_pair *pair);

struct futex_table *futex_table_new(const struct futex_table_options *o)
{
	struct futex_table *t = xcalloc(1, sizeof *t);

	t->options = *o;
	t->pairs = futex_pairs_new(take_pair, t);
	return t;
}

void futex_table_free(struct futex_table *t)
{
	size_t pos = 0;
	void *p;

	if (!t)
		return;
	while ((p = hash_next(&t->running, &pos)))
		futex_program_free(p);
	hash_done(&t->running);
	for (size_t i = 0; i < t->n; i++)
		futex_program_free(t->program[i]);
	free(t->program);
	futex_pairs_free(t->pairs);
	free(t);
}

static bool is_wanted(const struct futex_table *t, pid_t pid)
{
	return t->options.all || pid == t->options.command;
}

/* Returns the program that a process runs; NULL: it is not watched. A process whose beginning was
 * lost begins now. */
static struct futex_program *find_running(struct futex_table *t, pid_t pid, uint64_t now_ns)
{
	struct futex_program *p = hash_get(&t->running, (uint64_t)pid);

	if (p || !is_wanted(t, pid))
		return p;
	p = futex_program_new(pid, t->options.ns_per_tick, t->options.stacks, now_ns, NULL);
	hash_put(&t->running, (uint64_t)pid, p);
	return p;
}

static void take_pair(void *context, const struct futex_pair *pair)
{
	struct futex_program *p = find_running(context, pair->process, pair->begin_ns);

	if (p)
		futex_program_add(p, pair);
}

/* Ends the program of a process, and keeps it if it has calls, or is the command: then that it has
 * none is known. */
static void end_program(struct futex_table *t, struct futex_program *p, uint64_t now_ns)
{
	futex_program_end(p, now_ns);
	if (!p->n_calls && p->pid != t->options.command) {
		futex_program_free(p);
		return;
	}
	t->program = xgrow(t->program, &t->cap, t->n + 1, sizeof *t->program);
	t->program[t->n++] = p;
}

static void end_process(struct futex_table *t, pid_t pid, uint64_t now_ns)
{
	struct futex_program *p = hash_remove(&t->running, (uint64_t)pid);

	if (p)
		end_program(t, p, now_ns);
}

_Static_assert(LOCKS_NAME_MAX == SYSCALL_NAME_MAX, "both have the kernel's length");

static void set_name(struct futex_program *p, const struct syscall_record *r)
{
	struct futex_thread *thread;

	if (r->task == r->process)
		memcpy(p->name, r->name, sizeof p->name);
	thread = futex_program_thread(p, r->task, r->time_ns);
	memcpy(thread->past.name, r->name, sizeof thread->past.name);
}

/* A process that is created has the memory of its creator; a thread has its name. */
static void fork_task(struct futex_table *t, const struct syscall_record *r)
{
	const struct futex_program *from = hash_get(&t->running, (uint64_t)r->creator_pid);
	struct futex_program *p;

	if (!is_wanted(t, r->process))
		return;
	if (r->process == r->creator_pid) {
		p = find_running(t, r->process, r->time_ns);
		futex_program_end_thread(p, r->task, r->time_ns);
	} else {
		end_process(t, r->process, r->time_ns);
		p = futex_program_new(r->process, t->options.ns_per_tick, t->options.stacks,
				      r->time_ns, from ? &from->maps : NULL);
		if (from)
			memcpy(p->name, from->name, sizeof p->name);
		hash_put(&t->running, (uint64_t)r->process, p);
	}
	futex_program_thread(p, r->task, r->time_ns);
}

static void execute(struct futex_table *t, const struct syscall_record *r)
{
	struct futex_program *p;

	if (!is_wanted(t, r->process))
		return;
	end_process(t, r->process, r->time_ns);
	p = find_running(t, r->process, r->time_ns);
	set_name(p, r);
}

/* The process ends with its last thread, which need not be its first one. */
static void end_task(struct futex_table *t, const struct syscall_record *r)
{
	struct futex_program *p = hash_get(&t->running, (uint64_t)r->process);

	if (!p)
		return;
	futex_program_end_thread(p, r->task, r->time_ns);
	if (!p->threads.n)
		end_process(t, r->process, r->time_ns);
}

void futex_table_add(struct futex_table *t, const struct syscall_record *r)
{
	struct futex_program *p;

	if (r->what == SYSCALLS_LOST || is_wanted(t, r->process))
		futex_pairs_add(t->pairs, r);
	switch (r->what) {
	case SYSCALLS_FORK:
		fork_task(t, r);
		break;
	case SYSCALLS_EXEC:
		execute(t, r);
		break;
	case SYSCALLS_NAME:
		p = is_wanted(t, r->process) ? find_running(t, r->process, r->time_ns) : NULL;
		if (p)
			set_name(p, r);
		break;
	case SYSCALLS_MAP:
		p = is_wanted(t, r->process) ? find_running(t, r->process, r->time_ns) : NULL;
		if (p)
			map_records_add(&p->maps, r);
		break;
	case SYSCALLS_ENTER:
		p = find_running(t, r->process, r->time_ns);
		if (p && futex_is_call((long)r->call.number))
			futex_program_begin(p, r);
		break;
	case SYSCALLS_END:
		end_task(t, r);
		break;
	case SYSCALLS_EXIT:
	case SYSCALLS_LOST:
		break;
	}
}

void futex_table_end(struct futex_table *t, uint64_t now_ns)
{
	struct futex_program *p;
	size_t pos = 0;

	futex_pairs_end(t->pairs, now_ns);
	while ((p = hash_next(&t->running, &pos)))
		end_program(t, p, now_ns);
	hash_done(&t->running);
	t->running = (struct hash)HASH_INIT;
}

size_t futex_table_n(const struct futex_table *t)
{
	return t->n;
}

struct futex_program *futex_table_program(const struct futex_table *t, size_t i)
{
	return t->program[i];
}

struct futex_program *futex_table_find(const struct futex_table *t, pid_t pid, uint64_t time_ns)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->program[i]->pid == pid && t->program[i]->begin_ns <= time_ns &&
		    time_ns < t->program[i]->end_ns)
			return t->program[i];
	return NULL;
}

uint64_t futex_table_unpaired(const struct futex_table *t)
{
	return futex_pairs_numbers(t->pairs).n_unpaired;
}
