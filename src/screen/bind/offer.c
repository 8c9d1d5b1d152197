/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/bind/offer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "pmu/event/describe.h"
#include "pmu/event/name.h"
#include "pmu/event/perf_name.h"
#include "pmu/event/raw_event.h"
#include "pmu/event/table.h"

/* ---- candidate ---- */

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

/* ---- recorded ----
 *
 * The implementation for the events of a recording.
 */

/* Returns the type by which perf_event_open(2) knows a kind of event. It is PERF_TYPE_MAX for other
 * PMUs, whose types the kernel assigns at each boot, so that they are not recorded. */
static uint32_t type_of(enum event_kind kind)
{
	static const uint32_t table[N_EVENT_KINDS] = {
		[EVENT_HARDWARE] = PERF_TYPE_HARDWARE, [EVENT_CACHE] = PERF_TYPE_HW_CACHE,
		[EVENT_RAW] = PERF_TYPE_RAW,           [EVENT_SOFTWARE] = PERF_TYPE_SOFTWARE,
		[EVENT_PMU] = PERF_TYPE_MAX,           [EVENT_TRACEPOINT] = PERF_TYPE_TRACEPOINT,
	};

	return table[kind];
}

/* Returns whether the name is the code of the event: "r1c2", or a generic name of the kernel. */
static bool has_code(const struct sample_event *x, const char *name)
{
	uint64_t config;
	uint32_t type;
	char *end;

	if (generic_find(name, &type, &config))
		return type == type_of((enum event_kind)x->kind) && config == x->config;
	if (name[0] != 'r' || !name[1] || name[1 + strspn(name + 1, "0123456789abcdefABCDEF")])
		return false;
	config = strtoull(name + 1, &end, 16);
	return x->kind == EVENT_RAW && config == x->config && !x->config1 && !x->config2;
}

static bool has_config(const struct sample_event *x, const struct counter_decl *c)
{
	const struct event_type *t = event_type_find(c->type, NULL);
	uint64_t config;

	return t && !expr_config_eval(c->config, t->constant, &config, NULL) &&
	       t->type == type_of((enum event_kind)x->kind) && config == x->config;
}

/* Returns the recorded event with the default modes, to which the modifiers of a name are applied
 * later. */
static struct event plain_event(const struct sample_event *x)
{
	struct event e = {
		.type = type_of((enum event_kind)x->kind),
		.config = x->config,
		.config1 = x->config1,
		.config2 = x->config2,
		.scale = x->scale,
		.core = x->core == SAMPLE_ANY_CORE ? EVENT_NO_CORE : x->core,
		.all_modes = x->kind == EVENT_PMU || x->kind == EVENT_TRACEPOINT,
	};

	memcpy(e.unit, x->unit, strnlen(x->unit, sizeof e.unit - 1));
	return e;
}

static bool has_modes(const struct offer *o, struct event *e, uint8_t modes)
{
	const struct event_set alone = {.event = e, .n = 1, .kernel = o->kernel};

	return event_to_sample(&alone, 0).modes == modes;
}

/* Returns the modifiers of a name, after its last colon or the last '/' of "cpu/.../"; NULL: none.
 * *len: the length of the name before them. */
static const char *find_modifiers(const char *name, size_t *len)
{
	const char *colon = strrchr(name, ':'), *slash = strrchr(name, '/');
	const char *word = slash ? slash + 1 : NULL;

	if (colon && (!slash || colon > slash))
		word = colon + 1;
	*len = strlen(name);
	if (!word || !*word || word[strspn(word, "ukhGH")])
		return NULL;
	*len = (size_t)(word - name) - (word[-1] == ':');
	return word;
}

/* Returns whether two names without phases are the same except for their modifiers. */
static bool same_name(const char *x, const char *y)
{
	size_t x_len, y_len;

	find_modifiers(x, &x_len);
	find_modifiers(y, &y_len);
	return x_len == y_len && !memcmp(x, y, x_len);
}

/* Returns the name without its phase; the caller frees it. */
static char *cut_phase(const char *name, enum event_phase *phase)
{
	const size_t len = event_name_phase(name, phase);

	return xstrndup(name, len);
}

static bool has_name(const struct sample_event *x, const char *name)
{
	enum event_phase phase;
	char *given = cut_phase(x->given, &phase), *base;
	size_t len;
	bool has = same_name(given, name);

	free(given);
	if (has)
		return true;
	find_modifiers(name, &len);
	base = xstrndup(name, len);
	has = has_code(x, base);
	free(base);
	return has;
}

/* Returns whether x is the event with this name, whatever its modes. Sets *e to x with the modes
 * that the modifiers of the name select. */
static bool take_name(const struct sample_event *x, const char *name, struct event *e)
{
	enum event_phase phase;
	char *base = cut_phase(name, &phase);
	bool has = has_name(x, base);
	size_t len;

	*e = plain_event(x);
	e->phase = (uint8_t)phase;
	has = has && !event_modifiers_apply(e, base, find_modifiers(base, &len), NULL);
	free(base);
	return has;
}

/* Returns whether x has the type and config of the declaration. Sets *e to x with the default
 * modes. */
