/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns that use other columns of their screen.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "model/fact_list.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "tap.h"

/* Collects the messages of screen_compile(), as lines "line: message", but for those on
 * counters. */
static void collect(void *context, int line, const struct err *err)
{
	if (line)
		strbuf_addf(context, "%d: %s\n", line, err->text);
}

/* Counters are 100, 200, ... in the order of their first use; variables are 7. Increments are a
 * tenth of that. */
static struct value load(const void *row, struct expr_ref ref)
{
	double number = ref.symbol >= SYMBOL_VARIABLE ? 7 : 100.0 * (ref.symbol + 1);

	(void)row;
	return value_exact(ref.mode == EXPR_TOTAL ? number : number / 10);
}

/* The screen has the counters c, d and MAJFLT. */
static const struct {
	const char *what;
	struct {
		const char *header, *text;
	} column[5];
	const char *kept; /* columns that remain: "header=number header=number ..." */
	const char *reports;
} use_table[] = {
	{"a column before", {{"A", "delta(c)"}, {"B", "A * 2 + c"}}, "A=10 B=120 ", ""},
	{"a column behind", {{"B", "A * 2 + c"}, {"A", "delta(c)"}}, "B=120 A=10 ", ""},
	{"blanks around the header",
	 {{"  A ", "c"}, {"B", "A + 1"}, {"C", "[ A] + 2"}},
	 "  A =100 B=101 C=102 ",
	 ""},
	{"headers that are no names",
	 {{" %MISS", "5"},
	  {"a b", "[%MISS] * 2"},
	  {"\xc2\xb5", "[a b] + 1"},
	  {"D", "[\xc2\xb5] + [%MISS]"}},
	 " %MISS=5 a b=10 \xc2\xb5=11 D=16 ",
	 ""},
	{"it is used as a whole", {{"A", "1 + 2"}, {"B", "A * A - -A"}}, "A=3 B=12 ", ""},
	{"a chain against the order",
	 {{"A", "B + 1"}, {"B", "C + 1"}, {"C", "D + 1"}, {"D", "d"}},
	 "A=103 B=102 C=101 D=100 ",
	 ""},
	{"a column used twice",
	 {{"A", "B + C"}, {"B", "D * 2"}, {"C", "D * 3"}, {"D", "c - 98"}},
	 "A=10 B=4 C=6 D=2 ",
	 ""},
	{"counters number on", {{"A", "c + B"}, {"B", "d"}, {"C", "c"}}, "A=300 B=100 C=200 ", ""},
	{"a counter comes before a column",
	 {{"c", "1"}, {"B", "c"}, {"C", "[c]"}},
	 "c=1 B=100 C=1 ",
	 ""},
	{"a counter, a variable, a column",
	 {{"MAJFLT", "1"}, {"VCSW", "2"}, {"C", "MAJFLT"}, {"D", "VCSW"}},
	 "MAJFLT=1 VCSW=2 C=100 D=7 ",
	 ""},
	{"a function comes behind a column",
	 {{"min", "4"}, {"B", "min + min(1, 2)"}},
	 "min=4 B=5 ",
	 ""},
	{"an operator stays one",
	 {{"not", "4"}, {"lt", "5"}, {"C", "not 1 or lt lt lt"}, {"D", "[not]"}},
	 "not=4 lt=5 C=0 D=4 ",
	 ""},
	{"a part of a header is none",
	 {{"ABC", "1"}, {"B", "AB"}},
	 "ABC=1 ",
	 "2: screen 'use', column 'B': expr: column 1: there is no counter, variable or column "
	 "'AB' in this screen\n"},
	{"brackets are for columns only",
	 {{"A", "1"}, {"B", "1+[c]"}, {"C", "[CPU_TOT]"}},
	 "A=1 ",
	 "2: screen 'use', column 'B': expr: column 3: 'c' is the id of a column, which is named "
	 "by "
	 "its header here: write [C]\n"
	 "3: screen 'use', column 'C': expr: column 1: there is no column '[CPU_TOT]' in this "
	 "screen\n"},
	{"what was meant",
	 {{"LOAD", "1"}, {"B", "[LAOD]"}, {"C", "dleta(a)"}, {"D", "load"}},
	 "LOAD=1 ",
	 "2: screen 'use', column 'B': expr: column 1: there is no column '[LAOD]' in this screen "
	 "(did "
	 "you mean 'LOAD'?)\n"
	 "3: screen 'use', column 'C': expr: column 1: there is no function 'dleta' (did you mean "
	 "'delta'?): there are delta(), rate(), per(), min(), max(), abs(), if()\n"
	 "4: screen 'use', column 'D': expr: column 1: 'load' is the id of a column, which is "
	 "named "
	 "by its header here: write [LOAD]\n"},
	{"increments are of counters",
	 {{"A", "1"}, {"B", "delta(A)"}},
	 "A=1 ",
	 "2: screen 'use', column 'B': expr: column 7: there is no counter or variable 'A' in this "
	 "screen\n"},
	{"a column cannot use itself",
	 {{"A", "1"}, {"B", "A + B"}, {"C", "[C]"}},
	 "A=1 ",
	 "2: screen 'use', column 'B': expr: column 5: there is no counter or variable 'B' in this "
	 "screen, and a column cannot use itself\n"
	 "3: screen 'use', column 'C': expr: column 1: there is no counter or variable 'C' in this "
	 "screen, and a column cannot use itself\n"},
	{"a circle of two",
	 {{"A", "1 + B"}, {" %B ", "1"}, {"B", "A * 2"}, {"C", "c"}},
	 " %B =1 C=100 ",
	 "3: screen 'use', column 'B': expr: column 1: columns cannot use each other in a circle: "
	 "'A' uses 'B' uses 'A'\n"},
	{"a circle behind another column",
	 {{"A", "B"}, {"B", "[%C]"}, {" %C", "D"}, {"D", "d + B"}, {"E", "c"}},
	 "E=100 ",
	 "4: screen 'use', column 'D': expr: column 5: columns cannot use each other in a circle: "
	 "'B' uses '%C' uses 'D' uses 'B'\n"},
	{"a column with a fault",
	 {{"A", "c + d +"}, {"B", "MAJFLT + A"}, {"C", "1 + B"}, {"D", "d"}, {"E", "c"}},
	 "D=100 E=200 ",
	 "1: screen 'use', column 'A': expr: column 8: a number, a name or '(' is expected, not "
	 "the end\n"},
	{"a fault behind the name",
	 {{"A", "B + d + x"}, {"B", "c"}, {"C", "d"}},
	 "B=100 C=200 ",
	 "1: screen 'use', column 'A': expr: column 9: there is no counter, variable or column 'x' "
	 "in this screen\n"},
	{"two columns of one name",
	 {{"A", "1"}, {" A", "2"}, {"B", "A"}},
	 "A=1  A=2 ",
	 "3: screen 'use', column 'B': expr: column 1: there is more than one column 'A'\n"},
};

