/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of facts: each fact has a bit of its own, and all bits are counted. */
#include "model/fact.h"
#include "tap.h"

#define BITS 64

static void test_bits(void)
{
	fact_mask all = 0;

	for (int i = 0; i < BITS; i++) {
		tap_ok(FACT_BIT(i) && !(all & FACT_BIT(i)), "bit %d is another one", i);
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
	tap_ok((numbers | fact_given() | fact_read_texts()) == FACT_BIT(N_FACTS) - 1,
	       "numbers, given texts and these are all");
}

int main(void)
{
	test_bits();
	test_sets();
	return tap_done();
}
