/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/column.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "screen/expr/expr.h"
#include "screen/expr/lex.h"

/* ---- ids ---- */

#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define DIGITS  "0123456789"

/* An id that is in use. */
struct used_id {
	const char *id;
	const struct column *column; /* NULL: the id of a field that outputs write themselves */
	/* The last number appended to this id to make a unique one; 1: none yet. */
	unsigned more;
};

struct ids {
	struct screen *screen;
	struct hash hash;
	struct used_id *used_id;
	size_t n;
};

/* Returns the entry of an id; NULL: none. If another id has the same key, the next key is tried.
 * *key: the key of the entry, or the free key for a new one. */
static struct used_id *find(const struct ids *ids, const char *id, uint64_t *key)
{
	struct used_id *t;

	for (*key = hash_text(id, strlen(id)); (t = hash_get(&ids->hash, *key)); ++*key)
		if (!strcmp(t->id, id))
			return t;
	return NULL;
}

/* Adds an id. The text must live as long as the table. */
static void take(struct ids *ids, const char *id, const struct column *column)
{
	uint64_t key;

	if (find(ids, id, &key))
		return;
	ids->used_id[ids->n] = (struct used_id){id, column, 1};
	hash_put(&ids->hash, key, &ids->used_id[ids->n++]);
}

static void add_id(struct strbuf *out, const char *header)
{
	bool gap = false;

	for (; *header; header++) {
		char c = *header >= 'A' && *header <= 'Z' ? (char)(*header + ('a' - 'A')) : *header;

		if (!strchr(LETTERS DIGITS, c)) {
			gap = true;
			continue;
		}
		if (gap && out->len)
			strbuf_addch(out, '_');
		gap = false;
		strbuf_addch(out, c);
	}
	if (!out->len)
		strbuf_addstr(out, "column");
}

/* Returns whether the column may get the id t, which is in use: because one of the two columns is
 * optional, or because the column shows the user and so replaces the outputs' own field "user". */
static bool may_share(struct used_id *t, const struct column *c)
{
	if (!t->column && !strcmp(t->id, "user") && !strcmp(c->text, "USER")) {
		t->column = c;
		return true;
	}
	return t->column && (t->column->optional || c->optional);
}

/* Makes an id from the header. The caller frees it. */
static char *make_id(const struct ids *ids, const struct column *c)
{
	struct strbuf id;
	struct used_id *first;
	uint64_t key;
	size_t base;

	strbuf_init(&id);
	add_id(&id, c->header);
	first = find(ids, id.text, &key);
	base = id.len;
	if (!first || may_share(first, c))
		return id.text;
	do {
		id.len = base;
		strbuf_addf(&id, "_%u", ++first->more);
	} while (find(ids, id.text, &key));
	return id.text;
}

/* Appends "the column '%CPU' in line 3". */
static void add_place(struct strbuf *out, const struct column *c)
{
	int len;
	const char *name = screen_column_name(c, &len);

	strbuf_addf(out, "the column '%.*s'", len, name);
	if (c->line)
		strbuf_addf(out, " in line %d", c->line);
}

static void refuse(const struct ids *ids, const struct column *c, const struct used_id *other,
		   screen_report report, void *context)
{
	struct err err = ERR_INIT;
	struct strbuf place, owner;

	strbuf_init(&place);
	strbuf_init(&owner);
	add_place(&place, c);
	if (other && other->column)
		add_place(&owner, other->column);
	else
		strbuf_addstr(&owner, "what stands beside the columns");
	if (other)
		err_set(&err, EINVAL,
			"screen '%s': the id '%s' of %s is that of %s: choose another one",
			ids->screen->name, c->id, place.text, owner.text);
	else
		err_set(&err, EINVAL,
			"screen '%s': the id '%s' of %s may have small letters, digits and '_' "
			"only",
			ids->screen->name, c->id, place.text);
	report(context, c->line, &err);
	strbuf_done(&place);
	strbuf_done(&owner);
}