static void test_columns_used(void)
{
	for (size_t i = 0; i < sizeof use_table / sizeof *use_table; i++) {
		struct screen *s = screen_new("use", NULL);
		struct strbuf reports, kept;

		strbuf_init(&reports);
		strbuf_init(&kept);
		screen_add_counter(s, "c", "1", "RAW");
		screen_add_counter(s, "d", "1", "RAW");
		screen_add_counter(s, "MAJFLT", "1", "RAW");
		for (int k = 0; k < 5 && use_table[i].column[k].header; k++)
			screen_add_column(s, use_table[i].column[k].header, "%f", NULL,
					  use_table[i].column[k].text)
				->line = k + 1;
		tap_int(screen_compile(s, collect, &reports, NULL), 0, "%s: compiles",
			use_table[i].what);
		tap_str(reports.text, use_table[i].reports, "%s: its reports", use_table[i].what);
		for (size_t k = 0; k < s->n_columns; k++)
			strbuf_addf(&kept, "%s=%g ", s->column[k].header,
				    expr_eval(s->column[k].expr, load, NULL, NULL).number);
		tap_str(kept.text, use_table[i].kept, "%s: its columns", use_table[i].what);
		strbuf_done(&kept);
		strbuf_done(&reports);
		screen_free(s);
	}
}

/* A counter may have the name of an operator or a function, which it then hides. */
static void test_old_names(void)
{
	static const char *const name[] = {"not", "and", "lt", "if", "per", "min", "sum", "delta"};

	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		struct screen *s = screen_new("old", NULL);
		char *text = xasprintf("%s - 1 + delta(%s)", name[i], name[i]);
		struct strbuf reports;

		strbuf_init(&reports);
		screen_add_counter(s, name[i], "1", "RAW");
		screen_add_column(s, name[i], "%f", NULL, text)->line = 1;
		tap_int(screen_compile(s, collect, &reports, NULL), 0, "a counter named %s",
			name[i]);
		tap_str(reports.text, "", "without a report");
		tap_num(s->n_columns ? expr_eval(s->column[0].expr, load, NULL, NULL).number
				     : (double)NAN,
			109, "hides all else of this name");
		strbuf_done(&reports);
		free(text);
		screen_free(s);
	}
}

static void keep_code(void *context, int line, const struct err *err)
{
	((int *)context)[line] = err->code;
}

