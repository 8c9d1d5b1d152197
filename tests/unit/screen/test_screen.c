/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Screens: errors found by compiling, and lookups.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "model/fact_list.h"
#include "model/sample.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "tap.h"

/* Collects the messages of screen_compile(), as lines "line: message". */
static void collect(void *context, int line, const struct err *err)
{
	strbuf_addf(context, "%d: %s\n", line, err->text);
}

static int compile(struct screen *s, struct strbuf *reports, struct err *err)
{
	strbuf_init(reports);
	return screen_compile(s, collect, reports, err);
}

static void test_compile(void)
{
	struct screen *s = screen_new("good", NULL);
	struct strbuf reports;
	struct err err = ERR_INIT;

	screen_add_counter(s, "instr", "INSTRUCTIONS", NULL);
	screen_add_counter(s, "cycle", "CPU_CYCLES", NULL);
	screen_add_counter(s, "miss", "1", "RAW");
	screen_add_counter(s, "miss", "2", "RAW")->model = xstrdup("06_1A");
	screen_add_column(s, " %CPU", "%5.1f", "usage", "CPU_TOT");
	screen_add_column(s, "   IPC", "%4.2f", NULL, "delta(instr) / delta(cycle)");
	screen_add_column(s, " M", "%8.2f", "misses", "rate(miss) + miss - 2 * delta(cycle)");
	screen_add_column(s, "\xc2\xb5", "%.0f", "wait", "rate(WAIT_NS) * NUM_THREADS");

	tap_ok(!s->counter[3].line && !s->counter[3].arch && !s->column[3].line &&
		       !s->column[3].optional,
	       "what is not given is cleared");
	tap_int(compile(s, &reports, &err), 0, "a good screen compiles");
	tap_str(reports.text, "", "without a report");
	tap_int(s->n_columns, 4, "all columns are there");
	tap_int(s->n_aliases, 3, "each alias is there once");
	tap_str(s->alias[0], "instr", "in order of first use: first");
	tap_str(s->alias[1], "cycle", "second");
	tap_str(s->alias[2], "miss", "third");
	tap_ok(s->counter[0].used && s->counter[1].used && s->counter[2].used && s->counter[3].used,
	       "all declarations of a used alias are used");
	tap_ok(fact_equal(s->facts, FACT_SET(FACT_CPU_NS, FACT_WAIT_NS, FACT_NUM_THREADS)),
	       "only the facts that columns use are wanted");
	tap_str(s->column[0].desc, "usage", "a description is kept");
	tap_str(s->column[1].desc, "delta(instr) / delta(cycle)",
		"a missing one is the expression");
	tap_int(s->column[0].width, 5, "width: header and format alike");
	tap_int(s->column[1].width, 6, "width: of the header");
	tap_int(s->column[2].width, 8, "width: of the format");
	tap_int(s->column[3].width, 1, "width: counted in characters");
	tap_int(expr_ref_at(s->column[2].expr, 0).symbol, 2,
		"a counter's symbol is the number of its alias");
	tap_int(expr_ref_at(s->column[0].expr, 0).symbol, SYMBOL_VARIABLE + VARIABLE_CPU_TOT,
		"a variable's its row");

	screen_drop_column(s, 1);
	tap_int(s->n_columns, 3, "a column can be dropped");
	tap_str(s->column[1].header, " M", "and the next ones move up");
	screen_drop_column(s, 2);
	tap_int(s->n_columns, 2, "the last one too");
	strbuf_done(&reports);
	screen_free(s);
}

/* Consequences of an error are not reported: that a counter is not used, or is missing. */
static void test_consequences(void)
{
	for (int lost = 0; lost < 2; lost++) {
		struct screen *s = screen_new("s", NULL);
		struct strbuf reports;

		screen_add_counter(s, "used", "1", "RAW");
		screen_add_counter(s, "idle", "2", "RAW")->line = 11;
		screen_add_column(s, "A", "%2.0f", NULL, "used");
		if (lost)
			screen_add_column(s, "B", "%2.0f", NULL, "delta(missing)");
		s->lost = lost;
		tap_int(compile(s, &reports, NULL), 0, "one column is left");
		tap_str(reports.text,
			lost ? ""
			     : "11: screen 's': no column that can be shown uses the counter "
			       "'idle', it is not opened\n",
			lost ? "where something is lost, what may follow is not reported"
			     : "a counter without a use");
		strbuf_done(&reports);
		screen_free(s);
	}
}

