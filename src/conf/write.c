/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/write.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/replace.h"
#include "base/text.h"

#define DOUBLE_DIGITS_MAX 17 /* as many decimal digits as tell all doubles apart */

/* The number of bytes of the UTF-8 character at s, or 0 where that is none that XML 1.0 allows. */
static size_t xml_character_length(const char *s)
{
	size_t n;
	uint32_t c = text_decode(s, 4, &n); /* does not go beyond the terminator */

	if (c < ' ')
		return c == '\t' || c == '\n' || c == '\r';
	if ((c == TEXT_BAD && n == 1) || c == 0xfffe || c == 0xffff)
		return 0;
	return n;
}

static bool xml_holds(const char *text)
{
	size_t n;

	for (; *text; text += n) {
		n = xml_character_length(text);
		if (!n)
			return false;
	}
	return true;
}

/* Appends a character. Line breaks and tabs are written as references: as they are, they would be
 * read as blanks. */
static void add_character(struct strbuf *out, const char *s, size_t n)
{
	switch (*s) {
	case '&':
		strbuf_addstr(out, "&amp;");
		break;
	case '<':
		strbuf_addstr(out, "&lt;");
		break;
	case '>':
		strbuf_addstr(out, "&gt;");
		break;
	case '"':
		strbuf_addstr(out, "&quot;");
		break;
	case '\t':
	case '\n':
	case '\r':
		strbuf_addf(out, "&#%d;", *s);
		break;
	default:
		strbuf_add(out, s, n);
	}
}

/* Appends an attribute; nothing where text is NULL. */
static void add_attribute(struct strbuf *out, const char *name, const char *text)
{
	size_t n;

	if (!text)
		return;
	strbuf_addf(out, " %s=\"", name);
	for (; *text; text += n ? n : 1) {
		n = xml_character_length(text);
		if (n)
			add_character(out, text, n);
		else
			strbuf_addch(out, '?');
	}
	strbuf_addch(out, '"');
}

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

/* Returns what to write for this row, freed by the caller; NULL: nothing. */
static char *option_text(const struct option_row *row, const struct options *o,
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
		char *text = option_text(&option_table[i], o, &defaults);

		if (text)
			visit(context, option_table[i].conf_name, text);
		free(text);
	}
	options_done(&defaults);
}

static void add_option(void *context, const char *name, const char *value)
{
	struct strbuf *out = context;

	strbuf_addstr(out, "    <option");
	add_attribute(out, "name", name);
	add_attribute(out, "value", value);
	strbuf_addstr(out, "/>\n");
}

static void add_options(struct strbuf *out, const struct options *o)
{
	strbuf_addstr(out, "  <options>\n");
	conf_each_option(o, add_option, out);
	strbuf_addstr(out, "  </options>\n");
}

static void add_key(struct strbuf *out, const struct key_choice *k)
{
	strbuf_addstr(out, k->set ? "  <keys" : "  <key");
	add_attribute(out, "set", k->set);
	add_attribute(out, "name", k->key);
	add_attribute(out, "action", k->action);
	strbuf_addstr(out, "/>\n");
}

static void add_counter(struct strbuf *out, const struct counter_decl *c)
{
	strbuf_addstr(out, "    <counter");
	add_attribute(out, "alias", c->alias);
	add_attribute(out, "event", c->event);
	add_attribute(out, "config", c->event ? NULL : c->config);
	add_attribute(out, "type", c->event ? NULL : c->type);
	add_attribute(out, "arch", c->arch);
	add_attribute(out, "model", c->model);
	strbuf_addstr(out, "/>\n");
}

/* Appends a column. Compiling made its expression the description where it had none. */
static void add_column(struct strbuf *out, const struct column *c)
{
	bool described = c->desc && strcmp(c->desc, c->text) != 0;

	strbuf_addstr(out, "    <column");
	add_attribute(out, "id", c->id_given ? c->id : NULL);
	add_attribute(out, "header", c->header);
	add_attribute(out, "format", c->format);
	add_attribute(out, "unit", c->unit_name);
	add_attribute(out, "optional", c->optional ? "yes" : NULL);
	if (c->priority)
		strbuf_addf(out, " priority=\"%d\"", c->priority);
	add_attribute(out, "warn", c->warn.text);
	add_attribute(out, "crit", c->crit.text);
	add_attribute(out, "desc", described ? c->desc : NULL);
	add_attribute(out, "expr", c->text);
	strbuf_addstr(out, "/>\n");
}

static void add_screen(struct strbuf *out, const struct screen *s, bool replace)
{
	strbuf_addstr(out, "  <screen");
	add_attribute(out, "name", s->name);
	add_attribute(out, "desc", s->desc);
	add_attribute(out, "needs", s->needs);
	add_attribute(out, "idle", s->idle ? "yes" : NULL);
	add_attribute(out, "replace", replace ? "yes" : NULL);
	strbuf_addstr(out, ">\n");
	for (size_t i = 0; i < s->n_counters; i++)
		add_counter(out, &s->counter[i]);
	for (size_t i = 0; i < s->n_columns; i++)
		add_column(out, &s->column[i]);
	strbuf_addstr(out, "  </screen>\n");
}

static void add_screens(struct strbuf *out, const struct screen_list *screens)
{
	for (size_t i = 0; i < screens->n; i++) {
		const struct screen *s = screens->v[i];

		if (s->file && !s->from_folder)
			add_screen(out, s->declared ? s->declared : s, s->replace);
	}
}

static void add_cpu(struct strbuf *out, const struct event_table *t, const struct cpu_name *c)
{
	bool replace = event_table_find_cpu(t->below, c->name, strlen(c->name));

	strbuf_addstr(out, "  <cpu");
	add_attribute(out, "name", c->name);
	add_attribute(out, "models", c->models);
	add_attribute(out, "source", c->source);
	add_attribute(out, "replace", replace ? "yes" : NULL);
	strbuf_addstr(out, "/>\n");
}

