/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expr - arithmetic over counters and facts, compiled once and evaluated for each row.
 *
 *   or         := and (("or" | "||") and)*
 *   and        := not (("and" | "&&") not)*
 *   not        := ("not" | "!") not | comparison
 *   comparison := sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
 *   sum        := product (("+" | "-") product)*
 *   product    := unary (("*" | "/") unary)*
 *   unary      := ("-" | "+") unary | primary
 *   primary    := NUMBER | TEXT | NAME | "[" HEADER "]" | MODE "(" NAME ")"
 *               | FUNCTION "(" or ("," or)* ")" | CALL "(" NUMBER ")" | "(" or ")"
 *
 * NUMBER is decimal ("1e6", ".5") or hexadecimal ("0x1f"). NAME is a name in the caller's symbol
 * table, perhaps with a '%' before its first letter, or else the name of another expression of the
 * caller; HEADER is always the latter. A bare name is the total of a counter since it was opened,
 * or the current value of a fact; the MODEs take one name: delta(x), the increment since the last
 * refresh; rate(x), the same per second. FUNCTIONs take expressions: per(a, b) is a / b, min(a, b),
 * max(a, b), abs(a), and if(c, a, b), which is a if c is not 0, else b.
 *
 * A CALL is a function of the caller with one whole number as argument.
 *
 * Comparisons, "and", "or", "not" give 1 or 0; any other number than 0 is true. "!" has the
 * precedence of "not", lower than a comparison. The words lt, le, gt, ge, eq and ne may replace the
 * signs, because '<' must be written "&lt;" in XML. Words are operators only where an operator is
 * allowed: a counter may have such a name, and if it is named "not", that is never the operator.
 *
 * Texts. TEXT is enclosed in quotes of one kind, "..." or '...', and does not contain them. A name
 * may be that of a text, too. Texts are only compared with texts, byte by byte, with a number as
 * result. An expression may also be a single name of a text (expr_is_text()): its value then has
 * only the quality of the text.
 *
 * Evaluation works on struct value: a division by zero gives QUALITY_DIVZERO; an unknown operand
 * makes the result unknown, with its reason (see base/value.h), also for comparisons, min and max.
 * "and" and "or" are known if one side decides alone. if() depends only on the condition and the
 * chosen branch. An unknown value never becomes 0.
 *
 * Errors: -EINVAL for an invalid expression, -ENOENT for an unknown name, -ERANGE for a whole
 * number that does not fit, or the error of expand(); the sentence has the column, counted from 1.
 *
 * Ownership: the caller frees the expression with expr_free; it keeps no pointer to the
 * text or the symbols.
 */
#ifndef SCREEN_EXPR_EXPR_H
#define SCREEN_EXPR_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/suggestion.h"
#include "base/value.h"

/* The ways to use a name: bare, or as the argument of a function of names. */
enum expr_mode { EXPR_TOTAL, EXPR_DELTA, EXPR_RATE, N_EXPR_MODES };

struct expr_function {
	const char *name; /* NULL: the bare name */
	const char *help;
};

extern const struct expr_function expr_function_table[N_EXPR_MODES];

/* A row of the list of functions, such as "if(c, a, b)", and operators for users. expr_syntax_at()
 * returns row i; after the last row, its text is NULL. */
struct expr_syntax {
	const char *kind; /* "function", "operator" */
	const char *text, *help;
};

struct expr_syntax expr_syntax_at(size_t i);

struct expr;

/* A function of the caller: NAME "(" NUMBER ")" is a reference to its symbol. */
struct expr_call {
	const char *name, *usage, *help; /* usage: "under(pid)" */
	int symbol;
};

/* One use of a name in an expression. */
struct expr_ref {
	int symbol;
	enum expr_mode mode;
	uint64_t number; /* argument of a call; else 0 */
};

/* The caller's symbol table. */
struct expr_symbols {
	/* Returns the symbol (>= 0) of a name; -1: unknown. */
	int (*find)(const void *context, const char *name, size_t len);
	const void *context;
	/* Sets *out to the compiled expression with this name, which is copied in its place; NULL:
	 * none. Returns 0; or -errno with a sentence, which ends the compilation. May be NULL. */
	int (*expand)(const void *context, const char *name, size_t len, const struct expr **out,
		      struct err *err);
	/* Does find() for the name in MODE "(" NAME ")". NULL: use find(). */
	int (*find_grown)(const void *context, const char *name, size_t len);
	/* Does find() for a "[HEADER]", called before expand(). NULL: finds none. */
	int (*find_header)(const void *context, const char *name, size_t len);
	/* Offers alternatives to an unknown name. NULL: none. */
	void (*suggest)(const void *context, struct suggestion *near);
	/* Returns 0 if the reference has a meaning; -errno with a sentence ends the compilation.
	 * NULL: all have. */
	int (*check)(const void *context, struct expr_ref ref, struct err *err);
	/* Returns whether a symbol is a text. NULL: none is. */
	bool (*is_text)(const void *context, int symbol);
	const struct expr_call *call;
	size_t n_calls;
};

/* Returns the value of a reference in the row being evaluated; for a text, only its quality. */
typedef struct value (*expr_load)(const void *row, struct expr_ref ref);
/* Returns the text of a reference, which is used at once; NULL: unknown. */
typedef const char *(*expr_load_text)(const void *row, struct expr_ref ref);

int expr_compile(struct expr **out, const char *text, const struct expr_symbols *symbols,
		 struct err *err);
void expr_free(struct expr *e);
/* Evaluates an expression. load_text NULL: all texts are unknown. */
struct value expr_eval(const struct expr *e, expr_load load, expr_load_text load_text,
		       const void *row);

/* Returns whether the expression is a single name of a text, its first reference. */
bool expr_is_text(const struct expr *e);

/* Returns whether it has a comparison, a logical operator or a call. */
bool expr_has_test(const struct expr *e);

/* Returns the column, from 1 on, at the beginning of an error's sentence; 0: none. */
size_t expr_fault_column(const struct err *err);

/* Returns the number of operations: the cost of copying it into another expression. */
size_t expr_n_ops(const struct expr *e);

/* The distinct references, in the order of their first use: the inputs of the expression. */
size_t expr_n_refs(const struct expr *e);
struct expr_ref expr_ref_at(const struct expr *e, size_t i);

/* Returns whether the expression can only be true if reference `ref` is known; false for references
 * beyond the first 64. */
bool expr_needs(const struct expr *e, size_t ref);

/*
 * The other grammar: the numeric value of a counter's "config" attribute.
 *
 *   or    := and ("|" and)*        and := shift ("&" shift)*
 *   shift := atom ("shl" atom)*    atom := NUMBER | NAME | "(" or ")"
 *
 * `lookup` sets the value of a name and returns 0, or returns -1 for an unknown name (-ENOENT).
 * Errors as above; a shift by 64 or more is -ERANGE.
 */
int expr_config_eval(const char *text, int (*lookup)(const char *name, size_t len, uint64_t *value),
		     uint64_t *out, struct err *err);

#endif
