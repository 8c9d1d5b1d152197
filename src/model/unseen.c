/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/unseen.h"

#include "model/kinds.h"

#define MATTERS_PCT   25
#define MATTERS_SHARE 0.25

/* Returns whether the sample has all living tasks of the machine. The task 1 belongs to root: it is
 * missing where a user sees only their own tasks. */
static bool has_all_tasks(const struct sample *s)
{
	if (s->n_left_out || s->host.contained)
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (s->task[i]->kind == &kind_task && s->task[i]->id == 1)
			return true;
	return false;
}

/* Returns the time of the CPUs in tasks, in % of one CPU. CPUs that went offline do not count. */
static struct value tasks_share(const struct use_delta *use)
{
	double sum = 0;

	if (!use->wanted || use->cpu_error || !use->n_shares)
		return value_none(QUALITY_NOT_READ);
	for (size_t i = 0; i < use->n_shares; i++) {
		const struct cpu_share *cpu = &use->share[i];

		if (cpu->busy.quality == QUALITY_GONE)
			continue;
		if (!value_known(cpu->busy))
			return value_none(QUALITY_NOT_READ);
		sum += cpu->busy.number - cpu->in[CPU_IRQ].number;
	}
	return value_exact(sum);
}

/* Returns the sum of the rows, in % of one CPU. A task that has ended may show the time of an
 * earlier interval, which does not count. */
static double rows_share(const struct delta *d)
{
	double sum = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct value share = delta_cpu_share(&d->row[i]);

		if (value_known(share) && share.quality != QUALITY_STALE)
			sum += 100 * share.number;
	}
	return sum;
}

struct unseen unseen_compute(const struct delta *d)
{
	const struct use_delta *use = d->threads ? &d->threads->use : &d->use;
	struct unseen u = {value_none(QUALITY_NOT_READ), value_none(QUALITY_NOT_READ)};

	if (d->kind != &kind_task || d->groups || !d->interval_ns || !has_all_tasks(d->sample))
		return u;
	/* The shares of a very short interval are those of an earlier one. */
	if (use->base_ns == d->sample->mono_ns)
		u.busy = tasks_share(use);
	if (value_known(u.busy))
		u.unseen = value_exact(u.busy.number - rows_share(d));
	return u;
}

bool unseen_matters(const struct unseen *u)
{
	return value_known(u->unseen) && u->unseen.number >= MATTERS_PCT &&
	       u->unseen.number >= MATTERS_SHARE * u->busy.number;
}
