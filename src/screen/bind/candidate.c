/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/bind/candidate.h"

#include <errno.h>

#include "pmu/event/name.h"
#include "pmu/event/type.h"

int candidate_config(struct event *e, const struct counter_decl *c, const struct machine *m,
		     int core, struct err *err)
{
	const struct event_type *t = event_type_find(c->type, err);

	if (!t)
		return -EINVAL;
	e->type = t->type == PERF_TYPE_RAW ? machine_raw_type(m, core) : t->type;
	if (expr_config_eval(c->config, t->constant, &e->config, err))
		return err_prefix(err, "config '%s' of type %s", c->config, t->name);
	return 0;
}

int candidate_resolve(struct event *e, const struct candidate *c, const struct machine *m, int core,
		      struct err *err)
{
	int ret;

	*e = (struct event){.name = e->name, .what = e->what, .counter = e->counter};
	if (c->name) {
		ret = event_name_resolve(e, m, core, c->name, err);
		return ret ? ret : event_weigh(e, m, core, c->weight, err);
	}
	ret = candidate_config(e, c->decl, m, core, err);
	if (ret)
		return ret;
	return machine_bind(m, core, e, err) ? -ENOENT : 0;
}
