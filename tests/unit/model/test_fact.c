/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of facts: each fact has its own bit, and all bits are used. */
#include "model/fact.h"
#include "model/fact_list.h"
#include "tap.h"

#define BITS 64

static void test_bits(void)
{
	fact_mask all = 0;

	for (int i = 0; i < BITS; i++) {
		tap_ok(FACT_BIT(i) && !fact_in(all, i), "bit %d is another one", i);
		all |= FACT_BIT(i);
		tap_int(fact_count(all), i + 1, "and is counted");
		tap_int(fact_count(~all), BITS - i - 1, "so are those that are left");
	}
}

static void test_sets(void)
{
	const fact_mask numbers = FACT_BIT(N_NUMBER_FACTS) - 1;

	tap_int(fact_count(FACT_BIT(N_FACTS) - 1), N_FACTS, "all facts");
	tap_int(fact_count(fact_read_texts()), N_READ_TEXTS, "the texts that are read on demand");
	tap_ok((numbers | fact_always_read() | fact_read_texts()) == FACT_BIT(N_FACTS) - 1,
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
	fact_mask of_any = 0;

	for (int k = 0; k < N_FACT_OF; k++)
		of_any |= fact_of_table[k];
	tap_ok(of_any == fact_all, "some kind of rows has each fact");
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
	test_bits();
	test_sets();
	return tap_done();
}
