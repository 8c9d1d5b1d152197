/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of facts, and the rows of the list of facts. */
#include "model/fact.h"
#include "model/fact_list.h"
#include "tap.h"

/* A set has room for FACT_MAX facts, in the order of their numbers. */
static void test_room(void)
{
	struct fact_set all = FACT_NONE, even = FACT_NONE;

	for (int i = 0; i < FACT_MAX; i++) {
		tap_ok(!fact_in(all, i), "fact %d is another one", i);
		tap_ok(fact_equal(FACT_SET(i), fact_less(fact_or(all, FACT_SET(i)), all)),
		       "the set of it alone");
		fact_add(&all, i);
		tap_ok(fact_in(all, i), "it is in the set");
		tap_int(fact_count(all), i + 1, "and is counted");
		tap_int(fact_place(all, i), i, "behind the others");
		if (i % 2 == 0)
			fact_add(&even, i);
	}
	tap_ok(fact_within(even, all) && !fact_within(all, even), "a set is within another one");
	tap_ok(fact_equal(fact_and(all, even), even), "what both have");
	for (int i = 0; i < FACT_MAX; i += 2) {
		tap_int(fact_place(even, i), i / 2, "the place of fact %d among half of them", i);
		fact_remove(&all, i);
	}
	tap_ok(!fact_any(fact_and(all, even)), "none is left of those that are removed");
	for (int i = 0; i < FACT_MAX; i += 2)
		tap_int(fact_take(&even), i, "the first one is taken");
	tap_int(fact_take(&even), -1, "until there is none");
	tap_ok(!fact_any(even), "the set is empty then");
}

static void test_sets(void)
{
	struct fact_set all = FACT_NONE;

	for (int f = 0; f < N_FACTS; f++) {
		fact_add(&all, f);
		tap_ok(fact_in(fact_numbers, f) == (f < N_NUMBER_FACTS), "fact %d: a number", f);
	}
	tap_ok(fact_equal(fact_all, all), "all facts");
	tap_int(fact_count(fact_read_texts()), N_READ_TEXTS, "the texts that are read on demand");
	tap_ok(fact_equal(fact_or(fact_numbers, fact_or(fact_always_read(), fact_read_texts())),
			  all),
	       "numbers, given texts and these are all");
}

static void check_origin(int fact, const char *origin)
{
	struct strbuf text;

	strbuf_init(&text);
	fact_add_origin(&text, fact);
	tap_str(text.text, origin, "where %s is read", fact_table[fact].name);
	strbuf_done(&text);
}

/* Each row of the table of facts is complete: a fact that no kind of rows has would never be
 * read. */
static void test_rows(void)
{
	struct fact_set of_any = FACT_NONE;

	for (int k = 0; k < N_FACT_OF; k++)
		of_any = fact_or(of_any, fact_of_table[k]);
	tap_ok(fact_equal(of_any, fact_all), "some kind of rows has each fact");
	for (int f = 0; f < N_FACTS; f++) {
		const struct fact_row *row = &fact_table[f];

		tap_ok(row->name && row->help && row->topic && (row->origin || row->field),
		       "the row of %s is whole", row->name);
		tap_ok(!row->metric == !row->metric_help, "so is its metric, if it is one");
		tap_ok((row->kind == FACT_TEXT) == (f >= N_NUMBER_FACTS),
		       "it stands among the texts if it is one");
	}
	check_origin(FACT_UTIME_NS, "stat: utime");
	check_origin(FACT_VCSW, "status: voluntary_ctxt_switches");
	check_origin(FACT_CPU_NS, "CPU clock");
}

int main(void)
{
	test_rows();
	test_room();
	test_sets();
	return tap_done();
}
