/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/edit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool only_adds(const struct edit *edit)
{
	return edit->from == edit->to;
}

/* They are kept in the order of their places. What is added stands before what goes there. */
void edits_add(struct edits *e, size_t from, size_t to, const char *text)
{
	size_t i = e->n;

	e->v = xgrow(e->v, &e->cap, e->n + 1, sizeof *e->v);
	while (i > 0 && (e->v[i - 1].from > from ||
			 (e->v[i - 1].from == from && from == to && !only_adds(&e->v[i - 1]))))
		i--;
	memmove(&e->v[i + 1], &e->v[i], (e->n - i) * sizeof *e->v);
	e->v[i] = (struct edit){from, to, xstrdup(text)};
	e->n++;
}

/* What is added at an end of these bytes is not in them. */
static bool lies_in(const struct edit *edit, size_t from, size_t to)
{
	if (only_adds(edit))
		return edit->from > from && edit->to < to;
	return edit->from >= from && edit->to <= to;
}

void edits_apply(const struct edits *e, const char *text, size_t from, size_t to,
		 struct strbuf *out)
{
	size_t at = from;

	for (size_t i = 0; i < e->n; i++) {
		const struct edit *edit = &e->v[i];

		if (!lies_in(edit, from, to))
			continue;
		strbuf_add(out, text + at, edit->from - at);
		strbuf_addstr(out, edit->text);
		at = edit->to;
	}
	strbuf_add(out, text + at, to - at);
}

void edits_forget(struct edits *e, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = 0; i < e->n; i++) {
		if (lies_in(&e->v[i], from, to))
			free(e->v[i].text);
		else
			e->v[n++] = e->v[i];
	}
	e->n = n;
}

void edits_done(struct edits *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->v[i].text);
	free(e->v);
	*e = (struct edits)EDITS_INIT;
}
