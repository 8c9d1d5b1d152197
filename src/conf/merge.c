/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/merge.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/strbuf.h"

/* ---- node ---- */

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

/* Returns the text of the attribute with this name; NULL: none. */
static const char *node_get(const struct node *n, const char *name)
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

/* Appends the text as an attribute value for quotes of this kind, without the quotes. */
static void node_add_value(struct strbuf *out, const char *text, char quote, bool ascii)
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

/* ---- merge ---- */

/* ---- span ----
 * Finds the byte positions of elements and attributes in an XML text, so that each can be changed
 * without touching the text around it.
 *
 * libxml2 has only the lines of elements, no byte positions, and no positions of attributes. But it
 * has parsed the same text before, so this scanner need not validate the text. It only has to
 * recognize which '<' begin a tag: not those in quotes, comments, CDATA and processing
 * instructions. There is no <!DOCTYPE> (xml.h).
 *
 * Elements are in the order of their start tags: the element with number i (xml.h) is v[i - 1]. All
 * positions are offsets into the text, which the list does not keep. */

/* The bytes [from, to). */
struct span {
	size_t from, to;
};

struct span_attr {
	struct span name, value; /* value: without the quotes */
};

struct span_element {
	struct span name;           /* including a namespace prefix */
	struct span tag;            /* from '<' to after '>' */
	struct span whole;          /* including the end tag; for an empty element, equal to tag */
	size_t end_tag;             /* offset of the end tag; for an empty element, of "/>" */
	bool empty;                 /* an empty-element tag, <x/>: there is no end tag */
	size_t first_attr, n_attrs; /* its attributes in span_list.attr */
};

struct span_list {
	struct span_element *v;
	struct span_attr *attr; /* the attributes of all elements */
	size_t n, cap, n_attrs, cap_attrs;
};

#define SPAN_LIST_INIT                                                                             \
	{                                                                                          \
		NULL, NULL, 0, 0, 0, 0                                                             \
	}

#define BLANKS " \t\r\n"

struct scan {
	struct span_list *out;
	const char *text;
	size_t len, at;
	size_t *open; /* a stack: indices of the elements whose end tag was not reached yet */
	size_t n_open, cap_open;
};

static bool is_at(const struct scan *s, const char *what)
{
	const size_t n = strlen(what);

	return s->len - s->at >= n && !memcmp(s->text + s->at, what, n);
}

/* Moves after the next occurrence of `what`. Returns false if there is none. */
static bool pass(struct scan *s, const char *what)
{
	const char *found = memmem(s->text + s->at, s->len - s->at, what, strlen(what));

	if (found)
		s->at = (size_t)(found - s->text) + strlen(what);
	return found;
}

/* Moves to the next byte that is one of `bytes`, or to the end. A NUL byte in the text would also
 * be found; valid XML has none. */
static void go_to_any(struct scan *s, const char *bytes)
{
	while (s->at < s->len && !strchr(bytes, s->text[s->at]))
		s->at++;
}

static void pass_blanks(struct scan *s)
{
	while (s->at < s->len && strchr(BLANKS, s->text[s->at]))
		s->at++;
}

static struct span scan_name(struct scan *s, const char *ends)
{
	struct span name = {s->at, s->at};

	go_to_any(s, ends);
	name.to = s->at;
	return name;
}

static bool scan_attr(struct scan *s)
{
	struct span_list *l = s->out;
	struct span_attr attr = {.name = scan_name(s, "=" BLANKS)};
	char quote[2] = "";

	pass_blanks(s);
	if (!is_at(s, "="))
		return false;
	s->at++;
	pass_blanks(s);
	if (!is_at(s, "\"") && !is_at(s, "'"))
		return false;
	quote[0] = s->text[s->at++];
	attr.value.from = s->at;
	if (!pass(s, quote))
		return false;
	attr.value.to = s->at - 1;
	l->attr = xgrow(l->attr, &l->cap_attrs, l->n_attrs + 1, sizeof *l->attr);
	l->attr[l->n_attrs++] = attr;
	return true;
}

