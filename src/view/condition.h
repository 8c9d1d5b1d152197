/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * condition - an expression that is true, false or unknown for a row, and the interface to the
 * verdicts that it may name.
 *
 *   condition_compile(&c, "ipc < 0.5 && user == 'db'", screen, &err);
 *   condition_begin(c, binding, sample, false);                         once per frame
 *   condition_test(c, row->task, row->from, NULL);                       for each row
 *   condition_free(c);
 *
 * The grammar is that of columns (screen/expr/expr.h). A name is, in this order: the id of a column
 * of the screen, whose value is what the column shows, number or text; pid, user, command; a
 * counter of the screen, as in delta(instr); a variable; the header of a column, also as [header].
 * Case is ignored, but exact matches have precedence. under(PID) is true for this process and its
 * descendants. The condition is unknown if its value is unknown, and true if it is not 0.
 *
 * Counters that the condition uses directly are bound together, like those of a column.
 *
 * Errors are those of expr_compile(), with the position in the text. Ownership: a condition borrows
 * the screen; from condition_begin() on also binding and sample, until the next call.
 */
#ifndef VIEW_CONDITION_H
#define VIEW_CONDITION_H

#include "base/strbuf.h"
#include "base/value.h"
#include "model/delta.h"
#include "screen/binding.h"
#include "screen/screen.h"

/* ---- name ----
 *
 * Resolves the names in a condition to symbols.
 */

/* Symbols besides the counters and variables of the screen. */
enum {
	SYMBOL_UNDER = SYMBOL_VARIABLE + VARIABLE_FIRST_FACT + FACT_MAX,
	SYMBOL_PID,
	SYMBOL_USER,
	SYMBOL_COMMAND,
	SYMBOL_COLUMN /* column i is SYMBOL_COLUMN + i */
};

/* Returns the symbols for compiling a condition against the screen, which is borrowed. */
struct expr_symbols condition_symbols(const struct screen *s);

/* ---- condition ---- */

struct condition;
struct judged;

int condition_compile(struct condition **out, const char *text, const struct screen *screen,
		      struct err *err);
void condition_free(struct condition *c);

/* Returns whether the expression compares or tests, and not only computes. */
bool condition_has_test(const struct condition *c);
/* Returns the facts that must be read in addition to those that the columns of its screen need. */
struct fact_set condition_facts(const struct condition *c);
/* Returns whether the condition depends on the task alone: condition_test() then needs no row. */
bool condition_is_of_task(const struct condition *c);

/* Sets the source of verdicts for the following calls; NULL: verdicts are unknown. */
void condition_set_judged(struct condition *c, const struct judged *judged);
/* Sets the sample of the rows to test. binding: of the screen. cmdline: the name `command` in the
 * condition means the command line. */
void condition_begin(struct condition *c, struct binding *binding, const struct sample *sample,
		     bool cmdline);
/* Tests a row. row: may be NULL if condition_is_of_task(). cell: the values of the columns,
 * [n_columns]; NULL: computed as needed. */
enum tri condition_test(struct condition *c, const struct task *task, const struct delta_row *row,
			const struct value *cell);
/* Returns the value of the expression, as for condition_test(). */
struct value condition_value(struct condition *c, const struct task *task,
			     const struct delta_row *row, const struct value *cell);

/* Returns whether the condition uses this column of its screen. */
bool condition_names(const struct condition *c, size_t column);
/* Finds the limits of columns, at most `max`, that must hold for the condition to be true: as
 * expr_limits(), with `ref` as the index of the column. */
bool condition_limits(const struct condition *c, struct expr_limit *limit, size_t max, size_t *n);
/* Returns whether the condition can only be true if this column is known. */
bool condition_needs(const struct condition *c, size_t column);

/* ---- verdicts about rows ----
 *
 * The interface to verdicts about rows: the text of the variable VERDICT. It is implemented above
 * this layer, and called only if a column or condition uses that variable.
 */

struct judged {
	/* Returns the verdict of a row of this sample in one or two words; NULL: none. Valid until
	 * the next call. */
	const char *(*word)(void *context, const struct sample *sample,
			    const struct delta_row *row);
	/* Appends all verdicts of a row, one per line. Returns false if there are none. */
	bool (*explain)(void *context, const struct sample *sample, const struct delta_row *row,
			struct strbuf *out);
	void *context;
};

/* Returns the word of the verdict; NULL: none, or judged is NULL. */
static inline const char *judged_word(const struct judged *judged, const struct sample *sample,
				      const struct delta_row *row)
{
	return judged ? judged->word(judged->context, sample, row) : NULL;
}

#endif
