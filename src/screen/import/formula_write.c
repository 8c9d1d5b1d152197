/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of formula: a tree as the expression of a column. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "screen/import/formula_part.h"

/* How strongly an operation binds; what needs no parentheses anywhere most. */
enum strength { BINDS_OR, BINDS_AND, BINDS_COMPARISON, BINDS_SUM, BINDS_PRODUCT, BINDS_ALL };

static enum strength strength_of(const struct node *n)
{
	if (n->kind == NODE_NEGATE || (node_is_number(n) && n->number < 0))
		return BINDS_PRODUCT;
	if (n->kind != NODE_OPERATOR)
		return BINDS_ALL;
	switch (n->op) {
	case '|':
		return BINDS_OR;
	case '&':
		return BINDS_AND;
	case '<':
	case '>':
		return BINDS_COMPARISON;
	case '+':
	case '-':
		return BINDS_SUM;
	default:
		return BINDS_PRODUCT;
	}
}

/* Whole numbers as they are; of others as few digits as tell the number apart from all others. */
static void write_number(struct strbuf *out, double number)
{
	char text[32];

	if (fabs(number) < 1e6 && floor(number) == number) {
		strbuf_addf(out, "%.0f", number);
		return;
	}
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	strbuf_addstr(out, text);
}

/* Writes an operand of something that binds so strongly, with parentheses where it needs them. */
static void write_operand(struct strbuf *out, const struct node *n, enum strength outer, bool equal)
{
	enum strength own = strength_of(n);
	bool bare = own > outer || (equal && own == outer && own != BINDS_COMPARISON);

	strbuf_addstr(out, bare ? "" : "(");
	formula_write(out, n);
	strbuf_addstr(out, bare ? "" : ")");
}

static void write_operator(struct strbuf *out, const struct node *n)
{
	enum strength own = strength_of(n);

	write_operand(out, n->arg[0], own, true);
	if (n->op == '&' || n->op == '|')
		strbuf_addstr(out, n->op == '&' ? " and " : " or ");
	else
		strbuf_addf(out, " %c ", n->op);
	write_operand(out, n->arg[1], own, false);
}

static void write_call(struct strbuf *out, const char *name, const struct node *n)
{
	strbuf_addf(out, "%s(", name);
	for (size_t i = 0; i < 3 && n->arg[i]; i++) {
		strbuf_addstr(out, i ? ", " : "");
		formula_write(out, n->arg[i]);
	}
	strbuf_addch(out, ')');
}

void formula_write(struct strbuf *out, const struct node *n)
{
	switch (n->kind) {
	case NODE_NUMBER:
		write_number(out, n->number);
		break;
	case NODE_COUNTER:
		strbuf_addf(out, "delta(%s)", n->name);
		break;
	case NODE_RATE:
		strbuf_addf(out, "rate(%s)", n->name);
		break;
	case NODE_NEGATE:
		strbuf_addch(out, '-');
		write_operand(out, n->arg[0], BINDS_PRODUCT, false);
		break;
	case NODE_OPERATOR:
		write_operator(out, n);
		break;
	case NODE_IF:
		write_call(out, "if", n);
		break;
	default:
		write_call(out, n->name, n);
	}
}