static bool scan_start(struct scan *s)
{
	struct span_list *l = s->out;
	struct span_element e = {.tag.from = s->at++, .first_attr = l->n_attrs};

	e.name = scan_name(s, "/>" BLANKS);
	for (pass_blanks(s); s->at < s->len && !is_at(s, ">") && !is_at(s, "/>"); pass_blanks(s))
		if (!scan_attr(s))
			return false;
	if (s->at >= s->len)
		return false;
	e.n_attrs = l->n_attrs - e.first_attr;
	e.empty = is_at(s, "/>");
	e.end_tag = s->at;
	s->at += e.empty ? 2 : 1;
	e.tag.to = e.whole.to = s->at;
	e.whole.from = e.tag.from;
	if (!e.empty) {
		s->open = xgrow(s->open, &s->cap_open, s->n_open + 1, sizeof *s->open);
		s->open[s->n_open++] = l->n;
	}
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = e;
	return true;
}

static bool scan_end(struct scan *s)
{
	struct span_element *e;

	if (!s->n_open)
		return false;
	e = &s->out->v[s->open[--s->n_open]];
	e->end_tag = s->at;
	if (!pass(s, ">"))
		return false;
	e->whole.to = s->at;
	return true;
}

static bool scan_markup(struct scan *s)
{
	if (is_at(s, "<!--")) {
		s->at += strlen("<!--");
		return pass(s, "-->");
	}
	if (is_at(s, "<![CDATA["))
		return pass(s, "]]>");
	if (is_at(s, "<?"))
		return pass(s, "?>");
	return is_at(s, "</") ? scan_end(s) : scan_start(s);
}

/* Scans the text. Returns false if it is in an encoding that is not based on ASCII (UTF-16), or not
 * valid XML, which libxml2 would have rejected. */
static bool span_scan(struct span_list *out, const char *text, size_t len)
{
	struct scan s = {.out = out, .text = text, .len = len};
	bool fine = true;

	*out = (struct span_list)SPAN_LIST_INIT;
	for (go_to_any(&s, "<"); fine && s.at < len; go_to_any(&s, "<"))
		fine = scan_markup(&s);
	fine = fine && !s.n_open && out->n && !memchr(text, '\0', len);
	free(s.open);
	return fine;
}

static void span_list_done(struct span_list *l)
{
	free(l->v);
	free(l->attr);
	*l = (struct span_list)SPAN_LIST_INIT;
}

/* ---- lines ----
 * Finds the lines of an XML text, and the blanks in them. Pure.
 *
 * A line ends with LF, CR LF or CR. All positions are offsets into the text. */

#define LINES_NOWHERE SIZE_MAX

struct lines {
	const char *text;
	size_t len;
};

