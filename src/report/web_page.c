/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/web_page.h"

#include <string.h>

#include "config.h"
#include "report/page_files.h"

static const struct {
	const char *name, *const *lines, *hash;
} scripts[N_WEB_PAGE_SCRIPTS] = {
	[WEB_PAGE_RECORDING] = {"recording", page_script_recording, page_script_recording_hash},
	[WEB_PAGE_TABLES] = {"tables", page_script_tables, page_script_tables_hash},
};

static void add_lines(struct strbuf *out, const char *const *line)
{
	for (; *line; line++)
		strbuf_addf(out, "%s\n", *line);
}

void web_page_begin(struct strbuf *out, enum web_page_script script, const char *title)
{
	strbuf_addf(out,
		    "<!DOCTYPE html><!-- %s of tiptop " PACKAGE_VERSION " -->\n"
		    "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		    "script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; "
		    "form-action 'none'\">\n"
		    "<meta name=\"referrer\" content=\"no-referrer\">\n"
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		    "<meta name=\"color-scheme\" content=\"light dark\">\n"
		    "<link rel=\"icon\" href=\"data:,\">\n"
		    "<title>tiptop %s</title>\n<style>",
		    scripts[script].name, scripts[script].hash, page_style_hash, title);
	add_lines(out, page_style);
	strbuf_addstr(out, "</style>\n</head>\n<body>\n<main id=\"page\"></main>\n");
}

void web_page_add_script(struct strbuf *out, enum web_page_script script)
{
	strbuf_addstr(out, "<script>");
	add_lines(out, scripts[script].lines);
	strbuf_addstr(out, "</script>\n");
}

void web_page_add_data(struct strbuf *out, const char *attribute, const struct strbuf *json)
{
	const char *text = json->text;

	strbuf_addf(out, "<script type=\"application/json\" %s>", attribute);
	while (*text) {
		const size_t n = strcspn(text, "<");

		strbuf_add(out, text, n);
		text += n;
		if (*text) {
			strbuf_addstr(out, "\\u003c");
			text++;
		}
	}
	strbuf_addstr(out, "</script>\n");
}

void web_page_add_text(struct strbuf *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<':
			strbuf_addstr(out, "&lt;");
			break;
		case '&':
			strbuf_addstr(out, "&amp;");
			break;
		default:
			strbuf_addch(out, *text);
		}
}
