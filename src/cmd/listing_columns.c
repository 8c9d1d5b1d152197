/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of listing: what an expression may use. */
#include <stdlib.h>

#include "base/mem.h"
#include "cmd/listing.h"
#include "screen/expr/expr.h"

/* clang-format off */
static const struct report_column name_columns[] = {
	{.id = "kind", .csv = "kind", .title = "#kind", .width = -1, .max_width = -48},
	{.id = "name", .csv = "name", .title = "name", .width = -1, .max_width = -20},
	{.id = "of", .csv = "of", .title = "of", .width = -1, .max_width = -24},
	{.id = "id", .csv = "id", .title = "id", .width = -1, .max_width = -12},
	{.id = "unit", .csv = "unit", .title = "unit", .width = -1, .max_width = -8},
	{.title = "description", .width = -1},
	{.id = "description", .csv = "description"},
	{.id = "expr", .csv = "expr"},
};
/* clang-format on */

static const struct report_type name_type = {
	name_columns, sizeof name_columns / sizeof *name_columns, NULL, 1, NULL};

/* NULL: it has none. */
static const char *unit_of(enum unit unit)
{
	return unit == UNIT_NONE ? NULL : unit_table[unit].name;
}

/* A name that an expression may use; NULL: it has nothing of that. */
struct name {
	const char *kind, *name, *of, *id, *unit, *help, *expr;
};

static void add_name(struct report *out, const struct name *n)
{
	struct report_record *r = report_add(out, &name_type);
	char *text = n->expr ? xasprintf("%s%s= %s", n->help, *n->help ? " " : "", n->expr) : NULL;

	record_text(r, "kind", n->kind);
	record_text(r, "name", n->name);
	record_optional_text(r, "of", n->of);
	record_optional_text(r, "id", n->id);
	record_optional_text(r, "unit", n->unit);
	record_text(r, "", text ? text : n->help);
	record_optional_text(r, "description", *n->help ? n->help : NULL);
	record_optional_text(r, "expr", n->expr);
	free(text);
}

static void add_variable(struct report *out, int v)
{
	struct variable_row row = variable_at(v);
	static const char *const kinds[] = {
		[FACT_COUNTER] = "counter", [FACT_GAUGE] = "state", [FACT_TEXT] = "text"};
	enum fact_kind kind = variable_is_text(v)       ? FACT_TEXT
			      : v < VARIABLE_FIRST_FACT ? FACT_GAUGE
							: fact_table[v - VARIABLE_FIRST_FACT].kind;
	struct strbuf help;

	strbuf_init(&help);
	strbuf_addstr(&help, row.help);
	for (int f = 0; f < N_FACTS; f++)
		if (row.facts & FACT_BIT(f)) {
			strbuf_addstr(&help, " [");
			fact_add_origin(&help, (enum fact)f);
			strbuf_addch(&help, ']');
		}
	add_name(out, &(struct name){.kind = "variable",
				     .name = row.name,
				     .of = kinds[kind],
				     .unit = unit_of(row.unit),
				     .help = help.text});
	strbuf_done(&help);
}

static void add_syntax(struct report *out)
{
	struct expr_syntax s;

	for (int i = 0; i < N_EXPR_MODES; i++) {
		const struct expr_function *f = &expr_function_table[i];
		char *name = f->name ? xasprintf("%s(x)", f->name) : xstrdup("x");

		add_name(out, &(struct name){.kind = "mode", .name = name, .help = f->help});
		free(name);
	}
	for (size_t i = 0; (s = expr_syntax_at(i)).text; i++) {
		char *text = xstrdup(s.text), *to = text;

		/* The blanks go, so that it is one field. */
		for (const char *p = s.text; *p; p++)
			if (*p != ' ')
				*to++ = *p;
		*to = '\0';
		add_name(out, &(struct name){.kind = s.kind, .name = text, .help = s.help});
		free(text);
	}
}

static void add_attribute(struct strbuf *out, const char *name, const char *value)
{
	if (value)
		strbuf_addf(out, "%s%s=\"%s\"", out->len ? " " : "", name, value);
}

/* Describes a counter as its element in a tiptoprc does. */
static void add_counter(struct report *out, const struct counter_decl *c, const char *number)
{
	struct strbuf decl;

	strbuf_init(&decl);
	add_attribute(&decl, "event", c->event);
	add_attribute(&decl, "config", c->event ? NULL : c->config);
	add_attribute(&decl, "type", c->event ? NULL : c->type);
	add_attribute(&decl, "arch", c->arch);
	add_attribute(&decl, "model", c->model);
	add_name(out,
		 &(struct name){
			 .kind = "counter", .name = c->alias, .of = number, .help = decl.text});
	strbuf_done(&decl);
}

/* Adds a column, by its header as an expression has it: without the blanks around it. */
static void add_column(struct report *out, const struct column *c, const char *number)
{
	int len;
	const char *header = screen_column_name(c, &len);
	char *name = xasprintf("[%.*s]", len, header);

	add_name(out, &(struct name){.kind = "column",
				     .name = name,
				     .of = number,
				     .id = c->id,
				     .unit = unit_of(c->unit),
				     .help = c->desc,
				     .expr = c->text});
	free(name);
}

static void add_screen(struct report *out, const struct screen *s)
{
	char *number = xasprintf("%d", s->number), *help = xasprintf("'%s', %s", s->name, s->desc);

	add_name(out, &(struct name){.kind = "screen", .name = number, .help = help});
	for (size_t k = 0; k < s->n_counters; k++)
		add_counter(out, &s->counter[k], number);
	for (size_t k = 0; k < s->n_columns; k++)
		add_column(out, &s->column[k], number);
	free(number);
	free(help);
}

void listing_columns(struct report *out, const struct screen_list *screens)
{
	for (int v = 0; v < N_VARIABLES; v++)
		add_variable(out, v);
	add_syntax(out);
	for (size_t i = 0; i < screens->n; i++)
		add_screen(out, screens->v[i]);
	report_note(out,
		    "# of: whether a variable is a state, a text, or a counter, which only grows; "
		    "the number of the screen\n"
		    "# id: what --sort and outputs call a column\n"
		    "# unit: of the number that a variable or a column is\n"
		    "# [...] behind a variable: where the kernel shows it, see proc(5)\n");
}
