/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/import/events.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "pmu/event/generic.h"
#include "pmu/event/maker.h"
#include "pmu/event/name.h"
#include "pmu/event/names.h"
#include "pmu/event/pfm.h"
#include "screen/import/event_code.h"

/* Intel's metrics of slots, as likwid calls them. */
static const struct {
	const char *name, *event;
} metric_table[] = {
	{"RETIRING", "topdown-retiring"},       {"BAD_SPECULATION", "topdown-bad-spec"},
	{"FRONTEND_BOUND", "topdown-fe-bound"}, {"BACKEND_BOUND", "topdown-be-bound"},
	{"HEAVY_OPS", "topdown-heavy-ops"},     {"BR_MISPREDICT", "topdown-br-mispredict"},
	{"FETCH_LATENCY", "topdown-fetch-lat"}, {"MEM_BOUND", "topdown-mem-bound"},
};

static char *find_generic(const struct machine *m, const char *name)
{
	uint64_t config;
	uint32_t type;

	if (generic_find(name, &type, &config))
		return xstrdup(name);
	return xstrdup_or_null(event_maker_generic(m, name));
}

static char *find_by_maker(const struct machine *m, const char *pmu, const char *name)
{
	bool outside;
	const struct event_def *def = event_maker_find(m, pmu, name, &outside);

	return def && !outside ? xstrdup(def->name) : NULL;
}

/* An event of the kernel's that the table has a name for: on another machine, the kernel has no
 * say. */
static char *find_by_choice(const struct machine *m, const char *pmu, const char *name)
{
	const struct event_choice *choice;
	const struct event_def *def = event_names_find(m->table, &m->cpu, pmu, name, &choice);

	return def ? xstrdup(def->name) : NULL;
}

static int core_of(const struct machine *m, const char *pmu)
{
	int core = 0;

	while (pmu && core + 1 < m->n_cores && strcmp(m->core[core].name, pmu) != 0)
		core++;
	return core;
}

static bool resolves(const struct machine *m, const char *pmu, const char *name)
{
	struct event e = {.name = NULL};

	return !event_name_resolve(&e, m, core_of(m, pmu), name, NULL);
}

static char *if_it_resolves(const struct machine *m, const char *pmu, char *name)
{
	if (resolves(m, pmu, name))
		return name;
	free(name);
	return NULL;
}

/* The kernel's files have the names of Arm in small letters. */
static char *find_small(const struct machine *m, const char *pmu, const char *name)
{
	char *small = xstrdup(name);

	for (char *p = small; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return if_it_resolves(m, pmu, small);
}

/* libpfm4's: a colon stands somewhere between two words. */
static char *find_with_colon(const struct machine *m, const char *pmu, const char *name)
{
	char *try = xstrdup(name), *p = try, *found = NULL;

	while (!found && (p = strpbrk(p, "._"))) {
		char old = *p;

		*p = ':';
		found = if_it_resolves(m, pmu, xstrdup(try));
		*p++ = old;
	}
	free(try);
	return found;
}

/* What likwid calls a metric, by the kernel's name; else the name itself. */
static const char *kernel_name(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < sizeof metric_table / sizeof *metric_table; i++)
		if (m->cpu.vendor == CPU_INTEL && event_maker_is_same(metric_table[i].name, name))
			return metric_table[i].event;
	return name;
}

/* The name that a screen has for it, or NULL. */
static char *find_event(const struct machine *m, const char *pmu, const char *name)
{
	char *found = find_generic(m, name);

	name = kernel_name(m, name);
	if (!found)
		found = find_by_maker(m, pmu, name);
	if (!found)
		found = if_it_resolves(m, pmu, xstrdup(name));
	if (!found)
		found = find_by_choice(m, pmu, name);
	if (!found && m->cpu.vendor == CPU_ARM)
		found = find_small(m, pmu, name);
	if (!found && !m->elsewhere)
		found = find_with_colon(m, pmu, name);
	return found;
}

