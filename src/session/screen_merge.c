/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/screen_merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "screen/built_in.h"

void placing_init(struct placing *p, bool built_in)
{
	const struct screen_list none = SCREEN_LIST_INIT;

	*p = (struct placing){none, none, none};
	if (built_in)
		screen_list_add_built_in(&p->built_in, 0, screen_built_in_n);
}

void placing_done(struct placing *p)
{
	screen_list_done(&p->built_in);
	screen_list_done(&p->own);
	screen_list_done(&p->added);
}

/* Where the screen of this name is kept, or NULL. */
static struct screen **find(struct placing *p, const char *name)
{
	struct screen_list *const list[] = {&p->built_in, &p->added, &p->own};

	for (size_t k = 0; k < sizeof list / sizeof *list; k++)
		for (size_t i = 0; i < list[k]->n; i++)
			if (!strcmp(list[k]->v[i]->name, name))
				return &list[k]->v[i];
	return NULL;
}

static void add_place(struct strbuf *out, const struct screen *s)
{
	if (s->file)
		strbuf_addf(out, "that of %s:%d", s->file, s->line);
	else
		strbuf_addstr(out, "a built-in one");
}

static void refuse(const struct screen *s, const struct screen *old, screen_report report,
		   void *context)
{
	struct err err = ERR_INIT;
	struct strbuf place;

	strbuf_init(&place);
	add_place(&place, old);
	err_set(&err, ENOENT,
		"%s:%d: <screen '%s'>: %s has this name: replace=\"yes\" puts this one in its "
		"place: left out",
		s->file, s->line, s->name, place.text);
	report(context, 0, &err);
	strbuf_done(&place);
}

static void place(struct placing *p, struct screen *s, screen_report report, void *context)
{
	struct screen **old = find(p, s->name);

	if (old && s->replace) {
		s->number = (*old)->number;
		screen_free(*old);
		*old = s;
	} else if (old && s->from_folder) {
		refuse(s, *old, report, context);
		screen_free(s);
	} else {
		screen_list_add(s->from_folder ? &p->added : &p->own, s);
	}
}

void placing_number(struct placing *p)
{
	struct screen_list *const theirs[] = {&p->own, &p->added};
	const struct screen_list *const all[] = {&p->built_in, &p->own, &p->added};

	for (size_t k = 0; k < sizeof theirs / sizeof *theirs; k++)
		for (size_t i = 0; i < theirs[k]->n; i++)
			if (theirs[k]->v[i]->number < 0)
				theirs[k]->v[i]->number =
					screen_list_free_number(all, sizeof all / sizeof *all);
}

void placing_add(struct placing *p, struct screen_list *from, screen_report report, void *context)
{
	for (size_t i = 0; i < from->n; i++)
		place(p, from->v[i], report, context);
	from->n = 0;
	screen_list_done(from);
}
