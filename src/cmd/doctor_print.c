/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of doctor: lines with a mark, a label and a text. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/doctor_part.h"

/* "  warn label       text": columns of the label and of the text; where lines end. */
#define LABEL_COLUMN 7
#define TEXT_COLUMN  20
#define WIDTH        80

void doctor_section(struct doctor *d, const char *title)
{
	strbuf_addf(d->out, "%s%s\n", d->out->len ? "\n" : "", title);
}

/* Writes words from column x on, over as many lines as they need. */
static void put_words(struct strbuf *out, int x, const char *text)
{
	bool first = true;
	int n;

	for (text += strspn(text, " "); *text; text += n, text += strspn(text, " ")) {
		n = (int)strcspn(text, " ");
		if (!first && x + 1 + n > WIDTH) {
			strbuf_addch(out, '\n');
			strbuf_pad(out, ' ', TEXT_COLUMN);
			x = TEXT_COLUMN;
		} else if (!first) {
			strbuf_addch(out, ' ');
			x++;
		}
		strbuf_add(out, text, (size_t)n);
		x += n;
		first = false;
	}
	strbuf_addch(out, '\n');
}

void doctor_put_consequence(struct doctor *d, const char *label, const struct finding *f)
{
	static const char *const mark[] = {"", "ok", "warn", "no"};
	struct strbuf *out = d->out;
	size_t start = out->len;
	int x;

	strbuf_addf(out, "  %-*s%s ", LABEL_COLUMN - 2, mark[f->mark], label);
	strbuf_pad(out, ' ', TEXT_COLUMN - (int)(out->len - start));
	x = (int)(out->len - start);
	put_words(out, x, f->text);
	/* A remedy is not broken into lines: it is there to be copied. */
	if (f->remedy[0]) {
		strbuf_pad(out, ' ', TEXT_COLUMN);
		strbuf_addf(out, "remedy: %s\n", f->remedy);
	}
}

void doctor_put(struct doctor *d, const char *label, const struct finding *f)
{
	d->n_limits += f->mark == FINDING_WARN || f->mark == FINDING_NO;
	doctor_put_consequence(d, label, f);
}

void doctor_put_fact(struct doctor *d, const char *label, const char *fmt, ...)
{
	struct finding f = finding_make(FINDING_FACT, "%s", "");
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	f = finding_make(FINDING_FACT, "%s", text);
	doctor_put(d, label, &f);
	free(text);
}