/* Adds a given id. Given ids are added before those made from headers, which then avoid them. */
static void take_given(struct ids *ids, struct column *c, screen_report report, void *context)
{
	bool valid = c->id[0] && !c->id[strspn(c->id, LETTERS DIGITS "_")];
	uint64_t key;
	struct used_id *other = valid ? find(ids, c->id, &key) : NULL;

	if (valid && (!other || may_share(other, c))) {
		take(ids, c->id, c);
		return;
	}
	refuse(ids, c, other, report, context);
	free(c->id);
	c->id = NULL;
	c->id_given = false;
}

void column_ids_set(struct screen *s, screen_report report, void *context)
{
	static const char *const beside[] = {"pid",        "user",       "command", "timestamp",
					     "mono_s",     "interval_s", "host",    "screen",
					     "value_kind", "kind",       "tid",     "name",
					     "members",    "exit",       "lived_s", "quality"};
	const size_t n_beside = sizeof beside / sizeof *beside;
	struct ids ids = {s, HASH_INIT, xcalloc(s->n_columns + n_beside, sizeof *ids.used_id), 0};

	for (size_t i = 0; i < n_beside; i++)
		take(&ids, beside[i], NULL);
	for (size_t i = 0; i < s->n_columns; i++)
		if (s->column[i].id)
			take_given(&ids, &s->column[i], report, context);
	for (size_t i = 0; i < s->n_columns; i++) {
		struct column *c = &s->column[i];

		if (c->id)
			continue;
		c->id = make_id(&ids, c);
		take(&ids, c->id, c);
	}
	hash_done(&ids.hash);
	free(ids.used_id);
}

/* ---- degree ----
 *
 * How the result of an expression grows with its inputs, as for a polynomial: increments grow with
 * the length of the interval, rates do not.
 *
 * Each reference has a degree in increments and a degree in rates. A product adds the degrees of
 * its factors, a division subtracts them, and the terms of a sum must have the same degrees. The
 * number 0, and a product with it, fits any degree.
 */

struct degree {
	int increments, rates;
	bool none; /* undefined: terms of different degrees were added or compared */
};

/* An item of the stack. any: it is 0, which fits any degree. */
struct item {
	struct degree degree;
	bool any;
};

static const struct item plain = {{0, 0, false}, false};

static bool is_same(const struct item *a, const struct item *b)
{
	return a->degree.increments == b->degree.increments && a->degree.rates == b->degree.rates;
}

/* Returns the degree of a + b, or of a choice between a and b. */
static struct item sum_item(const struct item *a, const struct item *b)
{
	struct item result = a->any ? *b : *a;

	result.degree.none =
		a->degree.none || b->degree.none || (!a->any && !b->any && !is_same(a, b));
	return result;
}

static struct item product(const struct item *a, const struct item *b, int sign)
{
	return (struct item){
		.degree = {.increments = a->degree.increments + sign * b->degree.increments,
			   .rates = a->degree.rates + sign * b->degree.rates,
			   .none = a->degree.none || b->degree.none},
		.any = a->any || (sign > 0 && b->any),
	};
}

/* Returns the degree of a comparison or logical operation, which is 0; undefined if it has two
 * operands of different degrees. */
static struct item answer(const struct item *arg, size_t n)
{
	struct item result = plain;

	for (size_t i = 0; i < n; i++)
		result.degree.none |= arg[i].degree.none;
	if (n == 2)
		result.degree.none |= sum_item(&arg[0], &arg[1]).degree.none;
	return result;
}

static struct item apply(enum op_code code, const struct item *arg)
{
	struct item result;

	switch (code) {
	case OP_NEGATE:
	case OP_ABS:
		return arg[0];
	case OP_ADD:
	case OP_SUBTRACT:
	case OP_MIN:
	case OP_MAX:
		return sum_item(&arg[0], &arg[1]);
	case OP_MULTIPLY:
		return product(&arg[0], &arg[1], 1);
	case OP_DIVIDE:
		return product(&arg[0], &arg[1], -1);
	case OP_IF:
		result = sum_item(&arg[1], &arg[2]);
		result.degree.none |= arg[0].degree.none;
		return result;
	default:
		return answer(arg, op_table[code].n_args);
	}
}

