/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of lines: a record for each chain of waits, in place of the records for locks. */
#include <inttypes.h>
#include <math.h>

#include "inject/lib/clock.h"
#include "profile/locks/chains.h"
#include "profile/locks/lines_part.h"

/* clang-format off */
static const struct report_column chain_columns[] = {
	{.id = "type"},
	{.id = "schema"},
	{.id = "pid", .csv = "pid"},
	{.id = "wait", .csv = "wait_ns", .title = "#     time", .width = 13, .digits = 3, .per = 1e6, .unit = "ms",
	 .rank = 1},
	{.id = "share", .csv = "share_pct", .csv_digits = 4, .title = "share%", .width = 7, .digits = 1, .rank = 3},
	{.id = "waits", .csv = "waits", .title = "waits", .width = 8, .rank = 4},
	{.id = "length", .csv = "length", .title = "locks", .width = 5, .rank = 5},
	{.id = "chain", .csv = "chain", .title = "chain", .width = -1, .rank = 2, .role = REPORT_IS_NAME},
	{.id = "holder", .csv = "holder", .title = "held by", .width = -1, .rank = 6},
	{.id = "locks"},
	{.id = "callers"},
};
/* clang-format on */

static const struct report_type chain_type = {
	chain_columns, sizeof chain_columns / sizeof *chain_columns, NULL, 1, NULL};

void locks_lines_declare_chains(struct report_own_type *t)
{
	report_own_type_init(t, chain_columns, sizeof chain_columns / sizeof *chain_columns);
}

/* Fills a list with one name for each wait of the chain. */
static void put_list(struct report_record *record, const char *id, const struct locks_lines *l,
		     const struct locks_chain *chain,
		     void (*add)(struct strbuf *out, const struct locks_copy *copy,
				 const struct locks_chain *chain, struct resolver *names))
{
	struct strbuf name;

	strbuf_init(&name);
	record_list(record, id, 1);
	for (; chain; chain = locks_chains_next(l->copy, chain)) {
		strbuf_reset(&name);
		add(&name, l->copy, chain, l->names);
		record_item_text(record, name.text);
	}
	strbuf_done(&name);
}

static void put_chain(struct report_record *record, const struct locks_lines *l,
		      const struct locks_chains *all, const struct chain_sum *one)
{
	struct strbuf holder;
	bool known;

	strbuf_init(&holder);
	known = locks_chains_add_holder(&holder, l->copy, one->chain, l->names);
	lines_put_begin(record, l, "chain");
	record_count(record, "wait", tt_multiply(one->ticks, l->copy->header.ns_per_tick));
	record_number(record, "share", lines_percent(one->ticks, all->ticks));
	record_count(record, "waits", one->n);
	record_count(record, "length", one->chain->depth);
	record_text(record, "chain", one->text);
	record_text(record, "holder", known ? holder.text : NULL);
	put_list(record, "locks", l, one->chain, locks_chains_add_lock);
	put_list(record, "callers", l, one->chain, locks_chains_add_caller);
	strbuf_done(&holder);
}

static void add_sentence(const struct locks_chains *all, struct report *report)
{
	struct strbuf text;

	strbuf_init(&text);
	if (all->n)
		strbuf_addf(
			&text,
			"# chains of waits: %zu, with %.1f %% of the waiting for locks: \"a (f) > "
			"b (g)\": f waited for a, while its holder waited in g for b\n",
			all->n, lines_percent(all->listed, all->ticks));
	else
		strbuf_addstr(&text,
			      "# no chains of waits: in waits that have ended, no holder of a lock "
			      "waited while another thread waited for the lock\n");
	report_note(report, text.text);
	strbuf_done(&text);
}

void lines_chains_add(const struct locks_lines *l, struct report *report)
{
	struct locks_chains all;

	locks_chains_make(&all, l->copy, l->names);
	add_sentence(&all, report);
	report_heading(report, &chain_type);
	for (size_t i = 0; i < all.n; i++)
		put_chain(report_add(report, &chain_type), l, &all, &all.v[i]);
	locks_chains_done(&all);
}