static bool take_config(const struct sample_event *x, const struct counter_decl *c, struct event *e)
{
	*e = plain_event(x);
	return has_config(x, c);
}

/* Returns whether one count of x has the weight that the candidate wants. If the PMU gives x a
 * unit, its weight is not compared. */
static bool has_weight(const struct sample_event *x, const struct candidate *c)
{
	return x->unit[0] || event_weight_fits(c->weight, x->scale);
}

/* Returns whether x is the candidate, and sets *e to it. */
static bool is_candidate(const struct offer *o, const struct sample_event *x,
			 const struct candidate *c, struct event *e)
{
	return x->kind != EVENT_NONE && has_weight(x, c) &&
	       (c->name ? take_name(x, c->name, e) : take_config(x, c->decl, e)) &&
	       has_modes(o, e, x->modes);
}

static int recorded_resolve(const struct offer *o, struct event *e, int core,
			    const struct candidate *c)
{
	for (int i = 0; i < o->events->n; i++) {
		const struct sample_event *x = &o->events->event[i];
		struct event found;

		if ((x->core != core && x->core != SAMPLE_ANY_CORE) ||
		    !is_candidate(o, x, c, &found))
			continue;
		found.name = e->name;
		found.what = e->what;
		found.counter = e->counter;
		*e = found;
		return 0;
	}
	return -ENOENT;
}

/* Returns false, so that resolve() is called: it is fast, as it only searches the list. */
static bool recorded_is_certain(const struct offer *o, const char *name)
{
	(void)o, (void)name;
	return false;
}

/* Returns the recorded event that equals event i of the set; NULL: none. */
static const struct sample_event *find_recorded(const struct offer *o, const struct event_set *set,
						int i)
{
	struct sample_event e = event_to_sample(set, i);

	for (int k = 0; k < o->events->n; k++) {
		const struct sample_event *x = &o->events->event[k];

		e.pmu = x->pmu;
		e.resolved = x->resolved;
		if (x->core == e.core && sample_event_equal(&e, x) &&
		    (x->kind != EVENT_PMU || !strcmp(x->given, e.given)))
			return x;
	}
	return NULL;
}

static bool recorded_has(const struct offer *o, struct event_set *set, int i)
{
	const struct sample_event *x = find_recorded(o, set, i);

	return x && x->quality != QUALITY_UNSUPPORTED;
}

/* Returns the name of the core PMU, as event_set_describe() sets it. */
static const char *core_name(const struct machine *m, int core)
{
	return core >= 0 && core < m->n_cores ? m->core[core].name : "cpu";
}

static void recorded_describe(const struct offer *o, struct event_set *set)
{
	for (int i = 0; i < set->n; i++) {
		struct event *e = &set->event[i];
		const struct sample_event *x = find_recorded(o, set, i);
		const bool known = x && event_kind_of(e) != EVENT_NONE;

		free(e->pmu);
		free(e->format);
		free(e->resolved);
		e->pmu = xstrdup(known ? x->pmu : core_name(o->machine, e->core));
		e->format = xstrdup(known ? x->format : "");
		e->resolved = xstrdup(known ? x->resolved : "");
	}
}

struct offer offer_recorded(const struct machine *machine, const struct sample_events *events,
			    bool kernel)
{
	static const struct offer_ops ops = {
		.resolve = recorded_resolve,
		.is_certain = recorded_is_certain,
		.has = recorded_has,
		.describe = recorded_describe,
	};

	return (struct offer){.ops = &ops,
			      .machine = machine,
			      .events = events,
			      .kernel = kernel,
			      .lack = QUALITY_NOT_COUNTED};
}

/* ---- offer ---- */

static int live_resolve(const struct offer *o, struct event *e, int core, const struct candidate *c)
{
	return candidate_resolve(e, c, o->machine, core, NULL);
}

static bool live_is_certain(const struct offer *o, const char *name)
{
	return event_name_is_certain(o->machine, name);
}

static bool is_absent(int ret)
{
	return ret == -ENOENT || ret == -EINVAL || ret == -EOPNOTSUPP || ret == -ENODEV ||
	       ret == -EXDEV;
}

static bool live_has(const struct offer *o, struct event_set *set, int i)
{
	int fd;

	/* Events of sockets are not probed: a failure is noticed when they are opened. */
	if (o->sockets)
		return set->event[i].shared;
	fd = event_probe(o->sys, set, i);
	if (fd >= 0)
		o->sys->close(o->sys, fd);
	return !is_absent(fd);
}

static void live_describe(const struct offer *o, struct event_set *set)
{
	event_set_describe(set, o->machine);
}

struct offer offer_live(const struct machine *machine, struct perf_sys *sys, bool kernel)
{
	static const struct offer_ops ops = {
		.resolve = live_resolve,
		.is_certain = live_is_certain,
		.has = live_has,
		.describe = live_describe,
	};

	return (struct offer){.ops = &ops,
			      .machine = machine,
			      .sys = sys,
			      .kernel = kernel,
			      .lack = QUALITY_UNSUPPORTED};
}
