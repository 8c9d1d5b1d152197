/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of sets of unequal sizes, in modes, with cycles before their counters. */
#include "ticks/rows.h"

#include "tap.h"

int main(void)
{
	static const struct value value[3] = {
		{5e9, 1, QUALITY_EXACT, 0}, {3, 0.5f, QUALITY_SCALED, 0}, {7, 1, QUALITY_EXACT, 0}};
	static const char *const name[] = {"cycles:uk", "loads", "stores"};
	struct event_set set[2];
	struct tick_rows r;
	struct strbuf text;

	for (int s = 0; s < 2; s++) {
		event_set_init(&set[s]);
		for (int c = 0; c < 3 - s; c++)
			event_set_add(&set[s], name[c]);
	}
	set[1].kernel = set[1].no_user = true;
	strbuf_init(&text);
	tick_rows_init(&r, set, 2, true);
	tick_rows_header(&r, &text);
	tick_rows_tick(&r, &text, 0, 1.5, 0, value);
	tick_rows_tick(&r, &text, 1, 3, 10, value);
	tick_rows_tick(&r, &text, 1, 6, 10, value);
	tick_rows_totals(&r, &text);
	tap_str(text.text,
		"    time  cpu event           %tick            pic0            pic1\n"
		"   1.500    0  tick      5000000000              3~               7"
		" # pic0=loads,pic1=stores\n"
		"   3.000   10  tick      5000000000              3~                "
		" # pic0=loads,nouser,sys\n"
		"   6.000   10  tick      5000000000              3~                "
		" # pic0=loads,nouser,sys\n"
		"   1.500    1 total      5000000000              3~               7"
		" # pic0=loads,pic1=stores\n"
		"   6.000    1 total     10000000000              6~                "
		" # pic0=loads,nouser,sys\n",
		"two sets, of which one has fewer counters");
	tick_rows_done(&r);
	strbuf_done(&text);
	event_set_done(&set[0]);
	event_set_done(&set[1]);
	return tap_done();
}
