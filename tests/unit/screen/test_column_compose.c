/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adding columns of one screen to another. */
#include <errno.h>

#include "base/mem.h"
#include "screen/column.h"
#include "tap.h"

/* Compares the columns and counters of a screen, "A B | x y". */
static void check(const struct screen *s, const char *want, const char *what)
{
	char got[256] = "";

	for (size_t i = 0; i < s->n_columns; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s ", s->column[i].header);
	snprintf(got + strlen(got), sizeof got - strlen(got), "|");
	for (size_t i = 0; i < s->n_counters; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), " %s=%s", s->counter[i].alias,
			 s->counter[i].event);
	tap_str(got, want, "%s", what);
}

static void count(struct screen *s, const char *alias, const char *event)
{
	screen_add_counter(s, alias, "", NULL)->event = xstrdup(event);
}

static struct screen *make_from(void)
{
	struct screen *s = screen_new("from", NULL);

	count(s, "a", "one");
	count(s, "a", "other");
	count(s, "b", "two");
	screen_add_column(s, "A", "%f", "what a is", "delta(a)")->priority = 3;
	screen_add_column(s, "AB", "%f", NULL, "per(a, b) + [a c] + if('b' == USER, 1, 2)");
	screen_add_column(s, "F", "%f", NULL, "CPU_TOT + ab");
	s->column[0].element = s->counter[0].element = 9;
	return s;
}

static void test_take(void)
{
	struct screen *from = make_from(), *s = screen_new("to", NULL);
	struct err err = ERR_INIT;

	screen_add_column(s, "X", "%f", NULL, "CPU_TOT");
	tap_int(compose_copy(s, 0, from, 0, &err), 0, "a column is taken");
	check(s, "A X | a=one a=other", "with all that its counter may be");
	tap_str(s->column[0].desc, "what a is", "as it is");
	tap_int(s->column[0].priority, 3, "in all");
	tap_int(s->column[0].element + s->counter[0].element, 0, "but for its place in a file");
	tap_ok(compose_has(s, &from->column[0]) && !compose_has(s, &from->column[1]),
	       "it is there then");
	tap_ok(compose_has_all(s, from, 0), "with the same counters");
	tap_int(compose_copy(s, 2, from, 1, &err), 0, "another one");
	check(s, "A X AB | a=one a=other b=two", "shares what is the same");
	tap_int(compose_copy(s, 3, from, 2, &err), 0, "one without counters");
	check(s, "A X AB F | a=one a=other b=two", "brings none");
	compose_move(s, 0, 3);
	check(s, "X AB F A | a=one a=other b=two", "a column goes to the end");
	compose_move(s, 2, 0);
	check(s, "F X AB A | a=one a=other b=two", "and one to the front");
	compose_drop(s, 2);
	check(s, "F X A | a=one a=other", "a counter goes with the last column that names it");
	compose_drop(s, 2);
	check(s, "F X |", "as do all of its declarations");
	count(s, "b", "three");
	tap_int(compose_copy(s, 0, from, 1, &err), -EEXIST, "another counter of this name");
	tap_str(err.text,
		"this column of the screen 'from' needs its counter 'b': the screen 'to' has "
		"another counter of this name",
		"is not taken for it");
	check(s, "F X | b=three", "and nothing is changed");
	screen_add_column(s, "AB", "%f", NULL, from->column[1].text);
	tap_ok(compose_has(s, &from->column[1]) && !compose_has_all(s, from, 1),
	       "that of other counters is another one");
	screen_free(s);
	screen_free(from);
}

static void test_add(void)
{
	struct screen *from = make_from(), *s = screen_new("to", NULL);
	const struct screen_list others = {.v = &from, .n = 1};
	struct err err = ERR_INIT;

	tap_int(compose_add(s, 0, "MINE", "delta(b) / CPU_NS", &others, &err), 0,
		"a column of one's own");
	check(s, "MINE | b=two", "finds the counters that it names");
	tap_int(compose_add(s, 0, "T", "USER", &others, &err), 0, "a text");
	tap_str(s->column[0].format, "%-12s", "has the format of one");
	tap_int(compose_add(s, 0, "", "1", &others, &err), -EINVAL, "one without a name");
	tap_str(err.text, "a column is NAME = EXPRESSION, as in CPI = delta(cycle) / delta(instr)",
		"is told how to write it");
	s->column[1].element = 4;
	tap_int(compose_change(s, 1, "MINE", "delta(a)", &others, &err), 0, "another expression");
	check(s, "T MINE | a=one a=other", "needs other counters");
	tap_int(s->column[1].element, 4, "but is in its place in the file");
	tap_int(compose_change(s, 1, "M", "", &others, &err), -EINVAL, "it cannot be empty");
	tap_int(compose_change(s, 1, "   M", "1", &others, &err), 0, "a name with blanks");
	tap_int(compose_change(s, 1, s->column[1].header, "2", &others, &err), 0,
		"another expression only");
	tap_str(s->column[1].header, "   M", "keeps the name");
	tap_int(compose_change(s, 1, "M", "3", &others, &err), 0,
		"as the name without blanks does");
	tap_str(s->column[1].header, "   M", "and its blanks");
	screen_free(s);
	screen_free(from);
}

int main(void)
{
	test_take();
	test_add();
	return tap_done();
}
