/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/compile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "model/sample.h"
#include "screen/column.h"

/* The state of the compilation of a column. */
enum column_state { COLUMN_PENDING, COLUMN_BUSY, COLUMN_DONE, COLUMN_FAULTY };

/*
 * A screen during compilation. Columns may use other columns, which have to be compiled first. If
 * the expression of a column names a pending column, compiling it is aborted and begun again after
 * the pending column is done. So only one column at a time adds aliases; if it fails, they can be
 * removed.
 */
struct compiler {
	struct screen *screen;
	enum column_state *state; /* [n_columns] */
	/* [n_columns] a stack: each column waits for the next one on it; the last is being
	 * compiled. */
	size_t *busy;
	size_t n_busy;
	size_t wanted; /* after -EAGAIN: the pending column that has to be compiled first */
	size_t taken;  /* operations copied from other columns so far, at most SCREEN_TAKEN_MAX */
	struct hash names;
	struct column_name *column_name; /* [n_columns] */
};

/* A name in the hash, with the first column that has it. */
struct column_name {
	size_t column;
	bool again; /* other columns have the name, too */
};

static bool has_name(const struct screen *s, size_t i, const char *name, size_t len)
{
	int own_len;
	const char *own = screen_column_name(&s->column[i], &own_len);

	return (size_t)own_len == len && !memcmp(own, name, len);
}

static void index_names(struct compiler *c)
{
	for (size_t i = 0; i < c->screen->n_columns; i++) {
		int len;
		const char *name = screen_column_name(&c->screen->column[i], &len);
		uint64_t key = hash_text(name, (size_t)len);
		struct column_name *first = hash_get(&c->names, key);

		c->column_name[i] = (struct column_name){i, false};
		if (!first)
			hash_put(&c->names, key, &c->column_name[i]);
		else if (has_name(c->screen, first->column, name, (size_t)len))
			first->again = true;
	}
}

/* Finds the first column with this name; n_columns: none. *again: others have the name, too. */
static size_t find_named(const struct compiler *c, const char *name, size_t len, bool *again)
{
	const struct screen *s = c->screen;
	const struct column_name *first = hash_get(&c->names, hash_text(name, len));
	size_t i = first ? first->column : s->n_columns;

	*again = first && first->again;
	if (!first || has_name(s, i, name, len))
		return i;
	i = screen_find_column(s, 0, name, len);
	*again = i < s->n_columns && screen_find_column(s, i + 1, name, len) < s->n_columns;
	return i;
}

/* Refuses a cycle: the column being compiled uses column i, which itself waits for that column,
 * directly or through others. */
static int refuse_cycle(const struct compiler *c, size_t i, struct err *err)
{
	struct strbuf path;
	bool inside = false;
	int len, rc;
	const char *name;

	strbuf_init(&path);
	for (size_t k = 0; k < c->n_busy; k++) {
		inside = inside || c->busy[k] == i;
		name = screen_column_name(&c->screen->column[c->busy[k]], &len);
		if (inside)
			strbuf_addf(&path, "'%.*s' uses ", len, name);
	}
	name = screen_column_name(&c->screen->column[i], &len);
	rc = err_set(err, EINVAL, "columns cannot use each other in a circle: %s'%.*s'", path.text,
		     len, name);
	strbuf_done(&path);
	return rc;
}

/* Refuses a name that is the id of a column: expressions name columns by their headers. */
static int refuse_id(const struct screen *s, const char *name, size_t len, struct err *err)
{
	for (size_t i = 0; i < s->n_columns; i++) {
		const char *id = s->column[i].id, *header;
		int header_len;

		if (!id || strlen(id) != len || memcmp(id, name, len) != 0)
			continue;
		header = screen_column_name(&s->column[i], &header_len);
		return err_set(err, ENOENT,
			       "'%.*s' is the id of a column, which is named by its header here: "
			       "write [%.*s]",
			       (int)len, name, header_len, header);
	}
	return 0;
}

static int expand_column(const void *context, const char *name, size_t len, const struct expr **out,
			 struct err *err)
{
	struct compiler *c = *(struct compiler *const *)context;
	struct screen *s = c->screen;
	bool again;
	size_t i = find_named(c, name, len, &again);
	int shown = (int)len;