static void test_faults(void)
{
	struct screen *s = screen_new("bad", "of all kinds");
	struct strbuf reports;
	struct err err = ERR_INIT;

	screen_add_counter(s, "cycle", "CPU_CYCLES", NULL);
	screen_add_counter(s, "lost", "1", "RAW")->line = 11;
	screen_add_counter(s, "lost", "2", "RAW")->line = 12;
	screen_add_counter(s, "instr", "INSTRUCTIONS", NULL);
	screen_add_counter(s, "idle", "3", "RAW")->line = 13;
	screen_add_column(s, "  IPC ", "%4.2f", NULL, "delta(lost) / delta(cylces)")->line = 21;
	screen_add_column(s, " I", "%4.2f", NULL, "delta(instr)")->line = 22;
	screen_add_column(s, "   ", "%d", NULL, "cycle")->line = 23;
	screen_add_column(s, "P", "%2.0f", NULL, "delta(PROC_ID)")->line = 24;
	screen_add_column(s, "U", "%2.0f", NULL, "1 + rate(CPU_USER)")->line = 25;
	screen_add_column(s, "C", "%2.0f", NULL, "cycle + + ")->line = 0;
	screen_add_column(s, "K", "%2.0f", NULL, "cycle")->line = 27;
	screen_add_column(s, "F", "%2.0f", NULL, "lost + delta(MAJFLT) + (2")->line = 28;

	tap_int(compile(s, &reports, &err), 0, "a screen with faults compiles");
	tap_str(reports.text,
		"21: screen 'bad', column 'IPC': expr: column 21: there is no counter or variable "
		"'cylces' in this screen (did you mean 'cycle'?)\n"
		"23: screen 'bad', column '': format: '%d': one of f F e E g G h s is expected "
		"after '%'\n"
		"24: screen 'bad', column 'P': expr: column 7: delta(PROC_ID) has no meaning: "
		"PROC_ID is no counter, write it alone\n"
		"25: screen 'bad', column 'U': expr: column 10: rate(CPU_USER) has no meaning: "
		"CPU_USER is no counter, write it alone\n"
		"0: screen 'bad', column 'C': expr: column 11: a number, a name or '(' is "
		"expected, not the end\n"
		"28: screen 'bad', column 'F': expr: column 26: ')' is missing for the '(' in "
		"column 24\n",
		"each fault is reported once, with its line");
	tap_int(s->n_columns, 2, "the rest is used");
	tap_str(s->column[0].header, " I", "first the one");
	tap_str(s->column[1].header, "K", "then the other");
	tap_int(s->n_aliases, 2, "a dropped column wants no counter");
	tap_str(s->alias[0], "instr", "the numbers of the others have no gap");
	tap_str(s->alias[1], "cycle", "nor those behind them");
	tap_int(expr_ref_at(s->column[0].expr, 0).symbol, 0, "the symbols agree: instr");
	tap_int(expr_ref_at(s->column[1].expr, 0).symbol, 1, "the symbols agree: cycle");
	tap_ok(s->counter[0].used && !s->counter[1].used && !s->counter[2].used &&
		       s->counter[3].used,
	       "counters are marked");
	tap_ok(!fact_any(s->facts), "a dropped column wants no fact");
	strbuf_done(&reports);
	screen_free(s);
}

