/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/view.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/lookup.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "model/fact_list.h"
#include "model/sample.h"

/* ---- identity of rows ---- */

static uint64_t text_of(const struct task *t)
{
	return t->kind->id_is_text ? hash_text(t->name, strlen(t->name)) : 0;
}

struct row_id row_id_of(const struct task *t)
{
	return (struct row_id){t->kind, t->owner, t->id, t->start_ns, text_of(t)};
}

bool row_id_is(const struct row_id *id, const struct task *t)
{
	return id->kind && id->id == t->id && id->start_ns == t->start_ns &&
	       (id->kind == t->kind || !strcmp(id->kind->name, t->kind->name)) &&
	       id->text == text_of(t);
}

/* ---- sort keys ---- */

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

/* Finds the first column whose only input is this variable, whatever its formula or header.
 * Returns -ENOENT if there is none. */
static int sort_find_variable(const struct screen *screen, int variable, int *sort)
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

int sort_find(const struct screen *screen, const char *id, int variable, int *sort)
{
	for (size_t i = 0; i < screen->n_columns; i++)
		if (!strcmp(screen->column[i].id, id)) {
			*sort = (int)i;
			return 0;
		}
	return sort_find_variable(screen, variable, sort);
}

/* ---- parts of the screen ---- */

/* Names and descriptions of the parts; NULL: the part cannot be hidden. */
static const struct {
	const char *name, *help;
} part_table[N_PARTS] = {
	[PART_TITLE] = {"title", "how long the machine is up, its load, and what is switched on"},
	[PART_METERS] = {"meters", "bars of CPUs, memory and swap"},
	[PART_TASKS] = {"tasks", "how many tasks there are, and why some are not shown; the PMU"},
	[PART_TABS] = {"tabs", "the screens, by their numbers"},
	[PART_NOTE] = {"note", "a sentence about what cannot be counted, where there is one"},
	[PART_TOTAL] = {"total", "a row of sums over all that is shown"},
	[PART_FOOTER] = {"footer", "keys, and what tiptop itself costs"},
};

const char *parts_name(int part)
{
	return part_table[part].name;
}

const char *parts_help(int part)
{
	return part_table[part].help;
}

#define COMPACT (PART_BIT(PART_METERS) | PART_BIT(PART_TABS) | PART_BIT(PART_TOTAL))
#define TABLE   (PARTS_ALL & ~(PART_BIT(PART_NAMES) | PART_BIT(PART_ROWS)))

static const struct {
	const char *name;
	unsigned hidden;
} set_table[] = {
	{"auto", PARTS_AUTO},
	{"full", PARTS_FULL},
	{"compact", COMPACT},
	{"table", TABLE},
};

#define N_SETS (sizeof set_table / sizeof *set_table)

const char *parts_choice(size_t i)
{
	if (i < N_SETS)
		return set_table[i].name;
	i -= N_SETS;
	for (int part = 0; part < N_PARTS; part++)
		if (part_table[part].name && !i--)
			return part_table[part].name;
	return NULL;
}

static bool is_name(const char *name, const char *text, size_t len)
{
	return name && strlen(name) == len && !memcmp(name, text, len);
}

/* Returns the part with this name; N_PARTS: none. */
static int find_part_id(const char *text, size_t len)
{
	int part = 0;

	while (part < N_PARTS && !is_name(part_table[part].name, text, len))
		part++;
	return part;
}

static int no_such_part(const char *text, size_t len, struct err *err)
{
	struct suggestion near;
	struct strbuf names;
	int ret;

	strbuf_init(&names);
	suggestion_begin_part(&near, text, len);
	for (size_t i = 0; i < N_SETS; i++)
		suggestion_offer(&near, set_table[i].name);
	for (int i = 0; i < N_PARTS; i++)
		if (part_table[i].name) {
			suggestion_offer(&near, part_table[i].name);
			strbuf_addf(&names, "%s%s", names.len ? ", " : "", part_table[i].name);
		}
	ret = err_set(
		err, EINVAL,
		"there is no part '%.*s'%s: auto, full, compact and table stand alone, or some of "
		"%s with ',' between them",
		(int)len, text, suggestion_text(&near), names.text);
	strbuf_done(&names);
	return ret;
}

int parts_parse(const char *text, unsigned *hidden, struct err *err)
{
	unsigned shown = 0;

	for (size_t i = 0; i < N_SETS; i++)
		if (!strcmp(text, set_table[i].name)) {
			*hidden = set_table[i].hidden;
			return 0;
		}
	for (const char *p = text;; p++) {
		size_t len = strcspn(p, ",");
		int part = find_part_id(p, len);

		if (part == N_PARTS)
			return no_such_part(p, len, err);
		shown |= PART_BIT(part);
		p += len;
		if (!*p)
			break;
	}
	*hidden = TABLE & ~shown ? TABLE & ~shown : PARTS_FULL;
	return 0;
}

void parts_add(struct strbuf *out, unsigned hidden)
{
	bool first = true;

	for (size_t i = 0; i < N_SETS; i++)
		if (hidden == set_table[i].hidden) {
			strbuf_addstr(out, set_table[i].name);
			return;
		}
	for (int i = 0; i < N_PARTS; i++)
		if (part_table[i].name && !(hidden & PART_BIT(i))) {
			strbuf_addf(out, "%s%s", first ? "" : ",", part_table[i].name);
			first = false;
		}
}

unsigned parts_next(unsigned hidden, unsigned all_parts)
{
	if (hidden == COMPACT)
		return TABLE;
	return hidden == PARTS_AUTO || hidden == PARTS_FULL ? COMPACT : all_parts;
}

/* ---- view ---- */

struct shown view_shown(const struct view *view)
{
	return (struct shown){.values = view->values, .with_ended = view->with_ended};
}

bool view_is_tree(const struct view *view)
{
	return view->tree && view->group == GROUP_PROCESS;
}

bool view_shows_user(const struct view *view, const struct screen *screen)
{
	int column;

	return view->show_user &&
	       sort_find_variable(screen, VARIABLE_FIRST_FACT + FACT_USER, &column);
}

void view_show_screen(struct view *view, const struct screen_list *screens, size_t screen)
{
	view->screen = screen;
	view->sort = sort_first(screens->v[screen]);
	view->idle = view->default_idle || screens->v[screen]->idle;
}

void view_toggle_idle(struct view *view, const struct screen *screen)
{
	view->idle = !view->idle;
	if (!screen->idle)
		view->default_idle = view->idle;
}