#define COMMENT         "<!--"
#define COMMENT_END     "-->"
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static bool is_break(char c)
{
	return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Returns the beginning of the first line, which is after the byte order mark, if there is one. */
static size_t text_start(const struct lines *l)
{
	const size_t n = strlen(BYTE_ORDER_MARK);

	return l->len >= n && !memcmp(l->text, BYTE_ORDER_MARK, n) ? n : 0;
}

/* Returns the beginning of the line that contains this position. */
static size_t lines_start(const struct lines *l, size_t at)
{
	const size_t first = text_start(l);

	while (at > first && !is_break(l->text[at - 1]))
		at--;
	return at;
}

/* Returns the position after the line break at `at`; at the end of the text, `at`. */
static size_t lines_pass_break(const struct lines *l, size_t at)
{
	if (at + 1 < l->len && l->text[at] == '\r' && l->text[at + 1] == '\n')
		return at + 2;
	return at < l->len ? at + 1 : at;
}

/* Returns the position after the blanks that begin at `at`. */
static size_t lines_pass_blanks(const struct lines *l, size_t at)
{
	while (at < l->len && is_blank(l->text[at]))
		at++;
	return at;
}

/* Returns the beginning of the blanks that end at `at`. */
static size_t lines_blanks_before(const struct lines *l, size_t at)
{
	while (at > 0 && is_blank(l->text[at - 1]))
		at--;
	return at;
}

/* Returns whether only blanks precede the position in its line. */
static bool lines_begins(const struct lines *l, size_t at)
{
	return lines_blanks_before(l, at) == lines_start(l, at);
}

/* Returns whether only blanks follow the position in its line. */
static bool lines_ends(const struct lines *l, size_t at)
{
	at = lines_pass_blanks(l, at);
	return at == l->len || is_break(l->text[at]);
}

/* Returns the end of the line if only blanks and comments follow the position; else LINES_NOWHERE.
 * A comment may span several lines. */
static size_t lines_tail(const struct lines *l, size_t at)
{
	while (!lines_ends(l, at)) {
		const char *end;

		at = lines_pass_blanks(l, at);
		if (l->len - at < strlen(COMMENT) ||
		    memcmp(l->text + at, COMMENT, strlen(COMMENT)) != 0)
			return LINES_NOWHERE;
		end = memmem(l->text + at, l->len - at, COMMENT_END, strlen(COMMENT_END));
		if (!end)
			return LINES_NOWHERE;
		at = (size_t)(end - l->text) + strlen(COMMENT_END);
	}
	return lines_pass_blanks(l, at);
}

/* Returns the first line break of the text; "\n" if there is none. */
static const char *lines_break(const struct lines *l)
{
	size_t at = 0;

	while (at < l->len && !is_break(l->text[at]))
		at++;
	if (at == l->len || l->text[at] == '\n')
		return "\n";
	return lines_pass_break(l, at) == at + 2 ? "\r\n" : "\r";
}

/* ---- edit ----
 * A list of changes to byte ranges of a text, which are collected first and then applied together.
 * Pure.
 *
 * Positions are offsets into the original text, so collecting a change does not move other
 * positions. Removals may overlap in the blanks between two elements; an insertion inside a removed
 * range is kept. Insertions at the same position are applied in the order in which they were
 * collected. */

struct edit {
	size_t from, to; /* range to remove; empty if equal */
	char *text;      /* replacement, owned */
};

struct edits {
	struct edit *v;
	size_t n, cap;
};

#define EDITS_INIT                                                                                 \
	{                                                                                          \
		NULL, 0, 0                                                                         \
	}

static bool only_adds(const struct edit *edit)
{
	return edit->from == edit->to;
}

/* Adds a change: replaces the range [from, to) by a copy of `text`. Keeps the list sorted by
 * position; an insertion comes before a removal at the same position. */
static void edits_add(struct edits *e, size_t from, size_t to, const char *text)
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

/* Returns whether the change is inside the range. An insertion at either end is outside. */
static bool lies_in(const struct edit *edit, size_t from, size_t to)
{
	if (only_adds(edit))
		return edit->from > from && edit->to < to;
	return edit->from >= from && edit->to <= to;
}

/* Appends the range [from, to) of the text with the changes inside it. */
static void edits_apply(const struct edits *e, const char *text, size_t from, size_t to,
			struct strbuf *out)
{
	size_t at = from;

	for (size_t i = 0; i < e->n; i++) {
		const struct edit *edit = &e->v[i];

		if (!lies_in(edit, from, to))
			continue;
		if (edit->from > at)
			strbuf_add(out, text + at, edit->from - at);
		strbuf_addstr(out, edit->text);
		if (edit->to > at)
			at = edit->to;
	}
	strbuf_add(out, text + at, to - at);
}

/* Removes the changes inside the range [from, to). */
static void edits_forget(struct edits *e, size_t from, size_t to)
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

static void edits_done(struct edits *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->v[i].text);
	free(e->v);
	*e = (struct edits)EDITS_INIT;
}

/* ---- merge ---- */

#define NOWHERE      SIZE_MAX
#define USUAL_INDENT "  "

struct merge {
	struct lines lines; /* the original text */
	struct span_list spans;
	struct edits edits;
	const char *newline; /* the file's line break */
	char *unit;          /* indentation per level of nesting */
	bool ascii;          /* write non-ASCII characters as references: the file is not UTF-8 */
};

