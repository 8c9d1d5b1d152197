/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/write.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/destination.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "conf/merge.h"
#include "conf/xml.h"

/* The parent to which nodes are added. */
struct write_place {
	struct arena *arena;
	struct node *parent;
};

/* ---- save ----
 * Changes an existing file. */

/* The result of parsing a file's text, as far as it is compared with the state to be written. */
struct file_state {
	struct options options;
	struct screen_list screens;
	struct own_table own;
};

static void pass_over(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

static int file_state_read(struct file_state *s, const struct strbuf *text, const char *path,
			   struct err *err)
{
	options_init(&s->options);
	s->screens = (struct screen_list)SCREEN_LIST_INIT;
	own_table_init(&s->own, &event_table_built_in);
	return conf_parse(
		text, path,
		&(struct conf_into){.options = &s->options, .screens = &s->screens, .own = &s->own},
		pass_over, NULL, err);
}

static void file_state_done(struct file_state *s)
{
	options_done(&s->options);
	screen_list_done(&s->screens);
	own_table_done(&s->own);
}

/* The values of options as texts. */
struct values {
	char *text[OPTION_ROWS_MAX]; /* by row; NULL: the default, or not written for this row */
};

static char *write_option_text(const struct option_row *row, const struct options *o,
			       const struct options *defaults);

static void values_init(struct values *v, const struct options *o)
{
	struct options defaults;

	options_init(&defaults);
	for (size_t i = 0; i < option_table_n; i++)
		v->text[i] = write_option_text(&option_table[i], o, &defaults);
	options_done(&defaults);
}

static void values_done(struct values *v)
{
	for (size_t i = 0; i < option_table_n; i++)
		free(v->text[i]);
}

/* Returns the row with which the field of `row` is written; option_table_n: none, since the field
 * has its default. Several rows may set one field, for instance only_pid and only_name. */
static size_t written_row(const struct values *v, size_t row)
{
	size_t i = 0;

	while (i < option_table_n &&
	       (!v->text[i] || option_table[i].offset != option_table[row].offset))
		i++;
	return i;
}

static const char *value_of(const struct values *v, size_t row)
{
	const size_t i = written_row(v, row);

	return i < option_table_n ? v->text[i] : NULL;
}

static bool differs(const struct values *old, const struct values *new, size_t row)
{
	const char *a = value_of(old, row), *b = value_of(new, row);

	return a && b ? strcmp(a, b) != 0 : a != b;
}

/* Returns whether an <option> of the file sets the field of this row: one of o->places from index
 * `from` on. */
static bool is_placed(const struct options *o, size_t row, size_t from)
{
	for (size_t i = from; i < o->n_places; i++)
		if (option_table[o->places[i].row].offset == option_table[row].offset)
			return true;
	return false;
}

static void save_add_option(struct arena *a, struct node *options, int element, const char *name,
			    const char *value)
{
	struct node *n = node_add(a, options, "option", element);

	node_set(a, n, "name", name);
	node_set(a, n, "value", value);
}

/* Returns the name for an existing <option> (row) that gets a new value, which a new file would
 * have in the row `written`. Keeps the old name, unless it is only for numbers or only for other
 * texts. */
static const char *name_for(const struct option_row *row, const struct option_row *written)
{
	return row->writing == WRITE_IF_NUMBER || row->writing == WRITE_IF_TEXT ? written->conf_name
										: row->conf_name;
}

/* Adds the <option> at `place` of the file to `says`; and to `wanted`, unless its field changed to
 * the default, so that it is removed. If several set one field, the last one counts, so only the
 * last gets a changed value. */
static void compare_place(struct arena *a, struct node *says, struct node *wanted,
			  const struct options *o, size_t place, const struct values *old,
			  const struct values *new)
{
	const size_t i = o->places[place].row, k = written_row(new, i);
	const struct option_row *row = &option_table[i];
	const char *is = value_of(old, i) ? value_of(old, i) : "";
	const int element = o->places[place].element;

	save_add_option(a, says, element, row->conf_name, is);
	if (!differs(old, new, i) || (k < option_table_n && is_placed(o, i, place + 1)))
		save_add_option(a, wanted, element, row->conf_name, is);
	else if (k < option_table_n)
		save_add_option(a, wanted, element, name_for(row, &option_table[k]), new->text[k]);
}

/* Adds the <options> of the file to the tree `says`, and those of the wanted state to `wanted`. An
 * unchanged option gets the same text in both, so that merging leaves it as it is. */
static void compare_options(struct arena *a, struct node *says, struct node *wanted,
			    const struct options *o, const struct options *wish)
{
	struct node *from = NULL, *to = NULL;
	struct values old, new;

	values_init(&old, o);
	values_init(&new, wish);
	if (o->element) {
		from = node_add(a, says, "options", o->element);
		to = node_add(a, wanted, "options", o->element);
	}
	for (size_t i = 0; i < o->n_places; i++)
		compare_place(a, from, to, o, i, &old, &new);
	for (size_t i = 0; i < option_table_n; i++) {
		if (!new.text[i] || !differs(&old, &new, i) || is_placed(o, i, 0))
			continue;
		if (!to) {
			to = node_add(a, wanted, "options", 0);
			to->holds = to->leads = true;
		}
		save_add_option(a, to, 0, option_table[i].conf_name, new.text[i]);
	}
	values_done(&old);
	values_done(&new);
}

static void write_screens(const struct write_place *p, const struct screen_list *screens);

/* Appends the text of base, changed to the state. */
static int change_text(struct strbuf *out, const struct conf_state *state,
		       const struct conf_base *base, struct err *err)
{
	struct arena a = ARENA_INIT;
	struct node *says = node_add(&a, NULL, "tiptop", 1),
		    *wanted = node_add(&a, NULL, "tiptop", 1);
	const struct write_place old = {&a, says}, new = {&a, wanted};
	struct file_state file_state;
	int ret = file_state_read(&file_state, &base->text, base->path, err);

	if (!ret) {
		compare_options(&a, says, wanted, &file_state.options, state->options);
		write_screens(&old, &file_state.screens);
		write_screens(&new, state->screens);
		ret = conf_merge(out, base->path, &base->text, says, wanted, err);
	}
	file_state_done(&file_state);
	arena_done(&a);
	return ret;
}

static void write_options(const struct write_place *p, const struct options *o);

/* Appends options and screens as one text, by which two states are compared. */
static void add_text(struct strbuf *out, const struct options *o, const struct screen_list *screens)
{
	struct arena a = ARENA_INIT;
	const struct write_place top = {&a, node_add(&a, NULL, "tiptop", 0)};

	top.parent->holds = true;
	write_options(&top, o);
	write_screens(&top, screens);
	node_add_text(out, top.parent,
		      &(struct node_style){.indent = "", .unit = "", .prefix = ""});
	arena_done(&a);
}

static bool same_text(const struct strbuf *a, const struct strbuf *b)
{
	return a->len == b->len && !memcmp(a->text, b->text, a->len);
}

/* Copies the element numbers of screens, counters and columns from the screens that were read from
 * a text to those of the state. Both lists have the same screens of the file, in the same order. */
static void take_numbers(const struct screen_list *to, const struct screen_list *from)
{
	size_t k = 0;

	for (size_t i = 0; i < to->n; i++) {
		struct screen *s = to->v[i];

		if (!s->file || s->from_folder)
			continue;
		s->element = from->v[k]->element;
		for (size_t c = 0; c < s->n_counters; c++)
			s->counter[c].element = from->v[k]->counter[c].element;
		for (size_t c = 0; c < s->n_columns; c++)
			s->column[c].element = from->v[k]->column[c].element;
		k++;
	}
}

/* Returns whether reading the text results in the state. taken: if so, also sets the element
 * numbers of the state's screens to those of the text. */
static bool gives_state(const struct strbuf *text, const struct conf_state *state, const char *path,
			bool taken)
{
	struct strbuf is, wanted;
	struct file_state file_state;
	bool same;

	strbuf_init(&is);
	strbuf_init(&wanted);
	same = !file_state_read(&file_state, text, path, NULL);
	add_text(&is, &file_state.options, &file_state.screens);
	add_text(&wanted, state->options, state->screens);
	same = same && same_text(&is, &wanted);
	if (same && taken)
		take_numbers(state->screens, &file_state.screens);
	file_state_done(&file_state);
	strbuf_done(&is);
	strbuf_done(&wanted);
	return same;
}

bool conf_is_base(const char *path, const struct conf_base *base)
{
	if (!base->path || !strcmp(path, base->path))
		return base->path;
	return file_paths_same(path, base->path);
}

/* Checks that the file still has the text of base. */
static int check_base(const char *path, const struct conf_base *base, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;
	struct strbuf text;

	if (fd < 0)
		return err_set(err, errno, "cannot read '%s', to change it: %s", path,
			       strerror(errno));
	strbuf_init(&text);
	ret = conf_load(fd, path, &text, err);
	if (!ret && !same_text(&text, &base->text))
		ret = err_set(err, ESTALE,
			      "'%s' was changed by another program since it was read: write to "
			      "another file, or start tiptop again to read what it says now",
			      path);
	strbuf_done(&text);
	close(fd);
	return ret;
}

/* Checks that XML can represent the values of options. All other texts were read from XML, but
 * options are also set on the command line and by keys. */
static int check_options(const struct options *o, struct err *err)
{
	struct values values;
	int ret = 0;

	values_init(&values, o);
	for (size_t i = 0; !ret && i < option_table_n; i++)
		if (values.text[i] && !node_can_hold(values.text[i]))
			ret = err_set(err, EILSEQ,
				      "%s contains a character that no configuration file can "
				      "hold: change it first",
				      option_table[i].what);
	values_done(&values);
	return ret;
}

static int make_text(struct strbuf *out, const struct conf_state *state,
		     const struct conf_base *base, struct err *err)
{
	int ret;

	if (!base->path) {
		conf_format(out, state);
		return 0;
	}
	ret = change_text(out, state, base, err);
	if (!ret && !gives_state(out, state, base->path, false))
		ret = err_set(err, ENOTSUP,
			      "'%s' cannot be changed: the new text would be read as something "
			      "else",
			      base->path);
	return ret;
}

int conf_write(const char *path, const struct conf_state *state, struct conf_base *base,
	       bool overwrite, struct err *err)
{
	const bool own = conf_is_base(path, base), there = own && !access(path, F_OK);
	struct strbuf text;
	int ret = check_options(state->options, err);

	if (!ret && there)
		ret = check_base(path, base, err);
	strbuf_init(&text);
	if (!ret)
		ret = make_text(&text, state, base, err);
	if (!ret && there && same_text(&text, &base->text))
		ret = CONF_SAME;
	if (!ret)
		ret = replace_file(path, &text, overwrite, err);
	if (!ret && (own || !base->path)) {
		gives_state(&text, state, path, true);
		conf_base_set(base, path, &text);
	}
	strbuf_done(&text);
	return ret;
}

void conf_base_set(struct conf_base *base, const char *path, const struct strbuf *text)
{
	if (!base->path)
		base->path = xstrdup(path);
	strbuf_reset(&base->text);
	strbuf_add(&base->text, text->text, text->len);
}

void conf_base_init(struct conf_base *base)
{
	base->path = NULL;
	strbuf_init(&base->text);
}

void conf_base_done(struct conf_base *base)
{
	free(base->path);
	strbuf_done(&base->text);
}

/* ---- write ---- */

#define DOUBLE_DIGITS_MAX 17 /* decimal digits that distinguish all doubles */

/* Returns the shortest text that is parsed as the same number; the caller frees it. */
static char *double_text(double number)
{
	for (int digits = 1;; digits++) {
		char *text = xasprintf("%.*g", digits, number);
		double again = NAN;

		num_parse_double(text, "", -DBL_MAX, DBL_MAX, &again, NULL);
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

/* Returns the value to write for this row, which the caller frees; NULL: the row is not written. */
static char *write_option_text(const struct option_row *row, const struct options *o,
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

/* Adds <options> with an <option> for each value that is not the default. */
static void write_options(const struct write_place *p, const struct options *o)
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

/* Adds a column. Its description is left out if it equals the expression, since compiling sets it
 * to the expression by default. */
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

/* Adds the screens of the user's own file. */
static void write_screens(const struct write_place *p, const struct screen_list *screens)
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

/* Returns the tree of the whole state. */
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

/* Appends a tree in the style of new files: two blanks for each level. */
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

/* Appends an XML comment. "--" is not allowed in it, so a blank is inserted between the dashes. */
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
