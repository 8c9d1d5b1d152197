/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * condition_name - what the names in a condition are: symbols of its expression.
 */
#ifndef VIEW_CONDITION_NAME_H
#define VIEW_CONDITION_NAME_H

#include "screen/screen.h"

/* Symbols beside the counters and variables of the screen. */
enum {
	SYMBOL_UNDER = SYMBOL_VARIABLE + N_VARIABLES,
	SYMBOL_PID,
	SYMBOL_USER,
	SYMBOL_COMMAND,
	SYMBOL_COLUMN /* from here on: SYMBOL_COLUMN + the index of the column */
};

/* The functions that conditions have beside those of columns, for lists; the last one has the name
 * NULL. */
extern const struct expr_call condition_call_table[];

/* For compiling a condition against the screen, which is borrowed. */
struct expr_symbols condition_symbols(const struct screen *s);

bool condition_is_counter(const struct screen *s, int symbol);
bool condition_is_text(const struct screen *s, int symbol);
/* The column that the symbol is; NULL: none. */
const struct column *condition_column(const struct screen *s, int symbol);

#endif
