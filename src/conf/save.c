/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of write: changing a file that is there. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/replace.h"
#include "conf/merge.h"
#include "conf/write_part.h"
#include "conf/xml.h"

/* What a text says, of all that can have changed. */
struct said {
	struct options options;
	struct screen_list screens;
	struct own_table own;
};

static void pass_over(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

static int said_read(struct said *s, const struct strbuf *text, const char *path, struct err *err)
{
	options_init(&s->options);
	s->screens = (struct screen_list)SCREEN_LIST_INIT;
	own_table_init(&s->own, &event_table_built_in);
	return conf_parse(
		text, path,
		&(struct conf_into){.options = &s->options, .screens = &s->screens, .own = &s->own},
		pass_over, NULL, err);
}

static void said_done(struct said *s)
{
	options_done(&s->options);
	screen_list_done(&s->screens);
	own_table_done(&s->own);
}

/* The texts of options that differ from their defaults. */
struct values {
	char *text[OPTION_ROWS_MAX];
};

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

/* The row that is written for the field of this one; option_table_n: it has its default. Several
 * rows may set one field: a pid and a name. */
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

/* Whether an <option> from this one on sets the same. */
static bool is_placed(const struct options *o, size_t row, size_t from)
{
	for (size_t i = from; i < o->n_places; i++)
		if (option_table[o->places[i].row].offset == option_table[row].offset)
			return true;
	return false;
}

static void add_option(struct arena *a, struct node *options, int element, const char *name,
		       const char *value)
{
	struct node *n = node_add(a, options, "option", element);

	node_set(a, n, "name", name);
	node_set(a, n, "value", value);
}

/* The name under which an <option> that is there has the new value: its own, unless that is only
 * for numbers, or for what is none. */
static const char *name_for(const struct option_row *row, const struct option_row *written)
{
	return row->writing == WRITE_IF_NUMBER || row->writing == WRITE_IF_TEXT ? written->conf_name
										: row->conf_name;
}

/* An <option> of the file, and what is to become of it. The last one that sets a field counts;
 * where the field has its default again, none of them is left. */
static void compare_place(struct arena *a, struct node *says, struct node *wanted,
			  const struct options *o, size_t place, const struct values *old,
			  const struct values *new)
{
	const size_t i = o->places[place].row, k = written_row(new, i);
	const struct option_row *row = &option_table[i];
	const char *is = value_of(old, i) ? value_of(old, i) : "";
	const int element = o->places[place].element;

	add_option(a, says, element, row->conf_name, is);
	if (!differs(old, new, i) || (k < option_table_n && is_placed(o, i, place + 1)))
		add_option(a, wanted, element, row->conf_name, is);
	else if (k < option_table_n)
		add_option(a, wanted, element, name_for(row, &option_table[k]), new->text[k]);
}

/* Adds <options> as they are and as they are wanted; their values are the file's own only where
 * they change. */
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
		add_option(a, to, 0, option_table[i].conf_name, new.text[i]);
	}
	values_done(&old);
	values_done(&new);
}

/* Puts what is different into the text that was read. */
static int change_text(struct strbuf *out, const struct conf_state *state,
		       const struct conf_base *base, struct err *err)
{
	struct arena a = ARENA_INIT;
	struct node *says = node_add(&a, NULL, "tiptop", 1),
		    *wanted = node_add(&a, NULL, "tiptop", 1);
	const struct write_place old = {&a, says}, new = {&a, wanted};
	struct said said;
	int ret = said_read(&said, &base->text, base->path, err);

	if (!ret) {
		compare_options(&a, says, wanted, &said.options, state->options);
		write_screens(&old, &said.screens);
		write_screens(&new, state->screens);
		ret = conf_merge(out, base->path, &base->text, says, wanted, err);
	}
	said_done(&said);
	arena_done(&a);
	return ret;
}

/* The options and screens, in one text, to be compared. */
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

/* From now on the screens come from there. Both lists are in the order of the text. */
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

/* Whether reading the text gives the state. taken: its screens then have the numbers of the text.
 */
static bool gives_state(const struct strbuf *text, const struct conf_state *state, const char *path,
			bool taken)
{
	struct strbuf is, wanted;
	struct said said;
	bool same;

	strbuf_init(&is);
	strbuf_init(&wanted);
	same = !said_read(&said, text, path, NULL);
	add_text(&is, &said.options, &said.screens);
	add_text(&wanted, state->options, state->screens);
	same = same && same_text(&is, &wanted);
	if (same && taken)
		take_numbers(state->screens, &said.screens);
	said_done(&said);
	strbuf_done(&is);
	strbuf_done(&wanted);
	return same;
}

bool conf_is_base(const char *path, const struct conf_base *base)
{
	if (!base->path || !strcmp(path, base->path))
		return base->path;
	return file_same(path, base->path);
}

/* Whether the file is what was read. */
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
			      "'%s' has been changed by somebody else since it was read: write to "
			      "another file, or start tiptop again to take over what it says",
			      path);
	strbuf_done(&text);
	close(fd);
	return ret;
}

/* Checks the texts of options: only these may be such that XML cannot hold them, as they come from
 * the command line and the keyboard, too. */
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
			      "'%s' cannot be changed: what came of it would be read as something "
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
