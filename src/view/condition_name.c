/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/condition_name.h"

#include <string.h>
#include <strings.h>

const struct expr_call condition_call_table[] = {
	{"under", "under(pid)", "1 for this process and all that descend from it, else 0",
	 SYMBOL_UNDER},
	{.name = NULL},
};

#define N_CALLS (sizeof condition_call_table / sizeof *condition_call_table - 1)

/* What stands beside the columns. */
static const struct {
	const char *name;
	int symbol;
	bool is_text;
} beside_table[] = {
	{"pid", SYMBOL_PID, false},
	{"user", SYMBOL_USER, true},
	{"command", SYMBOL_COMMAND, true},
};

#define N_BESIDE (sizeof beside_table / sizeof *beside_table)

/* How names are compared: strncmp or strncasecmp. */
typedef int (*compare)(const char *a, const char *b, size_t n);

static bool is(const char *name, const char *text, size_t len, compare by)
{
	return strlen(name) == len && !by(name, text, len);
}

static int find_column_id(const struct screen *s, const char *name, size_t len, compare by)
{
	for (size_t i = 0; i < s->n_columns; i++)
		if (is(s->column[i].id, name, len, by))
			return SYMBOL_COLUMN + (int)i;
	return -1;
}

static int find_beside(const char *name, size_t len, compare by)
{
	for (size_t i = 0; i < N_BESIDE; i++)
		if (is(beside_table[i].name, name, len, by))
			return beside_table[i].symbol;
	return -1;
}

static int find_counter(const struct screen *s, const char *name, size_t len, compare by)
{
	for (size_t i = 0; i < s->n_aliases; i++)
		if (is(s->alias[i], name, len, by))
			return (int)i;
	return -1;
}

static int find_variable(const char *name, size_t len)
{
	for (int v = 0; v < N_VARIABLES; v++)
		if (strlen(variable_at(v).name) == len &&
		    !strncasecmp(variable_at(v).name, name, len))
			return SYMBOL_VARIABLE + v;
	return -1;
}

static int find_header_by(const struct screen *s, const char *name, size_t len, compare by)
{
	for (size_t i = 0; i < s->n_columns; i++) {
		int n;
		const char *header = screen_column_name(&s->column[i], &n);

		if ((size_t)n == len && !by(header, name, len))
			return SYMBOL_COLUMN + (int)i;
	}
	return find_column_id(s, name, len, by);
}

static int find_header(const void *context, const char *name, size_t len)
{
	int symbol = find_header_by(context, name, len, strncmp);

	return symbol < 0 ? find_header_by(context, name, len, strncasecmp) : symbol;
}

static int find_grown_by(const struct screen *s, const char *name, size_t len, compare by)
{
	int symbol = find_counter(s, name, len, by);

	return symbol < 0 ? find_variable(name, len) : symbol;
}

/* Only what grows has an increment, be there a column of the same name or not. */
static int find_grown(const void *context, const char *name, size_t len)
{
	int symbol = find_grown_by(context, name, len, strncmp);

	return symbol < 0 ? find_grown_by(context, name, len, strncasecmp) : symbol;
}

static int find_by(const struct screen *s, const char *name, size_t len, compare by)
{
	int symbol = find_column_id(s, name, len, by);

	if (symbol < 0)
		symbol = find_beside(name, len, by);
	if (symbol < 0)
		symbol = find_grown_by(s, name, len, by);
	return symbol < 0 ? find_header_by(s, name, len, by) : symbol;
}

/* A name as it stands goes before one with other capitals. */
static int find(const void *context, const char *name, size_t len)
{
	int symbol = find_by(context, name, len, strncmp);

	return symbol < 0 ? find_by(context, name, len, strncasecmp) : symbol;
}

static void suggest(const void *context, struct suggestion *near)
{
	const struct screen *s = context;

	for (size_t i = 0; i < s->n_columns; i++)
		suggestion_offer(near, s->column[i].id);
	for (size_t i = 0; i < N_BESIDE; i++)
		suggestion_offer(near, beside_table[i].name);
	for (size_t i = 0; i < s->n_aliases; i++)
		suggestion_offer(near, s->alias[i]);
	for (int v = 0; v < N_VARIABLES; v++)
		suggestion_offer(near, variable_at(v).name);
}

bool condition_is_counter(const struct screen *s, int symbol)
{
	return (size_t)symbol < s->n_aliases;
}

const struct column *condition_column(const struct screen *s, int symbol)
{
	return symbol >= SYMBOL_COLUMN ? &s->column[symbol - SYMBOL_COLUMN] : NULL;
}

bool condition_is_text(const struct screen *s, int symbol)
{
	if (condition_is_counter(s, symbol))
		return false;
	for (size_t i = 0; i < N_BESIDE; i++)
		if (beside_table[i].symbol == symbol)
			return beside_table[i].is_text;
	if (symbol >= SYMBOL_COLUMN)
		return screen_column_is_text(condition_column(s, symbol));
	return symbol != SYMBOL_UNDER && variable_is_text(symbol - SYMBOL_VARIABLE);
}

static int check(const void *context, struct expr_ref ref, struct err *err)
{
	return condition_is_counter(context, ref.symbol) || ref.symbol >= SYMBOL_UNDER
		       ? 0
		       : variable_check_mode(ref.symbol - SYMBOL_VARIABLE, ref.mode, err);
}

static bool is_text(const void *context, int symbol)
{
	return condition_is_text(context, symbol);
}

struct expr_symbols condition_symbols(const struct screen *s)
{
	return (struct expr_symbols){
		.find = find,
		.context = s,
		.find_grown = find_grown,
		.find_header = find_header,
		.suggest = suggest,
		.check = check,
		.is_text = is_text,
		.call = condition_call_table,
		.n_calls = N_CALLS,
	};
}
