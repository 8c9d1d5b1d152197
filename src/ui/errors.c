/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/errors.h"

#include <stdio.h>
#include <string.h>

#include "ui/sheet.h"

static void write_lines(struct sheet *s, const void *context)
{
	const struct log *log = context;
	char text[96];
	int width = snprintf(text, sizeof(text), "%zu", log->n);

	for (size_t i = 0; i < log->n; i++) {
		snprintf(text, sizeof(text), "%*zu", width, i + 1);
		sheet_put(s, 0, LOOK_FAINT, text, strlen(text));
		sheet_text(s, sheet_column(s, width + 2), LOOK_NORMAL, log->line[i]);
	}
	if (log->n == 0)
		sheet_text(s, 0, LOOK_NORMAL, "no errors so far");
	if (log->dropped == 0)
		return;
	snprintf(text, sizeof(text), "%lu more came later; only the first %d are kept", log->dropped, LOG_MAX);
	sheet_text(s, 0, LOOK_NOTE, text);
}

void errors_paint(struct canvas *c, struct scroll *scroll, const struct log *log)
{
	sheet_paint(c, scroll, "Errors so far", "e closes", write_lines, log);
}

void errors_add_hint(struct strbuf *out, const struct log *log)
{
	if (log->n > 0)
		strbuf_addf(out, "%zu%s %s: e", log->n, log->dropped ? "+" : "", log->n == 1 ? "error" : "errors");
}
