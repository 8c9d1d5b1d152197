/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build - an expression while it is put together: operations, references and texts are appended.
 * How many values wait on the stack is for whoever builds to know.
 */
#ifndef SCREEN_EXPR_BUILD_H
#define SCREEN_EXPR_BUILD_H

#include "screen/expr/eval.h"

void build_op(struct expr *e, struct op op);
/* Returns the index of the reference, which is there once. */
size_t build_ref(struct expr *e, struct expr_ref ref);
/* Returns the index of a text: a literal, which is taken over, or that of a reference. */
uint32_t build_text(struct expr *e, char *literal, size_t ref);
/* Takes over the texts of another expression, and with them their references. */
void build_texts_of(struct expr *e, const struct expr *other);
/* Operation i of another expression as one of this. texts: how many there were before those of the
 * other. */
struct op build_op_of(struct expr *e, const struct expr *other, size_t i, size_t texts);
/* Gives up the memory that is not filled: nothing is appended any more, and the expressions of all
 * screens are kept. */
void build_fit(struct expr *e);

#endif
