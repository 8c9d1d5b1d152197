/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/element.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"

/* The attributes of each element, in the order of its row. */
enum { OPTION_NAME, OPTION_VALUE };
enum { SCREEN_NAME, SCREEN_DESC };
enum { COUNTER_ALIAS, COUNTER_EVENT, COUNTER_CONFIG, COUNTER_TYPE, COUNTER_ARCH, COUNTER_MODEL };
enum { COLUMN_HEADER, COLUMN_FORMAT, COLUMN_EXPR, COLUMN_DESC, COLUMN_ID, COLUMN_UNIT };

static char *copy(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

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

static void take_option(struct reader *r, char *const value[ATTR_MAX], int line)
{
	struct err err = ERR_INIT;

	if (option_set_conf(r->options, value[OPTION_NAME], value[OPTION_VALUE], &err))
		conf_complain(r, line, err.code, "%s: left out", err.text);
}

static void take_screen(struct reader *r, char *const value[ATTR_MAX], int line)
{
	const char *name = value[SCREEN_NAME], *desc = value[SCREEN_DESC];

	r->screen = screen_new(name ? name : "(no name)", desc ? desc : "(no desc)");
	r->screen->file = xstrdup(r->path);
	r->screen->line = line;
	screen_list_add(r->screens, r->screen);
}

/* "06_1A;06_1E": as event/cpu.h writes models. */
static bool is_model_list(const char *text)
{
	static const char hex[] = "0123456789ABCDEFabcdef?", separators[] = "; \t\n";

	for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
		size_t n = strspn(text, hex), m = text[n] == '_' ? strspn(text + n + 1, hex) : 0;

		if (n < 2 || m < 2)
			return false;
		text += n + 1 + m;
		if (!strncmp(text, "_R", 2))
			text += 2 + strspn(text + 2, hex);
		if (*text && !strchr(separators, *text))
			return false;
	}
	return true;
}

/* What can be read, but is hardly what was meant. */
static void doubt_counter(struct reader *r, const struct counter_decl *c)
{
	const char *name = r->screen->name;
	uint64_t number;

	if (!c->event && !c->type && !num_parse_u64(c->config, "", &number, NULL))
		conf_complain(r, c->line, ENOENT,
			      "<screen '%s'>: <counter '%s'>: the config %s is a number, but there "
			      "is no type attribute: "
			      "HARDWARE is taken, not RAW",
			      name, c->alias, c->config);
	if (c->model && !is_model_list(c->model))
		conf_complain(r, c->line, ENOENT,
			      "<screen '%s'>: <counter '%s'>: '%s' is no list of models: one looks "
			      "like 06_1A;06_1E",
			      name, c->alias, c->model);
}

/* A counter or column was left out: what is said of the rest may only follow from that. */
static void lose(struct reader *r)
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
		lose(r);
		return;
	}
	if (event && !event[0]) {
		conf_complain(r, line, EINVAL,
			      "<screen '%s'>: <counter '%s'>: the event is empty: counter left out",
			      r->screen->name, alias);
		lose(r);
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
	c->event = copy(event);
	c->arch = copy(value[COUNTER_ARCH]);
	c->model = copy(value[COUNTER_MODEL]);
	c->line = line;
	doubt_counter(r, c);
}

static void take_column(struct reader *r, char *const value[ATTR_MAX], int line)
{
	struct column *c = screen_add_column(r->screen, value[COLUMN_HEADER], value[COLUMN_FORMAT],
					     value[COLUMN_DESC], value[COLUMN_EXPR]);

	c->line = line;
	screen_give_id(c, value[COLUMN_ID]);
	c->unit_name = copy(value[COLUMN_UNIT]);
}

static const struct element options_children[] = {
	{
		.name = "option",
		.attr = {[OPTION_NAME] = {"name", .required = true},
			 [OPTION_VALUE] = {"value", .required = true, .verbatim = true}},
		.take = take_option,
	},
	{.name = NULL},
};

static const struct element screen_children[] = {
	{
		.name = "counter",
		.attr = {[COUNTER_ALIAS] = {"alias", .required = true},
			 [COUNTER_EVENT] = {"event"},
			 [COUNTER_CONFIG] = {"config"},
			 [COUNTER_TYPE] = {"type"},
			 [COUNTER_ARCH] = {"arch"},
			 [COUNTER_MODEL] = {"model"}},
		.take = take_counter,
		.lose = lose,
	},
	{
		.name = "column",
		.attr = {[COLUMN_HEADER] = {"header", .required = true},
			 [COLUMN_FORMAT] = {"format", .required = true},
			 [COLUMN_EXPR] = {"expr", .required = true},
			 [COLUMN_DESC] = {"desc"},
			 [COLUMN_ID] = {"id"},
			 [COLUMN_UNIT] = {"unit"}},
		.take = take_column,
		.lose = lose,
	},
	{.name = NULL},
};

static const struct element root_children[] = {
	{
		.name = "options",
		.children = options_children,
	},
	{
		.name = "screen",
		.attr = {[SCREEN_NAME] = {"name"}, [SCREEN_DESC] = {"desc"}},
		.take = take_screen,
		.lose = lose,
		.children = screen_children,
	},
	{.name = NULL},
};

const struct element conf_root = {.name = "tiptop", .children = root_children};
