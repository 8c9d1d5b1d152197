/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/span.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define BLANKS " \t\r\n"

struct scan {
	struct span_list *out;
	const char *text;
	size_t len, at;
	size_t *open; /* the elements whose end tag has not come yet */
	size_t n_open, cap_open;
};

static bool is_at(const struct scan *s, const char *what)
{
	const size_t n = strlen(what);

	return s->len - s->at >= n && !memcmp(s->text + s->at, what, n);
}

/* Goes behind the next such text; false: there is none. */
static bool pass(struct scan *s, const char *what)
{
	const char *found = memmem(s->text + s->at, s->len - s->at, what, strlen(what));

	if (found)
		s->at = (size_t)(found - s->text) + strlen(what);
	return found;
}

/* Goes to the next of these bytes; the text ends with a byte that is none of a name. */
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

bool span_scan(struct span_list *out, const char *text, size_t len)
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

void span_list_done(struct span_list *l)
{
	free(l->v);
	free(l->attr);
	*l = (struct span_list)SPAN_LIST_INIT;
}
