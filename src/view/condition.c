/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/condition.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "model/fact_list.h"
#include "view/evaluate.h"
#include "view/tree.h"

/* ---- name ---- */

/* The functions that conditions have in addition to those of columns; ends with the name NULL. */
static const struct expr_call condition_call_table[] = {
	{"under", "under(pid)", "1 for this process and all that descend from it, else 0",
	 SYMBOL_UNDER},
	{.name = NULL},
};

#define N_CALLS (sizeof condition_call_table / sizeof *condition_call_table - 1)

/* The names of the fields that a row has besides its columns. */
static const struct {
	const char *name;
	int symbol;
	bool is_text;
} field_table[] = {
	{"pid", SYMBOL_PID, false},
	{"user", SYMBOL_USER, true},
	{"command", SYMBOL_COMMAND, true},
};

#define N_BESIDE (sizeof field_table / sizeof *field_table)

/* A comparison of names: strncmp or strncasecmp. */
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

static int find_field(const char *name, size_t len, compare by)
{
	for (size_t i = 0; i < N_BESIDE; i++)
		if (is(field_table[i].name, name, len, by))
			return field_table[i].symbol;
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
	for (int v = 0; v < n_variables; v++)
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

/* Finds a name in delta() or rate(): only counters and variables have increments, even if a column
 * has the same name. */
static int find_grown(const void *context, const char *name, size_t len)
{
	int symbol = find_grown_by(context, name, len, strncmp);

	return symbol < 0 ? find_grown_by(context, name, len, strncasecmp) : symbol;
}

static int find_by(const struct screen *s, const char *name, size_t len, compare by)
{
	int symbol = find_column_id(s, name, len, by);

	if (symbol < 0)
		symbol = find_field(name, len, by);
	if (symbol < 0)
		symbol = find_grown_by(s, name, len, by);
	return symbol < 0 ? find_header_by(s, name, len, by) : symbol;
}

/* Finds a name; an exact match has precedence over one with other case. */
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
		suggestion_offer(near, field_table[i].name);
	for (size_t i = 0; i < s->n_aliases; i++)
		suggestion_offer(near, s->alias[i]);
	for (int v = 0; v < n_variables; v++)
		suggestion_offer(near, variable_at(v).name);
}

static bool condition_is_counter(const struct screen *s, int symbol)
{
	return (size_t)symbol < s->n_aliases;
}

/* Returns the column of a symbol; NULL: none. */
static const struct column *condition_column(const struct screen *s, int symbol)
{
	return symbol >= SYMBOL_COLUMN ? &s->column[symbol - SYMBOL_COLUMN] : NULL;
}

static bool condition_is_text(const struct screen *s, int symbol)
{
	if (condition_is_counter(s, symbol))
		return false;
	for (size_t i = 0; i < N_BESIDE; i++)
		if (field_table[i].symbol == symbol)
			return field_table[i].is_text;
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

/* ---- condition ---- */

struct condition {
	struct expr *expr;
	const struct screen *screen;
	struct fact_set facts;
	bool of_task, names_counters;
	/* A copy of the screen with the condition as its only column, to which the counters are
	 * bound that the condition uses directly. */
	struct column column;
	struct screen own;
	struct binding own_binding;
	struct binding *binding;
	const struct sample *sample;
	uint64_t traced_ns, traced_generation; /* the sample for which the lineages were traced */
	struct lineage *lineage;               /* [expr_n_refs()], those of under() in use */
	const struct judged *judged;           /* NULL: verdicts are unknown */
	bool cmdline;
};

static bool is_verdict(const struct screen *s, int symbol)
{
	const struct column *column = condition_column(s, symbol);

	return symbol == SYMBOL_VARIABLE + VARIABLE_VERDICT ||
	       (column && screen_column_is_verdict(column));
}

/* Finds the facts and counters that the expression uses, and whether it depends on the task
 * alone. */
static void inspect(struct condition *c)
{
	c->of_task = true;
	for (size_t i = 0; i < expr_n_refs(c->expr); i++) {
		int symbol = expr_ref_at(c->expr, i).symbol;

		if (condition_is_counter(c->screen, symbol))
			c->names_counters = true;
		else if (symbol == SYMBOL_UNDER)
			fact_add(&c->facts, FACT_PPID);
		else if (symbol < SYMBOL_UNDER)
			c->facts = fact_or(c->facts, variable_at(symbol - SYMBOL_VARIABLE).facts);
		if (is_verdict(c->screen, symbol) ||
		    (symbol != SYMBOL_UNDER && symbol != SYMBOL_PID &&
		     !condition_is_text(c->screen, symbol)))
			c->of_task = false;
	}
}

int condition_compile(struct condition **out, const char *text, const struct screen *screen,
		      struct err *err)
{
	const struct expr_symbols symbols = condition_symbols(screen);
	struct expr *expr;
	struct condition *c;
	int ret = expr_compile(&expr, text, &symbols, err);

	if (ret)
		return ret;
	c = xcalloc(1, sizeof *c);
	c->expr = expr;
	c->screen = screen;
	inspect(c);
	c->lineage = xcalloc(expr_n_refs(expr), sizeof *c->lineage);
	c->column.expr = expr;
	c->own = *screen;
	c->own.column = &c->column;
	c->own.n_columns = 1;
	*out = c;
	return 0;
}

void condition_free(struct condition *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < expr_n_refs(c->expr); i++)
		lineage_done(&c->lineage[i]);
	free(c->lineage);
	binding_done(&c->own_binding);
	expr_free(c->expr);
	free(c);
}

