/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of element: filters that have names. */
#include <errno.h>

#include "conf/element.h"

/* What it says is only known with a screen: here, only what no screen changes is looked at. */
void conf_take_filter(struct reader *r, char *const value[ATTR_MAX], int line)
{
	const char *name = value[FILTER_NAME], *text = value[FILTER_EXPR];
	struct named_filter *filter;

	if (!r->filters)
		return;
	if (!filter_list_is_name(name)) {
		conf_complain(
			r, line, EINVAL,
			"<filter '%s'>: a name has letters, digits, '_' and '-' only: left out",
			name);
	} else if (!*text || *text == '@') {
		conf_complain(r, line, EINVAL,
			      "<filter '%s'>: expr is a text, /a regular expression/ or a "
			      "condition: left out",
			      name);
	} else if (filter_list_find(r->filters, name)) {
		conf_complain(r, line, ENOENT,
			      "<filter '%s'>: there is one of this name already: left out", name);
	} else {
		filter = filter_list_add(r->filters, name, text, value[FILTER_DESC]);
		filter->line = line;
		filter->from_folder = !r->options;
	}
}
