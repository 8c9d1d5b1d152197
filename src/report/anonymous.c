/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/anonymous.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct replaced {
	const char *text, *instead;
};

/* A text that is replaced inside of others. */
struct anonymous_word {
	const char *text, *instead;
	size_t len;
};

/* Shorter texts stand in too many others by chance. */
#define WORD_LEAST 2

static const char *const prefix[N_ANONYMOUS_OF] = {
	[ANONYMOUS_USER] = "user",     [ANONYMOUS_CONTAINER] = "container",
	[ANONYMOUS_HOST] = "host",     [ANONYMOUS_RECORDING] = "recording",
	[ANONYMOUS_THREAD] = "thread",
};

void anonymous_done(struct anonymous *a)
{
	for (int i = 0; i < N_ANONYMOUS_OF; i++)
		hash_done(&a->known[i]);
	hash_done(&a->clean);
	free(a->word);
	arena_done(&a->arena);
}

/* Makes anonymous_clean() replace this text, which the arena has. Longer ones come first, since a
 * shorter one may be a part of them. */
static void add_word(struct anonymous *a, const char *text, const char *instead)
{
	const size_t len = strlen(text);
	size_t i = a->n_words;

	if (len < WORD_LEAST)
		return;
	a->word = xgrow(a->word, &a->cap_words, a->n_words + 1, sizeof *a->word);
	for (; i && a->word[i - 1].len < len; i--)
		a->word[i] = a->word[i - 1];
	a->word[i] = (struct anonymous_word){text, instead, len};
	a->n_words++;
	/* Texts that were cleaned before may contain the new word. */
	hash_done(&a->clean);
	a->clean = (struct hash)HASH_INIT;
}

static bool known_word(const struct anonymous *a, const char *text)
{
	for (size_t i = 0; i < a->n_words; i++)
		if (!strcmp(a->word[i].text, text))
			return true;
	return false;
}

const char *anonymous_text(struct anonymous *a, enum anonymous_of of, const char *text)
{
	struct hash *known = &a->known[of];
	struct replaced *r;
	uint64_t key;
	char instead[32];

	/* "?" and "-" stand for no text. */
	if (!a->on || !text || !*text || !strcmp(text, "?") || !strcmp(text, "-"))
		return text;
	key = hash_text(text, strlen(text));
	while ((r = hash_get(known, key)) && strcmp(r->text, text))
		key++;
	if (r)
		return r->instead;
	snprintf(instead, sizeof instead, "%s%zu", prefix[of], known->n + 1);
	r = arena_alloc(&a->arena, sizeof *r);
	*r = (struct replaced){arena_strdup(&a->arena, text), arena_strdup(&a->arena, instead)};
	hash_put(known, key, r);
	add_word(a, r->text, r->instead);
	return r->instead;
}

const char *anonymous_program(struct anonymous *a, const char *name)
{
	const bool is_path = name && strchr("/.~", *name);
	const char *slash = is_path ? strrchr(name, '/') : NULL;
	size_t n;
	char *program;

	if (!a->on || !name || !*name)
		return name;
	if (slash && slash[1])
		name = slash + 1;
	n = strcspn(name, " \t\n");
	if (n > 1 && name[n] && name[n - 1] == ':')
		n--;
	program = arena_strdup(&a->arena, name);
	program[n] = '\0';
	return program;
}

const char *anonymous_first_word(struct anonymous *a, const char *word)
{
	const char *slash = word ? strrchr(word, '/') : NULL;

	return a->on && slash && slash[1] ? slash + 1 : word;
}

void anonymous_command(struct anonymous *a, char *const *word)
{
	const char *program = word && *word ? anonymous_first_word(a, *word) : NULL;
	struct strbuf all;

	if (!a->on || !program)
		return;
	strbuf_init(&all);
	for (char *const *w = word; *w; w++)
		strbuf_addf(&all, "%s%s", w == word ? "" : " ", *w);
	if (strcmp(all.text, program) != 0)
		add_word(a, arena_strdup(&a->arena, all.text), program);
	strbuf_done(&all);
	for (char *const *w = word + 1; *w; w++)
		if (strlen(*w) > WORD_LEAST && !known_word(a, *w))
			add_word(a, arena_strdup(&a->arena, *w), "...");
}

/* ---- other texts ---- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 128;
}

/* Returns the text to replace at this place; NULL: there is none. begin: the text it is in. */
static const struct anonymous_word *find_word(const struct anonymous *a, const char *begin,
					      const char *at)
{
	for (size_t i = 0; i < a->n_words; i++) {
		const struct anonymous_word *w = &a->word[i];

		if (*at == *w->text && !strncmp(at, w->text, w->len) &&
		    !(at > begin && is_word(at[-1]) && is_word(*at)) &&
		    !(is_word(at[w->len - 1]) && is_word(at[w->len])))
			return w;
	}
	return NULL;
}

/* Returns the length of the path at this place; 0: there is none. A text with a slash, other than
 * "/" alone, is a path if it begins with '/', '.' or '~', or if its last name has a suffix
 * ("a/b.c:12"). So an event such as cpu/cycles/ is no path. */
static size_t path_length(const char *begin, const char *at)
{
	const size_t n = strcspn(at, " \t\n\"'()[]<>{},;|=");
	const char *last = n ? memrchr(at, '/', n) : NULL;

	if (!last || (at > begin && !strchr(" \t\n\"'()[]<>{},;|=:", at[-1])))
		return 0;
	if (n > 1 && strchr("/.~", *at))
		return n;
	return memchr(last, '.', (size_t)(at + n - last)) ? n : 0;
}