/* Returns the degree of an expression; of() returns the degree of a reference. */
static struct degree expr_degree(const struct expr *e, struct degree (*of)(struct expr_ref ref))
{
	struct item stack[EXPR_DEPTH_MAX], *top = stack;

	for (const struct op *op = e->op; op < e->op + e->n_ops; op++) {
		top -= op_table[op->code].n_args;
		if (op->code == OP_NUMBER)
			*top = (struct item){.any = op->number == 0};
		else if (op->code == OP_LOAD)
			*top = (struct item){.degree = of(e->ref[op->ref])};
		else
			*top = apply(op->code, top);
		top++;
	}
	return stack[0].degree;
}

/* ---- column kind ---- */

const char *const values_name[N_VALUES] = {"interval", "rate", "total", "since-mark"};
const char *const column_kind_name[COLUMN_OTHER + 1] = {
	[COLUMN_STATE] = "state", [COLUMN_COUNT] = "count", [COLUMN_RATE] = "rate",
	[COLUMN_RATIO] = "ratio", [COLUMN_OTHER] = "other",
};

int values_find(const char *name, enum values *values, struct err *err)
{
	struct suggestion near;

	suggestion_begin(&near, name);
	for (int i = 0; i < N_VALUES; i++)
		if (!strcmp(values_name[i], name)) {
			*values = (enum values)i;
			return 0;
		} else {
			suggestion_offer(&near, values_name[i]);
		}
	return err_set(err, EINVAL, "there are no values '%s'%s: name one of %s, %s, %s, %s", name,
		       suggestion_text(&near), values_name[VALUES_INTERVAL],
		       values_name[VALUES_RATE], values_name[VALUES_TOTAL],
		       values_name[VALUES_SINCE_MARK]);
}

/* Returns whether the variable is a share of the interval, such as CPU usage, and has no total. */
static bool is_of_interval(int variable)
{
	return variable == VARIABLE_CPU_TOT || variable == VARIABLE_CPU_SYS ||
	       variable == VARIABLE_CPU_USER || variable == VARIABLE_FAST_CORES;
}

static struct degree degree_of(struct expr_ref ref)
{
	if (ref.symbol >= SYMBOL_VARIABLE && is_of_interval(ref.symbol - SYMBOL_VARIABLE))
		return (struct degree){.rates = 1};
	return (struct degree){.increments = ref.mode == EXPR_DELTA,
			       .rates = ref.mode == EXPR_RATE};
}

/* The kinds of inputs of a column that belong to the interval: increments or rates of counters and
 * of facts, and shares (is_of_interval()). */
struct uses {
	bool counts, facts, shares;
};

static struct uses uses_of(const struct column *c)
{
	struct uses uses = {.counts = false};

	for (size_t i = 0; i < expr_n_refs(c->expr); i++) {
		struct expr_ref ref = expr_ref_at(c->expr, i);
		bool variable = ref.symbol >= SYMBOL_VARIABLE;
		bool share = variable && is_of_interval(ref.symbol - SYMBOL_VARIABLE);

		uses.shares |= share;
		uses.counts |= !variable && ref.mode != EXPR_TOTAL;
		uses.facts |= variable && !share && ref.mode != EXPR_TOTAL;
	}
	return uses;
}

static enum column_kind kind_of(const struct column *c, struct uses uses)
{
	struct degree d = expr_degree(c->expr, degree_of);

	if (!uses.counts && !uses.facts && !uses.shares)
		return COLUMN_STATE;
	if (d.none)
		return COLUMN_OTHER;
	if (d.increments == 1 && d.rates == 0)
		return COLUMN_COUNT;
	if (d.increments == 0 && d.rates == 1)
		return COLUMN_RATE;
	return d.increments == 0 && d.rates == 0 && !uses.shares ? COLUMN_RATIO : COLUMN_OTHER;
}