static void add_choice(struct strbuf *out, const struct event_choice *c)
{
	strbuf_addstr(out, "    <for");
	add_attribute(out, "arch", c->arch);
	add_attribute(out, "model", c->model);
	add_attribute(out, "event", c->event);
	add_attribute(out, "name", c->name);
	add_attribute(out, "weight", c->weight);
	add_attribute(out, "code", c->code);
	add_attribute(out, "source", c->source);
	strbuf_addstr(out, "/>\n");
}

static void add_event(struct strbuf *out, const struct event_table *t, const struct event_def *e)
{
	bool replace = event_table_find(t->below, e->name, strlen(e->name));

	strbuf_addstr(out, "  <event");
	add_attribute(out, "name", e->name);
	add_attribute(out, "unit", e->unit);
	add_attribute(out, "desc", e->desc);
	add_attribute(out, "replace", replace ? "yes" : NULL);
	strbuf_addstr(out, ">\n");
	for (size_t i = 0; i < e->n_choices; i++)
		add_choice(out, &e->choice[i]);
	strbuf_addstr(out, "  </event>\n");
}

static void add_filter(struct strbuf *out, const struct named_filter *f)
{
	strbuf_addstr(out, "  <filter");
	add_attribute(out, "name", f->name);
	add_attribute(out, "expr", f->text);
	add_attribute(out, "desc", f->desc);
	strbuf_addstr(out, "/>\n");
}

static void add_colour(struct strbuf *out, const char *name, struct colour c)
{
	struct strbuf text;

	strbuf_init(&text);
	colour_add(&text, c);
	add_attribute(out, name, c.kind == COLOUR_UNSET ? NULL : text.text);
	strbuf_done(&text);
}

static void add_look(struct strbuf *out, enum look look, const struct style *s)
{
	strbuf_addstr(out, "    <look");
	add_attribute(out, "name", look_table[look].name);
	add_colour(out, "fg", s->fg);
	add_colour(out, "bg", s->bg);
	add_attribute(out, "bold", s->bits & STYLE_BOLD ? "yes" : NULL);
	add_attribute(out, "dim", s->bits & STYLE_DIM ? "yes" : NULL);
	add_attribute(out, "underline", s->bits & STYLE_UNDERLINE ? "yes" : NULL);
	add_attribute(out, "reverse", s->bits & STYLE_REVERSE ? "yes" : NULL);
	strbuf_addstr(out, "/>\n");
}

static void add_theme(struct strbuf *out, const struct theme *t)
{
	strbuf_addstr(out, "  <theme");
	add_attribute(out, "name", t->name);
	add_attribute(out, "desc", t->desc);
	add_attribute(out, "like", t->like);
	add_attribute(out, "light", t->light ? "yes" : "no");
	add_attribute(out, "replace", t->replace ? "yes" : NULL);
	strbuf_addstr(out, ">\n");
	for (int look = 0; look < N_LOOKS; look++)
		if (t->given[look])
			add_look(out, (enum look)look, &t->style[look]);
	strbuf_addstr(out, "  </theme>\n");
}

#define BEGIN "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

void conf_format(struct strbuf *out, const struct conf_state *state)
{
	const struct event_table *t = state->own;

	strbuf_addstr(out, BEGIN "<!-- Written by tiptop; see tiptoprc(5). -->\n"
				 "<tiptop>\n");
	add_options(out, state->options);
	for (size_t i = 0; i < state->options->n_keys; i++)
		add_key(out, &state->options->keys[i]);
	for (size_t i = 0; i < state->filters->n; i++)
		if (!state->filters->v[i].from_folder)
			add_filter(out, &state->filters->v[i]);
	for (size_t i = 0; i < t->n_cpus; i++)
		add_cpu(out, t, &t->cpu[i]);
	for (size_t i = 0; i < t->n_events; i++)
		add_event(out, t, &t->event[i]);
	for (size_t i = 0; i < state->themes->n; i++)
		if (state->themes->v[i]->own)
			add_theme(out, state->themes->v[i]);
	add_screens(out, state->screens);
	add_screens(out, state->hidden);
	strbuf_addstr(out, "</tiptop>\n");
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
	strbuf_addstr(out, BEGIN "<!-- A screen of tiptop; see tiptoprc(5). -->\n"
				 "<tiptop>\n");
	for (size_t len; notes && *notes; notes += len + (notes[len] == '\n')) {
		len = strcspn(notes, "\n");
		add_comment(out, notes, len);
	}
	add_screen(out, s->declared ? s->declared : s, !notes);
	strbuf_addstr(out, "</tiptop>\n");
}

/* Checks the texts of options: only these may be such that XML cannot hold them, as they come from
 * the command line and the keyboard, too. */
static int check_options(const struct options *o, struct err *err)
{
	struct options defaults;
	int rc = 0;

	options_init(&defaults);
	for (size_t i = 0; !rc && i < option_table_n; i++) {
		char *text = option_text(&option_table[i], o, &defaults);

		if (text && !xml_holds(text))
			rc = err_set(err, EILSEQ,
				     "%s contains a character that no configuration file can hold: "
				     "change it first",
				     option_table[i].what);
		free(text);
	}
	options_done(&defaults);
	return rc;
}

int conf_write(const char *path, const struct conf_state *state, bool overwrite, struct err *err)
{
	struct strbuf text;
	int rc = check_options(state->options, err);

	if (rc)
		return rc;
	strbuf_init(&text);
	conf_format(&text, state);
	rc = replace_file(path, &text, overwrite, err);
	strbuf_done(&text);
	return rc;
}