static int lack(const struct machine *m, const char *name, struct err *err)
{
	struct err why = ERR_INIT;

	if (m->elsewhere)
		return err_set(err, ENOENT,
			       "the event '%s' has no counterpart: the tables of tiptop do not "
			       "have it for that CPU",
			       name);
	if (event_pfm_begin(&why))
		return err_set(err, ENOENT,
			       "the event '%s' has no counterpart: neither the tables of tiptop "
			       "nor the kernel have it for this CPU, and %s",
			       name, why.text);
	return err_set(err, ENOENT,
		       "the event '%s' has no counterpart: neither the tables of tiptop, nor the "
		       "kernel, nor libpfm4 have it for this CPU",
		       name);
}

static int lack_cores(const char *pmu, struct err *err)
{
	return err_set(
		err, ENOENT,
		"the PMU '%s' has no counterpart: this CPU has no cores with it, so that its "
		"events would not be those of a task",
		pmu);
}

/* An event without PMU and modifiers. */
static int add_plain(struct strbuf *out, const struct machine *m, const struct foreign_event *event,
		     struct err *err)
{
	bool of_one_kind = event->pmu && machine_is_hybrid(m), outside;
	char *found;
	int ret = 0;

	if (event->pmu && !event_maker_is_of_cores(m, event->pmu, strlen(event->pmu)))
		return lack_cores(event->pmu, err);
	if (event_maker_find(m, event->pmu, event->name, &outside) && outside)
		return err_set(err, ENOENT,
			       "the event '%s' has no counterpart: it is counted outside of the "
			       "cores: what it counts is no task's",
			       event->name);
	found = find_event(m, event->pmu, event->name);
	if (!found)
		return lack(m, event->name, err);
	if (event->terms || of_one_kind)
		ret = import_event_code(out, m, core_of(m, event->pmu), found, event->terms, err);
	else
		strbuf_addstr(out, found);
	free(found);
	return ret;
}

/* "PMU/NAME,TERM=1/": between the '/', the first term may be a name. */
static int add_path(struct strbuf *out, const struct machine *m, const char *pmu, const char *terms,
		    struct err *err)
{
	size_t len = strcspn(terms, ",");
	char *name = xstrndup(terms, len);
	struct foreign_event event = {name, terms[len] ? terms + len + 1 : NULL, pmu};
	int ret = 0;

	if (!event_maker_is_of_cores(m, pmu, strlen(pmu))) {
		ret = lack_cores(pmu, err);
	} else if (strchr(name, '=')) {
		char *path = xasprintf("%s/%s/", pmu, terms);

		ret = resolves(m, pmu, path) ? 0 : lack(m, path, err);
		if (!ret)
			strbuf_addstr(out, path);
		free(path);
	} else {
		ret = add_plain(out, m, &event, err);
	}
	free(name);
	return ret;
}

/* Takes the modifiers off a name: "u" of "NAME:u". */
static const char *split_modifiers(char *name)
{
	char *colon = strrchr(name, ':');

	if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "ukhGHR")])
		return "";
	*colon = '\0';
	return colon + 1;
}

static int add_modifiers(struct strbuf *out, const char *modifiers, struct err *err)
{
	if (strchr(modifiers, 'R'))
		return err_set(err, ENOENT,
			       "the modifier 'R' has no counterpart: it asks for the latency of "
			       "an instruction's retirement, which perf samples");
	if (*modifiers)
		strbuf_addf(out, "%s%s", out->text[out->len - 1] == '/' ? "" : ":", modifiers);
	return 0;
}

int import_event(struct strbuf *out, const struct machine *m, const struct foreign_event *event,
		 struct err *err)
{
	char *name = xstrdup(event->name), *slash = strchr(name, '/'), *end = strrchr(name, '/');
	struct foreign_event plain = *event;
	const char *modifiers;
	int ret;

	if (slash && slash != end) {
		*slash = *end = '\0';
		modifiers = end[1] == ':' ? end + 2 : end + 1;
		ret = add_path(out, m, name, slash + 1, err);
	} else {
		modifiers = split_modifiers(name);
		plain.name = name;
		ret = add_plain(out, m, &plain, err);
	}
	ret = ret ? ret : add_modifiers(out, modifiers, err);
	free(name);
	return ret;
}
