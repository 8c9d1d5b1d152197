/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/event/foreign_cpu.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/suggestion.h"
#include "pmu/event/pfm.h"

#define SEPARATORS "; \t\n"

/* In place of the dynamic type of a PMU, which only the kernel of a machine with that CPU could
 * assign: this number plus the index of the kind of cores. */
#define TYPE_UNKNOWN 0xfffffff0u

/* A path below which there is never a file. */
#define NOWHERE "/dev/null"

const struct event_host event_host_empty = {
	.devices = NOWHERE,
	.tracing = {NOWHERE, NOWHERE},
	.tracepoints = NOWHERE,
	.cpus = NOWHERE,
};

/* Returns a copy of the next model of a list and advances *list; NULL: the end. */
static char *next_model(const char **list)
{
	const char *start = *list + strspn(*list, SEPARATORS);
	size_t len = strcspn(start, SEPARATORS);

	*list = start + len;
	return len ? xstrndup(start, len) : NULL;
}

/* Returns whether the text is a model: 06_2A, 41_D49, 41_D49_R03. */
static bool is_model(const char *text)
{
	size_t n = 3 + strspn(text + strnlen(text, 3), "0123456789ABCDEFabcdef");

	if (strnlen(text, 3) < 3 || !isxdigit((unsigned char)text[0]) ||
	    !isxdigit((unsigned char)text[1]) || text[2] != '_' || n < 5 || n > 6)
		return false;
	return !text[n] ||
	       (!strncasecmp(text + n, "_R", 2) && strlen(text + n) == 4 &&
		isxdigit((unsigned char)text[n + 2]) && isxdigit((unsigned char)text[n + 3]));
}

/* Part numbers of Arm have three digits, models of x86 have two. */
static const char *arch_of(const char *model)
{
	return strspn(model + 3, "0123456789ABCDEFabcdef") == 3 ? "arm64" : "x86";
}

static bool parse_model(struct cpu_id *id, const char *model)
{
	char *text = xasprintf("%s:%s", arch_of(model), model);
	bool good;

	for (char *p = strchr(text, ':'); *p; p++)
		*p = (char)toupper((unsigned char)*p);
	good = cpu_parse(id, text);
	free(text);
	return good;
}

/* Returns the first model that matches a pattern (each '?' becomes 0), or the first model of a CPU
 * name of the table, without '@' and what follows. NULL: none. */
static char *first_model(const struct event_table *table, const char *name, int depth)
{
	const struct cpu_name *cpu = event_table_find_cpu(table, name, strcspn(name, "@"));
	const char *list = cpu ? cpu->models : NULL;
	char *next, *model = NULL;

	if (strchr(name, '_') && !cpu) {
		model = xstrndup(name, strcspn(name, "@"));
		for (char *p = model; (p = strchr(p, '?'));)
			*p = '0';
		return model;
	}
	while (list && depth < 8 && !model && (next = next_model(&list))) {
		model = first_model(table, next, depth + 1);
		free(next);
	}
	return model;
}

static int complain(const struct event_table *table, const char *name, struct err *err)
{
	struct suggestion near;
	struct strbuf names;

	strbuf_init(&names);
	suggestion_begin(&near, name);
	for (const struct event_table *t = table; t; t = t->below)
		for (size_t i = 0; i < t->n_cpus; i++) {
			suggestion_offer(&near, t->cpu[i].name);
			strbuf_addf(&names, "%s%s", names.len ? ", " : "", t->cpu[i].name);
		}
	err_set(err, EINVAL,
		"there is no CPU '%s'%s: give a model, as 06_AD or 41_D40, or one of the names %s",
		name, suggestion_text(&near), names.text);
	strbuf_done(&names);
	return -EINVAL;
}

static int find_cpu(struct cpu_id *id, const struct event_table *table, const char *name,
		    struct err *err)
{
	char *model;
	bool good;

	if (strchr(name, ':') ? cpu_parse(id, name) : is_model(name) && parse_model(id, name))
		return 0;
	model = event_table_find_cpu(table, name, strlen(name)) ? first_model(table, name, 0)
								: NULL;
	good = model && parse_model(id, model);
	free(model);
	return good ? 0 : complain(table, name, err);
}

/* Adds a kind of cores in the same order as event_sysfs_cores(): Intel's fast cores first, other
 * cores in the order of the tables. */