static void test_names(void)
{
	static const char *const fact_name[] = {"CPU_NS",     "UTIME_NS", "STIME_NS",   "PROC_ID",
						"MINFLT",     "MAJFLT",   "VCSW",       "NVCSW",
						"MIGRATIONS", "WAIT_NS",  "NUM_THREADS"};
	struct screen *s = screen_new("names", NULL);
	struct strbuf reports;
	bool all = true;

	screen_add_counter(s, "NVCSW", "1", "RAW");
	screen_add_column(s, "V", "%2.0f", NULL, "delta(NVCSW)");
	for (int v = 0; v < n_variables; v++)
		screen_add_column(s, variable_at(v).name,
				  variable_at(v).unit == UNIT_TEXT ? "%2s" : "%2.0f", NULL,
				  variable_at(v).name);
	tap_int(compile(s, &reports, NULL), 0, "all variables compile");
	tap_str(reports.text, "", "without a report");
	for (int v = 0; v < n_variables; v++) {
		int want = strcmp(variable_at(v).name, "NVCSW") ? SYMBOL_VARIABLE + v : 0;

		all = all && expr_ref_at(s->column[v + 1].expr, 0).symbol == want;
	}
	tap_ok(all, "each has its own symbol");
	tap_int(expr_ref_at(s->column[0].expr, 0).symbol, 0,
		"a counter hides the variable of its name");
	tap_ok(fact_equal(s->facts, fact_less(fact_all, FACT_SET(FACT_NVCSW))),
	       "each wants its fact");
	strbuf_done(&reports);
	screen_free(s);

	for (size_t i = 0; i < sizeof fact_name / sizeof *fact_name; i++) {
		int v = VARIABLE_FIRST_FACT;

		while (v < n_variables && strcmp(variable_at(v).name, fact_name[i]))
			v++;
		tap_ok(v < n_variables, "%s is a variable", fact_name[i]);
	}
	tap_str(variable_at(VARIABLE_CPU_SYS).name, "CPU_SYS", "a derived variable");
	tap_ok(fact_equal(variable_at(VARIABLE_CPU_SYS).facts, FACT_SET(FACT_STIME_NS)),
	       "needs the time in the kernel");
	tap_ok(fact_equal(variable_at(VARIABLE_CPU_USER).facts, FACT_SET(FACT_UTIME_NS)),
	       "another the time in user mode");
	tap_str(variable_at(VARIABLE_FIRST_FACT + FACT_MAJFLT).name, "MAJFLT",
		"a fact is a variable");
	tap_ok(fact_equal(variable_at(VARIABLE_FIRST_FACT + FACT_MAJFLT).facts,
			  FACT_SET(FACT_MAJFLT)),
	       "that needs itself");
}

/* Compiles a screen that uses n counters in one column, or in n columns. */
static int compile_many(int n, bool one_column, struct err *err)
{
	struct screen *s = screen_new("many", NULL);
	struct strbuf reports, sum;
	int rc;

	strbuf_init(&sum);
	for (int i = 0; i < n; i++) {
		char *alias = xasprintf("c%d", i);

		screen_add_counter(s, alias, "1", "RAW");
		strbuf_addf(&sum, "%s%s", i ? "+" : "", alias);
		if (!one_column)
			screen_add_column(s, "c", "%f", NULL, alias);
		free(alias);
	}
	if (one_column)
		screen_add_column(s, "c", "%f", NULL, sum.text);
	rc = compile(s, &reports, err);
	strbuf_done(&sum);
	strbuf_done(&reports);
	screen_free(s);
	return rc;
}

static void test_limits(void)
{
	static const char too_many[] = "screen 'many' uses more than 64 counters: split it";
	struct screen *s = screen_new("empty", NULL);
	struct strbuf reports;
	struct err err = ERR_INIT;

	tap_int(SAMPLE_MAX_EVENTS, 64, "the limit is 64 counters");
	tap_int(compile_many(64, true, &err), 0, "64 counters in one column");
	tap_int(compile_many(64, false, &err), 0, "64 counters in 64 columns");
	tap_int(compile_many(65, false, &err), -EINVAL, "65 counters are too many");
	tap_str(err.text, too_many, "and the sentence says so");
	err = (struct err)ERR_INIT;
	tap_int(compile_many(SYMBOL_VARIABLE + 100, true, &err), -EINVAL,
		"so are more than there are symbols");
	tap_str(err.text, too_many, "with the same sentence");

	tap_int(compile(s, &reports, &err), -ENOENT, "a screen without columns is refused");
	tap_str(err.text, "screen 'empty' has no column that can be shown",
		"and the sentence says so");
	strbuf_done(&reports);
	screen_free(s);
	s = screen_new("wrong", NULL);
	screen_add_column(s, "x", "%f", NULL, "x");
	tap_int(compile(s, &reports, &err), -ECANCELED, "so is one whose columns all have faults");
	tap_str(err.text, "screen 'wrong' has no column that can be shown",
		"and the sentence says so");
	tap_ok(strstr(reports.text,
		      "there is no counter or variable 'x' in this screen, and a column "
		      "cannot use itself") != NULL,
	       "behind the report");
	strbuf_done(&reports);
	screen_free(s);
	screen_free(NULL);
}

