/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "conf/write_part.h"

#define DOUBLE_DIGITS_MAX 17 /* as many decimal digits as tell all doubles apart */

/* Returns the shortest text that is read as the same number. */
static char *double_text(double number)
{
	for (int digits = 1;; digits++) {
		char *text = xasprintf("%.*g", digits, number);
		double again = NAN;

		num_parse_double(text, "", -HUGE_VAL, HUGE_VAL, &again, NULL);
		if (again == number || digits == DOUBLE_DIGITS_MAX)
			return text;
		free(text);
	}
}

static char *string_text(const struct option_row *row, const char *text)
{
	bool number = text && !text[strspn(text, "0123456789")];

	if (!text || !text[0] || (row->writing == WRITE_IF_NUMBER && !number) ||
	    (row->writing == WRITE_IF_TEXT && number))
		return NULL;
	return xstrdup(text);
}

char *write_option_text(const struct option_row *row, const struct options *o,
			const struct options *defaults)
{
	const void *field = (const char *)o + row->offset,
		   *normal = (const char *)defaults + row->offset;

	if (!row->conf_name || row->writing == WRITE_NEVER)
		return NULL;
	switch (row->kind) {
	case OPTION_TOGGLE:
	case OPTION_FLAG:
		if (*(const bool *)field == *(const bool *)normal)
			return NULL;
		return xstrdup(*(const bool *)field ? "1" : "0");
	case OPTION_DOUBLE:
		return *(const double *)field == *(const double *)normal
			       ? NULL
			       : double_text(*(const double *)field);
	case OPTION_STRING:
		return string_text(row, *(char *const *)field);
	default:
		return NULL;
	}
}

void conf_each_option(const struct options *o,
		      void (*visit)(void *context, const char *name, const char *value),
		      void *context)
{
	struct options defaults;

	options_init(&defaults);
	for (size_t i = 0; i < option_table_n; i++) {
		char *text = write_option_text(&option_table[i], o, &defaults);

		if (text)
			visit(context, option_table[i].conf_name, text);
		free(text);
	}
	options_done(&defaults);
}

static struct node *add(const struct write_place *p, const char *tag, int element, bool holds)
{
	struct node *n = node_add(p->arena, p->parent, tag, element);

	n->holds = holds;
	return n;
}

static void set_flag(const struct write_place *p, struct node *n, const char *name, bool flag)
{
	node_set(p->arena, n, name, flag ? "yes" : NULL);
}

static void add_option(void *context, const char *name, const char *value)
{
	const struct write_place *p = context;
	struct node *n = add(p, "option", 0, false);

	node_set(p->arena, n, "name", name);
	node_set(p->arena, n, "value", value);
}

void write_options(const struct write_place *p, const struct options *o)
{
	struct write_place inside = {p->arena, add(p, "options", 0, true)};

	conf_each_option(o, add_option, &inside);
}

static void add_key(const struct write_place *p, const struct key_choice *k)
{
	struct node *n = add(p, k->set ? "keys" : "key", 0, false);

	node_set(p->arena, n, "set", k->set);
	node_set(p->arena, n, "name", k->key);
	node_set(p->arena, n, "action", k->action);
}

static void add_counter(const struct write_place *p, const struct counter_decl *c)
{
	struct node *n = add(p, "counter", c->element, false);

	n->leads = true;
	node_set(p->arena, n, "alias", c->alias);
	node_set(p->arena, n, "event", c->event);
	node_set(p->arena, n, "config", c->event ? NULL : c->config);
	node_set(p->arena, n, "type", c->event ? NULL : c->type);
	node_set(p->arena, n, "arch", c->arch);
	node_set(p->arena, n, "model", c->model);
}