/* Errors in a file that older versions accepted only drop columns; other errors end the program. */
static void test_codes(void)
{
	struct screen *s = screen_new("codes", NULL);
	int code[9] = {0};

	screen_add_column(s, "X", "%f", NULL, "X")->line = 1;
	screen_add_column(s, "Y", "%f", NULL, "delta(Y)")->line = 2;
	screen_add_column(s, "U", "%f", NULL, "X")->line = 3;
	screen_add_column(s, "Z", "%f", NULL, "Z")->line = 4;
	screen_add_column(s, "Z", "%f", NULL, "1")->line = 5;
	screen_add_column(s, "V", "%f", NULL, "W")->line = 6;
	screen_add_column(s, "W", "%f", NULL, "V")->line = 7;
	screen_add_column(s, "K", "%f", NULL, "CPU_NS")->line = 8;
	tap_int(screen_compile(s, keep_code, code, NULL), 0, "some columns are left");
	tap_int(code[1], ENOENT, "a column that is named as its counter, which is missing");
	tap_int(code[2], ENOENT, "the same with an increment");
	tap_int(code[3], 0, "a column that uses one with a fault: that one was reported");
	tap_int(code[4], ENOENT, "a name of two columns");
	tap_int(code[7], EINVAL, "a circle");
	tap_int(code[6], 0, "who uses one of it");
	tap_int(s->n_columns, 2, "the good ones are kept");
	tap_ok(fact_equal(s->facts, FACT_SET(FACT_CPU_NS)), "and want their fact");
	screen_free(s);
}

/* Makes n columns c0, c1, ...: '@' in text is replaced by the column `step` further on. A column
 * for which there is none has the text `end`. */
static struct screen *make_chain(int n, int step, const char *text, const char *end)
{
	struct screen *s = screen_new("chain", NULL);

	for (int i = 0; i < n; i++) {
		char *header = xasprintf("c%d", i), *used = xasprintf("c%d", i + step);
		bool last = i + step < 0 || i + step == n;
		struct strbuf expr;

		strbuf_init(&expr);
		for (const char *at = last ? end : text; *at; at++)
			if (*at == '@')
				strbuf_addstr(&expr, used);
			else
				strbuf_addch(&expr, *at);
		screen_add_column(s, header, "%f", NULL, expr.text)->line = 1;
		strbuf_done(&expr);
		free(header);
		free(used);
	}
	return s;
}

/* Very long expressions exhaust neither the stack nor the memory. */
static void test_limits(void)
{
	struct screen *s = make_chain(2000, 1, "@", "WAIT_NS");
	struct strbuf reports;

	strbuf_init(&reports);
	tap_int(screen_compile(s, collect, &reports, NULL), 0, "a chain of 2000 columns");
	tap_str(reports.text, "", "without a report");
	tap_num(expr_eval(s->column[0].expr, load, NULL, NULL).number, 7,
		"the last one's number arrives at the first");
	tap_ok(fact_equal(s->facts, FACT_SET(FACT_WAIT_NS)), "its fact is wanted");
	screen_free(s);

	s = make_chain(40, -1, "@ + @", "1");
	tap_int(screen_compile(s, collect, &reports, NULL), 0, "columns that double");
	tap_int(s->n_columns, 13, "are refused where they grow too long");
	tap_num(expr_eval(s->column[12].expr, load, NULL, NULL).number, 4096,
		"the last of the others");
	tap_ok(strstr(reports.text, "column 'c13': expr: column 7: too long: with the columns that "
				    "it uses it has more than 10000 operations") != NULL,
	       "and the sentence says so");
	screen_free(s);

	strbuf_reset(&reports);
	s = make_chain(100, 1, "1 + @", "1");
	tap_int(screen_compile(s, collect, &reports, NULL), 0, "columns that nest");
	tap_int(s->n_columns, 64, "are refused where they get too deep");
	tap_num(expr_eval(s->column[0].expr, load, NULL, NULL).number, 64,
		"the last of the others");
	tap_ok(strstr(reports.text, "column 'c35': expr: column 5: too deeply nested") != NULL,
	       "and the sentence says so");
	strbuf_done(&reports);
	screen_free(s);
}

/* The operations copied along a chain of columns grow with the square of its length, so the length
 * is limited, in both directions. */
static void test_chains(void)
{
	for (int step = -1; step <= 1; step += 2) {
		/* (n - 1)^2 operations are copied: the columns have 1, 3, 5, ... operations. */
		int longest = 317;
		struct err err = ERR_INIT;
		struct screen *s = make_chain(longest, step, "@ + 1", "1");
		struct strbuf reports;

		strbuf_init(&reports);
		tap_int(screen_compile(s, collect, &reports, NULL), 0, "a chain of %d", longest);
		tap_num(expr_eval(s->column[step < 0 ? longest - 1 : 0].expr, load, NULL, NULL)
				.number,
			longest, "is whole");
		screen_free(s);
		for (int n = longest + 1; n <= 8000; n += 8000 - longest - 1) {
			s = make_chain(n, step, "@ + 1", "1");
			tap_int(screen_compile(s, collect, &reports, &err), -EINVAL,
				"a chain of %d is refused", n);
			tap_str(err.text,
				"screen 'chain': its columns use each other too much, with more "
				"than 100000 operations in all: let them use less of others, or "
				"split it",
				"and the sentence says why");
			screen_free(s);
		}
		tap_str(reports.text, "", "without a report of single columns");
		strbuf_done(&reports);
	}
}

int main(void)
{
	test_columns_used();
	test_old_names();
	test_codes();
	test_limits();
	test_chains();
	return tap_done();
}