bool condition_has_test(const struct condition *c)
{
	return expr_has_test(c->expr);
}

struct fact_set condition_facts(const struct condition *c)
{
	return c->facts;
}

bool condition_names(const struct condition *c, size_t column)
{
	for (size_t i = 0; i < expr_n_refs(c->expr); i++)
		if (expr_ref_at(c->expr, i).symbol == SYMBOL_COLUMN + (int)column)
			return true;
	return false;
}

bool condition_limits(const struct condition *c, struct expr_limit *limit, size_t max, size_t *n)
{
	size_t n_all;
	bool all = expr_limits(c->expr, limit, max, &n_all);

	*n = 0;
	for (size_t i = 0; i < n_all; i++) {
		const int symbol = expr_ref_at(c->expr, limit[i].ref).symbol;

		if (symbol < SYMBOL_COLUMN) {
			all = false;
			continue;
		}
		limit[*n] = limit[i];
		limit[(*n)++].ref = (size_t)(symbol - SYMBOL_COLUMN);
	}
	return all;
}

bool condition_needs(const struct condition *c, size_t column)
{
	for (size_t i = 0; i < expr_n_refs(c->expr); i++)
		if (expr_ref_at(c->expr, i).symbol == SYMBOL_COLUMN + (int)column)
			return expr_needs(c->expr, i);
	return false;
}

bool condition_is_of_task(const struct condition *c)
{
	return c->of_task;
}

/* Traces the lineages, unless this was done for the sample: a frame may be rebuilt from one
 * sample. */
static void trace_lineages(struct condition *c)
{
	const struct sample *s = c->sample;

	if (c->traced_ns == s->mono_ns && c->traced_generation == s->generation)
		return;
	c->traced_ns = s->mono_ns;
	c->traced_generation = s->generation;
	for (size_t i = 0; i < expr_n_refs(c->expr); i++)
		if (expr_ref_at(c->expr, i).symbol == SYMBOL_UNDER)
			lineage_trace(&c->lineage[i], s, expr_ref_at(c->expr, i).number);
}

void condition_set_judged(struct condition *c, const struct judged *judged)
{
	c->judged = judged;
}

void condition_begin(struct condition *c, struct binding *binding, const struct sample *sample,
		     bool cmdline)
{
	/* The binding may have other numbers than before, even at the same address. */
	binding_done(&c->own_binding);
	binding_init(&c->own_binding, &c->own, binding->numbers);
	c->binding = binding;
	c->sample = sample;
	c->cmdline = cmdline;
	trace_lineages(c);
}

