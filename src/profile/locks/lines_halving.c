/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of lines: how much of the time halving the hold time of a lock would save. */
#include <inttypes.h>

#include "profile/locks/lines_sections.h"
#include "profile/locks/resolver.h"

void lines_halving_add_text(const struct locks_lines *l, struct strbuf *out)
{
	const struct halvings *h = l->halvings;

	for (size_t i = 0; i < h->n; i++) {
		strbuf_addstr(out, "#   halving the hold time of ");
		locks_name_add(l->names, out, h->v[i].instance);
		strbuf_addf(out,
			    ", %" PRIu64
			    " us each, would save %.0f %% of the %.3f s in which %" PRIu32
			    " threads use it\n",
			    lines_ns(l, h->v[i].hold) / 1000, 100 * h->v[i].saved,
			    (double)lines_ns(l, h->time) / 1e9, h->n_threads);
	}
}

void lines_halving_put(struct report_record *record, const struct locks_lines *l)
{
	const struct halvings *h = l->halvings;

	record_value(record, "halving_time", lines_known(lines_ns(l, h->time), !h->reason));
	record_optional_text(record, "halving_reason", h->reason);
}

/* What is saved is that of the lock, in the row of each of its callers. */
void lines_halving_put_row(struct report_record *record, const struct locks_lines *l,
			   const struct locks_line *line)
{
	const struct halvings *h = l->halvings;

	for (size_t i = 0; i < h->n && !line->group.name; i++) {
		if (h->v[i].instance != line->instance)
			continue;
		record_count(record, "halving_saves",
			     (uint64_t)(h->v[i].saved * (double)lines_ns(l, h->time)));
		return;
	}
	record_absent(record, "halving_saves");
}
