/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/event/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "pmu/event/meaning.h"
#include "pmu/event/name.h"
#include "pmu/event/perf_name.h"
#include "pmu/event/pfm.h"
#include "pmu/event/table.h"

const struct event_opens_row event_opens_table[N_EVENT_OPENS] = {
	[OPENS_YES] = {"yes", "it can be counted"},
	[OPENS_ABSENT] = {"absent", "this CPU or this kernel does not have it"},
	[OPENS_DENIED] = {"denied", "this user may not count it; 'tiptop --check' says why"},
	[OPENS_REFUSED] = {"refused",
			   "its PMU does not count it for a task, or not with these numbers"},
	[OPENS_BUSY] = {"busy", "another program holds its PMU for itself"},
	[OPENS_FAILED] = {"failed",
			  "not known: there were no file descriptors or no memory left to try"},
	[OPENS_UNTRIED] = {"untried", "the CPU is not the one that is here (--for-cpu)"},
	[OPENS_UNUSABLE] = {"unusable",
			    "it is not an event that tiptop can count, for the reason given"},
};

/* The first event of a type, which stays open until the list is complete. */
struct held {
	uint32_t type;
	int fd;
};

struct builder {
	struct event_list *list;
	const struct machine *machine;
	struct perf_sys *sys;
	const char *text;
	struct held *held; /* the first event of each type that could be opened */
	size_t n_held, cap_held;
	bool asked; /* a tracepoint was opened */
	/* The result (enum event_opens) of opening one tracepoint, valid for all of them. */
	uint8_t all_tracepoints;
};

static enum event_opens opens_of(int ret)
{
	static const struct {
		int error;
		enum event_opens opens;
	} table[] = {
		{0, OPENS_YES},
		{EACCES, OPENS_DENIED},
		{EPERM, OPENS_DENIED},
		{ENOENT, OPENS_ABSENT},
		{ENODEV, OPENS_ABSENT},
		{ENOSYS, OPENS_ABSENT},
		{EOPNOTSUPP, OPENS_ABSENT},
		{EINVAL, OPENS_REFUSED},
		{EXDEV, OPENS_REFUSED},
		{EBUSY, OPENS_BUSY},
		{ECANCELED, OPENS_UNTRIED},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (ret == -table[i].error)
			return table[i].opens;
	return OPENS_FAILED;
}

/* Keeps the event open if it is the first of its type, else closes it. */
static void keep_or_close(struct builder *b, uint32_t type, int fd)
{
	for (size_t i = 0; i < b->n_held; i++)
		if (b->held[i].type == type) {
			b->sys->close(b->sys, fd);
			return;
		}
	b->held = xgrow(b->held, &b->cap_held, b->n_held + 1, sizeof *b->held);
	b->held[b->n_held++] = (struct held){type, fd};
}

static enum event_opens try_event(struct builder *b, struct event *e)
{
	struct event_set set = {.event = e, .n = 1};
	int fd = event_probe(b->sys, &set, 0);

	if (fd >= 0)
		keep_or_close(b, e->type, fd);
	return opens_of(fd < 0 ? fd : 0);
}

static enum event_opens try_tracepoint(struct builder *b, struct event *e)
{
	if (!b->asked)
		b->all_tracepoints = (uint8_t)try_event(b, e);
	b->asked = true;
	return b->all_tracepoints;
}

static bool matches(const struct builder *b, const char *name, const char *pmu, const char *help)
{
	return !b->text || strcasestr(name, b->text) || strcasestr(pmu, b->text) ||
	       strcasestr(help, b->text);
}

/* Adds a row without a code; returns NULL if it does not match the text. */
static struct event_row *add_row(struct builder *b, const char *name, const char *pmu,
				 const char *help, enum event_opens opens)
{
	struct event_list *l = b->list;

	if (!matches(b, name, pmu, help))
		return NULL;
	l->row = xgrow(l->row, &l->cap, l->n + 1, sizeof *l->row);
	l->row[l->n] = (struct event_row){.name = xstrdup(name),
					  .pmu = xstrdup(pmu),
					  .help = xstrdup(help),
					  .opens = (uint8_t)opens};
	return &l->row[l->n++];
}

static void add_event(struct builder *b, const char *name, const char *pmu, const char *help,
		      struct event *e)
{
	struct event_row *row = add_row(b, name, pmu, help, OPENS_YES);