static const struct span_element *span_of(const struct merge *m, int element)
{
	return &m->spans.v[element - 1];
}

/* Returns a copy of the range [from, to) of the original text; the caller frees it. */
static char *copy(const struct merge *m, size_t from, size_t to)
{
	return xstrndup(m->lines.text + from, to - from);
}

/* --- attributes --- */

static const struct span_attr *find_attr(const struct merge *m, const struct span_element *e,
					 const char *name)
{
	for (size_t i = 0; i < e->n_attrs; i++) {
		const struct span_attr *a = &m->spans.attr[e->first_attr + i];

		if (a->name.to - a->name.from == strlen(name) &&
		    !memcmp(m->lines.text + a->name.from, name, strlen(name)))
			return a;
	}
	return NULL;
}

/* Returns the end of the attribute before `a`; if `a` is the first, the end of the tag's name. `a`
 * may point after the last attribute. */
static size_t end_before(const struct merge *m, const struct span_element *e,
			 const struct span_attr *a)
{
	return a == &m->spans.attr[e->first_attr] ? e->name.to : a[-1].value.to + 1;
}

/* Returns the text to put before a new attribute: the blanks before the last attribute, which have
 * a line break if attributes have lines of their own. The caller frees it. */
static char *attr_gap(const struct merge *m, const struct span_element *e)
{
	const struct span_attr *last;

	if (!e->n_attrs)
		return xstrdup(" ");
	last = &m->spans.attr[e->first_attr + e->n_attrs - 1];
	return copy(m, end_before(m, e, last), last->name.from);
}

static void change_attr(struct merge *m, const struct span_element *e, const char *name,
			const char *text)
{
	const struct span_attr *a = find_attr(m, e, name);
	struct strbuf value;

	strbuf_init(&value);
	if (a && !text) {
		edits_add(&m->edits, end_before(m, e, a), a->value.to + 1, "");
	} else if (a) {
		node_add_value(&value, text, m->lines.text[a->value.to], m->ascii);
		edits_add(&m->edits, a->value.from, a->value.to, value.text);
	} else if (text) {
		char *gap = attr_gap(m, e);
		size_t at = end_before(m, e, &m->spans.attr[e->first_attr + e->n_attrs]);

		strbuf_addf(&value, "%s%s=\"", gap, name);
		node_add_value(&value, text, '"', m->ascii);
		strbuf_addch(&value, '"');
		edits_add(&m->edits, at, at, value.text);
		free(gap);
	}
	strbuf_done(&value);
}

static void merge_attrs(struct merge *m, const struct node *says, const struct node *wanted)
{
	const struct span_element *e = span_of(m, wanted->element);

	for (const struct node_attr *a = says->attr; a; a = a->next)
		if (!node_get(wanted, a->name))
			change_attr(m, e, a->name, NULL);
	for (const struct node_attr *a = wanted->attr; a; a = a->next) {
		const char *old = node_get(says, a->name);

		if (!old || strcmp(old, a->text) != 0)
			change_attr(m, e, a->name, a->text);
	}
}

/* --- insertion and removal of elements --- */

/* Returns the text of a new element with its children, which the caller frees. indent: the
 * indentation of its line; NULL: it gets no line of its own. */
static char *new_text(const struct merge *m, const struct node *n, const char *indent,
		      const struct span_element *parent)
{
	const char *colon =
		memchr(m->lines.text + parent->name.from, ':', parent->name.to - parent->name.from);
	char *prefix = colon ? copy(m, parent->name.from, (size_t)(colon - m->lines.text) + 1)
			     : xstrdup("");
	const struct node_style style = {
		.indent = indent ? indent : "",
		.unit = m->unit,
		.newline = indent ? m->newline : NULL,
		.prefix = prefix,
		.ascii = m->ascii,
	};
	struct strbuf out;

	strbuf_init(&out);
	node_add_text(&out, n, &style);
	free(prefix);
	return out.text;
}

