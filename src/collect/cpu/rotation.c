/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cpu/rotation.h"

void rotation_begin(struct rotation *t, int n_sets, double interval_s, double period_s,
		    uint64_t now_ns)
{
	uint64_t period_ns = (uint64_t)(period_s * 1e9);

	*t = (struct rotation){.begin_ns = now_ns,
			       .interval_ns = (uint64_t)(interval_s * 1e9),
			       .n_sets = (uint64_t)n_sets};
	t->cycle_ns = t->n_sets * t->interval_ns;
	if (period_ns > t->cycle_ns)
		t->cycle_ns = period_ns;
}

int rotation_set(const struct rotation *t)
{
	return (int)(t->number % t->n_sets);
}

uint64_t rotation_cycle(const struct rotation *t)
{
	return t->number / t->n_sets;
}

uint64_t rotation_start_ns(const struct rotation *t)
{
	return t->begin_ns + rotation_cycle(t) * t->cycle_ns +
	       (uint64_t)rotation_set(t) * t->interval_ns;
}

uint64_t rotation_end_ns(const struct rotation *t)
{
	return rotation_start_ns(t) + t->interval_ns;
}

uint64_t rotation_next(struct rotation *t, uint64_t now_ns)
{
	uint64_t passed = 0;

	t->number++;
	for (; rotation_end_ns(t) <= now_ns; t->number++)
		passed++;
	return passed;
}
