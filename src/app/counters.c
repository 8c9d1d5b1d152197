/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/counters.h"

#include <errno.h>
#include <string.h>

#include "perf/event_pfm.h"

static int resolve(struct event *e, const struct counter_decl *c, struct err *err)
{
	const struct event_type *t;

	if (c->event)
		return event_pfm_resolve(e, c->event, err);
	t = event_type_find(c->type, err);
	if (!t)
		return -err->code;
	e->type = t->type;
	if (expr_config_eval(c->config, t->constant, &e->config, err))
		return err_prefix(err, "config '%s' of type %s", c->config, t->name);
	return 0;
}

void counters_check(const struct screen *screen, screen_report report, void *context)
{
	for (size_t i = 0; i < screen->n_counters; i++) {
		const struct counter_decl *c = &screen->counter[i];
		struct err err = ERR_INIT;
		struct event e;

		/* What the vendor calls an event exists on that vendor's CPUs only: no fault of the file. */
		if (c->event || !resolve(&e, c, &err))
			continue;
		err_prefix(&err, "screen '%s', counter '%s'", screen->name, c->alias);
		report(context, c->line, &err);
	}
}

static void add_event(struct event_set *set, const struct screen *screen, const char *alias, const struct cpu_id *cpu)
{
	struct event *e = event_set_add(set, alias);

	e->quality = QUALITY_UNSUPPORTED;
	for (size_t i = 0; i < screen->n_counters; i++) {
		const struct counter_decl *c = &screen->counter[i];
		struct err err;

		if (strcmp(c->alias, alias) || !cpu_matches(cpu, c->arch, c->model))
			continue;
		if (!resolve(e, c, &err)) {
			e->quality = QUALITY_EXACT;
			return;
		}
	}
}

void counters_make_set(struct event_set *set, const struct screen *screen, const struct cpu_id *cpu, bool kernel)
{
	event_set_init(set);
	set->kernel = kernel;
	for (size_t i = 0; i < screen->n_aliases; i++)
		add_event(set, screen, screen->alias[i], cpu);
}

bool counters_have(struct event_set *set, const struct column *column, struct perf_sys *sys)
{
	for (size_t i = 0; i < expr_n_refs(column->expr); i++) {
		struct expr_ref ref = expr_ref_at(column->expr, i);
		int fd;

		if (ref.symbol >= set->n)
			continue;
		if (set->event[ref.symbol].quality != QUALITY_EXACT)
			return false;
		fd = event_probe(sys, set, ref.symbol);
		if (fd >= 0)
			sys->close(sys, fd);
		if (fd == -ENOENT || fd == -EINVAL || fd == -EOPNOTSUPP || fd == -ENODEV)
			return false;
	}
	return true;
}

bool counters_fit(const struct event_set *set, const struct screen *screen)
{
	for (size_t i = 0; i < screen->n_columns; i++)
		for (size_t k = 0; k < expr_n_refs(screen->column[i].expr); k++) {
			struct expr_ref ref = expr_ref_at(screen->column[i].expr, k);

			if (ref.symbol < set->n && set->event[ref.symbol].quality != QUALITY_EXACT)
				return false;
		}
	return true;
}
