/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/condition.h"

#include <stdlib.h>

#include "base/mem.h"
#include "view/condition_name.h"
#include "view/evaluate.h"
#include "view/judged.h"
#include "view/lineage.h"

struct condition {
	struct expr *expr;
	const struct screen *screen;
	fact_mask facts;
	bool of_task, names_counters;
	/* The counters that it names itself are those of a screen that has the condition as its
	 * only column: they are bound as those of a column. */
	struct column column;
	struct screen own;
	struct binding own_binding;
	struct binding *binding;
	const struct sample *sample;
	uint64_t traced_ns, traced_generation; /* of the sample that the lineages are of */
	struct lineage *lineage;               /* [expr_n_refs] of under() */
	const struct judged *judged;           /* NULL: nobody */
	bool cmdline;
};

static bool is_verdict(const struct screen *s, int symbol)
{
	const struct column *column = condition_column(s, symbol);

	return symbol == SYMBOL_VARIABLE + VARIABLE_VERDICT ||
	       (column && screen_column_is_verdict(column));
}

/* Finds out what the expression needs. */
static void inspect(struct condition *c)
{
	c->of_task = true;
	for (size_t i = 0; i < expr_n_refs(c->expr); i++) {
		int symbol = expr_ref_at(c->expr, i).symbol;

		if (condition_is_counter(c->screen, symbol))
			c->names_counters = true;
		else if (symbol == SYMBOL_UNDER)
			c->facts |= FACT_BIT(FACT_PPID);
		else if (symbol < SYMBOL_UNDER)
			c->facts |= variable_at(symbol - SYMBOL_VARIABLE).facts;
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

bool condition_asks(const struct condition *c)
{
	return expr_asks(c->expr);
}

fact_mask condition_facts(const struct condition *c)
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

/* A frame may be built again of the same sample. */
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

void condition_judge(struct condition *c, const struct judged *judged)
{
	c->judged = judged;
}

void condition_begin(struct condition *c, struct binding *binding, const struct sample *sample,
		     bool cmdline)
{
	/* Another binding may lie where the last one did, with other numbers. */
	binding_done(&c->own_binding);
	binding_init(&c->own_binding, &c->own, binding->numbers);
	c->binding = binding;
	c->sample = sample;
	c->cmdline = cmdline;
	trace_lineages(c);
}

/* A row that is asked about. */
struct asked {
	struct condition *condition;
	const struct task *task;
	const struct delta_row *row; /* NULL: only what the task has is asked for */
	const struct value *cell;    /* NULL: they are not known yet */
};

static struct value value_of_tri(enum tri answer)
{
	return answer == TRI_UNKNOWN ? value_none(QUALITY_NOT_READ)
				     : value_exact(answer == TRI_TRUE);
}

static struct value ask_under(const struct asked *a, uint64_t root)
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

static const char *text_of(const struct asked *a, int symbol)
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
	return task_text(a->task, (enum fact)(symbol - SYMBOL_VARIABLE - VARIABLE_FIRST_FACT));
}

/* How well it is known. */
static struct value load_known(const struct asked *a, int symbol)
{
	const struct column *column = condition_column(a->condition->screen, symbol);
	enum fact fact;

	if (symbol == SYMBOL_USER || symbol == SYMBOL_COMMAND || !a->row ||
	    is_verdict(a->condition->screen, symbol))
		return text_of(a, symbol) ? value_exact(0) : value_none(QUALITY_NOT_READ);
	fact = column ? screen_column_fact(column)
		      : (enum fact)(symbol - SYMBOL_VARIABLE - VARIABLE_FIRST_FACT);
	return delta_fact_now(a->row, fact);
}

static struct value load_column(const struct asked *a, size_t i)
{
	const struct condition *c = a->condition;

	if (a->cell)
		return a->cell[i];
	return evaluate_column(&c->screen->column[i], c->binding->shown, a->row, &c->sample->host,
			       binding_column(c->binding, a->row->events, i));
}

static struct value load_name(const struct asked *a, struct expr_ref ref)
{
	struct condition *c = a->condition;
	const struct bound *bound =
		c->names_counters ? binding_column(&c->own_binding, a->row->events, 0) : NULL;

	return evaluate_name(ref, a->row, &c->sample->host, bound);
}

static struct value load(const void *context, struct expr_ref ref)
{
	const struct asked *a = context;

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
	const struct asked asked = {c, task, row, cell};

	return expr_eval(c->expr, load, load_text, &asked);
}

enum tri condition_ask(struct condition *c, const struct task *task, const struct delta_row *row,
		       const struct value *cell)
{
	struct value v = condition_value(c, task, row, cell);

	if (!value_known(v))
		return TRI_UNKNOWN;
	return v.number != 0 ? TRI_TRUE : TRI_FALSE;
}
