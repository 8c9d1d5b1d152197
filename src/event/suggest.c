/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event/suggest.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "event/generic.h"
#include "event/names.h"
#include "event/pfm.h"

#define NAME_MAX_LEN 128 /* nobody misspells a longer one */

struct search {
	const struct machine *machine;
	const char *name;
	size_t limit; /* a name that is farther away is not near */
	char *best;
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The Levenshtein distance of two names; limit + 1 where it is more than the limit. */
static size_t distance(const char *a, const char *b, size_t limit)
{
	size_t n = strlen(a), m = strlen(b), row[NAME_MAX_LEN + 1], diagonal, above, nearest = 0;

	if (n > NAME_MAX_LEN || m > n + limit || n > m + limit)
		return limit + 1;
	for (size_t i = 0; i <= n; i++)
		row[i] = i;
	for (size_t k = 1; k <= m && nearest <= limit; k++) {
		diagonal = row[0];
		nearest = row[0] = k;
		for (size_t i = 1; i <= n; i++) {
			bool same = tolower((unsigned char)a[i - 1]) ==
				    tolower((unsigned char)b[k - 1]);

			above = row[i];
			row[i] = least(least(above, row[i - 1]) + 1, diagonal + !same);
			nearest = least(nearest, row[i]);
			diagonal = above;
		}
	}
	return nearest <= limit && row[n] <= limit ? row[n] : limit + 1;
}

static void compare(struct search *s, const char *known)
{
	size_t apart = distance(s->name, known, s->limit);

	if (apart > s->limit || (s->best && apart == s->limit))
		return;
	free(s->best);
	s->best = xstrdup(known);
	s->limit = apart;
}

static void compare_generic(void *context, const char *name, const char *also)
{
	compare(context, name);
	if (also)
		compare(context, also);
}

/* Whether a name of the table stands for something on this machine. */
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

/* Compares with "PMU/NAME/", and for an event of the cores with its bare name, too. */
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
	/* Modifiers are cut off, since they belong to no name. An umask of libpfm4 stands behind a
	 * colon, too. */
	char *base = xstrndup(name, strchr(name, '/') ? strlen(name) : strcspn(name, ":"));
	struct search s = {m, base, strlen(base) / 4 + 1, NULL};

	if (strlen(base) > 2) {
		generic_each(compare_generic, &s);
		compare_table(&s, m->table);
		event_sysfs_each(m->host, compare_sysfs, &s);
	}
	s.name = name;
	if (strlen(base) > 2 && !m->elsewhere)
		event_pfm_each(compare_pfm, &s);
	free(base);
	return s.best;
}
