/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/table.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SEPARATORS "; \t\n"

/* The depth to which CPU names that stand for other CPU names are followed: more than any table
 * needs, and a limit in case names refer to each other. */
#define DEPTH_MAX 8

struct place {
	const struct event_table *table;
	const struct cpu_id *cpu;
	const char *pmu;
};

static bool is_name(const char *own, const char *name, size_t len)
{
	return !strncmp(own, name, len) && !own[len];
}

static bool fits_list(const struct place *p, const char *list, int depth);

static bool fits_one(const struct place *p, const char *model, size_t len, int depth)
{
	const char *at = memchr(model, '@', len);
	size_t n = at ? (size_t)(at - model) : len;
	const struct cpu_name *named;

	if (at && p->pmu && !is_name(p->pmu, at + 1, len - n - 1))
		return false;
	if (memchr(model, '_', n))
		return cpu_fits(p->cpu, model, n);
	named = depth < DEPTH_MAX ? event_table_find_cpu(p->table, model, n) : NULL;
	return named && fits_list(p, named->models, depth + 1);
}

static bool fits_list(const struct place *p, const char *list, int depth)
{
	size_t n;

	for (list += strspn(list, SEPARATORS); *list; list += n, list += strspn(list, SEPARATORS)) {
		n = strcspn(list, SEPARATORS);
		if (fits_one(p, list, n, depth))
			return true;
	}
	return false;
}

bool event_table_fits(const struct event_table *table, const struct cpu_id *cpu, const char *pmu,
		      const char *arch, const char *models)
{
	const struct place place = {table, cpu, pmu};

	if (arch && strcasecmp(arch, cpu->arch))
		return false;
	return !models || fits_list(&place, models, 0);
}

const struct cpu_name *event_table_find_cpu(const struct event_table *t, const char *name,
					    size_t len)
{
	for (; t; t = t->below)
		for (size_t i = 0; i < t->n_cpus; i++)
			if (is_name(t->cpu[i].name, name, len))
				return &t->cpu[i];
	return NULL;
}

const struct event_def *event_table_find(const struct event_table *t, const char *name, size_t len)
{
	for (; t; t = t->below)
		for (size_t i = 0; i < t->n_events; i++)
			if (is_name(t->event[i].name, name, len))
				return &t->event[i];
	return NULL;
}
