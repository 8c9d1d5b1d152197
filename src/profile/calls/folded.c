/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/calls/folded.h"

#include <inttypes.h>

#include "inject/lib/clock.h"

/* Appends a part of a line; replaces ';' in its name, since ';' separates parts. */
static void add_part(struct strbuf *out, const char *name)
{
	strbuf_addch(out, ';');
	for (; *name; name++)
		strbuf_addch(out, *name == ';' ? ':' : *name);
}

void calls_folded_add(const struct calls_report *r, struct strbuf *out)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct calls_line *line = &r->line[i];

		if (line->kind != CALLS_FUNCTION && i != CALLS_OF_PROGRAM)
			continue;
		strbuf_addf(out, "process %u", r->header.container.pid);
		if (line->group[0])
			add_part(out, line->group);
		add_part(out, line->name);
		strbuf_addf(out, " %" PRIu64 "\n",
			    tt_multiply(line->sum.self, r->header.ns_per_tick));
	}
}