	if (i == s->n_columns)
		return refuse_id(s, name, len, err);
	if (again)
		return err_set(err, ENOENT, "there is more than one column '%.*s'", shown, name);
	switch (c->state[i]) {
	case COLUMN_DONE:
		*out = s->column[i].expr;
		c->taken += expr_n_ops(*out);
		return c->taken > SCREEN_TAKEN_MAX ? err_set(err, E2BIG, "too long") : 0;
	case COLUMN_FAULTY:
		return err_set(err, ECANCELED, "the column '%.*s', which it uses, is left out",
			       shown, name);
	case COLUMN_BUSY:
		/* A column may have the name of its counter; if that counter is missing, the error
		 * must name the counter. */
		if (i == c->busy[c->n_busy - 1])
			return err_set(
				err, ENOENT,
				"there is no counter or variable '%.*s' in this screen, and a "
				"column cannot use itself",
				shown, name);
		return refuse_cycle(c, i, err);
	case COLUMN_PENDING:
		break;
	}
	c->wanted = i;
	return err_set(err, EAGAIN, "the column '%.*s' has to be compiled before", shown, name);
}

/* Finds a variable; if no column has the name, upper and lower case are the same. */
static int find_variable(const struct compiler *c, const char *name, size_t len)
{
	int found = -1;
	bool again;

	for (int v = 0; v < n_variables; v++) {
		const char *variable = variable_at(v).name;

		if (strlen(variable) != len || strncasecmp(variable, name, len) != 0)
			continue;
		if (!memcmp(variable, name, len))
			return SYMBOL_VARIABLE + v;
		found = v;
	}
	if (found < 0 || find_named(c, name, len, &again) < c->screen->n_columns)
		return -1;
	return SYMBOL_VARIABLE + found;
}

/* Returns the symbol of a name. The screen's counters come before variables, so that a variable
 * added to tiptop never changes the meaning of an existing screen. A counter becomes an alias on
 * first use. */
static int find_symbol(const void *context, const char *name, size_t len)
{
	struct screen *s = (*(struct compiler *const *)context)->screen;

	for (size_t i = 0; i < s->n_aliases; i++)
		if (strlen(s->alias[i]) == len && !memcmp(s->alias[i], name, len))
			return (int)i;
	for (size_t i = 0; i < s->n_counters; i++)
		if (strlen(s->counter[i].alias) == len && !memcmp(s->counter[i].alias, name, len)) {
			s->alias[s->n_aliases] = xstrndup(name, len);
			return (int)s->n_aliases++;
		}
	return find_variable(*(struct compiler *const *)context, name, len);
}

/* Offers the names that a column may use as suggestions. */
static void suggest(const void *context, struct suggestion *near)
{
	const struct screen *s = (*(struct compiler *const *)context)->screen;

	for (size_t i = 0; i < s->n_counters; i++)
		suggestion_offer(near, s->counter[i].alias);
	for (int v = 0; v < n_variables; v++)
		suggestion_offer(near, variable_at(v).name);
	for (size_t i = 0; i < s->n_columns; i++) {
		int len;
		const char *name = screen_column_name(&s->column[i], &len);
		char *header = xstrndup(name, (size_t)len);

		suggestion_offer(near, header);
		free(header);
		if (s->column[i].id)
			suggestion_offer(near, s->column[i].id);
	}
}

static const struct screen *screen_of(const void *context)
{
	return (*(struct compiler *const *)context)->screen;
}

static bool is_variable(const struct screen *s, int symbol)
{
	return (size_t)symbol >= s->n_aliases;
}

static bool symbol_is_text(const void *context, int symbol)
{
	return is_variable(screen_of(context), symbol) &&
	       variable_is_text(symbol - SYMBOL_VARIABLE);
}

static int check_ref(const void *context, struct expr_ref ref, struct err *err)
{
	return is_variable(screen_of(context), ref.symbol)
		       ? variable_check_mode(ref.symbol - SYMBOL_VARIABLE, ref.mode, err)
		       : 0;
}

static struct fact_set facts_of(const struct screen *s, const struct expr *e)
{
	struct fact_set facts = FACT_NONE;

	for (size_t i = 0; i < expr_n_refs(e); i++) {
		int symbol = expr_ref_at(e, i).symbol;

		if (is_variable(s, symbol))
			facts = fact_or(facts, variable_at(symbol - SYMBOL_VARIABLE).facts);
	}
	return facts;
}

/* Returns the unit of an expression that is a single reference; UNIT_NONE for others. */
static enum unit unit_of_expr(const struct screen *s, const struct expr *e)
{
	struct expr_ref ref;
	enum unit unit;

