/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/alike.h"

#include <errno.h>
#include <string.h>

/* The first event of a counter; those of other kinds of cores count the same. NULL: none. */
static const struct origin *find_origin(const struct origins *origins, const char *counter)
{
	for (size_t i = 0; i < origins->n; i++)
		if (!strcmp(origins->v[i].counter, counter))
			return origins->v[i].what ? &origins->v[i] : NULL;
	return NULL;
}

/* What is meant is the same, also where CPUs have another number for it: "(event 0xc4)". */
static bool means_the_same(const char *x, const char *y)
{
	const size_t n = strcspn(x, "("), m = strcspn(y, "(");

	return n == m && !memcmp(x, y, n);
}

static int differ(struct err *why, const struct alike_side *a, const struct alike_side *b,
		  const char *counter, const char *verb, const char *in_a, const char *in_b)
{
	return err_set(why, EINVAL, "in %s '%s' %s %s; in %s %s", a->label, counter, verb, in_a,
		       b->label, in_b);
}

static int compare_counter(const struct alike_side *a, const struct alike_side *b,
			   const char *counter, struct err *why)
{
	const struct origin *x = find_origin(a->origins, counter);
	const struct origin *y = find_origin(b->origins, counter);

	if (!x || !y)
		return 0;
	if (strcmp(x->modes, y->modes))
		return differ(why, a, b, counter, "is counted in", x->modes, y->modes);
	if (x->meaning && y->meaning && !means_the_same(x->meaning, y->meaning))
		return differ(why, a, b, counter, "counts", x->meaning, y->meaning);
	if (!(x->meaning && y->meaning) && strcmp(x->what, y->what))
		return differ(why, a, b, counter, "is", x->what, y->what);
	return 0;
}

static int find_column(const struct screen *screen, const char *id, size_t *column)
{
	for (size_t i = 0; i < screen->n_columns; i++)
		if (!strcmp(screen->column[i].id, id)) {
			*column = i;
			return 0;
		}
	return -ENOENT;
}

int alike_find(const struct alike_side *a, size_t i, const struct alike_side *b, size_t *column,
	       struct err *why)
{
	const struct column *x = &a->screen->column[i], *y;
	int ret = 0;

	if (find_column(b->screen, x->id, column))
		return err_set(why, ENOENT,
			       "the screen '%s' of %s does not have it: its CPU lacks "
			       "what it counts, or it is another screen of this name",
			       b->screen->name, b->label);
	y = &b->screen->column[*column];
	if (strcmp(x->text, y->text))
		return err_set(why, EINVAL, "in %s it is %s; in %s %s", a->label, x->text, b->label,
			       y->text);
	for (size_t k = 0; k < expr_n_refs(x->expr) && !ret; k++) {
		const struct expr_ref ref = expr_ref_at(x->expr, k);

		if (ref.symbol < (int)a->screen->n_aliases)
			ret = compare_counter(a, b, a->screen->alias[ref.symbol], why);
	}
	return ret;
}