/* Adds a column. Compiling made its expression the description where it had none. */
static void add_column(const struct write_place *p, const struct column *c)
{
	bool described = c->desc && strcmp(c->desc, c->text) != 0;
	const char priority[] = {(char)('0' + c->priority), '\0'};
	struct node *n = add(p, "column", c->element, false);

	node_set(p->arena, n, "id", c->id_given ? c->id : NULL);
	node_set(p->arena, n, "header", c->header);
	node_set(p->arena, n, "format", c->format);
	node_set(p->arena, n, "unit", c->unit_name);
	set_flag(p, n, "optional", c->optional);
	node_set(p->arena, n, "priority", c->priority ? priority : NULL);
	node_set(p->arena, n, "warn", c->warn.text);
	node_set(p->arena, n, "crit", c->crit.text);
	node_set(p->arena, n, "desc", described ? c->desc : NULL);
	node_set(p->arena, n, "expr", c->spark ? NULL : c->text);
	node_set(p->arena, n, "spark", c->spark);
	node_set(p->arena, n, "scale", c->same_scale ? "column" : NULL);
}

static void add_screen(const struct write_place *p, const struct screen *s, bool replace)
{
	struct node *n = add(p, "screen", s->element, true);
	const struct write_place inside = {p->arena, n};

	node_set(p->arena, n, "name", s->name);
	node_set(p->arena, n, "desc", s->desc);
	node_set(p->arena, n, "needs", s->needs);
	node_set(p->arena, n, "rows", s->rows);
	set_flag(p, n, "idle", s->idle);
	set_flag(p, n, "replace", replace);
	for (size_t i = 0; i < s->n_counters; i++)
		add_counter(&inside, &s->counter[i]);
	for (size_t i = 0; i < s->n_columns; i++)
		add_column(&inside, &s->column[i]);
}

void write_screens(const struct write_place *p, const struct screen_list *screens)
{
	for (size_t i = 0; i < screens->n; i++) {
		const struct screen *s = screens->v[i];

		if (s->file && !s->from_folder)
			add_screen(p, s, s->replace);
	}
}

static void add_cpu(const struct write_place *p, const struct event_table *t,
		    const struct cpu_name *c)
{
	struct node *n = add(p, "cpu", 0, false);

	node_set(p->arena, n, "name", c->name);
	node_set(p->arena, n, "models", c->models);
	node_set(p->arena, n, "source", c->source);
	set_flag(p, n, "replace", event_table_find_cpu(t->below, c->name, strlen(c->name)));
}

static void add_choice(const struct write_place *p, const struct event_choice *c)
{
	struct node *n = add(p, "for", 0, false);

	node_set(p->arena, n, "arch", c->arch);
	node_set(p->arena, n, "model", c->model);
	node_set(p->arena, n, "event", c->event);
	node_set(p->arena, n, "name", c->name);
	node_set(p->arena, n, "weight", c->weight);
	node_set(p->arena, n, "code", c->code);
	node_set(p->arena, n, "source", c->source);
}

static void add_event(const struct write_place *p, const struct event_table *t,
		      const struct event_def *e)
{
	struct node *n = add(p, "event", 0, true);
	const struct write_place inside = {p->arena, n};

	node_set(p->arena, n, "name", e->name);
	node_set(p->arena, n, "unit", e->unit);
	node_set(p->arena, n, "desc", e->desc);
	set_flag(p, n, "replace", event_table_find(t->below, e->name, strlen(e->name)));
	for (size_t i = 0; i < e->n_choices; i++)
		add_choice(&inside, &e->choice[i]);
}

static void add_filter(const struct write_place *p, const struct named_filter *f)
{
	struct node *n = add(p, "filter", 0, false);

	node_set(p->arena, n, "name", f->name);
	node_set(p->arena, n, "expr", f->text);
	node_set(p->arena, n, "desc", f->desc);
}

static void set_colour(const struct write_place *p, struct node *n, const char *name,
		       struct colour c)
{
	struct strbuf text;

	strbuf_init(&text);
	colour_add(&text, c);
	node_set(p->arena, n, name, c.kind == COLOUR_UNSET ? NULL : text.text);
	strbuf_done(&text);
}

