/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/expr/build.h"

#include "base/mem.h"

void build_op(struct expr *e, struct op op)
{
	e->op = xgrow(e->op, &e->cap_ops, e->n_ops + 1, sizeof *e->op);
	e->op[e->n_ops++] = op;
	e->asks |= op.code >= OP_LESS && op.code <= OP_NOT;
}

size_t build_ref(struct expr *e, struct expr_ref ref)
{
	for (size_t i = 0; i < e->n_refs; i++)
		if (e->ref[i].symbol == ref.symbol && e->ref[i].mode == ref.mode &&
		    e->ref[i].number == ref.number)
			return i;
	e->ref = xgrow(e->ref, &e->cap_refs, e->n_refs + 1, sizeof *e->ref);
	e->ref[e->n_refs] = ref;
	return e->n_refs++;
}

uint32_t build_text(struct expr *e, char *literal, size_t ref)
{
	e->text = xgrow(e->text, &e->cap_texts, e->n_texts + 1, sizeof *e->text);
	e->text[e->n_texts] = (struct expr_text){literal, ref};
	return (uint32_t)e->n_texts++;
}

void build_texts_of(struct expr *e, const struct expr *other)
{
	for (size_t i = 0; i < other->n_texts; i++) {
		const struct expr_text *t = &other->text[i];

		build_text(e, xstrdup_or_null(t->literal),
			   t->literal ? 0 : build_ref(e, other->ref[t->ref]));
	}
}

struct op build_op_of(struct expr *e, const struct expr *other, size_t i, size_t texts)
{
	struct op op = other->op[i];

	if (op.code == OP_LOAD)
		op.ref = build_ref(e, other->ref[op.ref]);
	if (op.code == OP_ORDER) {
		op.left += (uint32_t)texts;
		op.right += (uint32_t)texts;
	}
	return op;
}

void build_fit(struct expr *e)
{
	e->cap_ops = e->n_ops;
	e->op = xreallocarray(e->op, e->n_ops, sizeof *e->op);
	if (e->n_refs) {
		e->cap_refs = e->n_refs;
		e->ref = xreallocarray(e->ref, e->n_refs, sizeof *e->ref);
	}
	if (e->n_texts) {
		e->cap_texts = e->n_texts;
		e->text = xreallocarray(e->text, e->n_texts, sizeof *e->text);
	}
}