/* Returns the range to remove with an element: its whole lines, if nothing else is on them; else
 * the element with the blanks on one side. */
static struct span element_lines(const struct merge *m, const struct span_element *e)
{
	const size_t behind = lines_pass_blanks(&m->lines, e->whole.to),
		     before = lines_blanks_before(&m->lines, e->whole.from);

	if (!lines_begins(&m->lines, e->whole.from))
		return (struct span){before, e->whole.to};
	if (lines_ends(&m->lines, behind))
		return (struct span){before, lines_pass_break(&m->lines, behind)};
	return (struct span){e->whole.from, behind};
}

static void remove_element(struct merge *m, const struct span_element *e)
{
	const struct span bytes = element_lines(m, e);

	edits_forget(&m->edits, e->whole.from, e->whole.to);
	edits_add(&m->edits, bytes.from, bytes.to, "");
}

/* Removes an element, so that it can be inserted elsewhere, with the comments after it on its line.
 * Returns its text with the changes collected for it; the caller frees it. */
static char *detach_element(struct merge *m, const struct span_element *e)
{
	struct span bytes = element_lines(m, e), kept = e->whole;
	const size_t tail = lines_tail(&m->lines, e->whole.to);
	struct strbuf text;

	if (lines_begins(&m->lines, e->whole.from) && tail != LINES_NOWHERE) {
		kept.to = lines_blanks_before(&m->lines, tail);
		bytes = (struct span){lines_start(&m->lines, e->whole.from),
				      lines_pass_break(&m->lines, tail)};
	}
	strbuf_init(&text);
	edits_apply(&m->edits, m->lines.text, kept.from, kept.to, &text);
	edits_forget(&m->edits, e->whole.from, e->whole.to);
	edits_add(&m->edits, bytes.from, bytes.to, "");
	return text.text;
}

static char *indent_of(const struct merge *m, const struct span_element *e)
{
	return lines_begins(&m->lines, e->whole.from)
		       ? copy(m, lines_start(&m->lines, e->whole.from), e->whole.from)
		       : NULL;
}

/* Returns the text to insert for a node; the caller frees it. If the file has the element, it is
 * removed from its old place. */
static char *text_of(struct merge *m, const struct node *n, const char *indent,
		     const struct span_element *parent)
{
	return n->element ? detach_element(m, span_of(m, n->element))
			  : new_text(m, n, indent, parent);
}

static void put_behind(struct merge *m, const struct span_element *e, const struct node *n,
		       const struct span_element *parent)
{
	char *indent = indent_of(m, e), *gap = NULL, *text = text_of(m, n, indent, parent);
	const size_t tail = lines_tail(&m->lines, e->whole.to);
	struct strbuf out;

	strbuf_init(&out);
	if (indent && tail != LINES_NOWHERE && tail < m->lines.len) {
		strbuf_addf(&out, "%s%s%s", indent, text, m->newline);
		edits_add(&m->edits, lines_pass_break(&m->lines, tail),
			  lines_pass_break(&m->lines, tail), out.text);
	} else {
		gap = copy(m, lines_blanks_before(&m->lines, e->whole.from), e->whole.from);
		strbuf_addf(&out, "%s%s%s", indent ? m->newline : "", indent ? indent : gap, text);
		edits_add(&m->edits, e->whole.to, e->whole.to, out.text);
	}
	strbuf_done(&out);
	free(indent);
	free(text);
	free(gap);
}

static void put_before(struct merge *m, const struct span_element *e, const struct node *n,
		       const struct span_element *parent)
{
	char *indent = indent_of(m, e), *text = text_of(m, n, indent, parent);
	const size_t at = indent ? lines_start(&m->lines, e->whole.from) : e->whole.from;
	struct strbuf out;

	strbuf_init(&out);
	strbuf_addf(&out, "%s%s%s", indent ? indent : "", text, indent ? m->newline : "");
	edits_add(&m->edits, at, at, out.text);
	strbuf_done(&out);
	free(indent);
	free(text);
}

