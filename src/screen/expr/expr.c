/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/expr/expr.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "screen/expr/lex.h"

/* ---- config ----
 *
 * Computes the integer of a counter's "config" attribute, in which names may stand.
 */

/* The maximal depth of parentheses. */
#define CONFIG_DEPTH_MAX 64

enum config_op { CONFIG_OR, CONFIG_AND, CONFIG_SHL };

/* The words "and" and "or" may replace the signs, because '&' must be written "&amp;" in XML. */
static const struct operator_row {
	const char *symbol;
	int precedence; /* higher binds tighter; 1 is the lowest */
	enum config_op op;
} operator_table[] = {
	{"|", 1, CONFIG_OR},    {"or", 1, CONFIG_OR},   {"&", 2, CONFIG_AND},
	{"and", 2, CONFIG_AND}, {"shl", 3, CONFIG_SHL},
};

#define OPERATORS   "| & shl"
#define N_OPERATORS (sizeof operator_table / sizeof *operator_table)
#define LOOSEST     1

struct config_parser {
	struct lexer lex;
	int (*lookup)(const char *name, size_t len, uint64_t *value);
	int parens; /* open parentheses */
	struct err *err;
};

static const struct operator_row *operator_find(const struct lexer *l)
{
	for (size_t i = 0; i < N_OPERATORS; i++)
		if (lex_is(l, operator_table[i].symbol))
			return &operator_table[i];
	return NULL;
}

static int parse_or(struct config_parser *p, int precedence, uint64_t *out);

static int parse_atom(struct config_parser *p, uint64_t *out)
{
	struct token t = p->lex.token;
	int rc = 0;

	if (lex_take(&p->lex, "(")) {
		if (++p->parens > CONFIG_DEPTH_MAX)
			return err_set(p->err, EINVAL,
				       "column %zu: at most %d parentheses may be open", t.column,
				       CONFIG_DEPTH_MAX);
		rc = parse_or(p, LOOSEST, out);
		if (!rc)
			rc = lex_close(&p->lex, t.column, OPERATORS, p->err);
		p->parens--;
		return rc;
	}
	if (t.kind == TOKEN_NUMBER)
		rc = lex_u64(&t, out, p->err);
	else if (t.kind != TOKEN_NAME || operator_find(&p->lex))
		return lex_expected(&p->lex, "a number, a name or '('", p->err);
	else if (p->lookup(t.text, t.len, out))
		return err_set(p->err, ENOENT, "column %zu: '%.*s' is not a known name", t.column,
			       LEX_QUOTE(t));
	lex_next(&p->lex);
	return rc;
}

static int apply_config_op(struct config_parser *p, enum config_op op, uint64_t *left,
			   uint64_t right, size_t column)
{
	switch (op) {
	case CONFIG_OR:
		*left |= right;
		return 0;
	case CONFIG_AND:
		*left &= right;
		return 0;
	case CONFIG_SHL:
		break;
	}
	if (right >= 64)
		return err_set(p->err, ERANGE,
			       "column %zu: a shift by %llu is too far for a number of 64 bits",
			       column, (unsigned long long)right);
	*left <<= right;
	return 0;
}

/* Parses operators of at least this precedence by precedence climbing, as parse.c does, but
 * computes the value at once. */
static int parse_or(struct config_parser *p, int precedence, uint64_t *out)
{
	const struct operator_row *o;
	int rc = parse_atom(p, out);

	while (!rc && (o = operator_find(&p->lex)) && o->precedence >= precedence) {
		size_t column = p->lex.token.column;
		uint64_t right;

		lex_next(&p->lex);
		rc = parse_or(p, o->precedence + 1, &right);
		if (!rc)
			rc = apply_config_op(p, o->op, out, right, column);
	}
	return rc;
}

int expr_config_eval(const char *text, int (*lookup)(const char *name, size_t len, uint64_t *value),
		     uint64_t *out, struct err *err)
{
	struct config_parser p = {.lookup = lookup, .err = err};
	uint64_t result;
	int rc;

	lex_start(&p.lex, text);
	if (p.lex.token.kind == TOKEN_END)
		return err_set(err, EINVAL, "column 1: the config is empty");
	rc = parse_or(&p, LOOSEST, &result);
	if (!rc)
		rc = lex_finish(&p.lex, OPERATORS, err);
	if (!rc)
		*out = result;
	return rc;
}

/* ---- code ----
 *
 * Runs compiled expressions and analyses their inputs.
 */

/* ---- need ----
 *
 * The references without which an expression cannot be true.
 */

