/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions of columns: errors and their positions.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "expr_rig.h"
#include "tap.h"

static const struct {
	const char *text, *want;
} error_table[] = {
	{"", "column 1: the expression is empty"},
	{"   ", "column 1: the expression is empty"},
	{"cylces/2", "column 1: there is no counter, variable or column 'cylces' in this screen"},
	{"a + cylces", "column 5: there is no counter, variable or column 'cylces' in this screen"},
	{"delta(c)", "column 7: there is no counter or variable 'c' in this screen"},
	{"A", "column 1: there is no counter, variable or column 'A' in this screen"},
	{"delta", "column 1: 'delta' is a function: write delta(NAME)"},
	{"delta(delta)", "column 7: 'delta' is a function: write delta(NAME)"},
	{"a(b)",
	 "column 1: there is no function 'a': there are delta(), rate(), per(), min(), max(), "
	 "abs(), if(), even()"},
	{"1+Delta(b)", "column 3: there is no function 'Delta' (did you mean 'delta'?): there are "
		       "delta(), rate(), per(), min(), "
		       "max(), abs(), if(), even()"},
	{"1*(a+b*2", "column 9: ')' is missing for the '(' in column 3"},
	{"(1+(2)", "column 7: ')' is missing for the '(' in column 1"},
	{"delta(a", "column 8: ')' is missing for the '(' in column 6"},
	{"1+2)", "column 4: there is no '(' for this ')'"},
	{")", "column 1: a number, a name or '(' is expected, not ')'"},
	{"()", "column 2: a number, a name or '(' is expected, not ')'"},
	{"a+", "column 3: a number, a name or '(' is expected, not the end"},
	{"a+  ", "column 5: a number, a name or '(' is expected, not the end"},
	{"-", "column 2: a number, a name or '(' is expected, not the end"},
	{"a*/b", "column 3: a number, a name or '(' is expected, not '/'"},
	{"*a", "column 1: a number, a name or '(' is expected, not '*'"},
	{"a b", "column 3: one of + - * / < <= > >= == != and or is expected, not 'b'"},
	{"a 2", "column 3: one of + - * / < <= > >= == != and or is expected, not '2'"},
	{"a|b", "column 2: one of + - * / < <= > >= == != and or is expected, not '|'"},
	{"(a b)", "column 4: ')' or one of + - * / < <= > >= == != and or is expected, not 'b'"},
	{"a,b", "column 2: one of + - * / < <= > >= == != and or is expected, not ','"},
	{"delta(5)", "column 7: the name of a counter or variable is expected, not '5'"},
	{"delta()", "column 7: the name of a counter or variable is expected, not ')'"},
	{"rate(", "column 6: the name of a counter or variable is expected, not the end"},
	{"delta((a))", "column 7: the name of a counter or variable is expected, not '('"},
	{"delta(a+b)",
	 "column 8: ')' after the one name that a function takes is expected, not '+'"},
	{"delta(a,b)",
	 "column 8: ')' after the one name that a function takes is expected, not ','"},
	{"2*12abc", "column 3: '12abc' is not a number, or is too large"},
	{"1.2.3", "column 1: '1.2.3' is not a number, or is too large"},
	{"1e", "column 1: '1e' is not a number, or is too large"},
	{"1e+", "column 1: '1e+' is not a number, or is too large"},
	{"0x", "column 1: '0x' is not a number, or is too large"},
	{"0xfg", "column 1: '0xfg' is not a number, or is too large"},
	{"0x1.8", "column 1: '0x1.8' is not a number, or is too large"},
	{"0x10000000000000000", "column 1: '0x10000000000000000' is not a number, or is too large"},
	{"1e999", "column 1: '1e999' is not a number, or is too large"},
	{".", "column 1: a number, a name or '(' is expected, not '.'"},
	{"a.b", "column 2: one of + - * / < <= > >= == != and or is expected, not '.'"},
	{"$", "column 1: a number, a name or '(' is expected, not '$'"},
	{"a\xe2\x88\x92"
	 "b",
	 "column 2: one of + - * / < <= > >= == != and or is expected, not the byte 0xE2"},
	{"\x01", "column 1: a number, a name or '(' is expected, not the byte 0x01"},
	{"\x7f", "column 1: a number, a name or '(' is expected, not the byte 0x7F"},
	{"\xff\xfe", "column 1: a number, a name or '(' is expected, not the byte 0xFF"},
	{"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ",
	 "column 1: there is no counter, variable or column "
	 "'abcdefghijklmnopqrstuvwxyz0123456789ABCD' in this screen"},
	{"1234567890123456789012345678901234567890123456789012345678901234",
	 "column 1: a number has at most 63 characters"},
	{"a=b", "column 2: one of + - * / < <= > >= == != and or is expected, not '='"},
	{"a!b", "column 2: one of + - * / < <= > >= == != and or is expected, not '!'"},
	{"a&b", "column 2: one of + - * / < <= > >= == != and or is expected, not '&'"},
	{"a <> b", "column 4: a number, a name or '(' is expected, not '>'"},
	{"a = = b", "column 3: one of + - * / < <= > >= == != and or is expected, not '='"},
	{"a < = b", "column 5: a number, a name or '(' is expected, not '='"},
	{"a =< b", "column 3: one of + - * / < <= > >= == != and or is expected, not '='"},
	{"<= a", "column 1: a number, a name or '(' is expected, not '<='"},
	{"a !=", "column 5: a number, a name or '(' is expected, not the end"},
	{"a &&", "column 5: a number, a name or '(' is expected, not the end"},
	{"|| a", "column 1: a number, a name or '(' is expected, not '||'"},
	{"a || || b", "column 6: a number, a name or '(' is expected, not '||'"},
	{"a < !b", "column 5: a number, a name or '(' is expected, not '!'"},
	{"a ! b", "column 3: one of + - * / < <= > >= == != and or is expected, not '!'"},
	{"a|||b", "column 4: a number, a name or '(' is expected, not '|'"},
	{"1 < a < 3", "column 7: comparisons make no chain: join two of them by 'and'"},
	{"a == b eq 1", "column 8: comparisons make no chain: join two of them by 'and'"},
	{"not a < b > 1", "column 11: comparisons make no chain: join two of them by 'and'"},
	{"a and", "column 6: a number, a name or '(' is expected, not the end"},
	{"a and and b", "column 7: a number, a name or '(' is expected, not the operator 'and'"},
	{"or a", "column 1: a number, a name or '(' is expected, not the operator 'or'"},
	{"a + ge", "column 5: a number, a name or '(' is expected, not the operator 'ge'"},
	{"1 + not a", "column 5: a number, a name or '(' is expected, not the operator 'not'"},
	{"-not a", "column 2: a number, a name or '(' is expected, not the operator 'not'"},
	{"a < not b", "column 5: a number, a name or '(' is expected, not the operator 'not'"},
	{"not", "column 4: a number, a name or '(' is expected, not the end"},
	{"a not b", "column 3: one of + - * / < <= > >= == != and or is expected, not 'not'"},
	{"a AND b", "column 3: one of + - * / < <= > >= == != and or is expected, not 'AND'"},
	{"delta(and)", "column 7: there is no counter or variable 'and' in this screen"},
	{"abs", "column 1: 'abs' is a function: write abs(a)"},
	{"1 + if", "column 5: 'if' is a function: write if(c, a, b)"},
	{"delta(per)", "column 7: 'per' is a function: write per(a, b)"},
	{"abs()", "column 5: a number, a name or '(' is expected, not ')'"},
	{"1+abs(a, b)", "column 3: abs() takes 1 argument: write abs(a)"},
	{"min(a)", "column 1: min() takes 2 arguments: write min(a, b)"},
	{"min(a, b, 1)", "column 1: min() takes 2 arguments: write min(a, b)"},
	{"a + if(a, b)", "column 5: if() takes 3 arguments: write if(c, a, b)"},
	{"if(a, b, 1, 2)", "column 1: if() takes 3 arguments: write if(c, a, b)"},
	{"per(a, )", "column 8: a number, a name or '(' is expected, not ')'"},
	{"per(a, b", "column 9: ')' is missing for the '(' in column 4"},
	{"per(a b)",
	 "column 7: ')' or one of , + - * / < <= > >= == != and or is expected, not 'b'"},
	{"(a, b)", "column 3: ')' or one of + - * / < <= > >= == != and or is expected, not ','"},
	{"[sum", "column 1: ']' is missing for this '['"},
	{"1 + [", "column 5: ']' is missing for this '['"},
	{"[su\tm]", "column 1: ']' is missing for this '['"},
	{"even", "column 1: 'even' is a function: write even(n)"},
	{"1 + even()", "column 10: a whole number is expected, not ')'"},
	{"even(a)", "column 6: a whole number is expected, not 'a'"},
	{"even(-1)", "column 6: a whole number is expected, not '-'"},
	{"even(1.5)", "column 6: '1.5' is not a whole number"},
	{"even(99999999999999999999)", "column 6: '99999999999999999999' does not fit in 64 bits"},
	{"even(1, 2)", "column 7: ')' after the number is expected, not ','"},
	{"even(1", "column 7: ')' is missing for the '(' in column 5"},
	{"sum]", "column 4: one of + - * / < <= > >= == != and or is expected, not ']'"},
	{"sum [sum]", "column 5: one of + - * / < <= > >= == != and or is expected, not '[sum]'"},
	{"1 + [Sum]", "column 5: there is no column '[Sum]' in this screen"},
	{"[b]", "column 1: there is no column '[b]' in this screen"},
	{"[]", "column 1: there is no column '[]' in this screen"},
	{"[0123456789012345678901234567890123456789]",
	 "column 1: there is no column '[012345678901234567890123456789012345678' in this screen"},
	{"[01234567890123456789012345678901234567\xc3\xa9]",
	 "column 1: there is no column '[01234567890123456789012345678901234567' in this screen"},
	{"delta(sum)", "column 7: there is no counter or variable 'sum' in this screen"},
	{"delta([sum])", "column 7: the name of a counter or variable is expected, not '[sum]'"},
	{"1 + lost", "column 5: it is lost"},
	{"1 + [lost]", "column 5: it is lost"},
};