static void test_find(void)
{
	static const struct {
		const char *what;
		int want;
		const char *error;
	} table[] = {
		{"0", 0, ""},
		{"7", 3, ""},
		{"007", 3, ""},
		{"3", -1, "there is no screen 3: screens are 0-2, 7"},
		{"99999999999999999999", -1,
		 "there is no screen 99999999999999999999: screens are 0-2, 7"},
		{"default", 0, ""},
		{"bran", 1, ""},
		{"r", 1, ""},
		{"ware", 2, ""},
		{"L1", 3, ""},
		{"-1", -1,
		 "there is no screen with '-1' in its name: screens are 'default', 'branch', "
		 "'software', 'my L1'"},
		{"Default", -1,
		 "there is no screen with 'Default' in its name (did you mean 'default'?): screens "
		 "are 'default', 'branch', "
		 "'software', 'my L1'"},
	};
	struct screen_list l = SCREEN_LIST_INIT;
	struct err err = ERR_INIT;

	tap_int(screen_list_find(&l, "0", &err), -1, "nothing is found where there is nothing");
	tap_str(err.text, "there is no screen '0': there are no screens at all",
		"and the sentence says so");
	screen_list_add(&l, screen_new("default", NULL));
	screen_list_number(&l);
	tap_int(screen_list_find(&l, "1", &err), -1, "one screen, another number");
	tap_str(err.text, "there is no screen 1: the only one is 0", "and the sentence says so");
	screen_list_add(&l, screen_new("branch", "x"));
	screen_list_add(&l, screen_new("software", NULL));
	screen_list_add(&l, screen_new("my L1", NULL));
	l.v[3]->number = 7;
	screen_list_number(&l);
	tap_int(screen_list_free_number((const struct screen_list *const[]){&l}, 1), 3,
		"the lowest number that is free");
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		err = (struct err)ERR_INIT;
		tap_int(screen_list_find(&l, table[i].what, &err), table[i].want,
			"looking for '%s'", table[i].what);
		tap_str(err.text, table[i].error, "and its sentence");
	}
	screen_list_add(&l, screen_new("L1", NULL));
	tap_int(screen_list_find(&l, "L1", &err), 4, "a whole name goes before a part of one");
	screen_list_done(&l);
	tap_ok(!l.n && !l.v, "the list is empty at the end");
}

/* Lists are numbered together, in time that grows with their number, not with its cube. */
static void test_numbers(void)
{
	struct screen_list a = SCREEN_LIST_INIT, b = SCREEN_LIST_INIT;

	for (int i = 0; i < 20000; i++)
		screen_list_add(&a, screen_new("a", NULL));
	a.v[1]->number = 3;
	screen_list_add(&b, screen_new("b", NULL));
	screen_list_add(&b, screen_new("b", NULL));
	b.v[1]->number = 1;
	screen_lists_number((struct screen_list *const[]){&a, &b}, 2);
	tap_int(a.v[0]->number, 0, "the lowest number");
	tap_int(a.v[2]->number, 2, "not one of the other list");
	tap_int(a.v[3]->number, 4, "nor one of the same list");
	tap_int(a.v[19999]->number, 20000, "and so on");
	tap_int(b.v[0]->number, 20001, "the other list follows");
	tap_int(b.v[1]->number, 1, "a number that was given stays");
	screen_list_done(&a);
	screen_list_done(&b);
}

static void test_units(void)
{
	static const struct {
		const char *text, *unit;
		enum unit want;
	} table[] = {
		{"CPU_TOT", NULL, UNIT_PERCENT},    {"CPU_NS", NULL, UNIT_NS},
		{"delta(CPU_NS)", NULL, UNIT_NS},   {"rate(CPU_NS)", NULL, UNIT_NONE},
		{"rate(MINFLT)", NULL, UNIT_PER_S}, {"RSS_KB", NULL, UNIT_KIB},
		{"counter", NULL, UNIT_COUNT},      {"rate(counter)", NULL, UNIT_PER_S},
		{"RSS_KB + 1", NULL, UNIT_NONE},    {"RSS_KB * 1024", "bytes", UNIT_BYTES},
		{"RSS_KB", "count", UNIT_COUNT},    {"PROC_ID", NULL, UNIT_NONE},
	};
	struct screen *s = screen_new("units", NULL);
	struct strbuf reports;

	screen_add_counter(s, "counter", "1", "RAW");
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		screen_add_column(s, "x", "%5.1f", NULL, table[i].text)->unit_name =
			table[i].unit ? xstrdup(table[i].unit) : NULL;
	tap_int(compile(s, &reports, NULL), 0, "columns with units");
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		tap_int(s->column[i].unit, table[i].want, "'%s' is in '%s'", table[i].text,
			unit_table[table[i].want].name);
	strbuf_done(&reports);
	screen_free(s);
}

