/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "output/output.h"

#include <errno.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/suggestion.h"

#define ADDRESS(name) &name,

const struct sink_ops *const sink_table[] = {SINK_FORMATS(ADDRESS) NULL};

int sink_find(const struct sink_ops **out, const char *name, struct err *err)
{
	struct suggestion near;
	struct strbuf names;

	strbuf_init(&names);
	suggestion_begin(&near, name);
	for (size_t i = 0; sink_table[i]; i++) {
		if (!strcmp(sink_table[i]->name, name)) {
			*out = sink_table[i];
			strbuf_done(&names);
			return 0;
		}
		suggestion_offer(&near, sink_table[i]->name);
		strbuf_addf(&names, "%s%s (%s)", i ? ", " : "", sink_table[i]->name,
			    sink_table[i]->help);
	}
	err_set(err, EINVAL, "there is no format '%s'%s: there is %s", name, suggestion_text(&near),
		names.text);
	strbuf_done(&names);
	return -EINVAL;
}
