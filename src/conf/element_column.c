/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of element: <column>. */
#include <errno.h>
#include <stdlib.h>

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

void conf_take_column(struct reader *r, char *const value[ATTR_MAX], int line)
{
	struct column *c = screen_add_column(r->screen, value[COLUMN_HEADER], value[COLUMN_FORMAT],
					     value[COLUMN_DESC], value[COLUMN_EXPR]);
	char *label = xasprintf("<screen '%s'>: <column '%s'>", r->screen->name, c->header);

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
