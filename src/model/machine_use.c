/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/machine_use.h"

/* The kernel's sums may go back a little. */
static uint64_t growth(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

static struct value percent(uint64_t part, uint64_t all)
{
	return value_divide(value_exact(100 * (double)part), value_exact((double)all));
}

static struct cpu_share unknown(int cpu, enum quality why)
{
	struct cpu_share share = {.cpu = cpu, .busy = value_none(why)};

	for (int s = 0; s < N_CPU_STATES; s++)
		share.in[s] = value_none(why);
	return share;
}

static struct cpu_share share_of(const struct cpu_ticks *from, const struct cpu_ticks *to)
{
	struct cpu_share share = {.cpu = to->cpu};
	uint64_t grown[N_CPU_STATES], busy = 0, all = 0;

	/* How long it was idle is not known: what is left would be all that it did. */
	if (to->in[CPU_IDLE] < from->in[CPU_IDLE])
		return unknown(to->cpu, QUALITY_NOT_READ);
	for (int s = 0; s < N_CPU_STATES; s++) {
		grown[s] = growth(from->in[s], to->in[s]);
		busy += s < CPU_STOLEN ? grown[s] : 0;
		all += grown[s];
	}
	for (int s = 0; s < N_CPU_STATES; s++)
		share.in[s] = percent(grown[s], all);
	share.busy = percent(busy, all);
	return share;
}

/* The CPUs of the last interval and those of now, each once, in order. */
static void compare(struct use_delta *out, const struct use_delta *before,
		    const struct machine_use *now, struct arena *arena)
{
	const size_t n_old = before ? before->n_shares : 0, n_base = before ? before->n_base : 0;
	struct cpu_share *share = arena_calloc(arena, n_old + now->n_cpus, sizeof *share);
	size_t old = 0, base = 0, n = 0;

	for (size_t i = 0; i < now->n_cpus || old < n_old; n++) {
		const struct cpu_ticks *to = i < now->n_cpus ? &now->cpu[i] : NULL;

		if (old < n_old && (!to || before->share[old].cpu < to->cpu)) {
			share[n] = unknown(before->share[old++].cpu, QUALITY_GONE);
			continue;
		}
		old += old < n_old && before->share[old].cpu == to->cpu;
		while (base < n_base && before->base[base].cpu < to->cpu)
			base++;
		share[n] = base < n_base && before->base[base].cpu == to->cpu
				   ? share_of(&before->base[base], to)
				   : unknown(to->cpu, QUALITY_FRESH);
		i++;
	}
	out->share = share;
	out->n_shares = n;
}

/* What was shown stays. */
static void keep(struct use_delta *out, const struct use_delta *before, struct arena *arena)
{
	out->share = arena_copy(arena, before->share, before->n_shares * sizeof *before->share);
	out->n_shares = before->n_shares;
	out->base = arena_copy(arena, before->base, before->n_base * sizeof *before->base);
	out->n_base = before->n_base;
	out->base_ns = before->base_ns;
}

void use_compute(struct use_delta *out, const struct use_delta *before,
		 const struct machine_use *now, uint64_t now_ns, struct arena *arena)
{
	*out = (struct use_delta){
		.wanted = now->wanted,
		.cpu_error = now->cpu_error,
		.memory_error = now->memory_error,
		.memory = now->memory,
	};
	if (!now->n_cpus)
		return;
	if (before && before->n_base && now_ns - before->base_ns < USE_INTERVAL_MIN_NS) {
		keep(out, before, arena);
		return;
	}
	compare(out, before, now, arena);
	out->base = arena_copy(arena, now->cpu, now->n_cpus * sizeof *now->cpu);
	out->n_base = now->n_cpus;
	out->base_ns = now_ns;
}
