/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/import/names.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "pmu/event/name.h"
#include "screen/import/events.h"

/* What stands for something else than an event; lack: why it has no counterpart. */
static const struct {
	bool likwid;
	const char *name;
	enum formula_kind kind;
	double number;
	const char *lack;
} constant_table[] = {
	{true, "time", FORMULA_TIME, 0, NULL},
	{true, "inverseClock", 0, 0, "the rate of the time stamp counter is not known to screens"},
	{false, "duration_time", FORMULA_TIME, 0, NULL},
	/* A task is counted, not a core. */
	{false, "#core_wide", FORMULA_NUMBER, 0, NULL},
	{false, "#slots", 0, 0,
	 "screens do not know the slots of a cycle: write their number in its place"},
	{false, "#smt_on", 0, 0, "screens do not know whether the cores have several threads"},
	{false, "user_time", 0, 0, "screens have CPU_USER, in % of a CPU"},
	{false, "system_time", 0, 0, "screens have CPU_SYS, in % of a CPU"},
};

static int find_constant(const struct import_names *n, const char *name,
			 struct formula_meaning *out, struct err *err)
{
	for (size_t i = 0; i < sizeof constant_table / sizeof *constant_table; i++) {
		if (constant_table[i].likwid != n->file->likwid ||
		    strcmp(constant_table[i].name, name) != 0)
			continue;
		if (constant_table[i].lack)
			return err_set(err, ENOENT, "'%s' has no counterpart: %s", name,
				       constant_table[i].lack);
		*out = (struct formula_meaning){.kind = constant_table[i].kind,
						.number = constant_table[i].number};
		return 1;
	}
	if (name[0] == '#')
		return err_set(err, ENOENT,
			       "'%s' has no counterpart: screens do not know it of a machine",
			       name);
	return 0;
}

static bool has_alias(const struct import_names *n, const char *alias)
{
	for (size_t i = 0; i < n->n_counters; i++)
		if (!strcmp(n->counter[i].alias, alias))
			return true;
	return false;
}

/* A name for expressions: small letters, digits and '_', the first no digit. */
static char *make_alias(const struct import_names *n, const char *name)
{
	char *base = xasprintf("%s%s", isdigit((unsigned char)name[0]) ? "e" : "", name), *alias;

	for (char *p = base; *p; p++)
		*p = (char)(isalnum((unsigned char)*p) ? tolower((unsigned char)*p) : '_');
	for (size_t len = strlen(base); len > 1 && base[len - 1] == '_'; len--)
		base[len - 1] = '\0';
	alias = xstrdup(base);
	for (int i = 2; has_alias(n, alias); i++) {
		free(alias);
		alias = xasprintf("%s_%d", base, i);
	}
	free(base);
	return alias;
}

/* The alias of the counter for this event. */
static const char *add_counter(struct import_names *n, const char *event, const char *name)
{
	for (size_t i = 0; i < n->n_counters; i++)
		if (!strcmp(n->counter[i].event, event))
			return n->counter[i].alias;
	n->counter = xgrow(n->counter, &n->cap_counters, n->n_counters + 1, sizeof *n->counter);
	n->counter[n->n_counters].alias = make_alias(n, name);
	n->counter[n->n_counters].event = xstrdup(event);
	return n->counter[n->n_counters++].alias;
}

void import_names_drop(struct import_names *n, size_t from)
{
	while (n->n_counters > from) {
		n->n_counters--;
		free(n->counter[n->n_counters].alias);
		free(n->counter[n->n_counters].event);
	}
}

/* Notes whether the event is a metric of slots, or their leader. */
static void note_slots(struct import_names *n, const char *event)
{
	for (int core = 0; core < machine_kinds(n->machine); core++) {
		struct event e = {.name = NULL};

		if (event_name_resolve(&e, n->machine, core, event, NULL))
			continue;
		n->has_slots |= e.topdown == TOPDOWN_SLOTS;
		if (e.topdown == TOPDOWN_METRIC) {
			n->has_slots_part = true;
			n->slots_core = core;
		}
	}
}