void column_kind_set(struct column *c)
{
	struct uses uses = uses_of(c);

	c->kind = kind_of(c, uses);
	c->has_total = (c->kind == COLUMN_COUNT || c->kind == COLUMN_RATIO) &&
		       !(uses.counts && uses.facts);
}

bool column_has_values(const struct column *c)
{
	return c->has_total || c->kind == COLUMN_COUNT;
}

bool screen_has_values(const struct screen *s)
{
	for (size_t i = 0; i < s->n_columns; i++)
		if (column_has_values(&s->column[i]))
			return true;
	return false;
}

enum expr_mode column_mode(const struct column *c, enum values values, enum expr_mode mode)
{
	if (values == VALUES_RATE && c->kind == COLUMN_COUNT && mode == EXPR_DELTA)
		return EXPR_RATE;
	return values >= VALUES_TOTAL && c->has_total ? EXPR_TOTAL : mode;
}

bool column_shows_change(const struct column *c, enum values values)
{
	return values == VALUES_SINCE_MARK && c->has_total && c->kind == COLUMN_RATIO;
}

/* ---- changing columns ---- */

/* The default formats of a new column. */
#define NUMBER_FORMAT "%9.2f"
#define TEXT_FORMAT   "%-12s"

/* Returns whether the expression uses the name. */
static bool names(const char *text, const char *name)
{
	struct lexer l;

	for (lex_start(&l, text); l.token.kind != TOKEN_END; lex_next(&l))
		if (l.token.kind == TOKEN_NAME && lex_is(&l, name))
			return true;
	return false;
}