	if (expr_n_ops(e) != 1 || expr_n_refs(e) != 1)
		return UNIT_NONE;
	ref = expr_ref_at(e, 0);
	unit = (size_t)ref.symbol < s->n_aliases ? UNIT_COUNT
						 : variable_at(ref.symbol - SYMBOL_VARIABLE).unit;
	if (ref.mode == EXPR_RATE)
		return unit == UNIT_COUNT ? UNIT_PER_S : UNIT_NONE;
	return unit;
}

static int refuse_unit(const char *name, struct err *err)
{
	struct suggestion near;
	struct strbuf list;
	int rc;

	strbuf_init(&list);
	suggestion_begin(&near, name);
	for (int u = 0; u < N_UNITS; u++)
		if (unit_table[u].add) {
			suggestion_offer(&near, unit_table[u].name);
			strbuf_addf(&list, "%s%s", list.len ? ", " : "", unit_table[u].name);
		}
	rc = err_set(err, EINVAL, "unit: there is no '%s'%s: it is one of %s", name,
		     suggestion_text(&near), list.text);
	strbuf_done(&list);
	return rc;
}

static int set_unit(const struct screen *s, struct column *c, struct err *err)
{
	enum unit of_expr = unit_of_expr(s, c->expr);
	int unit = c->unit_name ? unit_find(c->unit_name) : (int)of_expr;

	if (of_expr == UNIT_TEXT && unit != UNIT_TEXT)
		return err_set(err, EINVAL, "unit: '%s' is for numbers, and %s is a text",
			       c->unit_name, c->text);
	if (unit < 0 || (c->unit_name && of_expr != UNIT_TEXT && !unit_table[unit].add))
		return refuse_unit(c->unit_name, err);
	c->unit = (enum unit)unit;
	return 0;
}

/* Checks that the format matches the type of the column. */
static int check_conversion(const struct column *c, struct err *err)
{
	bool text = c->shape.conversion == 's';

	if (text != screen_column_is_text(c))
		return err_set(err, EINVAL,
			       text ? "format: '%s' is for texts, and %s is a number: one like "
				      "%%5.1f is needed"
				    : "format: '%s' is for numbers, and %s is a text: one like "
				      "%%-12s is needed",
			       c->format, c->text);
	if (c->shape.conversion == 'h' && !unit_table[c->unit].add)
		return err_set(err, EINVAL,
			       "format: '%s' writes a number by its unit, which it lacks: give it "
			       "one by unit=\"...\"",
			       c->format);
	return 0;
}

static int read_thresholds(struct column *c, struct err *err)
{
	if (screen_column_is_text(c) && (c->warn.text || c->crit.text))
		return err_set(err, EINVAL, "thresholds are for numbers, and %s is a text",
			       c->text);
	if (threshold_read(&c->warn, err))
		return err_prefix(err, "warn");
	return threshold_read(&c->crit, err) ? err_prefix(err, "crit") : 0;
}

/* Caches the text for 0, which most cells of sleeping tasks show: printf(3) would be most of the
 * cost of a row. */
static void set_zero(struct column *c)
{
	free(c->zero);
	c->zero = column_format_zero(c->format, &c->shape);
}

/* Compiles a column. Returns -EAGAIN if another column has to be compiled first. */
static int compile_column(struct compiler *compiler, struct column *c, struct err *err)
{
	const struct expr_symbols symbols = {.find = find_symbol,
					     .context = &compiler,
					     .expand = expand_column,
					     .suggest = suggest,
					     .check = check_ref,
					     .is_text = symbol_is_text};
	struct screen *s = compiler->screen;
	int header = text_length(c->header);

	column_format_strip(c->format);
	if (column_format_read(c->format, &c->shape, err))
		return err_prefix(err, "format");
	if (expr_compile(&c->expr, c->text, &symbols, err))
		return err_prefix(err, "expr");
	if (set_unit(s, c, err) || check_conversion(c, err) || read_thresholds(c, err))
		return -EINVAL;
	if (!c->desc)
		c->desc = xstrdup(c->text);
	c->width = header > c->shape.width ? header : c->shape.width;
	set_zero(c);
	s->facts = fact_or(s->facts, facts_of(s, c->expr));
	column_kind_set(c);
	return 0;
}

static void prefix_column(const struct screen *s, const struct column *c, struct err *err)
{
	int len;
	const char *name = screen_column_name(c, &len);

	err_prefix(err, "screen '%s', column '%.*s'", s->name, len, name);
}

static void forget_aliases(struct screen *s, size_t n)
{
	while (s->n_aliases > n)
		free(s->alias[--s->n_aliases]);
}