void import_names_begin(struct import_names *n, const struct foreign_metric *metric)
{
	n->metric = metric;
	n->has_slots = n->has_slots_part = false;
}

char *import_names_leader(const struct import_names *n)
{
	if (!n->has_slots_part || n->has_slots)
		return xstrdup("");
	return machine_is_hybrid(n->machine)
		       ? xasprintf("%s@slots@", machine_pmu(n->machine, n->slots_core))
		       : xstrdup("slots");
}

static int find_event(struct import_names *n, const struct foreign_event *event,
		      struct formula_meaning *out, struct err *err)
{
	struct strbuf text;
	int ret;

	strbuf_init(&text);
	ret = import_event(&text, n->machine, event, err);
	if (!ret) {
		note_slots(n, text.text);
		*out = (struct formula_meaning){.kind = FORMULA_COUNTER,
						.alias = add_counter(n, text.text, event->name)};
	}
	strbuf_done(&text);
	return ret;
}

static int find_counter(struct import_names *n, const char *name, struct formula_meaning *out,
			struct err *err)
{
	/* A formula may repeat the options that the counter was declared with. */
	const size_t len = strcspn(name, ":");

	for (size_t i = 0; i < n->file->n_counters; i++) {
		const struct foreign_counter *c = &n->file->counter[i];

		if (strncmp(c->alias, name, len) != 0 || c->alias[len])
			continue;
		if (c->lack)
			return err_set(err, ENOENT, "%s", c->lack);
		return find_event(n, &(struct foreign_event){c->event, c->terms, NULL}, out, err);
	}
	if (!strcmp(name, "slots") || strchr(name, '/')) /* import_names_leader() */
		return find_event(n, &(struct foreign_event){name, NULL, NULL}, out, err);
	return err_set(err, EINVAL, "'%s' is no counter of this group", name);
}

static bool same_cores(const struct foreign_metric *m, const char *pmu)
{
	return m->pmu && pmu ? !strcmp(m->pmu, pmu) : !m->pmu && !pmu;
}

const struct foreign_metric *import_names_metric(const struct import_names *n, const char *name)
{
	const struct foreign_metric *found = NULL;

	for (size_t i = 0; i < n->file->n_metrics; i++) {
		const struct foreign_metric *m = &n->file->metric[i];

		if (strcmp(m->name, name) != 0)
			continue;
		if (n->metric && same_cores(m, n->metric->pmu))
			return m;
		found = found ? found : m;
	}
	return found;
}

int import_names_find(void *context, const char *name, struct formula_meaning *out, struct err *err)
{
	struct import_names *n = context;
	int ret = find_constant(n, name, out, err);
	const struct foreign_metric *other;

	if (ret)
		return ret < 0 ? ret : 0;
	if (n->file->likwid)
		return find_counter(n, name, out, err);
	other = import_names_metric(n, name);
	if (other && other->formula) {
		*out = (struct formula_meaning){.kind = FORMULA_TEXT, .text = other->formula};
		return 0;
	}
	return find_event(n, &(struct foreign_event){name, NULL, n->metric->pmu}, out, err);
}

int import_names_has(void *context, const char *name, struct err *err)
{
	struct import_names *n = context;
	const size_t n_counters = n->n_counters;
	struct formula_meaning meaning;
	int ret = import_names_find(n, name, &meaning, NULL);

	import_names_drop(n, n_counters);
	if (!ret || !n->machine->elsewhere)
		return !ret;
	return err_set(err, ENOENT,
		       "whether that CPU has the event '%s' is not known here: the tables of "
		       "tiptop do not have it",
		       name);
}

void import_names_done(struct import_names *n)
{
	import_names_drop(n, 0);
	free(n->counter);
}
