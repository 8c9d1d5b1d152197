/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/program_totals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

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

void programs_add(struct programs *p, const char *name, bool process, uint64_t cpu_ns)
{
	struct program *program = need_program(p, name);

	program->cpu_ns += cpu_ns;
	program->processes += process;
}

void programs_add_end(struct programs *p, const char *name, int how)
{
	struct program *program = need_program(p, name);

	program->known++;
	program->failed += how != 0;
}

struct value program_failed(const struct program *p)
{
	struct value failed = value_count(p->failed);

	if (p->known >= p->processes)
		return failed;
	failed.quality = QUALITY_PARTIAL;
	return p->failed ? failed : value_none(QUALITY_NOT_READ);
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

void programs_done(struct programs *p)
{
	free(p->program);
	*p = (struct programs){.n = 0};
}
