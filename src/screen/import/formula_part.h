/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formula_part - the tree that a formula is while it is translated: formula_parse.c makes it of a
 * text, formula.c puts meanings in the place of names, and formula_write.c writes it. Nodes lie in
 * an arena and do not change once they are made.
 */
#ifndef SCREEN_IMPORT_FORMULA_PART_H
#define SCREEN_IMPORT_FORMULA_PART_H

#include <stdbool.h>

#include "base/mem.h"
#include "screen/import/formula.h"

enum node_kind {
	NODE_NUMBER,
	NODE_NAME,    /* not looked up yet */
	NODE_COUNTER, /* its increment */
	NODE_RATE,    /* the same per second */
	NODE_TIME,
	NODE_NEGATE,
	NODE_OPERATOR, /* + - * / < > & | of two */
	NODE_CALL,
	NODE_IF /* the condition, then, else */
};

struct node {
	enum node_kind kind;
	char op;
	double number;
	const char *name; /* a name, an alias, a function */
	size_t column;
	const struct node *arg[3];
};

/* Makes the tree of a text. */
int formula_parse(const struct node **out, const char *text, struct arena *arena, struct err *err);
/* Appends the tree, which has no names and no time any more. */
void formula_write(struct strbuf *out, const struct node *n);

const struct node *node_number(struct arena *arena, double number);
const struct node *node_operator(struct arena *arena, char op, const struct node *x,
				 const struct node *y);
/* A copy with other arguments. */
struct node *node_copy(struct arena *arena, const struct node *n);
bool node_is_number(const struct node *n);

#endif