/* The references that a value needs, as bits. If a reference of `known` is unknown, the value is
 * unknown; if a reference of `truth` is unknown, the value is unknown or 0. */
struct need {
	uint64_t known, truth;
};

static uint64_t bit_of(size_t ref)
{
	return ref < 64 ? UINT64_C(1) << ref : 0;
}

static uint64_t bit_of_text(const struct expr_text *t)
{
	return t->literal ? 0 : bit_of(t->ref);
}

/* Returns the need of an operation whose result is unknown if any operand is unknown. */
static struct need need_all(const struct need *arg, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all |= arg[i].known;
	return (struct need){all, all};
}

/* Returns the need of an operation. One operand of "and" or "or" may determine the result alone,
 * and if() uses only one of its branches. */
static struct need need_of(const struct expr *e, const struct op *op, const struct need *arg)
{
	uint64_t bits;

	switch (op->code) {
	case OP_LOAD:
		bits = bit_of(op->ref);
		return (struct need){bits, bits};
	case OP_ORDER:
		bits = bit_of_text(&e->text[op->left]) | bit_of_text(&e->text[op->right]);
		return (struct need){bits, bits};
	case OP_AND:
		return (struct need){arg[0].known & arg[1].known, arg[0].truth | arg[1].truth};
	case OP_OR:
		return (struct need){arg[0].known & arg[1].known, arg[0].truth & arg[1].truth};
	case OP_IF:
		return (struct need){arg[0].known | (arg[1].known & arg[2].known),
				     arg[0].known | (arg[1].truth & arg[2].truth)};
	default:
		return need_all(arg, op_table[op->code].n_args);
	}
}

bool expr_needs(const struct expr *e, size_t ref)
{
	struct need stack[EXPR_DEPTH_MAX];
	struct need *top = stack;

	for (const struct op *op = e->op; op < e->op + e->n_ops; op++) {
		top -= op_table[op->code].n_args;
		*top = need_of(e, op, top);
		top++;
	}
	return stack[0].truth & bit_of(ref);
}

bool expr_spreads_unknown(const struct expr *e)
{
	for (const struct op *op = e->op; op < e->op + e->n_ops; op++)
		if (op->code == OP_ORDER || op->code == OP_IF || op->code == OP_AND ||
		    op->code == OP_OR)
			return false;
	return true;
}

/* ---- limit ----
 *
 * The comparisons with numbers that must hold for an expression to be true.
 */

/* Returns the index of the first operation of the operand that ends with the operation `end`. */
static size_t begin_of(const struct expr *e, size_t end)
{
	size_t wanted = 1;

	for (;; end--) {
		wanted += op_table[e->op[end].code].n_args;
		if (!--wanted)
			return end;
	}
}

/* Reads the operand that ends with the operation `end` as a limit; false: it is none. */
static bool read_limit(const struct expr *e, size_t end, struct expr_limit *out)
{
	const struct op *op = &e->op[end];

	if (op->code < OP_LESS || op->code > OP_NOT_EQUAL || op[-1].code != OP_NUMBER ||
	    op[-2].code != OP_LOAD)
		return false;
	*out = (struct expr_limit){op[-2].ref, (enum expr_order)(op->code - OP_LESS),
				   op[-1].number};
	return true;
}

_Static_assert((int)EXPR_NOT_EQUAL == OP_NOT_EQUAL - OP_LESS, "the same order");

bool expr_limits(const struct expr *e, struct expr_limit *limit, size_t max, size_t *n)
{
	size_t end[EXPR_DEPTH_MAX], waiting = 1;
	bool all = true;

	*n = 0;
	for (end[0] = e->n_ops - 1; waiting;) {
		const size_t at = end[--waiting];

		if (e->op[at].code == OP_AND && waiting + 2 <= EXPR_DEPTH_MAX) {
			end[waiting++] = at - 1;
			end[waiting++] = begin_of(e, at - 1) - 1;
		} else if (*n < max && read_limit(e, at, &limit[*n])) {
			++*n;
		} else {
			all = false;
		}
	}
	return all;
}

bool expr_limit_holds(const struct expr_limit *limit, struct value v)
{
	if (!value_known(v))
		return false;
	switch (limit->order) {
	case EXPR_LESS:
		return v.number < limit->number;
	case EXPR_LESS_EQUAL:
		return v.number <= limit->number;
	case EXPR_GREATER:
		return v.number > limit->number;
	case EXPR_GREATER_EQUAL:
		return v.number >= limit->number;
	case EXPR_EQUAL:
		return v.number == limit->number;
	case EXPR_NOT_EQUAL:
		return v.number != limit->number;
	}
	return false;
}

