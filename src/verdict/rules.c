/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "verdict/rules.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "screen/built_in.h"
#include "verdict/evidence.h"
#include "verdict/part.h"

/* Where faults of a table go. */
struct compiler {
	struct rules *rules;
	const struct rules_machine *machine;
	void (*report)(void *context, const struct err *err);
	void *context;
};

size_t rules_find_metric(const struct rules *r, const char *name, size_t len)
{
	size_t i = 0;

	while (i < r->n_metrics && (strlen(r->metric[i].row->name) != len ||
				    memcmp(r->metric[i].row->name, name, len) != 0))
		i++;
	return i;
}

static void pass_over(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

/* Finds a built-in screen among those that are used, or adds it; false: there is none. */
static bool find_screen(struct rules *r, const char *name, size_t *found)
{
	for (*found = 0; *found < r->screens.n; ++*found)
		if (!strcmp(r->screens.v[*found]->name, name))
			return true;
	for (size_t i = 0; i < screen_built_in_n; i++)
		if (!strcmp(screen_built_in[i].name, name)) {
			screen_list_add_built_in(&r->screens, i, i + 1);
			return !screen_compile(r->screens.v[*found], pass_over, NULL, NULL);
		}
	return false;
}

/* All columns of the id: which of them has events here turns out when they are asked. */
static int add_sources(struct rules *r, struct metric *m, const struct metric_from *from,
		       struct err *err)
{
	const size_t before = m->n_sources;
	double times = 1;
	size_t s;

	if (from->times && num_parse_double(from->times, "times", -HUGE_VAL, HUGE_VAL, &times, err))
		return -EINVAL;
	if (!find_screen(r, from->screen, &s))
		return err_set(err, ENOENT, "there is no built-in screen '%s'", from->screen);
	for (size_t i = 0; i < r->screens.v[s]->n_columns; i++) {
		if (strcmp(r->screens.v[s]->column[i].id, from->column) != 0)
			continue;
		m->source = xgrow(m->source, &m->cap, m->n_sources + 1, sizeof *m->source);
		m->source[m->n_sources++] = (struct metric_source){s, i, times};
	}
	return m->n_sources > before ? 0
				     : err_set(err, ENOENT, "the screen '%s' has no column '%s'",
					       from->screen, from->column);
}

static int fill_metric(struct compiler *c, struct metric *m, struct err *err)
{
	const struct metric_row *row = m->row;
	const struct rules_machine *machine = c->machine;
	int ret = 0;

	m->evidence = row->look ? evidence_find(row->look) : -1;
	if (row->look && m->evidence < 0)
		return err_set(err, ENOENT, "nobody looks for '%s'", row->look);
	for (size_t i = 0; i < row->n_from && !ret; i++)
		if (!machine || !machine->fits ||
		    machine->fits(machine->context, row->from[i].arch, row->from[i].model))
			ret = add_sources(c->rules, m, &row->from[i], err);
	return ret;
}

static void complain(const struct compiler *c, const char *what, const char *name,
		     const char *place, struct err *err)
{
	err_prefix(err, "<%s '%s'>", what, name);
	if (place)
		err_prefix(err, "%s", place);
	c->report(c->context, err);
}

/* What a metric is that no variable tells: its column has an expression only because columns
 * have. */
#define NO_EXPRESSION "0"

static void add_metric(struct compiler *c, const struct metric_row *row)
{
	struct rules *r = c->rules;
	struct err err = ERR_INIT;
	struct metric *m;

	r->metric = xgrow(r->metric, &r->cap_metrics, r->n_metrics + 1, sizeof *r->metric);
	m = &r->metric[r->n_metrics++];
	*m = (struct metric){.row = row};
	if (fill_metric(c, m, &err))
		complain(c, "metric", row->name, NULL, &err);
	screen_give_id(screen_add_column(r->metrics, row->name, row->format, row->desc,
					 row->expr ? row->expr : NO_EXPRESSION),
		       row->name);
}

static int compile_texts(struct rule *rule, const struct rules *r, struct err *err)
{
	const struct verdict_row *row = rule->row;
	int ret = template_read(&rule->says, row->says, r, err);

	rule->run = xcalloc(row->n_next, sizeof *rule->run);
	rule->why = xcalloc(row->n_next, sizeof *rule->why);
	for (size_t i = 0; i < row->n_next && !ret; i++) {
		ret = template_read(&rule->run[i], row->next[i].run, r, err);
		if (!ret)
			ret = template_read(&rule->why[i], row->next[i].why, r, err);
	}
	return ret;
}

/* Names of metrics, with ';' between them. */
static int compile_without(struct rule *rule, const struct rules *r, struct err *err)
{
	const char *name = rule->row->without ? rule->row->without : "";

	rule->without = xcalloc(strlen(name) + 1, sizeof *rule->without);
	for (size_t len; *name; name += len + (name[len] == ';')) {
		size_t i;

		len = strcspn(name, ";");
		i = rules_find_metric(r, name, len);
		if (i == r->n_metrics)
			return err_set(err, ENOENT, "without: '%.*s' is no metric", (int)len, name);
		rule->without[rule->n_without++] = i;
	}
	return 0;
}

static int compile_rule(struct rule *rule, const struct rules *r, struct err *err)
{
	const struct verdict_row *row = rule->row;

	if (condition_compile(&rule->when, row->when, r->metrics, err))
		return err_prefix(err, "when");
	if (condition_compile(&rule->rank, row->rank, r->metrics, err))
		return err_prefix(err, "rank");
	if (compile_without(rule, r, err))
		return -ENOENT;
	if (strcmp(row->sure, "sure") && strcmp(row->sure, "likely") && strcmp(row->sure, "maybe"))
		return err_set(err, EINVAL, "sure: '%s' is neither sure, likely nor maybe",
			       row->sure);
	if (row->counters &&
	    num_parse_double(row->counters, "counters", 0, HUGE_VAL, &rule->cpu_ms, err))
		return -EINVAL;
	return compile_texts(rule, r, err);
}

static void free_rule(struct rule *rule)
{
	condition_free(rule->when);
	condition_free(rule->rank);
	free(rule->without);
	template_done(&rule->says);
	for (size_t i = 0; i < rule->row->n_next && rule->run; i++) {
		template_done(&rule->run[i]);
		template_done(&rule->why[i]);
	}
	free(rule->run);
	free(rule->why);
}

/* One of the same name takes the place of that before. */
static struct rule *place_of(struct rules *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->rule[i].row->name, name))
			return &r->rule[i];
	r->rule = xgrow(r->rule, &r->cap, r->n + 1, sizeof *r->rule);
	r->rule[r->n] = (struct rule){.row = NULL};
	return &r->rule[r->n++];
}

