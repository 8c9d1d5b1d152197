/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of element: <column>. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "conf/element.h"

static int take_priority(struct reader *r, int line, const char *label, const char *text)
{
	struct err err = ERR_INIT;
	long priority = 0;

	if (text && num_parse_int(text, "the priority", 1, SCREEN_PRIORITY_MAX, &priority, &err))
		conf_complain(r, line, err.code, "%s: %s", label, err.text);
	return (int)priority;
}

/* What the column shows: an expression, or the last values of another column. NULL: neither, or
 * both, and it is left out. The caller frees it. */
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
		conf_lose(r);
		return NULL;
	}
	return expr ? xstrdup(expr) : xasprintf("[%s]", spark);
}

/* By what the bars of a column are scaled. */
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

void conf_take_column(struct reader *r, char *const value[ATTR_MAX], int line)
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