/* Returns the error code that belongs to a message. */
static int code_of(const char *sentence)
{
	if (strstr(sentence, "it is lost"))
		return EACCES; /* the code that expand() returned */
	if (strstr(sentence, "does not fit"))
		return ERANGE;
	return strstr(sentence, "there is no counter") || strstr(sentence, "there is no column")
		       ? ENOENT
		       : EINVAL;
}

static void test_errors(void)
{
	struct expr_rig rig;
	struct err err = ERR_INIT;

	expr_rig_init(&rig);
	for (size_t i = 0; i < sizeof error_table / sizeof *error_table; i++) {
		struct expr *e = NULL;
		/* Its exact size, so that ASan detects a read past it. */
		char *text = xstrdup(error_table[i].text);
		int rc = expr_compile(&e, text, &rig.symbols, &err);
		int code = code_of(error_table[i].want);

		tap_str(err.text, error_table[i].want, "the fault in '%s'", error_table[i].text);
		tap_ok(rc == -code && err.code == code && !e, "the code of the fault in '%s'",
		       error_table[i].text);
		free(text);
	}
	tap_int(expr_compile(&(struct expr *){NULL}, "(", &rig.symbols, NULL), -EINVAL,
		"the sentence is optional");
	expr_compile(&(struct expr *){NULL}, "a + even(b)", &rig.symbols, &err);
	tap_int((long)expr_fault_column(&err), 10, "the place of a fault as a number");
	err_set(&err, EINVAL, "columns are wrong");
	tap_int((long)expr_fault_column(&err), 0, "a sentence that names none");
	rig.symbols.expand = NULL;
	tap_int(expr_compile(&(struct expr *){NULL}, "sum", &rig.symbols, NULL), -ENOENT,
		"so are other expressions");
	tap_int(expr_compile(&(struct expr *){NULL}, "[sum]", &rig.symbols, NULL), -ENOENT,
		"in brackets, too");
	expr_rig_done(&rig);
}

int main(void)
{
	test_errors();
	return tap_done();
}
