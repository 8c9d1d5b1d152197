/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts in expressions: they can be compared with texts only.
 */
#include <stdlib.h>

#include "expr_rig.h"
#include "tap.h"

static void test_comparisons(void)
{
	static const struct {
		const char *text;
		double want;
	} table[] = {
		{"user == \"db\"", 1},
		{"user == 'db'", 1},
		{"'db' == user", 1},
		{"user == \"DB\"", 0},
		{"user == 'd'", 0},
		{"user == 'dba'", 0},
		{"user == \"\"", 0},
		{"nothing == ''", 1},
		{"user eq 'db'", 1},
		{"user != \"db\"", 0},
		{"user ne 'root'", 1},
		{"user < 'dc'", 1},
		{"user < 'db'", 0},
		{"user <= 'db'", 1},
		{"user > 'da'", 1},
		{"user >= 'dba'", 0},
		{"'\xc3\xa4' > 'z'", 1}, /* by unsigned bytes */
		{"user == state", 0},
		{"user == user", 1},
		{"'a\"b' == 'a\"b'", 1},
		{"(user) == (('db'))", 1},
		{"[user] == 'db'", 1},
		{"user == 'db' and a > b", 1},
		{"a < b or state == 'R'", 1},
		{"if(state == 'R', a, b)", 6},
		{"(user == 'db') + (state == 'R')", 2},
		{"not user == 'root'", 1},
		{"running + running", 2}, /* the texts of a named expression are included */
		{"user == 'db' and running", 1},
		{"' [x] and 1' == ' [x] and 1'", 1},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct value v = rig_eval(table[i].text);

		tap_num(v.number, table[i].want, "%s", table[i].text);
		tap_ok(v.quality == QUALITY_EXACT && v.share == 1, "%s is exact", table[i].text);
	}
}

static void test_unknown(void)
{
	static const struct {
		const char *text;
		double number;
		enum quality quality;
	} table[] = {
		{"secret == 'x'", NAN, QUALITY_NOT_READ},
		{"'x' != secret", NAN, QUALITY_NOT_READ},
		{"mixed == ''", NAN, QUALITY_DIFFER},
		{"secret == mixed", NAN, QUALITY_NOT_READ},
		{"missing == 'x'", NAN, QUALITY_NOT_READ},
		{"old == 'db'", 1, QUALITY_STALE},
		{"old == user", 1, QUALITY_STALE},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct value v = rig_eval(table[i].text);

		tap_num(v.number, table[i].number, "the number of %s", table[i].text);
		tap_int(v.quality, table[i].quality, "the quality of %s", table[i].text);
	}
}

#define IS_TEXT                                                                                    \
	" is a text: it can be compared with another text, and nothing can be computed from it"
#define ONE_NUMBER ": a text can only be compared with another text, and one side of '"

static void test_faults(void)
{
	static const struct {
		const char *text, *want;
	} table[] = {
		{"'db'", "column 1: 'db'" IS_TEXT},
		{"a + user", "column 5: user" IS_TEXT},
		{"user * 2", "column 1: user" IS_TEXT},
		{"'a' + 'b'", "column 1: 'a'" IS_TEXT},
		{"-user", "column 2: user" IS_TEXT},
		{"1 + +'x'", "column 6: 'x'" IS_TEXT},
		{"not user", "column 5: user" IS_TEXT},
		{"user and a", "column 1: user" IS_TEXT},
		{"a or [user]", "column 6: [user]" IS_TEXT},
		{"abs(user)", "column 5: user" IS_TEXT},
		{"if(a, user, 'x')", "column 7: user" IS_TEXT},
		{"a < b and user", "column 11: user" IS_TEXT},
		{"user == 1", "column 6" ONE_NUMBER "==' is a number"},
		{"a < 'x'", "column 3" ONE_NUMBER "<' is a number"},
		{"user == (state == 'R')", "column 6" ONE_NUMBER "==' is a number"},
		{"user == 'a' == 'b'",
		 "column 13: comparisons make no chain: join two of them by 'and'"},
		{"user == \"db", "column 9: the text that begins here has no quote at its end"},
		{"user == 'db\"", "column 9: the text that begins here has no quote at its end"},
		{"'a\tb' == user", "column 1: the text that begins here has no quote at its end"},
		{"user 'db'",
		 "column 6: one of + - * / < <= > >= == != and or is expected, not ''db''"},
		{"delta('x')",
		 "column 7: the name of a counter or variable is expected, not ''x''"},
	};
	struct expr_rig rig;

	expr_rig_init(&rig);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct expr *e = NULL;
		struct err err = ERR_INIT;
		int rc = expr_compile(&e, table[i].text, &rig.symbols, &err);

		tap_str(err.text, table[i].want, "the fault in %s", table[i].text);
		tap_ok(rc == -EINVAL && !e, "the code of the fault in %s", table[i].text);
	}
	expr_rig_done(&rig);
}

/* A single name of a text is an expression; its text must be read by the caller. */
static void test_alone(void)
{
	struct expr *e = NULL, *sum = NULL;
	struct expr_rig rig;

	expr_rig_init(&rig);
	if (tap_ok(!expr_compile(&e, " (user)", &rig.symbols, NULL), "a text alone")) {
		tap_ok(expr_is_text(e), "is a text");
		tap_int((long)expr_n_refs(e), 1, "of one name");
		tap_int(expr_eval(e, rig_load, NULL, NULL).quality, QUALITY_EXACT,
			"which is known");
	}
	expr_free(e);
	if (tap_ok(!expr_compile(&sum, "user == 'db'", &rig.symbols, NULL), "a comparison")) {
		tap_ok(!expr_is_text(sum), "is a number");
		tap_int(expr_eval(sum, rig_load, NULL, NULL).quality, QUALITY_NOT_READ,
			"unknown, where no texts are given");
	}
	expr_free(sum);
	rig.symbols.is_text = NULL;
	if (tap_ok(!expr_compile(&e, "user + 1", &rig.symbols, NULL), "without is_text()"))
		expr_free(e);
	expr_rig_done(&rig);
}

int main(void)
{
	test_comparisons();
	test_unknown();
	test_faults();
	test_alone();
	return tap_done();
}
