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
 * NUMBER is decimal ("1e6", ".5") or hexadecimal ("0x1f"). NAME is what the caller's symbol table
 * knows, also with a '%' before its first letter, or else another expression that the caller has
 * under this name; HEADER is always the latter. A bare name is the total of a counter since it was
 * opened, or the present value of a fact; the MODEs take one name: delta(x), the increment since
 * the last refresh; rate(x), the same per second. FUNCTIONs take expressions: per(a, b) is a / b,
 * min(a, b), max(a, b), abs(a), and if(c, a, b), which is a where c is not 0, else b.
 *
 * A CALL is a function of the caller's own, of one whole number that stands there.
 *
 * Comparisons, "and", "or", "not" give 1 or 0; what is not 0 is true. "!" binds as "not" does: less
 * tight than a comparison. The words lt, le, gt, ge, eq
 * and ne stand for the signs, because '<' has to be written "&lt;" in XML. Words are operators
 * only where an operator can stand: a counter may have such a name, and one that is named "not" is
 * never the operator.
 *
 * Texts. TEXT stands between two quotes of one kind, "..." or '...', and has no such quote in it. A
 * name may stand for a text, too. Texts are compared with texts, byte by byte, and the result is a
 * number; nothing else can be computed from them. An expression may also be one name of a text and
 * nothing else (expr_is_text()): its value is only how well the text is known.
 *
 * Evaluation works on struct value: a division by zero gives QUALITY_DIVZERO, unknown spreads with
 * its reason (see base/value.h), also through comparisons, min, max, "and" and "or", whatever the
 * other side is. Of if(), only the condition and the chosen branch count. Nothing is ever 0 because
 * it could not be read.
 *
 * Errors: -EINVAL for a text that is no expression, -ENOENT for a name that is not known, -ERANGE
 * for a whole number that does not fit, or what expand() says; the sentence has the column, counted
 * from 1.
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
	const char *name; /* NULL for the bare name */
	const char *help;
};

extern const struct expr_function expr_function_table[N_EXPR_MODES];

/* What expressions may have beside names, as a list for people: the functions, such as "if(c, a,
 * b)", and the operators. expr_syntax_at() gives row i; behind the last row, its text is NULL. */
struct expr_syntax {
	const char *kind; /* "function", "operator" */
	const char *text, *help;
};

struct expr_syntax expr_syntax_at(size_t i);

struct expr;

/* A function of the caller's own: NAME "(" NUMBER ")" is a reference to its symbol. */
struct expr_call {
	const char *name, *usage, *help; /* usage: as in "under(pid)" */
	int symbol;
};

/* One use of a name in an expression. */
struct expr_ref {
	int symbol;
	enum expr_mode mode;
	uint64_t number; /* of a call; else 0 */
};

/* The caller's symbol table: what the names in an expression mean. */
struct expr_symbols {
	/* Returns the caller's number (>= 0) for a name, or -1 where there is no such name. */
	int (*find)(const void *context, const char *name, size_t len);
	const void *context;
	/* Sets *out to the compiled expression that this name stands for, which is put in the place
	 * of the name; *out stays NULL where there is none. Returns 0; or -errno with a sentence,
	 * which ends the compilation. NULL: no name stands for an expression. */
	int (*expand)(const void *context, const char *name, size_t len, const struct expr **out,
		      struct err *err);
	/* The same as find() for the name in MODE "(" NAME ")". NULL: find() itself. */
	int (*find_grown)(const void *context, const char *name, size_t len);
	/* The same as find() for a "[HEADER]", asked before expand(). NULL: it finds none. */
	int (*find_header)(const void *context, const char *name, size_t len);
	/* Offers what the user may write in place of a name that is not known. NULL: nothing. */
	void (*suggest)(const void *context, struct suggestion *near);
	/* Whether the reference has a meaning; -errno with a sentence ends the compilation. NULL:
	 * all have. */
	int (*check)(const void *context, struct expr_ref ref, struct err *err);
	/* Whether what find() has found is a text. NULL: nothing is. */
	bool (*is_text)(const void *context, int symbol);
	const struct expr_call *call;
	size_t n_calls;
};

/* Returns the value of one reference in the row that is computed; of a text, how well it is known.
 */
typedef struct value (*expr_load)(const void *row, struct expr_ref ref);
/* Returns the text of a reference to one, which is used at once; NULL: it is not known. */
typedef const char *(*expr_load_text)(const void *row, struct expr_ref ref);

int expr_compile(struct expr **out, const char *text, const struct expr_symbols *symbols,
		 struct err *err);
void expr_free(struct expr *e);
/* load_text NULL: no text is known. */
struct value expr_eval(const struct expr *e, expr_load load, expr_load_text load_text,
		       const void *row);

/* Whether it is the text of a name, which is its first reference, and nothing else. */
bool expr_is_text(const struct expr *e);

/* Whether it has a comparison, an operator such as "and", or a call: it asks something. */
bool expr_has_test(const struct expr *e);

/* The column, from 1 on, that the sentence of a fault begins with; 0: none. */
size_t expr_fault_column(const struct err *err);

/* The number of operations in the expression: what it costs to put it into another one. */
size_t expr_n_ops(const struct expr *e);

/* The distinct references, in the order of their first use: what has to be read for this
 * expression. */
size_t expr_n_refs(const struct expr *e);
struct expr_ref expr_ref_at(const struct expr *e, size_t i);

/* Whether it can only be true where reference `ref` is known. Of the first 64 that is said, of
 * others it is not. */
bool expr_needs(const struct expr *e, size_t ref);

/*
 * The other grammar: the numeric value of a counter's "config" attribute.
 *
 *   or    := and ("|" and)*        and := shift ("&" shift)*
 *   shift := atom ("shl" atom)*    atom := NUMBER | NAME | "(" or ")"
 *
 * `lookup` gives the value of a name and returns 0, or -1 where it does not know it (-ENOENT).
 * Errors as above; a shift by 64 or more is -ERANGE.
 */
int expr_config_eval(const char *text, int (*lookup)(const char *name, size_t len, uint64_t *value),
		     uint64_t *out, struct err *err);

#endif