/* The row under test. */
struct tested_row {
	struct condition *condition;
	const struct task *task;
	const struct delta_row *row; /* NULL: only the task is needed */
	const struct value *cell;    /* NULL: computed as needed */
};

static struct value value_of_tri(enum tri answer)
{
	return answer == TRI_UNKNOWN ? value_none(QUALITY_NOT_READ)
				     : value_exact(answer == TRI_TRUE);
}

static struct value ask_under(const struct tested_row *a, uint64_t root)
{
	const struct condition *c = a->condition;
	const struct kind *kind = a->task->kind;

	for (size_t i = 0; kind->pid && i < expr_n_refs(c->expr); i++)
		if (expr_ref_at(c->expr, i).symbol == SYMBOL_UNDER &&
		    expr_ref_at(c->expr, i).number == root)
			return value_of_tri(
				lineage_has(&c->lineage[i], (uint64_t)kind->pid(a->task)));
	return value_none(QUALITY_NOT_READ);
}

static const char *text_of(const struct tested_row *a, int symbol)
{
	const struct screen *s = a->condition->screen;
	const struct kind *kind = a->task->kind;

	if (symbol == SYMBOL_USER)
		return a->task->user;
	if (symbol == SYMBOL_COMMAND)
		return kind->label ? kind->label(a->task, a->condition->cmdline) : a->task->name;
	if (is_verdict(s, symbol))
		return a->row && !kind->counts_members
			       ? judged_word(a->condition->judged, a->condition->sample, a->row)
			       : NULL;
	if (symbol >= SYMBOL_COLUMN)
		return task_text(a->task, screen_column_fact(condition_column(s, symbol)));
	return task_text(a->task, symbol - SYMBOL_VARIABLE - VARIABLE_FIRST_FACT);
}

/* Returns the quality of a text, as a value without a number. */
static struct value load_known(const struct tested_row *a, int symbol)
{
	const struct column *column = condition_column(a->condition->screen, symbol);
	int fact;

	if (symbol == SYMBOL_USER || symbol == SYMBOL_COMMAND || !a->row ||
	    is_verdict(a->condition->screen, symbol))
		return text_of(a, symbol) ? value_exact(0) : value_none(QUALITY_NOT_READ);
	fact = column ? screen_column_fact(column) : symbol - SYMBOL_VARIABLE - VARIABLE_FIRST_FACT;
	return delta_fact_now(a->row, fact);
}

static struct value load_column(const struct tested_row *a, size_t i)
{
	const struct condition *c = a->condition;

	if (a->cell)
		return a->cell[i];
	return evaluate_column(&c->screen->column[i], c->binding->shown, a->row, &c->sample->host,
			       binding_column(c->binding, a->row->events, i));
}

static struct value load_name(const struct tested_row *a, struct expr_ref ref)
{
	struct condition *c = a->condition;
	const struct bound *bound =
		c->names_counters ? binding_column(&c->own_binding, a->row->events, 0) : NULL;

	return evaluate_name(ref, a->row, &c->sample->host, bound);
}

static struct value load(const void *context, struct expr_ref ref)
{
	const struct tested_row *a = context;

	if (ref.symbol == SYMBOL_UNDER)
		return ask_under(a, ref.number);
	if (ref.symbol == SYMBOL_PID)
		return value_count(task_number(a->task));
	if (condition_is_text(a->condition->screen, ref.symbol))
		return load_known(a, ref.symbol);
	if (ref.symbol >= SYMBOL_COLUMN)
		return load_column(a, (size_t)(ref.symbol - SYMBOL_COLUMN));
	return load_name(a, ref);
}

static const char *load_text(const void *context, struct expr_ref ref)
{
	return text_of(context, ref.symbol);
}

struct value condition_value(struct condition *c, const struct task *task,
			     const struct delta_row *row, const struct value *cell)
{
	const struct tested_row tested_row = {c, task, row, cell};

	return expr_eval(c->expr, load, load_text, &tested_row);
}

enum tri condition_test(struct condition *c, const struct task *task, const struct delta_row *row,
			const struct value *cell)
{
	const struct tested_row tested_row = {c, task, row, cell};

	return expr_test(c->expr, load, load_text, &tested_row);
}
