/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/bind/fit.h"

#include <string.h>

#include "screen/bind/counters.h"

bool fit_tells_cores_apart(const struct column *column)
{
	for (size_t i = 0; i < expr_n_refs(column->expr); i++)
		if (expr_ref_at(column->expr, i).symbol == SYMBOL_VARIABLE + VARIABLE_FAST_CORES)
			return true;
	return false;
}

static bool same_id(const struct screen *screen, size_t i, size_t k)
{
	return !strcmp(screen->column[i].id, screen->column[k].id);
}

static bool id_is_taken(const struct screen *screen, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (same_id(screen, i, k))
			return true;
	return false;
}

/* Keeps one of the columns that share the id of column i, the first of them, and drops the others.
 * Keeps the first whose events this machine knows; if there is none, the last. */
static void choose_variant(struct screen *screen, const struct event_set *set, size_t i)
{
	size_t chosen = i;
	bool optional = true;

	for (size_t k = i; k < screen->n_columns; k++) {
		if (!same_id(screen, i, k))
			continue;
		optional = optional && screen->column[k].optional;
		if (!counters_known(set, &screen->column[chosen]))
			chosen = k;
	}
	screen->column[chosen].optional = optional;
	for (size_t k = screen->n_columns; k-- > i;)
		if (k != chosen && same_id(screen, chosen, k)) {
			screen_drop_column(screen, k);
			chosen -= k < chosen;
		}
}

static bool can_be_shown(const struct column *column, struct event_set *set,
			 const struct offer *offer)
{
	if (fit_tells_cores_apart(column) && !machine_is_hybrid(offer->machine))
		return false;
	return counters_available(set, column, offer);
}

static bool knows_column(const struct screen *screen, size_t i, const struct offer *offer)
{
	const struct expr *expr = screen->column[i].expr;

	for (size_t k = 0; k < expr_n_refs(expr); k++) {
		size_t symbol = (size_t)expr_ref_at(expr, k).symbol;

		if (symbol < screen->n_aliases &&
		    !counters_know_alias(screen, screen->alias[symbol], offer))
			return false;
	}
	return true;
}

/* Returns whether this CPU has the events of one of the columns with the id of column i, or can do
 * without them, because all of them are optional. */
static bool can_do_without(const struct screen *screen, size_t i, const struct offer *offer)
{
	bool optional = true;

	for (size_t k = i; k < screen->n_columns; k++)
		if (same_id(screen, i, k))
			optional = optional && screen->column[k].optional;
	for (size_t k = i; k < screen->n_columns && !optional; k++)
		if (same_id(screen, i, k) && knows_column(screen, k, offer))
			return true;
	return optional;
}

bool fit_may_show(const struct screen *screen, const struct offer *offer)
{
	if (screen->file && !screen->needs)
		return true;
	for (size_t i = 0; i < screen->n_columns; i++)
		if (!id_is_taken(screen, i) && !can_do_without(screen, i, offer))
			return false;
	return true;
}

void fit_screen(struct screen *screen, const struct offer *offer)
{
	struct event_set set;

	if (screen->fitted)
		return;
	screen->fitted = true;
	counters_make_set(&set, screen, offer);
	for (size_t i = screen->n_columns; i-- > 0;)
		if (!id_is_taken(screen, i))
			choose_variant(screen, &set, i);
	for (size_t i = screen->n_columns; i-- > 0 && screen->n_columns > 1;)
		if (screen->column[i].optional && !can_be_shown(&screen->column[i], &set, offer))
			screen_drop_column(screen, i);
	event_set_done(&set);
}
