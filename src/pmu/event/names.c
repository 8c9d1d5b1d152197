/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

char *event_name_next(const char **list)
{
	const char *blanks = " \t\n", *start = *list + strspn(*list, " \t\n;");
	size_t len = strcspn(start, ";");

	*list = start + len;
	while (len && strchr(blanks, start[len - 1]))
		len--;
	return len ? xstrndup(start, len) : NULL;
}

void event_names_init(struct event_names *n, const struct event_table *table,
		      const struct cpu_id *cpu, const char *pmu, bool takes_codes, const char *list)
{
	*n = (struct event_names){
		.table = table, .cpu = cpu, .pmu = pmu, .takes_codes = takes_codes, .list = list};
}

void event_names_done(struct event_names *n)
{
	free(n->modifiers);
	n->modifiers = NULL;
}

/* Appends modifiers to a name that has none. Modifiers follow a colon, or the last '/' of
 * "PMU/TERMS/". */
static char *add_modifiers(char *name, const char *modifiers)
{
	const char *slash = strrchr(name, '/');
	char *full;

	if (!modifiers[0] || (slash ? slash[1] != '\0' : strchr(name, ':') != NULL))
		return name;
	full = xasprintf("%s%s", name, slash ? modifiers + 1 : modifiers);
	free(name);
	return full;
}

/* Returns the next name of the current event's choices; NULL: the end. */
static char *next_of_choices(struct event_names *n)
{
	const struct event_def *def = n->def;
	char *name;

	for (;;) {
		name = n->choice ? event_name_next(&n->choice) : NULL;
		if (name)
			return add_modifiers(name, n->modifiers);
		n->choice = NULL;
		while (n->n_given < def->n_choices && !n->choice) {
			const struct event_choice *c = &def->choice[n->n_given++];

			if (!event_table_fits(n->table, n->cpu, n->pmu, c->arch, c->model))
				continue;
			n->choice = n->takes_codes && c->code ? c->code : c->event;
			n->weight = c->weight;
		}
		if (!n->choice)
			return NULL;
	}
}

char *event_names_next(struct event_names *n)
{
	for (;;) {
		char *name = n->def ? next_of_choices(n) : NULL;
		size_t len;

		if (name)
			return name;
		event_names_done(n);
		n->def = NULL;
		n->weight = NULL;
		name = event_name_next(&n->list);
		if (!name)
			return NULL;
		len = strcspn(name, ":");
		n->def = event_table_find(n->table, name, len);
		if (!n->def)
			return name;
		n->n_given = 0;
		n->modifiers = xstrdup(name + len);
		free(name);
	}
}

static bool is_with_modifiers(const char *name, const char *base)
{
	size_t len = strlen(base);

	return !strncmp(name, base, len) &&
	       (!name[len] || name[len] == ':' || base[len - 1] == '/');
}

static bool is_among(const char *list, const char *name)
{
	bool found = false;
	char *next;

	while (!found && (next = event_name_next(&list))) {
		found = is_with_modifiers(name, next);
		free(next);
	}
	return found;
}

const struct event_def *event_names_find(const struct event_table *table, const struct cpu_id *cpu,
					 const char *pmu, const char *name,
					 const struct event_choice **choice)
{
	for (const struct event_table *t = table; t; t = t->below)
		for (size_t i = 0; i < t->n_events; i++)
			for (size_t k = 0; k < t->event[i].n_choices; k++) {
				const struct event_choice *c = &t->event[i].choice[k];

				if (!(is_among(c->event, name) ||
				      (c->code && is_among(c->code, name))) ||
				    !event_table_fits(table, cpu, pmu, c->arch, c->model))
					continue;
				*choice = c;
				return &t->event[i];
			}
	return NULL;
}