#define UNITS                                                                                      \
	"count, %, 1/1000, ratio, 1/s, million, million/s, ms/s, GHz, ns, us, ms, s, bytes, KiB"

/* Formats and expressions that texts permit, and errors. */
static void test_texts(void)
{
	struct screen *s = screen_new("texts", NULL);
	struct strbuf reports;

	screen_add_column(s, "USER", "%-8s", NULL, "USER");
	screen_add_column(s, "same", "%-8s", NULL, "[USER]");
	screen_add_column(s, "given", "%s", NULL, "STATE")->unit_name = xstrdup("text");
	screen_add_column(s, "A", "%5.1f", NULL, "USER");
	screen_add_column(s, "B", "%-8s", NULL, "CPU_TOT");
	screen_add_column(s, "C", "%5.1f", NULL, "CPU_TOT + USER");
	screen_add_column(s, "D", "%5.1f", NULL, "delta(USER)");
	screen_add_column(s, "E", "%-8s", NULL, "USER")->unit_name = xstrdup("count");
	screen_add_column(s, "F", "%5.1f", NULL, "CPU_TOT")->unit_name = xstrdup("text");
	compile(s, &reports, NULL);
	tap_str(reports.text,
		"0: screen 'texts', column 'A': format: '%5.1f' is for numbers, and USER is a "
		"text: one like %-12s is needed\n"
		"0: screen 'texts', column 'B': format: '%-8s' is for texts, and CPU_TOT is a "
		"number: one like %5.1f is needed\n"
		"0: screen 'texts', column 'C': expr: column 11: USER is a text: it can be "
		"compared with another text, and nothing can be computed from it\n"
		"0: screen 'texts', column 'D': expr: column 7: delta(USER) has no meaning: USER "
		"is no counter, write it alone\n"
		"0: screen 'texts', column 'E': unit: 'count' is for numbers, and USER is a text\n"
		"0: screen 'texts', column 'F': unit: there is no 'text': it is one of " UNITS "\n",
		"each with its reason");
	tap_int((long)s->n_columns, 3, "they are left out");
	for (size_t i = 0; i < s->n_columns; i++)
		tap_ok(screen_column_is_text(&s->column[i]), "'%s' is one of texts",
		       s->column[i].header);
	tap_int(screen_column_fact(&s->column[1]), FACT_USER, "also by way of another column");
	tap_ok(fact_in(s->facts, FACT_STATE), "it wants its fact");
	strbuf_done(&reports);
	screen_free(s);
}

static void test_units_refused(void)
{
	struct screen *s = screen_new("units", NULL);
	struct strbuf reports;

	screen_add_column(s, "good", "%5h", NULL, "RSS_KB");
	screen_add_column(s, "A", "%5.1f", NULL, "RSS_KB")->unit_name = xstrdup("furlong");
	screen_add_column(s, "B", "%5.1f", NULL, "RSS_KB")->unit_name = xstrdup("");
	screen_add_column(s, "C", "%5h", NULL, "RSS_KB + 1");
	compile(s, &reports, NULL);
	tap_str(reports.text,
		"0: screen 'units', column 'A': unit: there is no 'furlong': it is one of " UNITS
		"\n"
		"0: screen 'units', column 'B': unit: there is no '': it is one of " UNITS "\n"
		"0: screen 'units', column 'C': format: '%5h' writes a number by its unit, which "
		"it lacks: give it one "
		"by unit=\"...\"\n",
		"each with its reason");
	tap_int((long)s->n_columns, 1, "they are left out");
	strbuf_done(&reports);
	screen_free(s);
}

int main(void)
{
	test_compile();
	test_consequences();
	test_faults();
	test_names();
	test_limits();
	test_find();
	test_numbers();
	test_units();
	test_units_refused();
	test_texts();
	return tap_done();
}