/* Appends the last name of a path. */
static void add_last_name(struct strbuf *out, const char *path, size_t n)
{
	const char *last;

	while (n > 1 && path[n - 1] == '/')
		n--;
	last = memrchr(path, '/', n);
	if (last && last + 1 < path + n)
		strbuf_add(out, last + 1, (size_t)(path + n - last - 1));
	else
		strbuf_add(out, path, n);
}

static void clean(const struct anonymous *a, const char *text, struct strbuf *out)
{
	const char *at = text;

	while (*at) {
		const struct anonymous_word *w = find_word(a, text, at);
		const size_t path = w ? 0 : path_length(text, at);

		if (w)
			strbuf_addstr(out, w->instead);
		else if (path)
			add_last_name(out, at, path);
		else
			strbuf_addch(out, *at);
		at += w ? w->len : path ? path : 1;
	}
}

const char *anonymous_clean(struct anonymous *a, const char *text)
{
	struct strbuf once, twice;
	struct replaced *r;
	uint64_t key;

	if (!a->on || !text || !*text)
		return text;
	key = hash_text(text, strlen(text));
	while ((r = hash_get(&a->clean, key)) && strcmp(r->text, text) != 0)
		key++;
	if (r)
		return r->instead;
	strbuf_init(&once);
	strbuf_init(&twice);
	clean(a, text, &once);
	/* The last name of a path may be one to replace. */
	clean(a, once.text, &twice);
	r = arena_alloc(&a->arena, sizeof *r);
	*r = (struct replaced){arena_strdup(&a->arena, text), arena_strdup(&a->arena, twice.text)};
	hash_put(&a->clean, key, r);
	strbuf_done(&once);
	strbuf_done(&twice);
	return r->instead;
}

/* ---- reports ---- */

/* The content of a column, by its id: a kind of texts, or one of these. */
enum { IS_PROGRAM = N_ANONYMOUS_OF, IS_COMMAND, IS_OTHER };

static const struct {
	const char *id;
	int of;
} columns[] = {
	{"user", ANONYMOUS_USER},
	{"container", ANONYMOUS_CONTAINER},
	{"cgroup", ANONYMOUS_CONTAINER},
	{"host", ANONYMOUS_HOST},
	{"recording", ANONYMOUS_RECORDING},
	{"program", IS_PROGRAM},
	{"process", IS_PROGRAM},
	{"command", IS_COMMAND},
	{"image", IS_PROGRAM},
};

/* Returns whether the id is the name, or that of a side of a comparison ("user_a"). */
static bool is_id(const char *id, const char *name)
{
	const size_t n = strlen(name);

	return id && !strncmp(id, name, n) &&
	       (!id[n] || (id[n] == '_' && (id[n + 1] == 'a' || id[n + 1] == 'b') && !id[n + 2]));
}

/* Returns whether the rows are threads: their names are what the program calls them, which may be
 * the name of a user. */
static bool is_of_threads(const struct report_type *type)
{
	size_t i = 0;

	while (i < type->n && !(type->column[i].id && !strcmp(type->column[i].id, "tid")))
		i++;
	return i < type->n;
}

static int kind_of(const struct report_column *c, bool is_thread)
{
	if (is_thread && c->id && !strcmp(c->id, "name"))
		return ANONYMOUS_THREAD;
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (is_id(c->id, columns[i].id) || is_id(c->csv, columns[i].id))
			return columns[i].of;
	return IS_OTHER;
}

/* Returns the name of the program of a command line. Other texts get this name in place of the
 * command line, too. */
static const char *replace_command(struct anonymous *a, const char *text)
{
	char *word = arena_strdup(&a->arena, text);
	const char *program;

	word[strcspn(word, " \t\n")] = '\0';
	program = anonymous_first_word(a, word);
	if (strcmp(program, text) != 0 && !known_word(a, text))
		add_word(a, arena_strdup(&a->arena, text), program);
	return program;
}

static const char *replace(struct anonymous *a, int of, const char *text)
{
	if (of < N_ANONYMOUS_OF)
		return anonymous_text(a, (enum anonymous_of)of, text);
	if (of == IS_COMMAND)
		return replace_command(a, text);
	return anonymous_clean(a, of == IS_PROGRAM ? anonymous_program(a, text) : text);
}

static void replace_cells(struct report_record *r, struct anonymous *a, bool other)
{
	const bool is_thread = is_of_threads(r->type);

	for (size_t i = 0; i < r->type->n; i++) {
		struct report_cell *cell = &r->cell[i];
		const int of = kind_of(&r->type->column[i], is_thread);

		if (cell->kind == REPORT_TEXT && (of == IS_OTHER) == other)
			record_replace_text(r, cell, replace(a, of, record_text_of(r, cell)));
		for (size_t k = 0; cell->kind == REPORT_LIST && other && k < cell->list.n; k++) {
			struct report_cell *item = &r->item[cell->list.first + k];

			if (item->kind == REPORT_TEXT)
				record_replace_text(r, item,
						    replace(a, of, record_text_of(r, item)));
		}
	}
}

void report_anonymize(struct report *r, struct anonymous *a)
{
	/* First the kinds of texts, so that they are known in all others. */
	for (int other = 0; a && a->on && other < 2; other++)
		for (size_t i = 0; i < r->n; i++) {
			struct report_entry *e = &r->entry[i];
			char *note;

			if (e->kind == REPORT_RECORD)
				replace_cells(&e->record, a, other);
			if (!other || (e->kind != REPORT_NOTE && e->kind != REPORT_SECTION))
				continue;
			note = xstrdup(anonymous_clean(a, e->note));
			free(e->note);
			e->note = note;
		}
}
