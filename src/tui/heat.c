/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/heat.h"

#include <math.h>

#define N_HEATS (LOOK_HEAT_5 - LOOK_HEAT_1 + 1)

/* A state without a unit is a name in digits. */
static bool is_amount(const struct column *c)
{
	return !screen_column_is_text(c) && !(c->kind == COLUMN_STATE && c->unit == UNIT_NONE);
}

static void add(struct heat *h, const struct frame *frame, const struct frame_row *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct value v = frame_value(frame, row, i);

		if (!value_known(v) || !is_amount(&frame->screen->column[i]))
			continue;
		h->least[i] = v.number < h->least[i] ? v.number : h->least[i];
		h->most[i] = v.number > h->most[i] ? v.number : h->most[i];
	}
}

void heat_fit(struct heat *h, const struct frame *frame)
{
	size_t n = frame->screen->n_columns;

	n = n < LAYOUT_COLUMNS_MAX ? n : LAYOUT_COLUMNS_MAX;
	for (size_t i = 0; i < LAYOUT_COLUMNS_MAX; i++) {
		h->least[i] = INFINITY;
		h->most[i] = -INFINITY;
	}
	for (size_t i = 0; i < frame->n; i++)
		if (!frame->row[i].ancestor)
			add(h, frame, &frame->row[i], n);
}

enum look heat_look(const struct heat *h, size_t i, struct value v)
{
	double part;

	if (!h || i >= LAYOUT_COLUMNS_MAX || !value_known(v) || !(h->least[i] < h->most[i]))
		return LOOK_NORMAL;
	part = (v.number - h->least[i]) / (h->most[i] - h->least[i]);
	if (!(part >= 0 && part < 1))
		return part >= 1 ? LOOK_HEAT_5 : LOOK_HEAT_1;
	return (enum look)(LOOK_HEAT_1 + (int)(part * N_HEATS));
}
