/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/whole/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"

/* So many names are kept at least. Those of processes whose first thread has ended are needed for
 * their other threads, until there are more. */
#define NAMES_MOST 65536

struct name {
	pid_t process;
	bool over; /* its first thread has ended */
	char text[LIFE_NAME_MAX];
};

struct programs {
	struct lives *lives;
	struct hash names; /* of processes: struct name by their numbers */
	struct life *life; /* what was taken last */
	size_t n_lives, cap_lives;
	struct program *program;
	size_t n, cap;
};

struct programs *programs_open(struct perf_sys *sys, pid_t tid)
{
	struct programs *p;
	struct lives *lives;

	if (lives_open(&lives, sys, (int)sysconf(_SC_NPROCESSORS_CONF), tid))
		return NULL;
	p = xcalloc(1, sizeof *p);
	p->lives = lives;
	return p;
}

static void set_name(struct programs *p, pid_t process, const char *text)
{
	struct name *name = hash_get(&p->names, (uint64_t)process);

	if (!name) {
		name = xcalloc(1, sizeof *name);
		name->process = process;
		hash_put(&p->names, (uint64_t)process, name);
	}
	name->over = false;
	memmove(name->text, text, sizeof name->text);
}

static const char *name_of(const struct programs *p, pid_t process)
{
	const struct name *name = hash_get(&p->names, (uint64_t)process);

	return name ? name->text : "?";
}

static int compare_times(const void *a, const void *b)
{
	const struct life *x = a, *y = b;

	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

void programs_take(struct programs *p)
{
	struct life life;

	p->n_lives = 0;
	while (lives_next(p->lives, &life)) {
		p->life = xgrow(p->life, &p->cap_lives, p->n_lives + 1, sizeof *p->life);
		p->life[p->n_lives++] = life;
	}
	if (p->n_lives)
		qsort(p->life, p->n_lives, sizeof *p->life, compare_times);
	for (size_t i = 0; i < p->n_lives; i++) {
		char name[LIFE_NAME_MAX];

		/* A child has the name of its maker until it executes something. */
		snprintf(name, sizeof name, "%s",
			 p->life[i].maker ? name_of(p, p->life[i].maker) : p->life[i].name);
		text_tame(name, '?');
		set_name(p, p->life[i].process, name);
	}
}

static struct program *need_program(struct programs *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->program[i].name, name))
			return &p->program[i];
	p->program = xgrow(p->program, &p->cap, p->n + 1, sizeof *p->program);
	p->program[p->n] = (struct program){.processes = 0};
	snprintf(p->program[p->n].name, sizeof p->program->name, "%s", name);
	return &p->program[p->n++];
}

static void drop_names(struct programs *p)
{
	struct hash all = p->names;
	struct name *name;
	size_t at = 0;

	p->names = (struct hash)HASH_INIT;
	while ((name = hash_next(&all, &at)))
		if (name->over)
			free(name);
		else
			hash_put(&p->names, (uint64_t)name->process, name);
	hash_done(&all);
}

void programs_end(struct programs *p, pid_t process, pid_t task, uint64_t cpu_ns)
{
	struct name *name = hash_get(&p->names, (uint64_t)process);
	struct program *program = need_program(p, name_of(p, process));

	program->cpu_ns += cpu_ns;
	if (process != task)
		return;
	program->processes++;
	if (name)
		name->over = true;
	if (p->names.n > NAMES_MOST)
		drop_names(p);
}

static int compare_cpu(const void *a, const void *b)
{
	const struct program *x = a, *y = b;

	if (x->cpu_ns != y->cpu_ns)
		return x->cpu_ns > y->cpu_ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

const struct program *programs_list(struct programs *p, size_t *n)
{
	if (p->n)
		qsort(p->program, p->n, sizeof *p->program, compare_cpu);
	*n = p->n;
	return p->program;
}

uint64_t programs_lost(const struct programs *p)
{
	const struct ring_losses losses = lives_losses(p->lives);

	return losses.records + losses.damages;
}

void programs_free(struct programs *p)
{
	size_t at = 0;
	void *name;

	if (!p)
		return;
	while ((name = hash_next(&p->names, &at)))
		free(name);
	hash_done(&p->names);
	lives_close(p->lives);
	free(p->life);
	free(p->program);
	free(p);
}
