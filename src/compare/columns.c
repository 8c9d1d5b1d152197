/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/suggestion.h"

static bool is_amount(const struct column *c)
{
	return !screen_column_is_text(c) && !(c->kind == COLUMN_STATE && c->unit == UNIT_NONE);
}

static void add(struct columns *c, size_t column)
{
	c->v = xgrow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	c->v[c->n++] = column;
}

static bool is_called(const struct column *c, const char *name, size_t len)
{
	int n;
	const char *header = screen_column_name(c, &n);

	return (strlen(c->id) == len && !strncasecmp(c->id, name, len)) ||
	       ((size_t)n == len && !strncasecmp(header, name, len));
}

static int refuse(const struct screen *screen, const char *name, size_t len, struct err *err)
{
	struct suggestion near;
	struct strbuf list;
	int ret;

	strbuf_init(&list);
	suggestion_begin_part(&near, name, len);
	for (size_t i = 0; i < screen->n_columns; i++) {
		suggestion_offer(&near, screen->column[i].id);
		strbuf_addf(&list, "%s%s", i ? ", " : "", screen->column[i].id);
	}
	ret = err_set(err, EINVAL, "there is no column '%.*s'%s in the screen '%s': it has %s",
		      (int)len, name, suggestion_text(&near), screen->name, list.text);
	strbuf_done(&list);
	return ret;
}

static int add_named(struct columns *c, const struct screen *screen, const char *name, size_t len,
		     struct err *err)
{
	size_t i = 0;

	while (i < screen->n_columns && !is_called(&screen->column[i], name, len))
		i++;
	if (i == screen->n_columns)
		return refuse(screen, name, len, err);
	if (screen_column_is_text(&screen->column[i]))
		return err_set(err, EINVAL, "the column '%.*s' shows texts, not numbers", (int)len,
			       name);
	for (size_t k = 0; k < c->n; k++)
		if (c->v[k] == i)
			return err_set(err, EINVAL, "the column '%.*s' is named twice", (int)len,
				       name);
	add(c, i);
	return 0;
}

int columns_find(struct columns *out, const char *list, const struct screen *screen,
		 struct err *err)
{
	int ret = 0;
	size_t n;

	*out = (struct columns){.v = NULL};
	for (size_t i = 0; !list && i < screen->n_columns; i++)
		if (is_amount(&screen->column[i]))
			add(out, i);
	for (const char *name = list; name && !ret; name = name[n] ? name + n + 1 : NULL) {
		n = strcspn(name, ",");
		ret = add_named(out, screen, name, n, err);
	}
	if (!ret && !out->n)
		ret = err_set(err, EINVAL, "the screen '%s' has no column of numbers",
			      screen->name);
	if (ret)
		columns_done(out);
	return ret;
}

void columns_done(struct columns *c)
{
	free(c->v);
	*c = (struct columns){.v = NULL};
}