	if (!row)
		return;
	row->opens =
		(uint8_t)(e->type == PERF_TYPE_TRACEPOINT ? try_tracepoint(b, e) : try_event(b, e));
	row->has_code = true;
	row->event = *e;
	row->event.name = row->event.what = NULL;
}

/* Returns the kernel's name of the PMU that counts a generic event. */
static const char *pmu_of(const struct machine *m, const struct event *e)
{
	if (e->core == EVENT_NO_CORE)
		return "software";
	return e->core < m->n_cores ? m->core[e->core].name : "-";
}

/* Adds a generic event. has_code: this kind of cores has the event, so e has its code. */
static void add_generic(struct builder *b, struct event *e, bool has_code, const char *name,
			const char *also)
{
	const char *pmu = pmu_of(b->machine, e);
	struct strbuf help;

	strbuf_init(&help);
	e->name = e->what = (char *)name;
	if (!has_code || !meaning_add(&help, e, b->machine))
		strbuf_addstr(&help, "a generic event of the kernel");
	if (also)
		strbuf_addf(&help, " (also called %s)", also);
	if (has_code)
		add_event(b, name, pmu, help.text, e);
	else
		add_row(b, name, pmu, help.text, OPENS_ABSENT);
	strbuf_done(&help);
}

static void visit_generic(void *context, const char *name, const char *also)
{
	struct builder *b = context;

	for (int core = 0; core < machine_kinds(b->machine); core++) {
		struct event e = {.name = NULL};
		bool has_code = !event_name_resolve(&e, b->machine, core, name, NULL);

		add_generic(b, &e, has_code, name, also);
		if (e.core == EVENT_NO_CORE)
			break;
	}
}

/* Adds an event of a table, with its description and source. */
static void add_definition(struct builder *b, const struct event_def *def, int core,
			   const char *what, struct event *e)
{
	const struct machine *m = b->machine;
	const struct event_choice *choice = def->choice;
	struct strbuf help;

	event_names_find(m->table, &m->cpu, machine_pmu(m, core), what, &choice);
	strbuf_init(&help);
	strbuf_addf(&help, "%s [%s", def->desc, def->unit);
	if (choice->weight)
		strbuf_addf(&help, ", %s for each count", choice->weight);
	strbuf_addf(&help, "; %s%s%s]", choice->name ? choice->name : "", choice->name ? ", " : "",
		    choice->source ? choice->source : def->place);
	add_event(b, def->name, pmu_of(m, e), help.text, e);
	strbuf_done(&help);
}

/* Adds an event of a table for one kind of cores. Chooses among its names as screen/bind/counters.h
 * does: the first name that can be opened, else the last one that resolves. Returns whether a core
 * PMU counts it. */
static bool add_of_table(struct builder *b, const struct event_def *def, int core)
{
	const struct machine *m = b->machine;
	struct event e = {.name = NULL}, next;
	struct event_names names;
	char *what = NULL, *name;
	bool opens = false;

	event_names_init(&names, m->table, &m->cpu, machine_pmu(m, core), m->takes_codes,
			 def->name);
	while (!opens && (name = event_names_next(&names))) {
		next = (struct event){.name = NULL};
		opens = what && try_event(b, &e) == OPENS_YES;
		if (opens || event_name_resolve(&next, m, core, name, NULL) ||
		    event_weigh(&next, m, core, names.weight, NULL)) {
			free(name);
			continue;
		}
		free(what);
		what = name;
		e = next;
	}
	event_names_done(&names);
	if (what)
		add_definition(b, def, core, what, &e);
	free(what);
	return e.core != EVENT_NO_CORE;
}

/* Adds the events of all tables. An event hides events of the same name in the tables below. */
static void visit_table(struct builder *b)
{
	const struct event_table *top = b->machine->table;

	for (const struct event_table *t = top; t; t = t->below)
		for (size_t i = 0; i < t->n_events; i++)
			for (int core = 0; core < machine_kinds(b->machine); core++)
				if (event_table_find(top, t->event[i].name,
						     strlen(t->event[i].name)) != &t->event[i] ||
				    !add_of_table(b, &t->event[i], core))
					break;
}

static bool same_code(const struct event *a, const struct event *b)
{
	return a->type == b->type && a->config == b->config && a->config1 == b->config1 &&
	       a->config2 == b->config2;
}

/* Returns the kind of cores with this PMU; EVENT_NO_CORE: none. */
static int core_of(const struct machine *m, const char *pmu)
{
	for (int i = 0; i < m->n_cores; i++)
		if (!strcmp(m->core[i].name, pmu))
			return i;
	return EVENT_NO_CORE;
}

/* Returns whether the event is listed under its bare name: if it is an event of a core PMU, and its
 * bare name resolves to the same event, not to a generic one. */
static bool has_bare_name(const struct machine *m, int core, const struct event_sysfs_row *row,
			  const struct event *e)
{
	struct event bare = {.name = NULL};

	return core != EVENT_NO_CORE && !event_name_resolve(&bare, m, core, row->name, NULL) &&
	       same_code(&bare, e);
}

/* Appends the meaning of the event to `help`, which has the terms of the event: the kernel provides
 * no description. */
static void add_meaning(struct strbuf *help, const struct event *e, const struct machine *m)
{
	struct strbuf meaning;

	strbuf_init(&meaning);
	if (meaning_add(&meaning, e, m))
		strbuf_addf(help, ": %s", meaning.text);
	strbuf_done(&meaning);
}

static void visit_sysfs(void *context, const struct event_sysfs_row *row)
{
	struct builder *b = context;
	int core = core_of(b->machine, row->pmu), ret;
	char *full = xasprintf("%s/%s/", row->pmu, row->name);
	struct err err = ERR_INIT;
	struct event e = {.name = NULL};
	struct strbuf help;

	strbuf_init(&help);
	ret = event_name_resolve(&e, b->machine, core == EVENT_NO_CORE ? 0 : core, full, &err);
	if (ret) {
		add_row(b, full, row->pmu, err.text, OPENS_UNUSABLE);
	} else {
		e.name = e.what =
			has_bare_name(b->machine, core, row, &e) ? (char *)row->name : full;
		strbuf_addstr(&help, row->terms);
		if (row->scale[0])
			strbuf_addf(&help, " (in steps of %s %s)", row->scale, row->unit);
		else if (row->unit[0])
			strbuf_addf(&help, " (in %s)", row->unit);
		add_meaning(&help, &e, b->machine);
		add_event(b, e.name, row->pmu, help.text, &e);
	}
	strbuf_done(&help);
	free(full);
}

static int resolve_pfm(struct event *e, const struct machine *m, int core, const char *name,
		       struct err *err)
{
	int ret;