static void add_look(const struct write_place *p, enum look look, const struct style *s)
{
	struct node *n = add(p, "look", 0, false);

	node_set(p->arena, n, "name", look_table[look].name);
	set_colour(p, n, "fg", s->fg);
	set_colour(p, n, "bg", s->bg);
	set_flag(p, n, "bold", s->bits & STYLE_BOLD);
	set_flag(p, n, "dim", s->bits & STYLE_DIM);
	set_flag(p, n, "underline", s->bits & STYLE_UNDERLINE);
	set_flag(p, n, "reverse", s->bits & STYLE_REVERSE);
}

static void add_theme(const struct write_place *p, const struct theme *t)
{
	struct node *n = add(p, "theme", 0, true);
	const struct write_place inside = {p->arena, n};

	node_set(p->arena, n, "name", t->name);
	node_set(p->arena, n, "desc", t->desc);
	node_set(p->arena, n, "like", t->like);
	node_set(p->arena, n, "light", t->light ? "yes" : "no");
	set_flag(p, n, "replace", t->replace);
	for (int look = 0; look < N_LOOKS; look++)
		if (t->given[look])
			add_look(&inside, (enum look)look, &t->style[look]);
}

/* The tree of the whole state. */
static struct node *state_node(struct arena *a, const struct conf_state *state)
{
	const struct event_table *t = state->own;
	struct write_place p = {a, NULL};
	struct node *root = add(&p, "tiptop", 0, true);

	p.parent = root;
	write_options(&p, state->options);
	for (size_t i = 0; i < state->options->n_keys; i++)
		add_key(&p, &state->options->keys[i]);
	for (size_t i = 0; i < state->filters->n; i++)
		if (!state->filters->v[i].from_folder)
			add_filter(&p, &state->filters->v[i]);
	for (size_t i = 0; i < t->n_cpus; i++)
		add_cpu(&p, t, &t->cpu[i]);
	for (size_t i = 0; i < t->n_events; i++)
		add_event(&p, t, &t->event[i]);
	for (size_t i = 0; i < state->themes->n; i++)
		if (state->themes->v[i]->own)
			add_theme(&p, state->themes->v[i]);
	write_screens(&p, state->screens);
	return root;
}

#define BEGIN "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

/* Appends a tree as tiptop writes it where there is no file yet. */
static void add_tree(struct strbuf *out, const struct node *n, const char *indent)
{
	node_add_text(out, n,
		      &(struct node_style){
			      .indent = indent, .unit = "  ", .newline = "\n", .prefix = ""});
	strbuf_addch(out, '\n');
}

void conf_format(struct strbuf *out, const struct conf_state *state)
{
	struct arena arena = ARENA_INIT;

	strbuf_addstr(out, BEGIN "<!-- Written by tiptop; see tiptoprc(5). -->\n");
	add_tree(out, state_node(&arena, state), "");
	arena_done(&arena);
}

/* A comment has no "--" in it. */
static void add_comment(struct strbuf *out, const char *text, size_t len)
{
	strbuf_addstr(out, "  <!-- ");
	for (size_t i = 0; i < len; i++)
		strbuf_addf(out, "%c%s", text[i],
			    text[i] == '-' && i + 1 < len && text[i + 1] == '-' ? " " : "");
	strbuf_addstr(out, " -->\n");
}

void conf_format_screen(struct strbuf *out, const struct screen *s, const char *notes)
{
	struct arena arena = ARENA_INIT;
	const struct write_place top = {&arena, node_add(&arena, NULL, "tiptop", 0)};

	strbuf_addstr(out, BEGIN "<!-- A screen of tiptop; see tiptoprc(5). -->\n"
				 "<tiptop>\n");
	for (size_t len; notes && *notes; notes += len + (notes[len] == '\n')) {
		len = strcspn(notes, "\n");
		add_comment(out, notes, len);
	}
	add_screen(&top, s->declared ? s->declared : s, !notes);
	strbuf_addstr(out, "  ");
	add_tree(out, top.parent->child, "  ");
	strbuf_addstr(out, "</tiptop>\n");
	arena_done(&arena);
}