/* Inserts all children of `wanted` into e, an element that has no children in the file. */
static void put_inside(struct merge *m, const struct span_element *e, const struct node *wanted)
{
	char *outer = indent_of(m, e), *indent = xasprintf("%s%s", outer ? outer : "", m->unit);
	const bool own_line = outer && !e->empty && lines_begins(&m->lines, e->end_tag);
	size_t at = own_line ? lines_start(&m->lines, e->end_tag) : e->end_tag;
	struct strbuf out;

	strbuf_init(&out);
	if (e->empty)
		strbuf_addch(&out, '>');
	for (const struct node *n = wanted->child; n; n = n->next) {
		char *text = new_text(m, n, outer ? indent : NULL, e);

		if (outer && own_line)
			strbuf_addf(&out, "%s%s%s", indent, text, m->newline);
		else if (outer)
			strbuf_addf(&out, "%s%s%s", m->newline, indent, text);
		else
			strbuf_addstr(&out, text);
		free(text);
	}
	if (outer && !own_line)
		strbuf_addf(&out, "%s%s", m->newline, outer);
	if (e->empty)
		strbuf_addf(&out, "</%.*s>", (int)(e->name.to - e->name.from),
			    m->lines.text + e->name.from);
	edits_add(&m->edits, e->empty ? lines_blanks_before(&m->lines, at) : at,
		  e->empty ? e->tag.to : at, out.text);
	strbuf_done(&out);
	free(indent);
	free(outer);
}

/* --- the walk through both trees --- */

static const struct node *find_node(const struct node *parent, int element)
{
	for (const struct node *n = parent->child; n; n = n->next)
		if (n->element == element)
			return n;
	return NULL;
}

/* Return the first and the last child element of e in the file; NULL: none. */
static const struct span_element *first_inside(const struct merge *m, const struct span_element *e)
{
	const struct span_element *next = e + 1;

	return next < m->spans.v + m->spans.n && next->whole.from < e->end_tag ? next : NULL;
}

static const struct span_element *last_inside(const struct merge *m, const struct span_element *e)
{
	const struct span_element *last = first_inside(m, e);

	for (const struct span_element *n = last;
	     n && n < m->spans.v + m->spans.n && n->whole.from < e->end_tag; n++)
		if (n->whole.from >= last->whole.to)
			last = n;
	return last;
}

/* Consecutive children of a wanted node that have the same tag. */
struct row {
	const struct node **v;
	bool *stays; /* [n] the child stays at its place in the file */
	size_t n;
};

/* Sets stays[] for as many children as possible: for a longest sequence of children that the file
 * has in the wanted order. The other ones are moved. */
static void find_staying(struct row *row)
{
	size_t *length = xcalloc(row->n, sizeof *length), *before = xcalloc(row->n, sizeof *before);
	size_t best = NOWHERE;

	for (size_t i = 0; i < row->n; i++) {
		before[i] = NOWHERE;
		length[i] = row->v[i]->element ? 1 : 0;
		for (size_t k = 0; k < i && length[i]; k++)
			if (row->v[k]->element && row->v[k]->element < row->v[i]->element &&
			    length[k] >= length[i]) {
				length[i] = length[k] + 1;
				before[i] = k;
			}
		if (length[i] && (best == NOWHERE || length[i] > length[best]))
			best = i;
	}
	for (; best != NOWHERE; best = before[best])
		row->stays[best] = true;
	free(length);
	free(before);
}

static void place(struct merge *m, const struct row *row, size_t i,
		  const struct span_element *parent)
{
	size_t behind = i, before = i;

	while (behind > 0 && !row->stays[behind - 1])
		behind--;
	while (before < row->n && !row->stays[before])
		before++;
	if (behind > 0)
		put_behind(m, span_of(m, row->v[behind - 1]->element), row->v[i], parent);
	else if (before < row->n)
		put_before(m, span_of(m, row->v[before]->element), row->v[i], parent);
	else if (row->v[i]->leads)
		put_before(m, first_inside(m, parent), row->v[i], parent);
	else
		put_behind(m, last_inside(m, parent), row->v[i], parent);
}

