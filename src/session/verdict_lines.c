/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/verdict_lines.h"

#include <stdlib.h>

#include "base/mem.h"

void judging_lines_init(struct judging_lines *l)
{
	*l = (struct judging_lines){.n = 0};
	strbuf_init(&l->text);
}

void judging_lines_done(struct judging_lines *l)
{
	free(l->v);
	arena_done(&l->arena);
	strbuf_done(&l->text);
}

/* Ends the line that is in l->text, which is empty then. */
static void end_line(struct judging_lines *l, enum page_style style, const char *label)
{
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct page_line){.style = style,
					  .label = label ? arena_strdup(&l->arena, label) : NULL,
					  .text = arena_strdup(&l->arena, l->text.text)};
	strbuf_reset(&l->text);
}

static void write_steps(struct judging_lines *l, const struct tell *t, const struct verdict *v)
{
	struct strbuf why;

	strbuf_init(&why);
	for (size_t i = 0; i < tell_n_next(v); i++) {
		strbuf_reset(&why);
		if (tell_next(&l->text, &why, t, v, i)) {
			strbuf_addf(&l->text, " - %s", why.text);
			end_line(l, PAGE_ENTRY, "  next");
		}
		strbuf_reset(&l->text);
	}
	strbuf_done(&why);
}

static void write_verdict(struct judging_lines *l, const struct tell *t, const struct verdict *v,
			  bool rules)
{
	const struct verdict_row *row = tell_row(v);
	struct strbuf word;

	strbuf_init(&word);
	tell_word(&word, v);
	tell_sentence(&l->text, t, v);
	end_line(l, PAGE_ENTRY, word.text);
	strbuf_done(&word);
	tell_numbers(&l->text, t, v);
	end_line(l, PAGE_ENTRY, "  numbers");
	tell_sure(&l->text, t, v);
	end_line(l, PAGE_ENTRY, "  how sure");
	if (rules) {
		strbuf_addf(&l->text, "%s: %s (%s)", row->name, row->when, row->source);
		end_line(l, PAGE_ENTRY, "  rule");
	}
	write_steps(l, t, v);
}

/* A line for each reason. */
static void write_unknown(struct judging_lines *l, const struct tell *t)
{
	struct strbuf list;

	strbuf_init(&list);
	for (enum quality q = QUALITY_FIRST_NONE; q < N_QUALITIES; q++) {
		strbuf_reset(&list);
		if (!tell_unknown(&list, t, q))
			continue;
		strbuf_addf(&l->text, "%s: %s", list.text, quality_text(q, t->task->dead));
		end_line(l, PAGE_ENTRY, "not known");
	}
	strbuf_done(&list);
}

void judging_lines_make(struct judging_lines *l, const struct tell *t, const struct verdict *found,
			size_t n, bool rules)
{
	l->n = 0;
	arena_reset(&l->arena);
	strbuf_reset(&l->text);
	strbuf_addstr(&l->text, "Why it is no faster");
	end_line(l, PAGE_TITLE, NULL);
	for (size_t i = 0; i < n; i++)
		write_verdict(l, t, &found[i], rules);
	if (!n) {
		strbuf_addstr(&l->text, "nothing can be said of it in this interval");
		end_line(l, PAGE_TEXT, NULL);
	}
	write_unknown(l, t);
}