static void add_rule(struct compiler *c, const struct verdict_row *row)
{
	struct rule rule = {.row = row}, *place;
	struct err err = ERR_INIT;

	if (compile_rule(&rule, c->rules, &err)) {
		complain(c, "verdict", row->name, row->place, &err);
		free_rule(&rule);
		return;
	}
	place = place_of(c->rules, row->name);
	if (place->row)
		free_rule(place);
	*place = rule;
	c->rules->facts |= condition_facts(rule.when) | condition_facts(rule.rank);
}

struct rules *rules_new(const struct verdict_table *const *table, size_t n_tables,
			const struct rules_machine *machine,
			void (*report)(void *context, const struct err *err), void *context)
{
	struct rules *r = xcalloc(1, sizeof *r);
	struct compiler c = {r, machine, report, context};
	struct err err = ERR_INIT;

	r->metrics = screen_new("metrics", "what verdicts ask for");
	for (size_t i = 0; i < n_tables; i++)
		for (size_t k = 0; k < table[i]->n_metrics; k++)
			add_metric(&c, &table[i]->metric[k]);
	if (screen_compile(r->metrics, pass_over, NULL, &err))
		report(context, &err);
	r->facts = r->metrics->facts;
	screen_numbers_init(&r->no_numbers, NULL, NULL, 0);
	binding_init(&r->binding, r->metrics, &r->no_numbers);
	for (size_t i = 0; i < n_tables; i++)
		for (size_t k = 0; k < table[i]->n_verdicts; k++)
			add_rule(&c, &table[i]->verdict[k]);
	return r;
}

void rules_free(struct rules *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		free_rule(&r->rule[i]);
	free(r->rule);
	for (size_t i = 0; i < r->n_metrics; i++)
		free(r->metric[i].source);
	free(r->metric);
	binding_done(&r->binding);
	screen_numbers_done(&r->no_numbers);
	screen_free(r->metrics);
	screen_list_done(&r->screens);
	free(r);
}

fact_mask rules_facts(const struct rules *r)
{
	return r->facts;
}

size_t rules_n_screens(const struct rules *r)
{
	return r->screens.n;
}

const struct screen *rules_screen(const struct rules *r, size_t i)
{
	return r->screens.v[i];
}

size_t rules_n_metrics(const struct rules *r)
{
	return r->n_metrics;
}

const struct metric_row *rules_metric(const struct rules *r, size_t i)
{
	return r->metric[i].row;
}
