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
 * table (find()), perhaps with a '%' before its first letter; if it is not there, the name of
 * another expression of the caller (expand()). HEADER is looked up with find_header() and expand().
 * A bare name is the total of a counter since it was opened, or the current value of a fact. A MODE
 * applies to one name: delta(x) is the increment since the last refresh, rate(x) that increment per
 * second. A FUNCTION applies to expressions: per(a, b) is a / b, min(a, b), max(a, b), abs(a), and
 * if(c, a, b), which is a if c is not 0, else b.
 *
 * A CALL is a function that the caller defines; its argument is one whole number.
 *
 * Comparisons, "and", "or" and "not" result in 1 or 0; as their operand, every number but 0 is
 * true. "!" is the same as "not"; both bind less tightly than a comparison. The words lt, le, gt,
 * ge, eq and ne may replace the signs, because '<' must be written "&lt;" in XML. Words are
 * operators only where an operator is allowed, so a counter may have such a name. If a counter is
 * named "not", the word is never the operator.
 *
 * Texts. TEXT is enclosed in quotes, "..." or '...', and cannot contain the quote that encloses it.
 * A NAME may stand for a text, too. A text can only be compared with another text, byte by byte. An
 * expression may also be just the NAME of a text (expr_is_text()): of its value, only the quality
 * has a meaning.
 *
 * Evaluation works on struct value: a division by zero gives QUALITY_DIVZERO; an unknown operand
 * makes the result unknown, with its reason (see base/value.h), also for comparisons, min and max.
 * "and" and "or" are known if one side decides alone. if() depends only on the condition and the
 * chosen branch. An unknown value never becomes 0.
 *
 * Errors: -EINVAL for an invalid expression, -ENOENT for an unknown name, -ERANGE for a whole
 * number of more than 64 bits, or the error of expand() or check(). The sentence begins with the
 * place in the text: "column N", in bytes from 1.
 *
 * Ownership: the caller frees the expression with expr_free(). The expression has no pointers to
 * the parsed text or the symbols.
 */
#ifndef SCREEN_EXPR_EXPR_H
#define SCREEN_EXPR_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/suggestion.h"
#include "base/value.h"

/* The ways to use a name: bare, or as the argument of a MODE. */
enum expr_mode { EXPR_TOTAL, EXPR_DELTA, EXPR_RATE, N_EXPR_MODES };

struct expr_function {
	const char *name; /* NULL: the bare name */
	const char *help;
};

extern const struct expr_function expr_function_table[N_EXPR_MODES];

/* A row of the list of functions and operators that users see: "if(c, a, b)". expr_syntax_at()
 * returns row i; beyond the last row, a row whose text is NULL. */
struct expr_syntax {
	const char *kind; /* "function", "operator" */
	const char *text, *help;
};

struct expr_syntax expr_syntax_at(size_t i);

struct expr;

/* A function that the caller defines. NAME "(" NUMBER ")" is a reference to its symbol. */
struct expr_call {
	const char *name, *usage, *help; /* usage: "under(pid)" */
	int symbol;
};

/* A reference of an expression to a name, in one mode; or to a CALL with its argument. */
struct expr_ref {
	int symbol;
	enum expr_mode mode;
	uint64_t number; /* the argument of a CALL; else 0 */
};

/* The caller's symbol table. */
struct expr_symbols {
	/* Returns the symbol (>= 0) of a name; -1: unknown. */
	int (*find)(const void *context, const char *name, size_t len);
	const void *context;
	/* Sets *out to the compiled expression with this name, which is then copied in place of the
	 * name; to NULL if there is none. Returns 0; or -errno with a sentence, which ends the
	 * compilation. expand NULL: there are no such expressions. */
	int (*expand)(const void *context, const char *name, size_t len, const struct expr **out,
		      struct err *err);
	/* Like find(), for the NAME in MODE "(" NAME ")". find_grown NULL: find() is used. */
	int (*find_grown)(const void *context, const char *name, size_t len);
	/* Like find(), for a "[HEADER]"; called before expand(). find_header NULL: only expand()
	 * is called. */
	int (*find_header)(const void *context, const char *name, size_t len);
	/* Offers known names as alternatives to an unknown one. suggest NULL: offers none. */
	void (*suggest)(const void *context, struct suggestion *near);
	/* Returns 0 if the reference has a meaning; -errno with a sentence ends the compilation.
	 * check NULL: all references have a meaning. */
	int (*check)(const void *context, struct expr_ref ref, struct err *err);
	/* Returns whether a symbol is a text. is_text NULL: all symbols are numbers. */
	bool (*is_text)(const void *context, int symbol);
	const struct expr_call *call;
	size_t n_calls;
};

/* Returns the value of a reference in the row being evaluated; for a text, only its quality. */
typedef struct value (*expr_load)(const void *row, struct expr_ref ref);
/* Returns the text of a reference, which has to be valid until the next call only; NULL: it is
 * unknown. */
typedef const char *(*expr_load_text)(const void *row, struct expr_ref ref);

int expr_compile(struct expr **out, const char *text, const struct expr_symbols *symbols,
		 struct err *err);
void expr_free(struct expr *e);
/* Evaluates an expression. load_text NULL: all texts are unknown. */
struct value expr_eval(const struct expr *e, expr_load load, expr_load_text load_text,
		       const void *row);