/* ---- operations ---- */

static struct value apply_negate(const struct value *arg)
{
	return value_combine(-arg[0].number, arg[0], arg[0]);
}

static struct value apply_add(const struct value *arg)
{
	return value_combine(arg[0].number + arg[1].number, arg[0], arg[1]);
}

static struct value apply_subtract(const struct value *arg)
{
	return value_combine(arg[0].number - arg[1].number, arg[0], arg[1]);
}

static struct value apply_multiply(const struct value *arg)
{
	return value_combine(arg[0].number * arg[1].number, arg[0], arg[1]);
}

static struct value apply_divide(const struct value *arg)
{
	return value_divide(arg[0], arg[1]);
}

static struct value apply_min(const struct value *arg)
{
	return value_combine(fmin(arg[0].number, arg[1].number), arg[0], arg[1]);
}

static struct value apply_max(const struct value *arg)
{
	return value_combine(fmax(arg[0].number, arg[1].number), arg[0], arg[1]);
}

static struct value apply_abs(const struct value *arg)
{
	return value_combine(fabs(arg[0].number), arg[0], arg[0]);
}

/* Both branches have been computed; the condition selects one. */
static struct value apply_if(const struct value *arg)
{
	const struct value *chosen = arg[0].number != 0 ? &arg[1] : &arg[2];

	return value_known(arg[0]) ? value_combine(chosen->number, arg[0], *chosen) : arg[0];
}

static struct value apply_less(const struct value *arg)
{
	return value_combine(arg[0].number < arg[1].number, arg[0], arg[1]);
}

static struct value apply_less_equal(const struct value *arg)
{
	return value_combine(arg[0].number <= arg[1].number, arg[0], arg[1]);
}

static struct value apply_greater(const struct value *arg)
{
	return value_combine(arg[0].number > arg[1].number, arg[0], arg[1]);
}

static struct value apply_greater_equal(const struct value *arg)
{
	return value_combine(arg[0].number >= arg[1].number, arg[0], arg[1]);
}

static struct value apply_equal(const struct value *arg)
{
	return value_combine(arg[0].number == arg[1].number, arg[0], arg[1]);
}

static struct value apply_not_equal(const struct value *arg)
{
	return value_combine(arg[0].number != arg[1].number, arg[0], arg[1]);
}

/* Computes "and" (deciding: false) or "or" (true): an operand with the deciding truth value
 * determines the result alone, even if the other operand is unknown. */
static struct value decide(const struct value *arg, bool deciding)
{
	bool left = (arg[0].number != 0) == deciding, right = (arg[1].number != 0) == deciding;
	bool left_known = value_known(arg[0]), right_known = value_known(arg[1]);

	if (left_known && left && !right_known)
		return value_combine(deciding, arg[0], arg[0]);
	if (right_known && right && !left_known)
		return value_combine(deciding, arg[1], arg[1]);
	return value_combine(left || right ? deciding : !deciding, arg[0], arg[1]);
}

static struct value apply_and(const struct value *arg)
{
	return decide(arg, false);
}

static struct value apply_or(const struct value *arg)
{
	return decide(arg, true);
}

static struct value apply_not(const struct value *arg)
{
	return value_combine(arg[0].number == 0, arg[0], arg[0]);
}

const struct op_row op_table[N_OPS] = {
	[OP_NUMBER] = {0, NULL},
	[OP_LOAD] = {0, NULL},
	[OP_ORDER] = {0, NULL},
	[OP_NEGATE] = {1, apply_negate},
	[OP_ADD] = {2, apply_add},
	[OP_SUBTRACT] = {2, apply_subtract},
	[OP_MULTIPLY] = {2, apply_multiply},
	[OP_DIVIDE] = {2, apply_divide},
	[OP_MIN] = {2, apply_min},
	[OP_MAX] = {2, apply_max},
	[OP_ABS] = {1, apply_abs},
	[OP_IF] = {3, apply_if},
	[OP_LESS] = {2, apply_less},
	[OP_LESS_EQUAL] = {2, apply_less_equal},
	[OP_GREATER] = {2, apply_greater},
	[OP_GREATER_EQUAL] = {2, apply_greater_equal},
	[OP_EQUAL] = {2, apply_equal},
	[OP_NOT_EQUAL] = {2, apply_not_equal},
	[OP_AND] = {2, apply_and},
	[OP_OR] = {2, apply_or},
	[OP_NOT] = {1, apply_not},
};

