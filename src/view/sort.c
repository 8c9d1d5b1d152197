/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/sort.h"

#include <errno.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/suggestion.h"
#include "model/fact_list.h"

const struct column *sort_column_of(const struct screen *screen, int sort)
{
	return sort >= 0 && (size_t)sort < screen->n_columns ? &screen->column[sort] : NULL;
}

int sort_first(const struct screen *screen)
{
	for (size_t i = 0; i < screen->n_columns; i++)
		if (!screen_column_is_text(&screen->column[i]))
			return (int)i;
	return 0;
}

bool sort_is_text(const struct screen *screen, int sort)
{
	const struct column *column = sort_column_of(screen, sort);

	return column ? screen_column_is_text(column) : sort != SORT_PID;
}

const char *sort_name(const struct screen *screen, int sort, int *len)
{
	const struct column *column = sort_column_of(screen, sort);
	const char *name = sort == SORT_PID ? "PID" : sort == SORT_USER ? "user" : "COMMAND";

	if (column)
		return screen_column_name(column, len);
	*len = (int)strlen(name);
	return name;
}

const char *sort_id(const struct screen *screen, int sort)
{
	const struct column *column = sort_column_of(screen, sort);

	if (column)
		return column->id;
	return sort == SORT_PID ? "pid" : sort == SORT_USER ? "user" : "command";
}

static bool find_header(const struct screen *screen, const char *text, size_t n, int *sort)
{
	int len;

	for (int i = SORT_PID; i <= (int)screen->n_columns; i++) {
		const char *name = sort_name(screen, i, &len);

		if ((size_t)len == n && !memcmp(name, text, n)) {
			*sort = i;
			return true;
		}
	}
	return false;
}

static bool find_id(const struct screen *screen, const char *text, size_t n, int *sort)
{
	for (int i = SORT_PID; i <= (int)screen->n_columns; i++) {
		const char *id = sort_id(screen, i);

		if (strlen(id) == n && !memcmp(id, text, n)) {
			*sort = i;
			return true;
		}
	}
	return false;
}

static bool find_whole(const struct screen *screen, const char *text, size_t n, int *sort)
{
	bool found = find_header(screen, text, n, sort) || find_id(screen, text, n, sort);

	/* Prefers a column that shows the user. */
	if (found && *sort == SORT_USER)
		sort_find_variable(screen, VARIABLE_FIRST_FACT + FACT_USER, sort);
	return found;
}

static bool contains(const char *name, size_t len, const char *text, size_t n)
{
	for (; len >= n; name++, len--)
		if (!strncasecmp(name, text, n))
			return true;
	return false;
}

/* Appends the names that contain the text, and sets *sort to the last of them. Returns their
 * number. */
static int list_names(const struct screen *screen, const char *text, size_t n, int *sort,
		      struct strbuf *list)
{
	int found = 0, len;

	for (int i = SORT_PID; i <= (int)screen->n_columns; i++) {
		const char *name = sort_name(screen, i, &len);

		if (!contains(name, (size_t)len, text, n))
			continue;
		*sort = i;
		strbuf_addf(list, "%s%.*s", found++ ? ", " : "", len, name);
	}
	return found;
}

static int find_part(const struct screen *screen, const char *text, size_t n, int *sort,
		     struct err *err)
{
	struct suggestion near;
	struct strbuf list;
	int found, which, ret = 0;

	strbuf_init(&list);
	found = list_names(screen, text, n, &which, &list);
	if (!found) {
		list_names(screen, "", 0, &which, &list);
		suggestion_begin_part(&near, text, n);
		for (int i = SORT_PID; i <= (int)screen->n_columns; i++)
			suggestion_offer(&near, sort_id(screen, i));
		ret = err_set(err, EINVAL,
			      "the screen '%s' has no column '%.*s' to sort by%s: it has %s",
			      screen->name, (int)n, text, suggestion_text(&near), list.text);
	} else if (found > 1) {
		ret = err_set(
			err, EINVAL,
			"'%.*s' is a part of several columns of the screen '%s': name one of %s",
			(int)n, text, screen->name, list.text);
	} else {
		*sort = which;
	}
	strbuf_done(&list);
	return ret;
}

/* Returns the length of the text without a direction at its end. */
static size_t name_length(const char *text)
{
	size_t n = strlen(text);

	if (n > strlen(":asc") && !strcmp(text + n - strlen(":asc"), ":asc"))
		return n - strlen(":asc");
	if (n > strlen(":desc") && !strcmp(text + n - strlen(":desc"), ":desc"))
		return n - strlen(":desc");
	return n;
}

int sort_parse(const struct screen *screen, const char *text, int *sort, bool *reverse,
	       struct err *err)
{
	size_t n = name_length(text);

	/* The whole text is tried first: a name may end like a direction. */
	if (find_whole(screen, text, strlen(text), sort))
		return 0;
	if (!find_whole(screen, text, n, sort) && find_part(screen, text, n, sort, err))
		return -EINVAL;
	if (text[n])
		*reverse = !strcmp(text + n, ":asc") != sort_is_text(screen, *sort);
	return 0;
}

int sort_find_variable(const struct screen *screen, int variable, int *sort)
{
	for (size_t i = 0; i < screen->n_columns; i++) {
		const struct expr *expr = screen->column[i].expr;
		struct expr_ref ref;

		if (expr_n_refs(expr) != 1)
			continue;
		ref = expr_ref_at(expr, 0);
		if (ref.symbol == SYMBOL_VARIABLE + variable && ref.mode == EXPR_TOTAL) {
			*sort = (int)i;
			return 0;
		}
	}
	return -ENOENT;
}

int sort_find(const struct screen *screen, const char *id, int variable, int *sort)
{
	for (size_t i = 0; i < screen->n_columns; i++)
		if (!strcmp(screen->column[i].id, id)) {
			*sort = (int)i;
			return 0;
		}
	return sort_find_variable(screen, variable, sort);
}
