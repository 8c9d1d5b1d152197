/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/element.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "pmu/event/perf_name.h"
#include "pmu/event/table.h"

/* The attributes of each element, in order. */
enum { FILTER_NAME, FILTER_EXPR, FILTER_DESC };
enum {
	METRIC_NAME,
	METRIC_UNIT,
	METRIC_FORMAT,
	METRIC_DESC,
	METRIC_EXPR,
	METRIC_LOOK,
	METRIC_SINGLE,
	METRIC_REPLACE
};
enum {
	VERDICT_NAME,
	VERDICT_WORD,
	VERDICT_WHEN,
	VERDICT_WITHOUT,
	VERDICT_RANK,
	VERDICT_SAYS,
	VERDICT_SURE,
	VERDICT_SURER,
	VERDICT_SOURCE,
	VERDICT_COUNTERS,
	VERDICT_COVERS,
	VERDICT_REPLACE
};
enum {
	COLUMN_HEADER,
	COLUMN_FORMAT,
	COLUMN_EXPR,
	COLUMN_DESC,
	COLUMN_ID,
	COLUMN_UNIT,
	COLUMN_OPTIONAL,
	COLUMN_PRIORITY,
	COLUMN_WARN,
	COLUMN_CRIT,
	COLUMN_SPARK,
	COLUMN_SCALE,
};
enum { OPTION_NAME, OPTION_VALUE };
enum { KEYS_SET };
enum { KEY_NAME, KEY_ACTION };
enum { CPU_NAME, CPU_MODELS, CPU_SOURCE, CPU_REPLACE };
enum { EVENT_NAME, EVENT_DESC, EVENT_UNIT, EVENT_REPLACE };
enum { FOR_EVENT, FOR_ARCH, FOR_MODEL, FOR_NAME, FOR_SOURCE, FOR_WEIGHT, FOR_CODE };
/* SCREEN_NUMBER: the number of a built-in screen (config/table.awk). It is ignored, but allowed, so
 * that a copy of the file of a built-in screen can be read. */
enum {
	SCREEN_NAME,
	SCREEN_DESC,
	SCREEN_NEEDS,
	SCREEN_ROWS,
	SCREEN_IDLE,
	SCREEN_REPLACE,
	SCREEN_NUMBER
};
enum { COUNTER_ALIAS, COUNTER_EVENT, COUNTER_CONFIG, COUNTER_TYPE, COUNTER_ARCH, COUNTER_MODEL };

/* ---- shared by several elements ---- */

#define SEPARATORS "; \t\n"
#define LETTERS    "abcdefghijklmnopqrstuvwxyz"
#define DIGITS     "0123456789"

void conf_complain(struct reader *r, int line, int code, const char *fmt, ...)
{
	struct err err = {.code = code};
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err.text, sizeof err.text, fmt, ap);
	va_end(ap);
	text_sanitize(err.text, ' ');
	r->report(r->context, line, &err);
}

/* Returns whether the value of an attribute is "yes"; missing means "no". Reports other values.
 * label: the element, "<screen 'x'>". */
