/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cpu/rotation.h"

void turns_begin(struct turns *t, int n_sets, double interval_s, double period_s, uint64_t now_ns)
{
	uint64_t period_ns = (uint64_t)(period_s * 1e9);

	*t = (struct turns){.begin_ns = now_ns,
			    .interval_ns = (uint64_t)(interval_s * 1e9),
			    .n_sets = (uint64_t)n_sets};
	t->cycle_ns = t->n_sets * t->interval_ns;
	if (period_ns > t->cycle_ns)
		t->cycle_ns = period_ns;
}

int turns_set(const struct turns *t)
{
	return (int)(t->number % t->n_sets);
}

uint64_t turns_cycle(const struct turns *t)
{
	return t->number / t->n_sets;
}

uint64_t turns_start_ns(const struct turns *t)
{
	return t->begin_ns + turns_cycle(t) * t->cycle_ns + (uint64_t)turns_set(t) * t->interval_ns;
}

uint64_t turns_end_ns(const struct turns *t)
{
	return turns_start_ns(t) + t->interval_ns;
}

uint64_t turns_next(struct turns *t, uint64_t now_ns)
{
	uint64_t passed = 0;

	t->number++;
	for (; turns_end_ns(t) <= now_ns; t->number++)
		passed++;
	return passed;
}
