/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/errors.h"

#include <stdio.h>
#include <string.h>

#include "tui/sheet.h"

static void write_errors(struct sheet *s, const void *context)
{
	const struct log *log = context;
	struct strbuf line;
	char text[96];
	int width = snprintf(text, sizeof(text), "%zu", log->n);

	strbuf_init(&line);
	for (size_t i = 0; i < log->n; i++) {
		strbuf_reset(&line);
		log_put_line(log, i, &line);
		snprintf(text, sizeof(text), "%*zu", width, i + 1);
		sheet_put(s, 0, LOOK_FAINT, text, strlen(text));
		sheet_text(s, sheet_column(s, width + 2), LOOK_NORMAL, line.text);
	}
	if (log->n == 0)
		sheet_text(s, 0, LOOK_NORMAL, "no errors so far");
	for (int kind = 0; kind < N_LOG_KINDS; kind++) {
		strbuf_reset(&line);
		if (log_put_dropped(log, (enum log_kind)kind, &line))
			sheet_text(s, 0, LOOK_NOTE, line.text);
	}
	strbuf_done(&line);
}

void errors_paint(struct canvas *c, struct ui_state *ui, const struct log *log)
{
	static const struct key_hint hint[] = {{"errors", "closes", NULL}, {NULL, NULL, NULL}};
	const struct key_hints hints = {ui->keymap, hint};

	sheet_paint(c, &ui->panel_lines, "Errors so far", &hints, write_errors, log);
}

void errors_add_hint(struct strbuf *out, const struct log *log)
{
	bool dropped = false;

	for (int kind = 0; kind < N_LOG_KINDS; kind++)
		dropped |= log->dropped[kind] > 0;
	if (log->n > 0)
		strbuf_addf(out, "%zu%s %s: e", log->n, dropped ? "+" : "",
			    log->n == 1 ? "error" : "errors");
}