/* Returns whether the value of the expression is not 0. Faster than expr_eval(): the right operand
 * of "and" and "or" is evaluated only if the left one does not decide. */
enum tri expr_test(const struct expr *e, expr_load load, expr_load_text load_text, const void *row);

/* Returns whether the expression is just the name of a text. The text is its reference 0. */
bool expr_is_text(const struct expr *e);

/* Returns whether the expression has a comparison, a logical operator or a CALL. */
bool expr_has_test(const struct expr *e);

/* Returns the column N of a sentence that begins with "column N"; 0: it begins otherwise. */
size_t expr_fault_column(const struct err *err);

/* Returns the number of operations, by which an expression grows if this one is copied into it. */
size_t expr_n_ops(const struct expr *e);

/* The distinct references, in the order of their first use: the inputs of the expression. */
size_t expr_n_refs(const struct expr *e);
struct expr_ref expr_ref_at(const struct expr *e, size_t i);

enum expr_order {
	EXPR_LESS,
	EXPR_LESS_EQUAL,
	EXPR_GREATER,
	EXPR_GREATER_EQUAL,
	EXPR_EQUAL,
	EXPR_NOT_EQUAL
};

/* A comparison of a reference with a number, as in "a >= 5". */
struct expr_limit {
	size_t ref;
	enum expr_order order;
	double number;
};

/* Finds the limits, at most `max`, that must hold for the expression to be true: operands of its
 * outermost "and". Sets *n to their number. Returns whether the expression is true if they hold. */
bool expr_limits(const struct expr *e, struct expr_limit *limit, size_t max, size_t *n);
/* Returns whether the limit holds for this value of its reference; false if it is unknown. */
bool expr_limit_holds(const struct expr_limit *limit, struct value v);

/* Returns whether every unknown reference makes the value unknown, for the worst of their reasons.
 */
bool expr_spreads_unknown(const struct expr *e);

/* Returns whether the expression can only be true if reference `ref` is known. Always false for
 * references after the first 64, which are not analysed. */
bool expr_needs(const struct expr *e, size_t ref);

/*
 * Computes the value of a counter's "config" attribute, which has a grammar of its own:
 *
 *   or    := and ("|" and)*        and := shift ("&" shift)*
 *   shift := atom ("shl" atom)*    atom := NUMBER | NAME | "(" or ")"
 *
 * `lookup` sets the value of a name and returns 0; for an unknown name it returns -1, and the
 * result is -ENOENT. Other errors: those of expr_compile(); -ERANGE for a shift by 64 or more.
 */
int expr_config_eval(const char *text, int (*lookup)(const char *name, size_t len, uint64_t *value),
		     uint64_t *out, struct err *err);

/* ---- code ----
 *
 * A compiled expression as postfix code, which parse.c writes and expr.c runs on a stack. Only
 * they and screen/column.c, which finds the kind of a column, may use it.
 *
 * Invariants, guaranteed by parse.c: the code leaves exactly one value on the stack, never pops
 * from an empty stack, and never holds more than EXPR_DEPTH_MAX values. The ref of an OP_LOAD is
 * less than n_refs; refs are distinct, in the order of their first use. Texts are never on the
 * stack: OP_ORDER, which compares two texts, has their indices.
 */

/* The maximal number of open parentheses in the text, and of values on the stack. */
#define EXPR_DEPTH_MAX 64
/* The maximal number of operations of an expression, with those copied from other expressions. It
 * prevents exponential growth if each column uses the next one twice. */
#define EXPR_EXPANDED_MAX 10000

enum op_code {
	OP_NUMBER,
	OP_LOAD,
	OP_ORDER, /* pushes the order of two texts: -1, 0 or 1 */
	OP_NEGATE,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_MIN,
	OP_MAX,
	OP_ABS,
	OP_IF,
	OP_LESS,
	OP_LESS_EQUAL,
	OP_GREATER,
	OP_GREATER_EQUAL,
	OP_EQUAL,
	OP_NOT_EQUAL,
	OP_AND,
	OP_OR,
	OP_NOT,
	N_OPS
};

struct op {
	enum op_code code;
	/* The index of the OP_AND or OP_OR whose left operand this operation computes; 0: none. */
	uint32_t decides;
	union {
		double number; /* OP_NUMBER */
		size_t ref;    /* OP_LOAD */
		struct {
			uint32_t left, right; /* OP_ORDER: indices of the texts */
		};
	};
};

/* A text operand of OP_ORDER: a literal, or the text of a reference. */
struct expr_text {
	char *literal; /* NULL: the text is that of `ref` */
	size_t ref;    /* index of a reference */
};

struct expr {
	struct op *op;
	size_t n_ops, cap_ops;
	struct expr_ref *ref;
	size_t n_refs, cap_refs;
	struct expr_text *text;
	size_t n_texts, cap_texts;
	bool is_text; /* a single reference to a text */
	bool asks;    /* it has a comparison, a logical operator, or a CALL */
};

/* An operation: pops n_args values and pushes one. */
struct op_row {
	size_t n_args;
	/* Computes the value to push. NULL: OP_NUMBER, OP_LOAD and OP_ORDER, which pop nothing. */
	struct value (*apply)(const struct value *arg);
};

extern const struct op_row op_table[N_OPS];

#endif