static void add_core(struct machine *m, const char *pmu)
{
	int at = m->n_cores;

	for (int i = 0; i < m->n_cores; i++)
		if (!strcmp(m->core[i].name, pmu))
			return;
	if (at == CORES_MAX || strlen(pmu) >= sizeof m->core[0].name)
		return;
	if (!strcmp(pmu, "cpu_core")) {
		memmove(m->core + 1, m->core, (size_t)at * sizeof *m->core);
		at = 0;
	}
	m->core[at] = (struct core_pmu){.type = 0};
	memcpy(m->core[at].name, pmu, strlen(pmu) + 1);
	m->n_cores++;
}

/* Returns whether a pattern has several '?': it is then for all CPUs of a vendor, only some of
 * which have the PMU. */
static bool is_of_vendor(const char *model)
{
	const char *mark = strchr(model, '?');

	return mark && strchr(mark + 1, '?');
}

static void add_cores(struct machine *m, const char *models)
{
	char *model, *at;

	while (models && (model = next_model(&models))) {
		at = strchr(model, '@');
		if (at) {
			*at = '\0';
			if (!is_of_vendor(model) &&
			    event_table_fits(m->table, &m->cpu, NULL, NULL, model))
				add_core(m, at + 1);
		}
		free(model);
	}
}

/* Finds the kinds of cores in the tables. The kernel uses PERF_TYPE_RAW for Intel's fast cores,
 * too: arch/x86/events/intel/core.c. */
static void find_cores(struct machine *m)
{
	m->n_cores = 0;
	for (const struct event_table *t = m->table; t; t = t->below) {
		for (size_t i = 0; i < t->n_cpus; i++)
			add_cores(m, t->cpu[i].models);
		for (size_t i = 0; i < t->n_events; i++)
			for (size_t k = 0; k < t->event[i].n_choices; k++)
				add_cores(m, t->event[i].choice[k].model);
	}
	for (int i = 0; i < m->n_cores; i++)
		m->core[i].type = strcmp(m->core[i].name, "cpu_core") ? TYPE_UNKNOWN + (uint32_t)i
								      : PERF_TYPE_RAW;
}

int machine_set_foreign(struct machine *m, const char *name, struct err *err)
{
	struct cpu_id cpu;
	int ret = find_cpu(&cpu, m->table, name, err);

	if (ret)
		return ret;
	m->cpu = cpu;
	m->host = &event_host_empty;
	m->elsewhere = m->takes_codes = true;
	event_pfm_encode_all();
	find_cores(m);
	return 0;
}

/* The models visited so far. */
struct visited {
	char **model;
	size_t n, cap;
};

static bool is_new(struct visited *v, const char *model)
{
	for (size_t i = 0; i < v->n; i++)
		if (!strcmp(v->model[i], model))
			return false;
	v->model = xgrow(v->model, &v->cap, v->n + 1, sizeof *v->model);
	v->model[v->n++] = xstrdup(model);
	return true;
}

/* Replaces a pattern by the first model that it matches; false: it is not a pattern but a name, or
 * it has several '?'. */
static bool make_first(char *pattern)
{
	char *mark = strchr(pattern, '?');

	pattern[strcspn(pattern, "@")] = '\0';
	if (mark)
		*mark = '0';
	return is_model(pattern);
}

void machine_each_model(const struct event_table *table,
			void (*visit)(void *context, const char *model), void *context)
{
	struct visited visited = {.n = 0};

	for (const struct event_table *t = table; t; t = t->below)
		for (size_t i = 0; i < t->n_cpus; i++) {
			const char *list = t->cpu[i].models;
			char *model;

			while ((model = next_model(&list))) {
				if (make_first(model) && is_new(&visited, model))
					visit(context, model);
				free(model);
			}
		}
	for (size_t i = 0; i < visited.n; i++)
		free(visited.model[i]);
	free(visited.model);
}

static bool is_unknown(const struct machine *m, const struct event *e)
{
	return m->elsewhere && e->core != EVENT_NO_CORE && e->core < m->n_cores &&
	       m->core[e->core].type >= TYPE_UNKNOWN;
}

void machine_add_type(struct strbuf *out, const struct machine *m, const struct event *e)
{
	if (e->type >= TYPE_UNKNOWN && is_unknown(m, e))
		strbuf_addstr(out, m->core[e->core].name);
	else
		strbuf_addf(out, "0x%" PRIx32, e->type);
}

uint64_t machine_config(const struct machine *m, const struct event *e)
{
	if (is_unknown(m, e) && (e->type == PERF_TYPE_HARDWARE || e->type == PERF_TYPE_HW_CACHE))
		return e->config & UINT32_MAX;
	return e->config;
}
