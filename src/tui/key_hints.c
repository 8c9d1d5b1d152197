/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/key_hints.h"

#include "tui/canvas.h"

/* Appends a hint; nothing where it has no key. */
static void add_hint(struct strbuf *out, const struct key_hints *hints, const struct key_hint *hint)
{
	const size_t start = out->len;

	keymap_add_key_of(hints->keymap, hint->action, out);
	if (hint->other && out->len > start)
		strbuf_addch(out, ' ');
	if (hint->other)
		keymap_add_key_of(hints->keymap, hint->other, out);
	if (out->len > start)
		strbuf_addf(out, " %s", hint->text);
}

void key_hints_add(struct strbuf *out, const struct key_hints *hints, const char *between, int room)
{
	const struct key_hint *hint = hints->hint;
	struct strbuf one, last;

	strbuf_init(&one);
	strbuf_init(&last);
	while (hint[1].action)
		hint++;
	add_hint(&last, hints, hint);
	room -= canvas_text_width(last.text);
	for (hint = hints->hint; hint[1].action; hint++) {
		strbuf_reset(&one);
		add_hint(&one, hints, hint);
		if (one.len && last.len)
			strbuf_addstr(&one, between);
		if (canvas_text_width(one.text) > room)
			continue;
		strbuf_addstr(out, one.text);
		room -= canvas_text_width(one.text);
	}
	if (room >= 0)
		strbuf_addstr(out, last.text);
	strbuf_done(&last);
	strbuf_done(&one);
}
