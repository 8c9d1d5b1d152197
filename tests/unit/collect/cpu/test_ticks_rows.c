/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of one set, and of sets with different numbers of events, in all modes, with and without a
 * column of cycles before the events. */
#include "collect/cpu/ticks.h"

#include "golden.h"

#define SETS_MAX 3

static const struct value counts[][3] = {
	{{5e9, 1, QUALITY_EXACT, 0}, {3, 0.5f, QUALITY_SCALED, 0}, {7, 1, QUALITY_EXACT, 0}},
	{{1e18, 1, QUALITY_EXACT, 0x7ff},
	 {2.5, 1, QUALITY_EXACT, 0},
	 {1, 0.5f, QUALITY_PARTIAL, 0}},
	{{NAN, 1, QUALITY_DENIED, 0},
	 {NAN, 1, QUALITY_UNSUPPORTED, 0},
	 {NAN, 1, QUALITY_NOT_SCHEDULED, 0}},
	{{0, 1, QUALITY_EXACT, 0}, {0, 1, QUALITY_EXACT, 0}, {0, 1, QUALITY_EXACT, 0}},
};

static void add_rows(struct tick_rows *r, struct strbuf *out)
{
	static const int there[] = {0, 7};

	tick_rows_header(r, out);
	for (int s = 0; s < r->n_sets; s++) {
		tick_rows_tick(r, out, s, 1.5 + s, 0, counts[0]);
		tick_rows_tick(r, out, s, 1.5015 + s, 1023, counts[3]);
	}
	for (int s = 0; s < r->n_sets; s++) {
		tick_rows_tick(r, out, s, 100000 + s, 0, counts[1]);
		tick_rows_tick(r, out, s, 100000 + s, 123456, counts[2]);
	}
	tick_rows_offline(r, out, 0, 100001, there, 2);
	tick_rows_totals(r, out);
}

/* names: of each set, the names of its events, 3 at most. */
static void check(const char *name, const char *const names[][4], int n_sets, bool cycles,
		  const char *fields)
{
	struct event_set set[SETS_MAX];
	struct tick_rows r;
	struct strbuf out;

	for (int s = 0; s < n_sets; s++) {
		event_set_init(&set[s]);
		for (int c = 0; names[s][c]; c++)
			event_set_add(&set[s], names[s][c]);
		set[s].kernel = s > 0;
		set[s].no_user = s > 1;
	}
	strbuf_init(&out);
	for (int f = 0; f <= REPORT_AS_JSON; f++) {
		char *file = xasprintf("%s-%s", name, report_formats[f].name);

		strbuf_reset(&out);
		tick_rows_init(&r, (enum report_format_id)f, set, n_sets, cycles);
		tap_int(tick_rows_choose(&r, fields, NULL), 0, "%s: the fields", file);
		add_rows(&r, &out);
		golden_check("ticks", file, out.text);
		tick_rows_done(&r);
		free(file);
	}
	strbuf_done(&out);
	for (int s = 0; s < n_sets; s++)
		event_set_done(&set[s]);
}

int main(void)
{
	static const char *const one[][4] = {{"cycles", "instructions", "page-faults:u", NULL}};
	static const char *const wide[][4] = {
		{"cpu/event=0x3c,umask=0x01,long=/u", "cpu/event=0x3c,umask=0x01/u", "b", NULL}};
	static const char *const sets[][4] = {
		{"cycles:uk", "loads", "stores", NULL}, {"cycles:uk", "b", NULL}, {"c", NULL}};

	check("one", one, 1, false, NULL);
	check("one-cycles", one, 1, true, NULL);
	check("wide", wide, 1, false, NULL);
	check("wide-cycles", wide, 1, true, NULL);
	check("sets", sets, 3, false, NULL);
	check("sets-cycles", sets, 3, true, NULL);
	check("one-fields", one, 1, false, "cpu,cpus,instructions,cycles");
	check("sets-fields", sets, 3, true, "event,quality,%tick,pic1,remark,time_s");
	return tap_done();
}
