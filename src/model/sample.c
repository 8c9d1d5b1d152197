/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/sample.h"

#include <stdlib.h>
#include <string.h>

void sample_init(struct sample *s)
{
	memset(s, 0, sizeof *s);
}

void sample_done(struct sample *s)
{
	free(s->task);
	arena_done(&s->arena);
	memset(s, 0, sizeof *s);
}

void sample_reset(struct sample *s)
{
	struct task *task = s->task;
	struct arena arena = s->arena;
	size_t cap = s->cap;

	arena_reset(&arena);
	memset(s, 0, sizeof *s);
	s->task = task;
	s->cap = cap;
	s->arena = arena;
}

struct task *sample_add(struct sample *s)
{
	struct task *t;

	s->task = xgrow(s->task, &s->cap, s->n + 1, sizeof *s->task);
	t = &s->task[s->n++];
	memset(t, 0, sizeof *t);
	t->kind = ROW_TASK;
	t->state = '?';
	t->user = t->name = "";
	return t;
}

static int compare_identity(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return 0;
}

void sample_sort(struct sample *s)
{
	if (s->n)
		qsort(s->task, s->n, sizeof *s->task, compare_identity);
}

enum quality count_state_quality(enum count_state state)
{
	static const enum quality table[N_COUNT_STATES] = {
		[COUNT_NONE] = QUALITY_NOT_READ,
		[COUNT_OK] = QUALITY_EXACT,
		[COUNT_INHERITED] = QUALITY_EXACT,
		[COUNT_DENIED] = QUALITY_DENIED,
		[COUNT_UNSUPPORTED] = QUALITY_UNSUPPORTED,
		[COUNT_NOFILE] = QUALITY_NOFILE,
		[COUNT_GONE] = QUALITY_GONE,
	};

	return table[state];
}