	*e = (struct event){.name = NULL};
	ret = event_pfm_resolve(e, machine_is_hybrid(m) ? &m->core[core] : NULL, name, err);
	return ret ? ret : machine_bind(m, core, e, err);
}

/* Returns whether the event is in the list already: libpfm4 may have the same events in a PMU for
 * the model of the CPU and in a PMU for its architecture. */
static bool is_listed(const struct event_list *l, const char *name, const struct event *e)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->row[i].has_code && !strcmp(l->row[i].name, name) &&
		    same_code(&l->row[i].event, e))
			return true;
	return false;
}

static void add_pfm(struct builder *b, int core, const char *pmu, const char *name,
		    const char *full)
{
	struct err err = ERR_INIT;
	struct event e, bare;
	struct strbuf help;
	int ret = resolve_pfm(&e, b->machine, core, full, &err);

	/* Only another kind of cores has the event. */
	if (ret == -ENOENT)
		return;
	if (ret) {
		add_row(b, full, pmu, err.text, OPENS_UNUSABLE);
		return;
	}
	if (resolve_pfm(&bare, b->machine, core, name, NULL) || !same_code(&bare, &e))
		name = full;
	if (is_listed(b->list, name, &e))
		return;
	strbuf_init(&help);
	if (!event_pfm_describe(&help, full) || !help.len)
		strbuf_addstr(&help, "libpfm4 does not describe it");
	add_event(b, name, pmu, help.text, &e);
	strbuf_done(&help);
}

static void visit_pfm(void *context, const char *pmu, const char *name)
{
	struct builder *b = context;
	char *full = xasprintf("%s::%s", pmu, name);

	for (int core = 0; core < machine_kinds(b->machine); core++)
		add_pfm(b, core, pmu, name, full);
	free(full);
}

static void visit_tracepoint(void *context, const char *name)
{
	const char *pmu = "tracepoint", *help = "a tracepoint of the kernel";
	struct builder *b = context;
	struct event e = {.name = NULL};

	if (matches(b, name, pmu, help) && !event_name_resolve(&e, b->machine, 0, name, NULL))
		add_event(b, name, pmu, help, &e);
}

void event_list_make(struct event_list *l, const struct machine *m, struct perf_sys *sys,
		     const char *text)
{
	struct builder b = {
		.list = l, .machine = m, .sys = sys, .text = text && *text ? text : NULL};

	*l = (struct event_list){.tracepoints = -ENODATA};
	generic_each(visit_generic, &b);
	visit_table(&b);
	event_sysfs_each(m->host, visit_sysfs, &b);
	if (!m->elsewhere)
		event_pfm_each(visit_pfm, &b);
	if (b.text && !m->elsewhere)
		l->tracepoints = event_sysfs_each_tracepoint(m->host, visit_tracepoint, &b);
	while (b.n_held)
		sys->close(sys, b.held[--b.n_held].fd);
	free(b.held);
}

void event_list_done(struct event_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->row[i].name);
		free(l->row[i].pmu);
		free(l->row[i].help);
	}
	free(l->row);
	*l = (struct event_list){.row = NULL};
}
