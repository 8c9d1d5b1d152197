/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * condition - an expression that is asked of rows: whether it is true, false or unknown.
 *
 *   condition_compile(&c, "ipc < 0.5 && user == 'db'", screen, &err);
 *   condition_begin(c, binding, sample, false);                         once for each frame
 *   condition_test(c, row->task, row->from, NULL);                       for each row
 *   condition_free(c);
 *
 * The grammar is that of columns (screen/expr/expr.h). A name is, in this order: the id of a column
 * of the screen, which stands for what the column shows, be it a number or a text; pid, user,
 * command, which stand beside the columns; a counter of the screen, as in delta(instr); a variable;
 * the header of a column, also as [header]. All are found in capital and small letters, as they
 * stand first. under(PID) asks whether the row is this process, or descends from it. A row for
 * which the value is not known is unknown; what is not 0 is true.
 *
 * Counters that the condition names by itself are bound together, as those of a column are.
 *
 * Errors are those of expr_compile(), with the column of the text. Ownership: a condition borrows
 * the screen; from condition_begin() on also binding and sample, until the next one.
 */
#ifndef VIEW_CONDITION_H
#define VIEW_CONDITION_H

#include "base/tri.h"
#include "model/delta.h"
#include "screen/binding.h"
#include "screen/screen.h"

/* ---- name ----
 *
 * What the names in a condition are: symbols of its expression.
 */

/* Symbols beside the counters and variables of the screen. */
enum {
	SYMBOL_UNDER = SYMBOL_VARIABLE + N_VARIABLES,
	SYMBOL_PID,
	SYMBOL_USER,
	SYMBOL_COMMAND,
	SYMBOL_COLUMN /* from here on: SYMBOL_COLUMN + the index of the column */
};

/* For compiling a condition against the screen, which is borrowed. */
struct expr_symbols condition_symbols(const struct screen *s);

/* ---- condition ---- */

struct condition;
struct judged;

int condition_compile(struct condition **out, const char *text, const struct screen *screen,
		      struct err *err);
/* NULL is fine. */
void condition_free(struct condition *c);

/* Whether it compares or asks something, and does not only compute. */
bool condition_has_test(const struct condition *c);
/* What has to be read for it, beside what the columns of its screen need. */
fact_mask condition_facts(const struct condition *c);
/* Whether the task alone has the answer: condition_test() needs no row of a delta then. */
bool condition_is_of_task(const struct condition *c);

/* Who is asked where it names the verdict, from now on; NULL: it is unknown. */
void condition_set_judged(struct condition *c, const struct judged *judged);
/* The rows that are asked about are of this sample. binding: of the screen. cmdline: the command is
 * shown as its command line. */
void condition_begin(struct condition *c, struct binding *binding, const struct sample *sample,
		     bool cmdline);
/* row: may be NULL where the task alone has the answer. cell: what the columns show, [n_columns];
 * NULL: it is computed as far as it is needed. */
enum tri condition_test(struct condition *c, const struct task *task, const struct delta_row *row,
			const struct value *cell);
/* The same as a number: what the expression gives. */
struct value condition_value(struct condition *c, const struct task *task,
			     const struct delta_row *row, const struct value *cell);

/* Whether it names this column of its screen. */
bool condition_names(const struct condition *c, size_t column);
/* Whether it can only be true where this column is known. */
bool condition_needs(const struct condition *c, size_t column);

#endif
