/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of element: <metric> and <verdict>, as config/verdicts.xml has them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/element.h"

/* The attributes of what is in them, in the order of its row. */
enum { FROM_SCREEN, FROM_COLUMN, FROM_TIMES, FROM_ARCH, FROM_MODEL };
enum { NEXT_RUN, NEXT_WHY };

/* A name that expressions can use. */
static bool is_metric_name(struct reader *r, int line, const char *label, const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	bool good = name[0] && strchr(letters, name[0]) &&
		    !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")];

	if (!good)
		conf_complain(r, line, EINVAL,
			      "%s: a name begins with a letter, and has small letters, digits and "
			      "'_': left out",
			      label);
	return good;
}

/* What is not given is as it was. */
static const char *given(const char *value, const char *old)
{
	return value ? value : old;
}

/* Whether all is there that such an element needs; says what is not. */
static bool is_whole(struct reader *r, int line, const char *label, const char *const what[],
		     const char *const value[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!value[i] || !*value[i]) {
			conf_complain(r, line, EINVAL, "%s: %s is missing: left out", label,
				      what[i]);
			return false;
		}
	return true;
}

static bool is_whole_metric(struct reader *r, int line, const char *label,
			    const struct metric_row *m)
{
	static const char *const what[] = {"format", "desc"};
	const char *const value[] = {m->format, m->desc};

	return is_whole(r, line, label, what, value, sizeof what / sizeof *what);
}

static void add_metric(struct reader *r, char *const value[ATTR_MAX], int line, const char *label)
{
	static const struct metric_row none = {.name = NULL};
	const char *name = value[METRIC_NAME];
	const struct metric_row *old = verdict_own_find_metric(r->verdicts, name);
	const bool replace = conf_take_flag(r, line, label, "replace", value[METRIC_REPLACE]);
	const bool single = conf_take_flag(r, line, label, "single", value[METRIC_SINGLE]);
	const struct metric_row *was = old ? old : &none;
	char *place = conf_place(r, line);
	const struct metric_row row = {
		.name = name,
		.unit = given(value[METRIC_UNIT], was->unit),
		.format = given(value[METRIC_FORMAT], was->format),
		.desc = given(value[METRIC_DESC], was->desc),
		.expr = given(value[METRIC_EXPR], was->expr),
		.look = given(value[METRIC_LOOK], was->look),
		.single = value[METRIC_SINGLE] ? single : was->single,
		.from = was->from,
		.n_from = was->n_from,
		.place = place,
	};

	r->skip = !is_metric_name(r, line, label, name) ||
		  !conf_may_add(r, line, label, old, old ? old->place : NULL, replace) ||
		  !is_whole_metric(r, line, label, &row);
	if (!r->skip)
		verdict_own_add_metric(r->verdicts, &row);
	free(place);
}

void conf_take_metric(struct reader *r, char *const value[ATTR_MAX], int line)
{
	char *label = xasprintf("<metric '%s'>", value[METRIC_NAME]);

	r->skip = true;
	if (r->verdicts)
		add_metric(r, value, line, label);
	free(label);
}

static void take_from(struct reader *r, char *const value[ATTR_MAX], int line)
{
	if (r->skip)
		return;
	conf_doubt_models(r, line, "<from>", value[FROM_MODEL]);
	verdict_own_add_from(r->verdicts, &(struct metric_from){.screen = value[FROM_SCREEN],
								.column = value[FROM_COLUMN],
								.times = value[FROM_TIMES],
								.arch = value[FROM_ARCH],
								.model = value[FROM_MODEL]});
}

static bool is_whole_verdict(struct reader *r, int line, const char *label,
			     const struct verdict_row *v)
{
	static const char *const what[] = {"word", "when", "rank", "says", "sure", "source"};
	const char *const value[] = {v->word, v->when, v->rank, v->says, v->sure, v->source};

	return is_whole(r, line, label, what, value, sizeof what / sizeof *what);
}

static void add_verdict(struct reader *r, char *const value[ATTR_MAX], int line, const char *label)
{
	static const struct verdict_row none = {.name = NULL};
	const char *name = value[VERDICT_NAME];
	const struct verdict_row *old = verdict_own_find(r->verdicts, name);
	const bool replace = conf_take_flag(r, line, label, "replace", value[VERDICT_REPLACE]);
	const struct verdict_row *was = old ? old : &none;
	char *place = conf_place(r, line);
	const struct verdict_row row = {
		.name = name,
		.word = given(value[VERDICT_WORD], was->word),
		.when = given(value[VERDICT_WHEN], was->when),
		.without = given(value[VERDICT_WITHOUT], was->without),
		.rank = given(value[VERDICT_RANK], was->rank),
		.says = given(value[VERDICT_SAYS], was->says),
		.sure = given(value[VERDICT_SURE], was->sure),
		.surer = given(value[VERDICT_SURER], was->surer),
		.source = given(value[VERDICT_SOURCE], was->source),
		.counters = given(value[VERDICT_COUNTERS], was->counters),
		.next = was->next,
		.n_next = was->n_next,
		.place = place,
	};

	r->skip = !conf_is_name(r, line, label, name, "") ||
		  !conf_may_add(r, line, label, old, old ? old->place : NULL, replace) ||
		  !is_whole_verdict(r, line, label, &row);
	if (!r->skip)
		verdict_own_add(r->verdicts, &row);
	free(place);
}

void conf_take_verdict(struct reader *r, char *const value[ATTR_MAX], int line)
{
	char *label = xasprintf("<verdict '%s'>", value[VERDICT_NAME]);

	r->skip = true;
	if (r->verdicts)
		add_verdict(r, value, line, label);
	free(label);
}

static void take_next(struct reader *r, char *const value[ATTR_MAX], int line)
{
	(void)line;
	if (!r->skip)
		verdict_own_add_next(r->verdicts, &(struct verdict_next){.run = value[NEXT_RUN],
									 .why = value[NEXT_WHY]});
}

const struct element conf_metric_children[] = {
	{
		.name = "from",
		.attr = {[FROM_SCREEN] = {.name = "screen", .required = true},
			 [FROM_COLUMN] = {.name = "column", .required = true},
			 [FROM_TIMES] = {.name = "times"},
			 [FROM_ARCH] = {.name = "arch"},
			 [FROM_MODEL] = {.name = "model"}},
		.take = take_from,
	},
	{.name = NULL},
};

const struct element conf_verdict_children[] = {
	{
		.name = "next",
		.attr = {[NEXT_RUN] = {.name = "run", .required = true},
			 [NEXT_WHY] = {.name = "why", .required = true}},
		.take = take_next,
	},
	{.name = NULL},
};