static void merge_node(struct merge *m, const struct node *says, const struct node *wanted);

/* Merges `first` and the children directly after it that have the same tag. Returns the child after
 * them. */
static const struct node *merge_row(struct merge *m, const struct node *says,
				    const struct node *wanted, const struct node *first)
{
	const struct span_element *parent = span_of(m, wanted->element);
	const struct node *end = first;
	struct row row = {.n = 0};

	for (; end && !strcmp(end->tag, first->tag); end = end->next)
		row.n++;
	row.v = xcalloc(row.n, sizeof *row.v);
	row.stays = xcalloc(row.n, sizeof *row.stays);
	for (const struct node *n = first, **v = row.v; n != end; n = n->next)
		*v++ = n;
	find_staying(&row);
	for (size_t i = 0; i < row.n; i++)
		if (row.v[i]->element)
			merge_node(m, find_node(says, row.v[i]->element), row.v[i]);
	for (size_t i = 0; i < row.n; i++)
		if (!row.stays[i])
			place(m, &row, i, parent);
	free(row.v);
	free(row.stays);
	return end;
}

static void merge_node(struct merge *m, const struct node *says, const struct node *wanted)
{
	const struct span_element *e = span_of(m, wanted->element);

	merge_attrs(m, says, wanted);
	for (const struct node *n = says->child; n; n = n->next)
		if (!find_node(wanted, n->element))
			remove_element(m, span_of(m, n->element));
	if (wanted->child && !wanted->child->element && !first_inside(m, e)) {
		put_inside(m, e, wanted);
		return;
	}
	for (const struct node *n = wanted->child; n;)
		n = merge_row(m, says, wanted, n);
}

/* --- properties of the file --- */

/* Returns whether the file is in UTF-8: it declares this encoding, or none. */
static bool is_utf8(const struct merge *m)
{
	const char *end = memmem(m->lines.text, m->lines.len, "?>", 2), *name, *quote;

	name = end ? memmem(m->lines.text, (size_t)(end - m->lines.text), "encoding", 8) : NULL;
	if (!name || !memmem(m->lines.text, (size_t)(name - m->lines.text), "<?xml", 5))
		return true;
	quote = name + strcspn(name, "\"'");
	return !strncasecmp(quote + 1, "utf-8", 5) && quote[6] == *quote;
}

/* Returns the indentation per level of nesting; the caller frees it. It is taken from the first
 * element that begins a line and is indented more than the root: what exceeds the root's
 * indentation. */
static char *find_unit(const struct merge *m)
{
	const struct lines *l = &m->lines;
	const size_t root = m->spans.v->whole.from, outer = root - lines_start(l, root);
	bool flat = false;

	for (size_t i = 1; i < m->spans.n; i++) {
		const size_t at = m->spans.v[i].whole.from, start = lines_start(l, at);

		if (lines_begins(l, at) && at - start > outer)
			return copy(m, start + outer, at);
		flat = flat || lines_begins(l, at);
	}
	return xstrdup(flat ? "" : USUAL_INDENT);
}

int conf_merge(struct strbuf *out, const char *path, const struct strbuf *text,
	       const struct node *says, const struct node *wanted, struct err *err)
{
	struct merge m = {.lines = {text->text, text->len}, .edits = EDITS_INIT};
	int ret = 0;

	if (span_scan(&m.spans, text->text, text->len)) {
		m.newline = lines_break(&m.lines);
		m.unit = find_unit(&m);
		m.ascii = !is_utf8(&m);
		merge_node(&m, says, wanted);
		edits_apply(&m.edits, text->text, 0, text->len, out);
	} else {
		ret = err_set(err, ENOTSUP,
			      "'%s' is in an encoding in which it cannot be changed: convert it "
			      "to UTF-8 with iconv(1)",
			      path);
	}
	edits_done(&m.edits);
	span_list_done(&m.spans);
	free(m.unit);
	return ret;
}
