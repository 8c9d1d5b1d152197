/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "perf/event_name.h"

/* One thing that a declaration may stand for. */
struct candidate {
	const struct counter_decl *decl;
	char *name; /* of the event; NULL: the declaration's type and config */
};

static int resolve_config(struct event *e, const struct counter_decl *c, struct err *err)
{
	const struct event_type *t = event_type_find(c->type, err);

	if (!t)
		return -EINVAL;
	e->type = t->type;
	if (expr_config_eval(c->config, t->constant, &e->config, err))
		return err_prefix(err, "config '%s' of type %s", c->config, t->name);
	return 0;
}

/* Whatever the candidate before has left in the event is forgotten. */
static int resolve(struct event *e, const struct candidate *c, struct err *err)
{
	*e = (struct event){.name = e->name};
	if (c->name)
		return event_name_resolve(e, &event_host_here, c->name, err);
	return resolve_config(e, c->decl, err);
}

/* All names of a declaration: *what is "'A', 'B'", err the reason why the first one is not known. Returns 0 if one is
 * known, -EINVAL where one is wrong on any machine, -ENOENT otherwise. */
static int check_names(const struct counter_decl *c, struct strbuf *what, int *n, struct err *err)
{
	const char *list = c->event;
	struct candidate candidate = {c, NULL};
	bool known = false;

	for (*n = 0; (candidate.name = event_name_next(&list)); ++*n) {
		struct err why = ERR_INIT;
		struct event e = {.name = NULL};
		int ret = resolve(&e, &candidate, &why);

		strbuf_addf(what, "%s'%s'", *n ? ", " : "", candidate.name);
		free(candidate.name);
		known = known || !ret;
		if (ret && (!err->code || ret == -EINVAL))
			*err = why;
		if (ret == -EINVAL)
			return -EINVAL;
	}
	if (!*n)
		return err_set(err, EINVAL, "the event '%s' names nothing", c->event);
	return known ? 0 : -ENOENT;
}

/* Whether another declaration for this CPU gives the alias an event. */
static bool has_other(const struct screen *screen, const struct counter_decl *c, const struct cpu_id *cpu)
{
	for (size_t i = 0; i < screen->n_counters; i++) {
		const struct counter_decl *other = &screen->counter[i];
		struct strbuf what;
		int n, ret = 0;

		if (other == c || strcmp(other->alias, c->alias) || !cpu_matches(cpu, other->arch, other->model))
			continue;
		strbuf_init(&what);
		if (other->event)
			ret = check_names(other, &what, &n, &(struct err)ERR_INIT);
		strbuf_done(&what);
		if (!ret)
			return true;
	}
	return false;
}

/* 0, or the sentence without its place. */
static int check_event(const struct screen *screen, const struct counter_decl *c, const struct cpu_id *cpu,
		       struct err *err)
{
	struct strbuf what;
	int n, ret;

	strbuf_init(&what);
	ret = check_names(c, &what, &n, err);
	if (ret == -ENOENT && (!cpu_matches(cpu, c->arch, c->model) || has_other(screen, c, cpu)))
		ret = 0;
	else if (ret == -ENOENT && n > 1)
		err_prefix(err, "none of %s is known here", what.text);
	strbuf_done(&what);
	err->code = -ret;
	return ret;
}

void counters_check(const struct screen *screen, const struct cpu_id *cpu, screen_report report, void *context)
{
	for (size_t i = 0; i < screen->n_counters; i++) {
		const struct counter_decl *c = &screen->counter[i];
		struct err err = ERR_INIT;
		struct event e = {.name = NULL};

		if (c->event ? !check_event(screen, c, cpu, &err) : !resolve_config(&e, c, &err))
			continue;
		err_prefix(&err, "screen '%s', counter '%s'", screen->name, c->alias);
		report(context, c->line, &err);
	}
}

static bool is_absent(int ret)
{
	return ret == -ENOENT || ret == -EINVAL || ret == -EOPNOTSUPP || ret == -ENODEV;
}

static bool can_open(struct event_set *set, int i, struct perf_sys *sys)
{
	int fd = event_probe(sys, set, i);

	if (fd >= 0)
		sys->close(sys, fd);
	return !is_absent(fd);
}

/* Makes event i what the candidate says, if this machine knows that, and cannot open what the event is now. Returns
 * true where it can: the search is over. */
static bool try_candidate(struct event_set *set, int i, const struct candidate *c, struct perf_sys *sys)
{
	struct event next = set->event[i];

	if (resolve(&next, c, NULL))
		return false;
	if (set->event[i].quality == QUALITY_EXACT && can_open(set, i, sys))
		return true;
	set->event[i] = next;
	return false;
}

static bool try_declaration(struct event_set *set, int i, const struct counter_decl *c, struct perf_sys *sys)
{
	struct candidate candidate = {c, NULL};
	const char *list = c->event;
	bool found = false;

	if (!c->event)
		return try_candidate(set, i, &candidate, sys);
	while (!found && (candidate.name = event_name_next(&list))) {
		found = try_candidate(set, i, &candidate, sys);
		free(candidate.name);
	}
	return found;
}

static void add_event(struct event_set *set, const struct screen *screen, const char *alias, const struct cpu_id *cpu,
		      struct perf_sys *sys)
{
	event_set_add(set, alias)->quality = QUALITY_UNSUPPORTED;
	for (size_t i = 0; i < screen->n_counters; i++) {
		const struct counter_decl *c = &screen->counter[i];

		if (strcmp(c->alias, alias) || !cpu_matches(cpu, c->arch, c->model))
			continue;
		if (try_declaration(set, set->n - 1, c, sys))
			return;
	}
}

void counters_make_set(struct event_set *set, const struct screen *screen, const struct cpu_id *cpu,
		       struct perf_sys *sys, bool kernel)
{
	event_set_init(set);
	set->kernel = kernel;
	for (size_t i = 0; i < screen->n_aliases; i++)
		add_event(set, screen, screen->alias[i], cpu, sys);
}

bool counters_have(struct event_set *set, const struct column *column, struct perf_sys *sys)
{
	for (size_t i = 0; i < expr_n_refs(column->expr); i++) {
		struct expr_ref ref = expr_ref_at(column->expr, i);

		if (ref.symbol >= set->n)
			continue;
		if (set->event[ref.symbol].quality != QUALITY_EXACT || !can_open(set, ref.symbol, sys))
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
