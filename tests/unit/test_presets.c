/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The built-in screens: their layout is a promise to scripts, and their columns must all compile.
 */
#include "base/strbuf.h"
#include "screen/presets.h"
#include "tap.h"

static void collect(void *context, int line, const struct err *err)
{
	strbuf_addf(context, "%d: %s\n", line, err->text);
}

/* The screen as one text: its columns between '|', then what it opens and reads. */
static void describe(struct strbuf *out, const struct screen *s)
{
	for (size_t i = 0; i < s->n_columns; i++)
		strbuf_addf(out, "%s|%s|%d%s\n", s->column[i].header, s->column[i].format, s->column[i].width,
			    s->column[i].optional ? " optional" : "");
	for (size_t i = 0; i < s->n_aliases; i++)
		strbuf_addf(out, "%s ", s->alias[i]);
	for (int i = 0; i < N_FACTS; i++)
		if (s->facts & FACT_BIT(i))
			strbuf_addf(out, "%s ", fact_table[i].name);
}

static const struct {
	const char *name, *want;
} expected[] = {
	{"default", " %CPU|%5.1f|5\n"
		    " %SYS|%5.1f|5\n"
		    "   P| %3.0f|4\n"
		    "  Mcycle|%8.2f|8\n"
		    "  Minstr|%8.2f|8\n"
		    "  IPC| %4.2f|5\n"
		    " %MISS|%6.2f|6\n"
		    " %BMIS|%6.2f|6\n"
		    " %BUS|%5.1f|5 optional\n"
		    "cycle instr miss br_miss bus CPU_NS STIME_NS PROC_ID "},
	{"branch", "  %CPU| %5.1f|6\n"
		   "   %MIS/I|   %6.2f|9\n"
		   "   %MISP|   %5.2f|8\n"
		   "  %BR/I|  %5.1f|7\n"
		   "br_miss instr branch CPU_NS "},
	{"imix", " %CPU|%5.1f|5\n"
		 "  Mcycle|%8.2f|8\n"
		 "  Minstr|%8.2f|8\n"
		 "  IPC| %4.2f|5\n"
		 "   %LD|%6.1f|6\n"
		 "   %ST|%6.1f|6\n"
		 "  %x87|%6.1f|6\n"
		 "   %BR|%6.1f|6\n"
		 "cycle instr load store x87 branch CPU_NS "},
	{"FP", " %CPU|%5.1f|5\n"
	       "  Mcycle|%8.2f|8\n"
	       "  Minstr|%8.2f|8\n"
	       "  IPC| %4.2f|5\n"
	       "  %x87|%6.1f|6\n"
	       " %SSES|%6.1f|6 optional\n"
	       " %SSED|%6.1f|6 optional\n"
	       " %SSED|%6.1f|6 optional\n"
	       " %assist|%8.2f|8\n"
	       "cycle instr x87 single double packed_double scalar_double assist CPU_NS "},
	{"mem", " %CPU|%5.1f|5\n"
		"  Mcycle|%8.2f|8\n"
		"  Minstr|%8.2f|8\n"
		"  IPC| %4.2f|5\n"
		" L2hit|%6.2f|6\n"
		" L3hit|%6.2f|6\n"
		"L3miss|%6.2f|6\n"
		"cycle instr l2_hit l3_hit l3_miss CPU_NS "},
	{"uOps", " %CPU|%5.1f|5\n"
		 " %SYS|%5.1f|5\n"
		 "  Mcycle|%8.2f|8\n"
		 "  Minstr|%8.2f|8\n"
		 "  IPC| %4.2f|5\n"
		 "   Muops|%8.2f|8\n"
		 "  uPI| %4.2f|5\n"
		 " macrof|%7.2f|7 optional\n"
		 "cycle instr uop fused CPU_NS STIME_NS "},
	{"software", " %CPU|%5.1f|5\n"
		     " %SYS|%5.1f|5\n"
		     "   P| %3.0f|4\n"
		     " VCSW/s|%7.1f|7\n"
		     "NVCSW/s|%7.1f|7\n"
		     "MIGR/s|%6.1f|6\n"
		     " MINFL/s|%8.1f|8\n"
		     "MAJFL/s|%7.1f|7\n"
		     "WAITms/s|%8.1f|8\n"
		     "CPU_NS STIME_NS PROC_ID MINFLT MAJFLT VCSW NVCSW MIGRATIONS WAIT_NS "},
};

