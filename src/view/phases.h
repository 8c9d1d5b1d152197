/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phases - when columns of a row changed their level, from its history (base/phase.h). Pure.
 *
 * Looked at are the column that is drawn, IPC, and the first column of numbers of the screen.
 * Intervals without a number are left out: what was before and behind them is compared.
 */
#ifndef VIEW_PHASES_H
#define VIEW_PHASES_H

#include "base/mem.h"
#include "base/phase.h"
#include "view/past.h"

struct phases_change {
	const struct column *column; /* the screen's */
	struct phase_change change;  /* `when` is a moment of the history */
};

struct phases {
	struct phases_change *v; /* by column, then by time */
	size_t n, cap;
};

/* Adds the changes of column i of the bound screen at n moments from `first` on. What it makes lies
 * in the arena. */
void phases_find(struct phases *p, const struct past_row *of, struct binding *binding, size_t i,
		 const struct host *host, uint32_t first, size_t n, struct arena *arena);

#endif
