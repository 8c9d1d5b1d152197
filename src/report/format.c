/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/format.h"

#include <errno.h>
#include <string.h>

#include "base/suggestion.h"

const struct report_format report_formats[N_REPORT_FORMATS] = {
	[REPORT_AS_TEXT] = {"text", report_write_text},
	[REPORT_AS_CSV] = {"csv", report_write_csv},
	[REPORT_AS_JSON] = {"json", report_write_json},
	[REPORT_AS_HTML] = {"html", report_write_html},
};

const char *report_format_at(unsigned formats, size_t i)
{
	for (size_t f = 0; f < N_REPORT_FORMATS; f++)
		if (formats >> f & 1 && !i--)
			return report_formats[f].name;
	return NULL;
}

static int refuse(const char *name, unsigned formats, struct err *err)
{
	struct suggestion near;
	struct strbuf names;
	const char *known;

	strbuf_init(&names);
	suggestion_begin(&near, name);
	for (size_t i = 0; (known = report_format_at(formats, i)); i++) {
		suggestion_offer(&near, known);
		strbuf_addf(&names, "%s%s",
			    !i                                 ? ""
			    : report_format_at(formats, i + 1) ? ", "
							       : " or ",
			    known);
	}
	err_set(err, EINVAL, "--format: there is no format '%s'%s: %s", name,
		suggestion_text(&near), names.text);
	strbuf_done(&names);
	return -EINVAL;
}

int report_find_format(enum report_format_id *out, const char *name, unsigned formats,
		       struct err *err)
{
	*out = REPORT_AS_TEXT;
	for (int f = 0; name && f < N_REPORT_FORMATS; f++)
		if (formats >> f & 1 && !strcmp(name, report_formats[f].name)) {
			*out = (enum report_format_id)f;
			return 0;
		}
	return name ? refuse(name, formats, err) : 0;
}