static bool conf_take_flag(struct reader *r, int line, const char *label, const char *name,
			   const char *value)
{
	if (value && strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		conf_complain(r, line, EINVAL, "%s: '%s' is not a value of %s: write yes or no",
			      label, value, name);
	return value && !strcmp(value, "yes");
}

/* Returns whether the text is a model, "06_1A" or "41_D49_R02", perhaps with '?' for digits
 * (pmu/event/table.h). */
static bool is_pattern(const char *text, size_t len)
{
	static const char hex[] = DIGITS "ABCDEFabcdef?";
	size_t n = strspn(text, hex), m = text[n] == '_' ? strspn(text + n + 1, hex) : 0;

	if (n < 2 || m < 2)
		return false;
	n += 1 + m;
	if (n < len && !strncmp(text + n, "_R", 2))
		n += 2 + strspn(text + n + 2, hex);
	return n == len;
}

/* Returns whether the text is a list of models or CPU names that event_table_fits() accepts. */
static bool is_model_list(const struct reader *r, const char *text)
{
	size_t len;

	for (text += strspn(text, SEPARATORS); *text;
	     text += len, text += strspn(text, SEPARATORS)) {
		size_t n = strcspn(text, "@" SEPARATORS);

		len = strcspn(text, SEPARATORS);
		if (!is_pattern(text, n) && !event_table_find_cpu(&r->own->table, text, n))
			return false;
	}
	return true;
}

/* Reports an error if the text is not a list of models; NULL is allowed. */
static void conf_check_models(struct reader *r, int line, const char *label, const char *models)
{
	if (models && !is_model_list(r, models))
		conf_complain(
			r, line, ENOENT,
			"%s: '%s' is not a list of models: one looks like 06_1A;06_1E or like "
			"zen4;zen5",
			label, models);
}

/* Returns whether an element may be added; reports it otherwise. taken: another element has its
 * name; place: where that one is defined, NULL: built in; replace: the new element may replace
 * it. */
static bool conf_may_add(struct reader *r, int line, const char *label, bool taken,
			 const char *place, bool replace)
{
	if (taken && !replace)
		conf_complain(r, line, ENOENT,
			      "%s: %s%s has this name: replace=\"yes\" puts this one in its place: "
			      "left out",
			      label, place ? "that of " : "a built-in one", place ? place : "");
	return !taken || replace;
}

/* Returns whether the name begins with a lower-case letter, has only lower-case letters, digits and
 * '-', and contains the text `with`; reports it otherwise. */
static bool conf_is_name(struct reader *r, int line, const char *label, const char *name,
			 const char *with)
{
	bool good = name[0] && strchr(LETTERS, name[0]) &&
		    !name[strspn(name, LETTERS DIGITS "-")] && strstr(name, with);

	if (!good)
		conf_complain(r, line, EINVAL,
			      "%s: a name begins with a letter, and has small letters, digits and "
			      "'-'%s: left out",
			      label, *with ? " (at least one '-')" : "");
	return good;
}

/* Returns "FILE:LINE"; the caller frees it. */
static char *conf_place(const struct reader *r, int line)
{
	return xasprintf("%s:%d", r->path, line);
}

/* Notes that a counter or column of the current screen was rejected, so that a later fault, about a
 * name that is then unknown, may be a mere consequence. */
static void conf_note_rejected(struct reader *r)
{
	r->screen->lost = true;
}

/* ---- column ----
 * The element <column>. */

static int take_priority(struct reader *r, int line, const char *label, const char *text)
{
	struct err err = ERR_INIT;
	long priority = 0;

	if (text && num_parse_int(text, "the priority", 1, SCREEN_PRIORITY_MAX, &priority, &err))
		conf_complain(r, line, err.code, "%s: %s", label, err.text);
	return (int)priority;
}

/* Returns the expression of the column; for a column that draws the last values of another column
 * (spark), "[NAME]". The caller frees the text. NULL: the element has both or neither of the
 * attributes expr and spark, and is rejected. */
static char *take_expression(struct reader *r, char *const value[ATTR_MAX], int line,
			     const char *label)
{
	const char *expr = value[COLUMN_EXPR], *spark = value[COLUMN_SPARK];

	if (expr && spark)
		conf_complain(r, line, EINVAL,
			      "%s has an expr and a spark attribute: one of them says what it "
			      "shows: column left out",
			      label);
	else if (!expr && !spark && !r->odd)
		conf_complain(r, line, ENOENT, "%s without an expr attribute: column left out",
			      label);
	if (!expr == !spark) {
		conf_note_rejected(r);
		return NULL;
	}
	return expr ? xstrdup(expr) : xasprintf("[%s]", spark);
}

/* Returns whether the bars of a spark column share one scale in all rows. */
static bool take_scale(struct reader *r, char *const value[ATTR_MAX], int line, const char *label)
{
	const char *scale = value[COLUMN_SCALE];
	const bool known = !scale || !strcmp(scale, "row") || !strcmp(scale, "column");

	if (!known)
		conf_complain(r, line, EINVAL,
			      "%s: the scale '%s' is not known: it is row or column", label, scale);
	else if (scale && !value[COLUMN_SPARK])
		conf_complain(r, line, EINVAL, "%s: a scale is for columns with spark", label);
	return known && scale && !strcmp(scale, "column");
}

static void conf_take_column(struct reader *r, char *const value[ATTR_MAX], int line)
{
	char *label =
		xasprintf("<screen '%s'>: <column '%s'>", r->screen->name, value[COLUMN_HEADER]);
	char *expr = take_expression(r, value, line, label);
	struct column *c;

	if (!expr) {
		free(label);
		return;
	}
	c = screen_add_column(r->screen, value[COLUMN_HEADER], value[COLUMN_FORMAT],
			      value[COLUMN_DESC], expr);
	free(expr);
	c->spark = xstrdup_or_null(value[COLUMN_SPARK]);
	c->same_scale = take_scale(r, value, line, label);
	c->line = line;
	c->element = r->element;
	c->optional = conf_take_flag(r, line, label, "optional", value[COLUMN_OPTIONAL]);
	c->priority = take_priority(r, line, label, value[COLUMN_PRIORITY]);
	c->warn.text = xstrdup_or_null(value[COLUMN_WARN]);
	c->crit.text = xstrdup_or_null(value[COLUMN_CRIT]);
	screen_give_id(c, value[COLUMN_ID]);
	c->unit_name = xstrdup_or_null(value[COLUMN_UNIT]);
	free(label);
}

/* ---- filter ----
 * Named filters. */

/* Adds a filter. It may name columns of a screen that is not known yet, so its text is not
 * compiled, but only checked not to be empty or a reference ("@NAME"). */
static void conf_take_filter(struct reader *r, char *const value[ATTR_MAX], int line)
{
	const char *name = value[FILTER_NAME], *text = value[FILTER_EXPR];
	struct named_filter *filter;

	if (!r->filters)
		return;
	if (!filter_list_is_name(name)) {
		conf_complain(
			r, line, EINVAL,
			"<filter '%s'>: a name has letters, digits, '_' and '-' only: left out",
			name);
	} else if (!*text || *text == '@') {
		conf_complain(r, line, EINVAL,
			      "<filter '%s'>: expr is a text, /a regular expression/ or a "
			      "condition: left out",
			      name);
	} else if (filter_list_find(r->filters, name)) {
		conf_complain(r, line, ENOENT,
			      "<filter '%s'>: there is one of this name already: left out", name);
	} else {
		filter = filter_list_add(r->filters, name, text, value[FILTER_DESC]);
		filter->file = xstrdup(r->path);
		filter->line = line;
		filter->from_folder = !r->options;
	}
}

/* ---- theme ----
 * The element <theme> and its looks. */

/* The attributes of <theme> and <look>, in order. */
enum { THEME_NAME, THEME_DESC, THEME_LIKE, THEME_LIGHT, THEME_REPLACE };
enum { LOOK_NAME, LOOK_FG, LOOK_BG, LOOK_BOLD, LOOK_DIM, LOOK_UNDERLINE, LOOK_REVERSE };

static const struct theme *find_like(struct reader *r, int line, const char *label,
				     const char *name)
{
	struct err err = ERR_INIT;
	const struct theme *like = theme_list_find(r->themes, name ? name : THEME_DEFAULT, &err);

	if (like)
		return like;
	conf_complain(r, line, ENOENT, "%s: %s: it begins as %s", label, err.text, THEME_DEFAULT);
	return theme_list_find(r->themes, THEME_DEFAULT, NULL);
}

static void conf_take_theme(struct reader *r, char *const value[ATTR_MAX], int line)
{
	const char *name = value[THEME_NAME];
	const struct theme *old = r->themes ? theme_list_find(r->themes, name, NULL) : NULL;
	char *label = xasprintf("<theme '%s'>", name);
	bool replace = conf_take_flag(r, line, label, "replace", value[THEME_REPLACE]);
	bool light = conf_take_flag(r, line, label, "light", value[THEME_LIGHT]);

	r->theme = NULL;
	if (r->themes && conf_is_name(r, line, label, name, "") &&
	    conf_may_add(r, line, label, old, old ? old->place : NULL, replace)) {
		r->theme = theme_list_add(r->themes, name,
					  value[THEME_DESC] ? value[THEME_DESC] : name,
					  find_like(r, line, label, value[THEME_LIKE]));
		r->theme->place = conf_place(r, line);
		r->theme->own = r->options != NULL;
		r->theme->replace = replace;
		if (value[THEME_LIGHT])
			r->theme->light = light;
	}
	free(label);
}

static void take_look(struct reader *r, char *const value[ATTR_MAX], int line)
{
	char *label = xasprintf("<look '%s'>", value[LOOK_NAME]);
	const struct theme_look_row row = {
		.name = value[LOOK_NAME],
		.fg = value[LOOK_FG],
		.bg = value[LOOK_BG],
		.bold = conf_take_flag(r, line, label, "bold", value[LOOK_BOLD]),
		.dim = conf_take_flag(r, line, label, "dim", value[LOOK_DIM]),
		.underline = conf_take_flag(r, line, label, "underline", value[LOOK_UNDERLINE]),
		.reverse = conf_take_flag(r, line, label, "reverse", value[LOOK_REVERSE]),
	};
	struct err err = ERR_INIT;

	if (r->theme && theme_set_look(r->theme, &row, &err))
		conf_complain(r, line, err.code, "%s: %s: left out", label, err.text);
	free(label);
}

static const struct element conf_theme_children[] = {
	{
		.name = "look",
		.attr = {[LOOK_NAME] = {.name = "name", .required = true},
			 [LOOK_FG] = {.name = "fg"},
			 [LOOK_BG] = {.name = "bg"},
			 [LOOK_BOLD] = {.name = "bold"},
			 [LOOK_DIM] = {.name = "dim"},
			 [LOOK_UNDERLINE] = {.name = "underline"},
			 [LOOK_REVERSE] = {.name = "reverse"}},
		.take = take_look,
	},
	{.name = NULL},
};

/* ---- verdict ----
 * The elements <metric> and <verdict>, as in config/verdicts.xml. */

/* The attributes of their children <from> and <next>, in order. */
enum { FROM_SCREEN, FROM_COLUMN, FROM_TIMES, FROM_ARCH, FROM_MODEL };
enum { NEXT_RUN, NEXT_WHY };

/* Returns whether the name of a metric can be used in conditions; reports it otherwise. */
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

/* Returns the value of an attribute; if it is missing (NULL), the value `old` of the replaced
 * element. */
static const char *value_or_old(const char *value, const char *old)
{
	return value ? value : old;
}

/* Returns whether all n values are present; reports the first missing or empty one by its name,
 * what[i]. */
static bool has_required(struct reader *r, int line, const char *label, const char *const what[],
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

	return has_required(r, line, label, what, value, sizeof what / sizeof *what);
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
		.unit = value_or_old(value[METRIC_UNIT], was->unit),
		.format = value_or_old(value[METRIC_FORMAT], was->format),
		.desc = value_or_old(value[METRIC_DESC], was->desc),
		.expr = value_or_old(value[METRIC_EXPR], was->expr),
		.look = value_or_old(value[METRIC_LOOK], was->look),
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

static void conf_take_metric(struct reader *r, char *const value[ATTR_MAX], int line)
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
	conf_check_models(r, line, "<from>", value[FROM_MODEL]);
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

	return has_required(r, line, label, what, value, sizeof what / sizeof *what);
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
		.word = value_or_old(value[VERDICT_WORD], was->word),
		.when = value_or_old(value[VERDICT_WHEN], was->when),
		.without = value_or_old(value[VERDICT_WITHOUT], was->without),
		.rank = value_or_old(value[VERDICT_RANK], was->rank),
		.says = value_or_old(value[VERDICT_SAYS], was->says),
		.sure = value_or_old(value[VERDICT_SURE], was->sure),
		.surer = value_or_old(value[VERDICT_SURER], was->surer),
		.source = value_or_old(value[VERDICT_SOURCE], was->source),
		.counters = value_or_old(value[VERDICT_COUNTERS], was->counters),
		.covers = value_or_old(value[VERDICT_COVERS], was->covers),
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

static void conf_take_verdict(struct reader *r, char *const value[ATTR_MAX], int line)
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

static const struct element conf_metric_children[] = {
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

static const struct element conf_verdict_children[] = {
	{
		.name = "next",
		.attr = {[NEXT_RUN] = {.name = "run", .required = true},
			 [NEXT_WHY] = {.name = "why", .required = true}},
		.take = take_next,
	},
	{.name = NULL},
};

/* ---- element ---- */

static void take_option(struct reader *r, char *const value[ATTR_MAX], int line)
{
	struct err err = ERR_INIT;

	if (!r->options)
		conf_complain(r, line, ENOENT,
			      "option '%s': options belong into the file .tiptoprc: left out",
			      value[OPTION_NAME]);
	else if (option_set_conf(r->options, value[OPTION_NAME], value[OPTION_VALUE], &err))
		conf_complain(r, line, err.code, "%s: left out", err.text);
	else
		options_add_place(r->options, value[OPTION_NAME], r->element, line);
}

static void take_options(struct reader *r, char *const value[ATTR_MAX], int line)
{
	(void)value;
	(void)line;
	if (r->options)
		r->options->element = r->element;
}

/* Returns whether the file may define keys; reports it otherwise. Names, sets and actions are only
 * checked by the live screen. */
static bool may_have_keys(struct reader *r, int line)
{
	if (!r->options)
		conf_complain(r, line, ENOENT, "keys belong into the file .tiptoprc: left out");
	return r->options;
}

static void take_keys(struct reader *r, char *const value[ATTR_MAX], int line)
{
	if (may_have_keys(r, line))
		options_add_key(r->options, value[KEYS_SET], NULL, NULL, line);
}

static void take_key(struct reader *r, char *const value[ATTR_MAX], int line)
{
	if (may_have_keys(r, line))
		options_add_key(r->options, NULL, value[KEY_NAME], value[KEY_ACTION], line);
}

static void take_screen(struct reader *r, char *const value[ATTR_MAX], int line)
{
	const char *name = value[SCREEN_NAME], *desc = value[SCREEN_DESC];
	char *label = xasprintf("<screen '%s'>", name ? name : "");

	r->screen = screen_new(name ? name : "(no name)", desc ? desc : "(no desc)");
	r->screen->needs = xstrdup_or_null(value[SCREEN_NEEDS]);
	r->screen->rows = xstrdup_or_null(value[SCREEN_ROWS]);
	r->screen->idle = conf_take_flag(r, line, label, "idle", value[SCREEN_IDLE]);
	r->screen->replace = conf_take_flag(r, line, label, "replace", value[SCREEN_REPLACE]);
	r->screen->file = xstrdup(r->path);
	r->screen->line = line;
	r->screen->element = r->element;
	screen_list_add(r->screens, r->screen);
	free(label);
}

static void take_cpu(struct reader *r, char *const value[ATTR_MAX], int line)
{
	const char *name = value[CPU_NAME];
	char *label = xasprintf("<cpu '%s'>", name), *place = conf_place(r, line);
	const struct cpu_name *old = event_table_find_cpu(&r->own->table, name, strlen(name));
	bool replace = conf_take_flag(r, line, label, "replace", value[CPU_REPLACE]);

	conf_check_models(r, line, label, value[CPU_MODELS]);
	if (conf_is_name(r, line, label, name, "") &&
	    conf_may_add(r, line, label, old, old ? old->place : NULL, replace))
		own_table_add_cpu(r->own, &(struct cpu_name){.name = name,
							     .models = value[CPU_MODELS],
							     .source = value[CPU_SOURCE],
							     .place = place});
	free(place);
	free(label);
}

/* Returns whether the name of an event is free: not that of a generic event of the kernel, whose
 * meaning must not change. Reports it otherwise. */
static bool is_not_generic(struct reader *r, int line, const char *label, const char *name)
{
	uint32_t type;
	uint64_t config;
	bool generic = generic_find(name, &type, &config);

	if (generic)
		conf_complain(r, line, EINVAL,
			      "%s: that is the kernel's name of a generic event: choose another "
			      "one: left out",
			      label);
	return !generic;
}

static void take_event(struct reader *r, char *const value[ATTR_MAX], int line)
{
	const char *name = value[EVENT_NAME];
	char *label = xasprintf("<event '%s'>", name), *place = conf_place(r, line);
	const struct event_def *old = event_table_find(&r->own->table, name, strlen(name));
	bool replace = conf_take_flag(r, line, label, "replace", value[EVENT_REPLACE]);

	r->skip = !is_not_generic(r, line, label, name) ||
		  !conf_is_name(r, line, label, name, "-") ||
		  !conf_may_add(r, line, label, old, old ? old->place : NULL, replace);
	if (!r->skip)
		own_table_add_event(
			r->own, &(struct event_def){
					.name = name,
					.unit = value[EVENT_UNIT] ? value[EVENT_UNIT] : "events",
					.desc = value[EVENT_DESC] ? value[EVENT_DESC] : name,
					.place = place});
	free(place);
	free(label);
}

/* Returns whether the text is a valid weight (pmu/event/table.h), or NULL; reports it otherwise.
 */
static bool is_weight(struct reader *r, int line, const char *label, const char *text)
{
	struct err err = ERR_INIT;
	bool good = !text || !event_weight_check(text, &err);

	if (!good)
		conf_complain(r, line, err.code, "%s: %s: for left out", label, err.text);
	return good;
}

static void take_for(struct reader *r, char *const value[ATTR_MAX], int line)
{
	char *label;

	if (r->skip)
		return;
	if (!value[FOR_EVENT][0]) {
		conf_complain(r, line, EINVAL, "<for>: the event is empty: for left out");
		return;
	}
	label = xasprintf("<for '%s'>", value[FOR_EVENT]);
	conf_check_models(r, line, label, value[FOR_MODEL]);
	if (is_weight(r, line, label, value[FOR_WEIGHT]))
		own_table_add_choice(r->own, &(struct event_choice){.arch = value[FOR_ARCH],
								    .model = value[FOR_MODEL],
								    .event = value[FOR_EVENT],
								    .name = value[FOR_NAME],
								    .source = value[FOR_SOURCE],
								    .weight = value[FOR_WEIGHT],
								    .code = value[FOR_CODE]});
	free(label);
}

/* Reports attributes of a counter that are valid, but probably a mistake. */
static void check_counter(struct reader *r, const struct counter_decl *c)
{
	char *label = xasprintf("<screen '%s'>: <counter '%s'>", r->screen->name, c->alias);
	struct strbuf ignored;
	uint64_t number;

	if (!c->event && !c->type && !num_parse_u64(c->config, "", &number, NULL))
		conf_complain(r, c->line, ENOENT,
			      "%s: the config %s is a number, but there is no type attribute: "
			      "HARDWARE is taken, not RAW",
			      label, c->config);
	conf_check_models(r, c->line, label, c->model);
	strbuf_init(&ignored);
	if (c->event)
		event_spelling_collect_ignored(&ignored, c->event);
	if (ignored.len)
		conf_complain(r, c->line, ENOENT, "%s: " EVENT_SPELLING_IGNORED "%s", label,
			      ignored.text);
	strbuf_done(&ignored);
	free(label);
}

static void take_counter(struct reader *r, char *const value[ATTR_MAX], int line)
{
	const char *alias = value[COUNTER_ALIAS], *event = value[COUNTER_EVENT];
	const char *config = value[COUNTER_CONFIG], *type = value[COUNTER_TYPE];
	struct counter_decl *c;

	if (!event && !config) {
		if (!r->odd)
			conf_complain(r, line, ENOENT,
				      "<screen '%s'>: <counter '%s'> without an event or config "
				      "attribute: counter left out",
				      r->screen->name, alias);
		conf_note_rejected(r);
		return;
	}
	if (event && !event[0]) {
		conf_complain(r, line, EINVAL,
			      "<screen '%s'>: <counter '%s'>: the event is empty: counter left out",
			      r->screen->name, alias);
		conf_note_rejected(r);
		return;
	}
	if (event && (config || type))
		conf_complain(
			r, line, ENOENT,
			"<screen '%s'>: <counter '%s'> has an event attribute: its %s left out",
			r->screen->name, alias,
			config && type ? "config and type are"
			: config       ? "config is"
				       : "type is");
	c = screen_add_counter(r->screen, alias, event ? "" : config, event ? NULL : type);
	c->event = xstrdup_or_null(event);
	c->arch = xstrdup_or_null(value[COUNTER_ARCH]);
	c->model = xstrdup_or_null(value[COUNTER_MODEL]);
	c->line = line;
	c->element = r->element;
	check_counter(r, c);
}

static const struct element options_children[] = {
	{
		.name = "option",
		.attr = {[OPTION_NAME] = {.name = "name", .required = true},
			 [OPTION_VALUE] = {.name = "value", .required = true, .verbatim = true}},
		.take = take_option,
	},
	{.name = NULL},
};

static const struct element screen_children[] = {
	{
		.name = "counter",
		.attr = {[COUNTER_ALIAS] = {.name = "alias", .required = true},
			 [COUNTER_EVENT] = {.name = "event"},
			 [COUNTER_CONFIG] = {.name = "config"},
			 [COUNTER_TYPE] = {.name = "type"},
			 [COUNTER_ARCH] = {.name = "arch"},
			 [COUNTER_MODEL] = {.name = "model"}},
		.take = take_counter,
		.lose = conf_note_rejected,
	},
	{
		.name = "column",
		.attr = {[COLUMN_HEADER] = {.name = "header", .required = true},
			 [COLUMN_FORMAT] = {.name = "format", .required = true},
			 [COLUMN_EXPR] = {.name = "expr"},
			 [COLUMN_DESC] = {.name = "desc"},
			 [COLUMN_ID] = {.name = "id"},
			 [COLUMN_UNIT] = {.name = "unit"},
			 [COLUMN_OPTIONAL] = {.name = "optional"},
			 [COLUMN_PRIORITY] = {.name = "priority"},
			 [COLUMN_WARN] = {.name = "warn"},
			 [COLUMN_CRIT] = {.name = "crit"},
			 [COLUMN_SPARK] = {.name = "spark"},
			 [COLUMN_SCALE] = {.name = "scale"}},
		.take = conf_take_column,
		.lose = conf_note_rejected,
	},
	{.name = NULL},
};

static const struct element event_children[] = {
	{
		.name = "for",
		.attr = {[FOR_EVENT] = {.name = "event", .required = true},
			 [FOR_ARCH] = {.name = "arch"},
			 [FOR_MODEL] = {.name = "model"},
			 [FOR_NAME] = {.name = "name"},
			 [FOR_SOURCE] = {.name = "source"},
			 [FOR_WEIGHT] = {.name = "weight"},
			 [FOR_CODE] = {.name = "code"}},
		.take = take_for,
	},
	{.name = NULL},
};

static const struct element root_children[] = {
	{
		.name = "filter",
		.attr = {[FILTER_NAME] = {.name = "name", .required = true},
			 [FILTER_EXPR] = {.name = "expr", .required = true},
			 [FILTER_DESC] = {.name = "desc"}},
		.take = conf_take_filter,
	},
	{
		.name = "cpu",
		.attr = {[CPU_NAME] = {.name = "name", .required = true},
			 [CPU_MODELS] = {.name = "models", .required = true},
			 [CPU_SOURCE] = {.name = "source"},
			 [CPU_REPLACE] = {.name = "replace"}},
		.take = take_cpu,
	},
	{
		.name = "event",
		.attr = {[EVENT_NAME] = {.name = "name", .required = true},
			 [EVENT_DESC] = {.name = "desc"},
			 [EVENT_UNIT] = {.name = "unit"},
			 [EVENT_REPLACE] = {.name = "replace"}},
		.take = take_event,
		.children = event_children,
	},
	{
		.name = "key",
		.attr = {[KEY_NAME] = {.name = "name", .required = true},
			 [KEY_ACTION] = {.name = "action", .required = true}},
		.take = take_key,
	},
	{
		.name = "keys",
		.attr = {[KEYS_SET] = {.name = "set", .required = true}},
		.take = take_keys,
	},
	{
		.name = "metric",
		.attr = {[METRIC_NAME] = {.name = "name", .required = true},
			 [METRIC_UNIT] = {.name = "unit"},
			 [METRIC_FORMAT] = {.name = "format"},
			 [METRIC_DESC] = {.name = "desc"},
			 [METRIC_EXPR] = {.name = "expr"},
			 [METRIC_LOOK] = {.name = "look"},
			 [METRIC_SINGLE] = {.name = "single"},
			 [METRIC_REPLACE] = {.name = "replace"}},
		.take = conf_take_metric,
		.children = conf_metric_children,
	},
	{
		.name = "options",
		.take = take_options,
		.children = options_children,
	},
	{
		.name = "screen",
		.attr = {[SCREEN_NAME] = {.name = "name"},
			 [SCREEN_DESC] = {.name = "desc"},
			 [SCREEN_NEEDS] = {.name = "needs"},
			 [SCREEN_ROWS] = {.name = "rows"},
			 [SCREEN_IDLE] = {.name = "idle"},
			 [SCREEN_REPLACE] = {.name = "replace"},
			 [SCREEN_NUMBER] = {.name = "number"}},
		.take = take_screen,
		.lose = conf_note_rejected,
		.children = screen_children,
	},
	{
		.name = "theme",
		.attr = {{.name = "name", .required = true},
			 {.name = "desc"},
			 {.name = "like"},
			 {.name = "light"},
			 {.name = "replace"}},
		.take = conf_take_theme,
		.children = conf_theme_children,
	},
	{
		.name = "verdict",
		.attr = {[VERDICT_NAME] = {.name = "name", .required = true},
			 [VERDICT_WORD] = {.name = "word"},
			 [VERDICT_WHEN] = {.name = "when"},
			 [VERDICT_WITHOUT] = {.name = "without"},
			 [VERDICT_RANK] = {.name = "rank"},
			 [VERDICT_SAYS] = {.name = "says"},
			 [VERDICT_SURE] = {.name = "sure"},
			 [VERDICT_SURER] = {.name = "surer"},
			 [VERDICT_SOURCE] = {.name = "source"},
			 [VERDICT_COUNTERS] = {.name = "counters"},
			 [VERDICT_COVERS] = {.name = "covers"},
			 [VERDICT_REPLACE] = {.name = "replace"}},
		.take = conf_take_verdict,
		.children = conf_verdict_children,
	},
	{.name = NULL},
};

const struct element conf_root = {.name = "tiptop", .children = root_children};