static struct value apply(const struct op *op, const struct value *arg)
{
	struct value v = op_table[op->code].apply(arg);

	/* A result that is not finite becomes unknown; usually its divisor was near 0. If it were
	 * kept, dividing by it would give a 0 that looks exact. */
	return value_known(v) && !isfinite(v.number) ? value_none(QUALITY_DIVZERO) : v;
}

/* The context of an evaluation. */
struct run {
	const struct expr *expr;
	expr_load load;
	expr_load_text load_text;
	const void *row;
};

/* Returns the text; NULL: it is unknown. *known: a value with the quality of the text. */
static const char *text_of(const struct run *r, const struct expr_text *t, struct value *known)
{
	const char *text;

	*known = value_exact(0);
	if (t->literal)
		return t->literal;
	text = r->load_text ? r->load_text(r->row, r->expr->ref[t->ref]) : NULL;
	*known = r->load(r->row, r->expr->ref[t->ref]);
	if (!text && value_known(*known))
		*known = value_none(QUALITY_NOT_READ);
	return text;
}

static struct value order_texts(const struct run *r, const struct op *op)
{
	struct value left_known, right_known;
	const char *left = text_of(r, &r->expr->text[op->left], &left_known);
	const char *right = text_of(r, &r->expr->text[op->right], &right_known);
	int order = left && right ? strcmp(left, right) : 0;

	return value_combine((order > 0) - (order < 0), left_known, right_known);
}

/* Returns the value that the operation pushes. arg: its operands. */
static inline struct value run_op(const struct run *r, const struct op *op, const struct value *arg)
{
	switch (op->code) {
	case OP_NUMBER:
		return value_exact(op->number);
	case OP_LOAD:
		return r->load(r->row, r->expr->ref[op->ref]);
	case OP_ORDER:
		return order_texts(r, op);
	default:
		return apply(op, arg);
	}
}

struct value expr_eval(const struct expr *e, expr_load load, expr_load_text load_text,
		       const void *row)
{
	const struct run r = {e, load, load_text, row};
	struct value stack[EXPR_DEPTH_MAX];
	struct value *top = stack;

	/* A shortcut for the most frequent expressions: a single name. */
	if (e->n_ops == 1 && e->op->code == OP_LOAD)
		return load(row, e->ref[e->op->ref]);
	for (const struct op *op = e->op; op < e->op + e->n_ops; op++) {
		top -= op_table[op->code].n_args;
		*top = run_op(&r, op, top);
		top++;
	}
	return stack[0];
}

/* Skips the right operands of "and" and "or" that cannot change the result. *v: the value of the
 * operation `op`. If *v is a left operand that decides its "and" or "or", *v becomes the value of
 * that operation, and so on. Returns the operation whose value *v then is. */
static const struct op *pass_decided(const struct expr *e, const struct op *op, struct value *v)
{
	while (op->decides && value_known(*v) &&
	       (v->number != 0) == (e->op[op->decides].code == OP_OR)) {
		v->number = v->number != 0;
		op = &e->op[op->decides];
	}
	return op;
}

enum tri expr_test(const struct expr *e, expr_load load, expr_load_text load_text, const void *row)
{
	const struct run r = {e, load, load_text, row};
	struct value stack[EXPR_DEPTH_MAX];
	struct value *top = stack;

	for (const struct op *op = e->op; op < e->op + e->n_ops; op++) {
		top -= op_table[op->code].n_args;
		*top = run_op(&r, op, top);
		op = pass_decided(e, op, top);
		top++;
	}
	if (!value_known(stack[0]))
		return TRI_UNKNOWN;
	return stack[0].number != 0 ? TRI_TRUE : TRI_FALSE;
}

void expr_free(struct expr *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->n_texts; i++)
		free(e->text[i].literal);
	free(e->text);
	free(e->op);
	free(e->ref);
	free(e);
}

size_t expr_n_ops(const struct expr *e)
{
	return e->n_ops;
}

size_t expr_n_refs(const struct expr *e)
{
	return e->n_refs;
}

struct expr_ref expr_ref_at(const struct expr *e, size_t i)
{
	return e->ref[i];
}

bool expr_is_text(const struct expr *e)
{
	return e->is_text;
}

bool expr_has_test(const struct expr *e)
{
	return e->asks;
}

size_t expr_fault_column(const struct err *err)
{
	static const char before[] = "column ";

	if (strncmp(err->text, before, sizeof before - 1) != 0)
		return 0;
	return strtoul(err->text + sizeof before - 1, NULL, 10);
}
