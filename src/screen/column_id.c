/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/column_id.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/strbuf.h"

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
	static const char *const beside[] = {
		"pid",  "user", "command", "timestamp", "mono_s", "interval_s", "host",   "screen",
		"kind", "tid",  "name",    "members",   "exit",   "lived_s",    "quality"};
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
