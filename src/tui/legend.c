/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/legend.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
const struct mark_row mark_table[N_MARKS] = {
	[MARK_ESTIMATE] = {"~", "estimate",
			   "an estimate: the counter was multiplexed, or intervals differ", false},
	[MARK_LAST_KNOWN] = {"'", "last known", "the last known value, read in an earlier refresh", false},
	[MARK_PARTIAL] = {"*", "in part", "only a part was counted", false},
	[MARK_UNKNOWN] = {"?", "not known", "unknown: the key x says why", false},
	[MARK_NO_NUMBER] = {"-", "no such number",
			    "no such number: division by 0, or members of a group differ", false},
	[MARK_ENDED] = {"x", "ended", "a task that has ended, with its last numbers", true},
	[MARK_THREADS] = {"+", NULL, "a process with several threads", true},
	[MARK_THREAD] = {"-", NULL, "a thread that is not the first of its process", true},
	[MARK_TAGGED] = {"#", NULL, "a tagged task: k, r and a act on all of these", true},
};
/* clang-format on */

enum mark mark_of_quality(enum quality quality)
{
	for (int i = 0; i < N_MARKS; i++)
		if (!mark_table[i].of_row &&
		    !strcmp(mark_table[i].sign, quality_table[quality].mark))
			return (enum mark)i;
	return N_MARKS;
}

enum mark mark_of_cell(struct value v, bool ended)
{
	if (v.quality == QUALITY_STALE && ended)
		return N_MARKS;
	return mark_of_quality((enum quality)v.quality);
}

bool mark_is_behind(enum mark mark, struct value v)
{
	return mark != N_MARKS && value_known(v);
}

/* Separates a mark from its meaning. A key in the footer is separated from its effect only by a
 * blank. */
#define MEANS " = "
#define GAP   "  "

void legend_add(struct legend *l, int room, struct strbuf *out)
{
	const unsigned pending = l->wanted ? l->shown | (l->seen & ~l->explained) : 0;
	const size_t start = out->len;

	l->shown = 0;
	for (int i = 0; i < N_MARKS; i++) {
		const struct mark_row *row = &mark_table[i];
		const char *gap = out->len > start ? GAP : "";

		if (!(pending & MARK_BIT(i)) || !row->brief ||
		    out->len - start + strlen(gap) + strlen(row->sign) + strlen(MEANS) +
				    strlen(row->brief) >
			    (size_t)(room > 0 ? room : 0))
			continue;
		strbuf_addf(out, "%s%s" MEANS "%s", gap, row->sign, row->brief);
		l->shown |= MARK_BIT(i);
	}
}

bool legend_clear(struct legend *l)
{
	const bool shown = l->shown != 0;

	l->explained |= l->shown;
	l->shown = 0;
	return shown;
}
