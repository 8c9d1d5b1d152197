/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/suggest.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/suggestion.h"
#include "pmu/event/perf_name.h"
#include "pmu/event/pfm.h"
#include "pmu/event/table.h"

struct search {
	const struct machine *machine;
	struct suggestion suggestion;
};

static void compare(struct search *s, const char *known)
{
	suggestion_offer(&s->suggestion, known);
}

static void compare_generic(void *context, const char *name, const char *also)
{
	compare(context, name);
	if (also)
		compare(context, also);
}

/* Returns whether a name of the table has a choice for this machine. */
static bool is_here(const struct machine *m, const char *name)
{
	struct event_names names;
	bool here = false;
	char *choice;

	for (int core = 0; !here && core < machine_kinds(m); core++) {
		event_names_init(&names, m->table, &m->cpu, machine_pmu(m, core), m->takes_codes,
				 name);
		choice = event_names_next(&names);
		here = choice;
		free(choice);
		event_names_done(&names);
	}
	return here;
}

static void compare_table(struct search *s, const struct event_table *t)
{
	for (; t; t = t->below)
		for (size_t i = 0; i < t->n_events; i++)
			if (is_here(s->machine, t->event[i].name))
				compare(s, t->event[i].name);
}

/* Compares with "PMU/NAME/", and for an event of a core PMU with its bare name, too. */
static void compare_sysfs(void *context, const struct event_sysfs_row *row)
{
	struct search *s = context;
	char *path = xasprintf("%s/%s/", row->pmu, row->name);

	compare(s, path);
	free(path);
	for (int i = 0; i < s->machine->n_cores; i++)
		if (!strcmp(s->machine->core[i].name, row->pmu))
			compare(s, row->name);
}

static void compare_pfm(void *context, const char *pmu, const char *name)
{
	(void)pmu;
	compare(context, name);
}

char *event_suggest(const struct machine *m, const char *name)
{
	/* Modifiers are cut off, as they are not part of the name. An umask of libpfm4 follows a
	 * colon, too: for libpfm4, the whole name is compared below. */
	char *base = xstrndup(name, strchr(name, '/') ? strlen(name) : strcspn(name, ":"));
	struct search s = {.machine = m};
	const bool long_enough = strlen(base) > 2;
	const char *best;

	suggestion_begin(&s.suggestion, base);
	if (long_enough) {
		generic_each(compare_generic, &s);
		compare_table(&s, m->table);
		event_sysfs_each(m->host, compare_sysfs, &s);
	}
	suggestion_retype(&s.suggestion, name);
	if (long_enough && !m->elsewhere)
		event_pfm_each(compare_pfm, &s);
	free(base);
	best = suggestion_best(&s.suggestion);
	return best ? xstrdup(best) : NULL;
}

void event_suggest_add(const struct machine *m, const char *name, struct err *err)
{
	char *near = event_suggest(m, name);
	const struct err why = *err;

	if (near)
		err_set(err, why.code, "%s (did you mean '%s'?)", why.text, near);
	free(near);
}
