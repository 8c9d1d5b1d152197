/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/node.h"

#include <stdint.h>
#include <string.h>

#include "base/strbuf.h"

struct node *node_add(struct arena *a, struct node *parent, const char *tag, int element)
{
	struct node *n = arena_calloc(a, 1, sizeof *n);

	n->tag = tag;
	n->element = element;
	if (parent && parent->last)
		parent->last->next = n;
	else if (parent)
		parent->child = n;
	if (parent)
		parent->last = n;
	return n;
}

/* Returns the length in bytes of the UTF-8 character at s; 0: XML 1.0 does not allow it, or it is
 * not valid UTF-8. */
static size_t character_length(const char *s)
{
	size_t n;
	uint32_t c = text_decode(s, 4, &n); /* does not go beyond the terminator */

	if (c < ' ')
		return c == '\t' || c == '\n' || c == '\r';
	if ((c == TEXT_BAD && n == 1) || c == 0xfffe || c == 0xffff)
		return 0;
	return n;
}

bool node_can_hold(const char *text)
{
	size_t n;

	for (; *text; text += n) {
		n = character_length(text);
		if (!n)
			return false;
	}
	return true;
}

void node_set(struct arena *a, struct node *n, const char *name, const char *text)
{
	struct node_attr *attr;
	size_t len;

	if (!text)
		return;
	attr = arena_calloc(a, 1, sizeof *attr);
	attr->name = name;
	attr->text = arena_strdup(a, text);
	for (char *at = attr->text; *at; at += len) {
		len = character_length(at);
		if (!len) {
			*at = '?';
			len = 1;
		}
	}
	if (n->last_attr)
		n->last_attr->next = attr;
	else
		n->attr = attr;
	n->last_attr = attr;
}

const char *node_get(const struct node *n, const char *name)
{
	for (const struct node_attr *attr = n->attr; attr; attr = attr->next)
		if (!strcmp(attr->name, name))
			return attr->text;
	return NULL;
}

/* Appends a character of an attribute value. Line breaks and tabs become references, because an XML
 * parser would turn them into blanks. */
static void add_character(struct strbuf *out, const char *s, size_t n, char quote, bool ascii)
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
	case '\'':
		if (*s == quote)
			strbuf_addstr(out, quote == '"' ? "&quot;" : "&apos;");
		else
			strbuf_addch(out, *s);
		break;
	case '\t':
	case '\n':
	case '\r':
		strbuf_addf(out, "&#%d;", *s);
		break;
	default:
		if (ascii && n > 1)
			strbuf_addf(out, "&#%u;", text_decode(s, n, &n));
		else
			strbuf_add(out, s, n);
	}
}

void node_add_value(struct strbuf *out, const char *text, char quote, bool ascii)
{
	size_t n;

	for (; *text; text += n) {
		text_decode(text, 4, &n);
		add_character(out, text, n, quote, ascii);
	}
}

void node_add_text(struct strbuf *out, const struct node *n, const struct node_style *style)
{
	struct node_style inside = *style;
	struct strbuf indent;

	strbuf_addf(out, "<%s%s", style->prefix, n->tag);
	for (const struct node_attr *attr = n->attr; attr; attr = attr->next) {
		strbuf_addf(out, " %s=\"", attr->name);
		node_add_value(out, attr->text, '"', style->ascii);
		strbuf_addch(out, '"');
	}
	if (!n->holds) {
		strbuf_addstr(out, "/>");
		return;
	}
	strbuf_addch(out, '>');
	strbuf_init(&indent);
	strbuf_addf(&indent, "%s%s", style->indent, style->unit);
	inside.indent = indent.text;
	for (const struct node *child = n->child; child; child = child->next) {
		if (style->newline)
			strbuf_addf(out, "%s%s", style->newline, inside.indent);
		node_add_text(out, child, &inside);
	}
	strbuf_done(&indent);
	if (style->newline)
		strbuf_addf(out, "%s%s", style->newline, style->indent);
	strbuf_addf(out, "</%s%s>", style->prefix, n->tag);
}