static bool has_counter(const struct screen *s, const char *alias)
{
	for (size_t i = 0; i < s->n_counters; i++)
		if (!strcmp(s->counter[i].alias, alias))
			return true;
	return false;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_counter(const struct counter_decl *a, const struct counter_decl *b)
{
	return same_text(a->event, b->event) && same_text(a->config, b->config) &&
	       same_text(a->type, b->type) && same_text(a->arch, b->arch) &&
	       same_text(a->model, b->model);
}

/* Returns the index of the next declaration of an alias, from i on; n_counters: none. */
static size_t next_of(const struct screen *s, size_t i, const char *alias)
{
	while (i < s->n_counters && strcmp(s->counter[i].alias, alias) != 0)
		i++;
	return i;
}

/* Returns whether the alias has the same declarations in both screens. */
static bool same_alias(const struct screen *a, const struct screen *b, const char *alias)
{
	size_t i = next_of(a, 0, alias), k = next_of(b, 0, alias);

	while (i < a->n_counters && k < b->n_counters) {
		if (!same_counter(&a->counter[i], &b->counter[k]))
			return false;
		i = next_of(a, i + 1, alias);
		k = next_of(b, k + 1, alias);
	}
	return i == a->n_counters && k == b->n_counters;
}

static void take_counters(struct screen *s, const struct screen *from, const char *alias)
{
	if (has_counter(s, alias))
		return;
	for (size_t i = next_of(from, 0, alias); i < from->n_counters;
	     i = next_of(from, i + 1, alias))
		screen_copy_counter(s, &from->counter[i])->element = 0;
}

void compose_move(struct screen *s, size_t from, size_t to)
{
	const struct column c = s->column[from];

	memmove(&s->column[from], &s->column[from + 1], (s->n_columns - 1 - from) * sizeof c);
	memmove(&s->column[to + 1], &s->column[to], (s->n_columns - 1 - to) * sizeof c);
	s->column[to] = c;
}

int compose_copy(struct screen *s, size_t at, const struct screen *from, size_t i, struct err *err)
{
	const char *text = from->column[i].text;

	for (size_t k = 0; k < from->n_counters; k++) {
		const char *alias = from->counter[k].alias;

		if (names(text, alias) && has_counter(s, alias) && !same_alias(s, from, alias))
			return err_set(err, EEXIST,
				       "this column of the screen '%s' needs its counter '%s': the "
				       "screen '%s' has another counter of this name",
				       from->name, alias, s->name);
	}
	for (size_t k = 0; k < from->n_counters; k++)
		if (names(text, from->counter[k].alias))
			take_counters(s, from, from->counter[k].alias);
	screen_copy_column(s, &from->column[i])->element = 0;
	compose_move(s, s->n_columns - 1, at);
	return 0;
}

/* Returns whether the expression is the name of a variable that is a text. */
static bool is_text(const char *text)
{
	for (int v = 0; v < n_variables; v++)
		if (variable_is_text(v) && !strcmp(variable_at(v).name, text))
			return true;
	return false;
}

static int check(const char *header, const char *text, struct err *err)
{
	if (*header && *text)
		return 0;
	return err_set(err, EINVAL,
		       "a column is NAME = EXPRESSION, as in CPI = delta(cycle) / delta(instr)");
}

/* Copies the counters that the expression uses and the screen lacks. */
static void copy_used_counters(struct screen *s, const char *text, const struct screen_list *others)
{
	for (size_t i = 0; others && i < others->n; i++)
		for (size_t k = 0; k < others->v[i]->n_counters; k++)
			if (names(text, others->v[i]->counter[k].alias))
				take_counters(s, others->v[i], others->v[i]->counter[k].alias);
}

int compose_add(struct screen *s, size_t at, const char *header, const char *text,
		const struct screen_list *others, struct err *err)
{
	if (check(header, text, err))
		return -EINVAL;
	copy_used_counters(s, text, others);
	screen_add_column(s, header, is_text(text) ? TEXT_FORMAT : NUMBER_FORMAT, NULL, text);
	compose_move(s, s->n_columns - 1, at);
	return 0;
}

static bool is_named(const struct screen *s, const char *alias)
{
	for (size_t i = 0; i < s->n_columns; i++)
		if (names(s->column[i].text, alias))
			return true;
	return false;
}

/* Drops the counters that this expression uses and no column of the screen uses any more. */
static void drop_unnamed(struct screen *s, const char *text)
{
	for (size_t k = s->n_counters; k-- > 0;)
		if (names(text, s->counter[k].alias) && !is_named(s, s->counter[k].alias))
			screen_drop_counter(s, k);
}

int compose_change(struct screen *s, size_t i, const char *header, const char *text,
		   const struct screen_list *others, struct err *err)
{
	struct column *c = &s->column[i];
	char *old = c->text;
	int len;
	const char *name = screen_column_name(c, &len);

	if (check(header, text, err))
		return -EINVAL;
	copy_used_counters(s, text, others);
	if (header != c->header &&
	    (strlen(header) != (size_t)len || memcmp(name, header, (size_t)len) != 0)) {
		free(c->header);
		c->header = xstrdup(header);
	}
	c->text = xstrdup(text);
	free(c->desc);
	c->desc = NULL;
	drop_unnamed(s, old);
	free(old);
	return 0;
}

void compose_drop(struct screen *s, size_t i)
{
	char *text = xstrdup(s->column[i].text);

	screen_drop_column(s, i);
	drop_unnamed(s, text);
	free(text);
}

bool compose_has(const struct screen *s, const struct column *c)
{
	int len;
	const char *name = screen_column_name(c, &len);

	for (size_t i = screen_find_column(s, 0, name, (size_t)len); i < s->n_columns;
	     i = screen_find_column(s, i + 1, name, (size_t)len))
		if (!strcmp(s->column[i].text, c->text))
			return true;
	return false;
}

bool compose_has_all(const struct screen *s, const struct screen *from, size_t i)
{
	const struct column *c = &from->column[i];
	bool same = compose_has(s, c);

	for (size_t k = 0; same && k < from->n_counters; k++)
		same = !names(c->text, from->counter[k].alias) ||
		       same_alias(s, from, from->counter[k].alias);
	return same;
}