#define N_EXPECTED (sizeof expected / sizeof *expected)

static void test_screen(struct screen *s, const char *name, const char *want)
{
	struct strbuf reports, text;
	struct err err = ERR_INIT;
	bool told = s->desc && s->desc[0];

	for (size_t i = 0; i < s->n_columns; i++)
		told = told && s->column[i].desc && s->column[i].desc[0];
	strbuf_init(&reports);
	strbuf_init(&text);
	tap_str(s->name, name, "screen '%s' is in its place", name);
	tap_ok(told, "it and its columns have descriptions");
	tap_int(screen_compile(s, collect, &reports, &err), 0, "it compiles");
	tap_str(reports.text, "", "without a report");
	describe(&text, s);
	tap_str(text.text, want, "its layout and its needs");
	for (size_t i = 0; i < s->n_columns; i++)
		tap_int(s->column[i].width, strlen(s->column[i].header), "'%s' is as wide as its numbers",
			s->column[i].header);
	strbuf_done(&text);
	strbuf_done(&reports);
}

/* What a column gives where delta() of the counters is 100, 200, 300 ... in order of the aliases, and rate(), and a
 * bare name, is 7e6. */
static struct value load(const void *row, struct expr_ref ref)
{
	(void)row;
	return value_exact(ref.mode == EXPR_DELTA ? 100.0 * (ref.symbol + 1) : 7e6);
}

static void test_formulas(const struct screen_list *l)
{
	static const struct {
		int screen, column;
		double want;
	} table[] = {
		/* default: cycle 100, instr 200, miss 300, br_miss 400, bus 500 */
		{0, 3, 1e-4},
		{0, 4, 2e-4},
		{0, 5, 2},
		{0, 6, 150},
		{0, 7, 200},
		{0, 8, 2.5},
		/* branch: br_miss 100, instr 200, branch 300 */
		{1, 1, 50},
		{1, 2, 100.0 / 3},
		{1, 3, 150},
		/* imix: cycle 100, instr 200, load 300, store 400, x87 500, branch 600 */
		{2, 4, 150},
		{2, 7, 300},
		/* FP: ..., x87 300, single 400, double 500, packed_double 600, scalar_double 700, assist 800 */
		{3, 4, 150},
		{3, 7, 650},
		{3, 8, 400},
		/* mem: ..., l2_hit 300, l3_hit 400, l3_miss 500 */
		{4, 4, 1500},
		{4, 6, 2500},
		/* uOps: ..., uop 300, fused 400 */
		{5, 5, 3e-4},
		{5, 6, 1.5},
		{5, 7, 2},
		/* software */
		{6, 3, 7e6},
		{6, 8, 7},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct column *c = &l->v[table[i].screen]->column[table[i].column];

		tap_num(expr_eval(c->expr, load, NULL).number, table[i].want, "the formula of '%s'", c->header);
	}
}

int main(void)
{
	struct screen_list l = SCREEN_LIST_INIT;

	presets_add_hardware(&l);
	tap_int(l.n, 6, "six screens need hardware counters");
	presets_add_software(&l);
	if (tap_ok(l.n == N_EXPECTED, "one does not")) {
		for (size_t i = 0; i < N_EXPECTED; i++)
			test_screen(l.v[i], expected[i].name, expected[i].want);
		test_formulas(&l);
	}
	screen_list_done(&l);
	return tap_done();
}
