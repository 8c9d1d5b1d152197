/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/merge.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "conf/edit.h"
#include "conf/lines.h"
#include "conf/span.h"

#define NOWHERE      SIZE_MAX
#define USUAL_INDENT "  "

struct merge {
	struct lines lines; /* the text */
	struct span_list spans;
	struct edits edits;
	const char *newline; /* as the file has it */
	char *unit;          /* how much further in an element is than the one around it */
	bool ascii;          /* of other characters only references are sure to be read */
};

static const struct span_element *span_of(const struct merge *m, int element)
{
	return &m->spans.v[element - 1];
}

/* A copy of the bytes, which the caller frees. */
static char *copy(const struct merge *m, size_t from, size_t to)
{
	return xstrndup(m->lines.text + from, to - from);
}

/* Attributes */

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

/* Where what stands before an attribute ends; a: one behind the last, for the end of the tag. */
static size_t end_before(const struct merge *m, const struct span_element *e,
			 const struct span_attr *a)
{
	return a == &m->spans.attr[e->first_attr] ? e->name.to : a[-1].value.to + 1;
}

/* What is between the last attribute and the one before it: a line break, where each has a line of
 * its own. */
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

/* Elements that come and go */

/* Its element: the text of the tag, with what is inside; indent: of the line that it begins, or
 * NULL. */
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

/* The bytes that an element has for itself: its lines, where there is nothing else on them. */
static struct span own_bytes(const struct merge *m, const struct span_element *e)
{
	const size_t behind = lines_pass_blanks(&m->lines, e->whole.to),
		     before = lines_blanks_before(&m->lines, e->whole.from);

	if (!lines_begins(&m->lines, e->whole.from))
		return (struct span){before, e->whole.to};
	if (lines_ends(&m->lines, behind))
		return (struct span){before, lines_pass_break(&m->lines, behind)};
	return (struct span){e->whole.from, behind};
}

static void take_out(struct merge *m, const struct span_element *e)
{
	const struct span bytes = own_bytes(m, e);

	edits_forget(&m->edits, bytes.from, bytes.to);
	edits_add(&m->edits, bytes.from, bytes.to, "");
}

/* Takes an element out to put it elsewhere, with its changes and with the comments behind it on its
 * line. Returns its text. */
static char *take_away(struct merge *m, const struct span_element *e)
{
	struct span bytes = own_bytes(m, e), kept = e->whole;
	const size_t tail = lines_tail(&m->lines, e->whole.to);
	struct strbuf text;

	if (lines_begins(&m->lines, e->whole.from) && tail != LINES_NOWHERE) {
		kept.to = lines_blanks_before(&m->lines, tail);
		bytes = (struct span){lines_start(&m->lines, e->whole.from),
				      lines_pass_break(&m->lines, tail)};
	}
	strbuf_init(&text);
	edits_apply(&m->edits, m->lines.text, kept.from, kept.to, &text);
	edits_forget(&m->edits, bytes.from, bytes.to);
	edits_add(&m->edits, bytes.from, bytes.to, "");
	return text.text;
}

static char *indent_of(const struct merge *m, const struct span_element *e)
{
	return lines_begins(&m->lines, e->whole.from)
		       ? copy(m, lines_start(&m->lines, e->whole.from), e->whole.from)
		       : NULL;
}

/* What is to be put somewhere: a new element, or one that is moved. */
static char *text_of(struct merge *m, const struct node *n, const char *indent,
		     const struct span_element *parent)
{
	return n->element ? take_away(m, span_of(m, n->element)) : new_text(m, n, indent, parent);
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

/* Puts all that is wanted into an element in which there is no other yet. */
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

/* The walk through both trees */

static const struct node *find_node(const struct node *parent, int element)
{
	for (const struct node *n = parent->child; n; n = n->next)
		if (n->element == element)
			return n;
	return NULL;
}

/* The first and the last element inside of another one, as the file has them; NULL: none. */
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

/* Elements of one tag inside of another one, as they are wanted. */
struct row {
	const struct node **v;
	bool *stays;
	size_t n;
};

/* Of those that the file has, a longest series that is in its order stays. */
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

/* All of one tag, the first of which is `first`. Returns the one behind them. */
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
			take_out(m, span_of(m, n->element));
	if (wanted->child && !wanted->child->element && !first_inside(m, e)) {
		put_inside(m, e, wanted);
		return;
	}
	for (const struct node *n = wanted->child; n;)
		n = merge_row(m, says, wanted, n);
}

/* What the file is like */

/* Whether it is in UTF-8: it says so, or says nothing. */
static bool is_utf8(const struct merge *m)
{
	const char *end = memmem(m->lines.text, m->lines.len, "?>", 2), *name, *quote;

	name = end ? memmem(m->lines.text, (size_t)(end - m->lines.text), "encoding", 8) : NULL;
	if (!name || !memmem(m->lines.text, (size_t)(name - m->lines.text), "<?xml", 5))
		return true;
	quote = name + strcspn(name, "\"'");
	return !strncasecmp(quote + 1, "utf-8", 5) && quote[6] == *quote;
}

/* What stands before the first element that begins a line further in than the outermost one, beyond
 * what stands before that. */
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
