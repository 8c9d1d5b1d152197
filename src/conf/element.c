/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/element.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "pmu/event/generic.h"
#include "pmu/event/spelling.h"
#include "pmu/event/weight.h"

/* The attributes of each element, in the order of its row. */
enum { OPTION_NAME, OPTION_VALUE };
enum { KEYS_SET };
enum { KEY_NAME, KEY_ACTION };
enum { CPU_NAME, CPU_MODELS, CPU_SOURCE, CPU_REPLACE };
enum { EVENT_NAME, EVENT_DESC, EVENT_UNIT, EVENT_REPLACE };
enum { FOR_EVENT, FOR_ARCH, FOR_MODEL, FOR_NAME, FOR_SOURCE, FOR_WEIGHT, FOR_CODE };
/* The number is that of a built-in screen (config/table.awk): a copy of one may have it. */
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

void conf_complain(struct reader *r, int line, int code, const char *fmt, ...)
{
	struct err err = {.code = code};
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err.text, sizeof err.text, fmt, ap);
	va_end(ap);
	text_tame(err.text, ' ');
	r->report(r->context, line, &err);
}

bool conf_take_flag(struct reader *r, int line, const char *label, const char *name,
		    const char *value)
{
	if (value && strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		conf_complain(r, line, EINVAL, "%s: '%s' is no value of %s: write yes or no", label,
			      value, name);
	return value && !strcmp(value, "yes");
}

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
		options_add_place(r->options, value[OPTION_NAME], r->element);
}

static void take_options(struct reader *r, char *const value[ATTR_MAX], int line)
{
	(void)value;
	(void)line;
	if (r->options)
		r->options->element = r->element;
}

/* What there is of keys, sets and actions is known to the live screen. */
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

#define SEPARATORS "; \t\n"
#define LETTERS    "abcdefghijklmnopqrstuvwxyz"
#define DIGITS     "0123456789"

/* "06_1A" or "41_D49_R02", as pmu/event/cpu.h has them. */
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

/* Whether the text is what event_table_fits() takes. */
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

void conf_doubt_models(struct reader *r, int line, const char *label, const char *models)
{
	if (models && !is_model_list(r, models))
		conf_complain(r, line, ENOENT,
			      "%s: '%s' is no list of models: one looks like 06_1A;06_1E or like "
			      "zen4;zen5",
			      label, models);
}

bool conf_may_add(struct reader *r, int line, const char *label, bool taken, const char *place,
		  bool replace)
{
	if (taken && !replace)
		conf_complain(r, line, ENOENT,
			      "%s: %s%s has this name: replace=\"yes\" puts this one in its place: "
			      "left out",
			      label, place ? "that of " : "a built-in one", place ? place : "");
	return !taken || replace;
}

bool conf_is_name(struct reader *r, int line, const char *label, const char *name, const char *with)
{
	bool good = strchr(LETTERS, name[0]) && !name[strspn(name, LETTERS DIGITS "-")] &&
		    strstr(name, with);

	if (!good)
		conf_complain(r, line, EINVAL,
			      "%s: a name begins with a letter, and has small letters, digits and "
			      "'-'%s: left out",
			      label, *with ? ", of which one at least" : "");
	return good;
}

char *conf_place(const struct reader *r, int line)
{
	return xasprintf("%s:%d", r->path, line);
}

static void take_cpu(struct reader *r, char *const value[ATTR_MAX], int line)
{
	const char *name = value[CPU_NAME];
	char *label = xasprintf("<cpu '%s'>", name), *place = conf_place(r, line);
	const struct cpu_name *old = event_table_find_cpu(&r->own->table, name, strlen(name));
	bool replace = conf_take_flag(r, line, label, "replace", value[CPU_REPLACE]);

	conf_doubt_models(r, line, label, value[CPU_MODELS]);
	if (conf_is_name(r, line, label, name, "") &&
	    conf_may_add(r, line, label, old, old ? old->place : NULL, replace))
		own_table_add_cpu(r->own, &(struct cpu_name){.name = name,
							     .models = value[CPU_MODELS],
							     .source = value[CPU_SOURCE],
							     .place = place});
	free(place);
	free(label);
}

/* The kernel's own names go on to mean what they mean. */
static bool is_free(struct reader *r, int line, const char *label, const char *name)
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

	r->skip = !is_free(r, line, label, name) || !conf_is_name(r, line, label, name, "-") ||
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

/* Whether it is a weight; says why not. */
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
	conf_doubt_models(r, line, label, value[FOR_MODEL]);
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

/* What can be read, but is hardly what was meant. */
static void doubt_counter(struct reader *r, const struct counter_decl *c)
{
	char *label = xasprintf("<screen '%s'>: <counter '%s'>", r->screen->name, c->alias);
	struct strbuf ignored;
	uint64_t number;

	if (!c->event && !c->type && !num_parse_u64(c->config, "", &number, NULL))
		conf_complain(r, c->line, ENOENT,
			      "%s: the config %s is a number, but there is no type attribute: "
			      "HARDWARE is taken, not RAW",
			      label, c->config);
	conf_doubt_models(r, c->line, label, c->model);
	strbuf_init(&ignored);
	if (c->event)
		event_spelling_collect_ignored(&ignored, c->event);
	if (ignored.len)
		conf_complain(r, c->line, ENOENT, "%s: " EVENT_SPELLING_IGNORED "%s", label,
			      ignored.text);
	strbuf_done(&ignored);
	free(label);
}

void conf_lose(struct reader *r)
{
	r->screen->lost = true;
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
		conf_lose(r);
		return;
	}
	if (event && !event[0]) {
		conf_complain(r, line, EINVAL,
			      "<screen '%s'>: <counter '%s'>: the event is empty: counter left out",
			      r->screen->name, alias);
		conf_lose(r);
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
	doubt_counter(r, c);
}

/* Where it is given, and fine. */
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
		.lose = conf_lose,
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
		.lose = conf_lose,
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
		.lose = conf_lose,
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
			 [VERDICT_REPLACE] = {.name = "replace"}},
		.take = conf_take_verdict,
		.children = conf_verdict_children,
	},
	{.name = NULL},
};

const struct element conf_root = {.name = "tiptop", .children = root_children};