static bool is_used(const struct screen *s, const char *alias)
{
	for (size_t i = 0; i < s->n_aliases; i++)
		if (!strcmp(s->alias[i], alias))
			return true;
	return false;
}

static bool is_alternative(const struct screen *s, size_t counter)
{
	for (size_t i = 0; i < counter; i++)
		if (!strcmp(s->counter[i].alias, s->counter[counter].alias))
			return true;
	return false;
}

/* Marks the counters that are used, and reports the others. has_fault: reports none, because a
 * fault was reported that may be the reason why a counter is unused. */
static void mark_counters(struct screen *s, bool has_fault, screen_report report, void *context)
{
	for (size_t i = 0; i < s->n_counters; i++) {
		struct counter_decl *c = &s->counter[i];
		struct err e = ERR_INIT;

		c->used = is_used(s, c->alias);
		if (c->used || has_fault || is_alternative(s, i))
			continue;
		err_set(&e, ENOENT,
			"screen '%s': no column that can be shown uses the counter '%s', it is not "
			"opened",
			s->name, c->alias);
		report(context, c->line, &e);
	}
}

/* Returns whether a fault is only a consequence of another one that was reported before: that of a
 * dropped column or counter. */
static bool follows(const struct screen *s, int rc)
{
	return rc == -ECANCELED || (rc == -ENOENT && s->lost);
}

static void begin_column(struct compiler *c, size_t i)
{
	c->state[i] = COLUMN_BUSY;
	c->busy[c->n_busy++] = i;
}

/* Compiles column i, if it is pending, and first the columns that it uses. */
static void compile_with_used(struct compiler *c, size_t i, screen_report report, void *context)
{
	struct screen *s = c->screen;

	if (c->state[i] == COLUMN_PENDING)
		begin_column(c, i);
	while (c->n_busy && c->taken <= SCREEN_TAKEN_MAX) {
		size_t k = c->busy[c->n_busy - 1], n_aliases = s->n_aliases;
		struct err e = ERR_INIT;
		int rc = compile_column(c, &s->column[k], &e);

		if (rc)
			forget_aliases(s, n_aliases);
		if (rc == -EAGAIN) {
			begin_column(c, c->wanted);
			continue;
		}
		if (rc && !follows(s, rc) && c->taken <= SCREEN_TAKEN_MAX) {
			prefix_column(s, &s->column[k], &e);
			report(context, s->column[k].line, &e);
		}
		c->state[k] = rc ? COLUMN_FAULTY : COLUMN_DONE;
		c->n_busy--;
	}
}

/* Drops faulty columns. Returns whether there were any. */
static bool drop_faulty(struct compiler *c)
{
	bool any = false;

	for (size_t i = c->screen->n_columns; i-- > 0;)
		if (c->state[i] == COLUMN_FAULTY) {
			screen_drop_column(c->screen, i);
			any = true;
		}
	return any;
}

static void compiler_done(struct compiler *c)
{
	free(c->state);
	free(c->busy);
	free(c->column_name);
	hash_done(&c->names);
}

int screen_compile(struct screen *s, screen_report report, void *context, struct err *err)
{
	struct compiler c = {
		.screen = s,
		.state = xcalloc(s->n_columns, sizeof *c.state),
		.busy = xcalloc(s->n_columns, sizeof *c.busy),
		.names = HASH_INIT,
		.column_name = xcalloc(s->n_columns, sizeof *c.column_name),
	};
	bool has_fault;

	s->alias = xcalloc(s->n_counters, sizeof *s->alias);
	column_ids_set(s, report, context);
	index_names(&c);
	for (size_t i = 0;
	     i < s->n_columns && s->n_aliases <= SAMPLE_MAX_EVENTS && c.taken <= SCREEN_TAKEN_MAX;
	     i++)
		compile_with_used(&c, i, report, context);
	has_fault = drop_faulty(&c) || s->lost;
	compiler_done(&c);
	if (c.taken > SCREEN_TAKEN_MAX)
		return err_set(err, EINVAL,
			       "screen '%s': its columns use each other too much, with more than "
			       "%d operations in all: let them use less of others, or split it",
			       s->name, SCREEN_TAKEN_MAX);
	if (s->n_aliases > SAMPLE_MAX_EVENTS)
		return err_set(err, EINVAL, "screen '%s' uses more than %d counters: split it",
			       s->name, SAMPLE_MAX_EVENTS);
	mark_counters(s, has_fault, report, context);
	if (!s->n_columns)
		return err_set(err, has_fault ? ECANCELED : ENOENT,
			       "screen '%s' has no column that can be shown", s->name);
	return 0;
}
