/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of lines: a record for each thread, in place of the records for locks. */
#include <inttypes.h>
#include <math.h>

#include "profile/locks/lines_part.h"
#include "profile/locks/report.h"

/* clang-format off */
static const struct report_column thread_columns[] = {
	{.id = "type"},
	{.id = "schema"},
	{.id = "pid", .csv = "pid"},
	{.id = "tid", .csv = "tid", .title = "#     tid", .width = 9, .rank = 1},
	{.id = "name"},
	{.csv = "name", .title = "name", .width = -15, .rank = 2}, /* empty: several threads */
	{.id = "threads", .csv = "threads", .title = "threads", .width = 7, .rank = 11},
	{.id = "acquisitions", .csv = "acquisitions", .title = "acquired", .width = 10, .rank = 6},
	{.id = "static", .csv = "static"},
	{.id = "static_at_least", .csv = "static_at_least"},
	{.title = "locks ", .width = 8, .rank = 9, .field = "static"},
	{.id = "per_10k_ticks", .csv = "per_10k_ticks", .csv_digits = -6,
	 .title = "in 10,000", .width = 9, .digits = 3, .rank = 10},
	{.id = "unit"},
	{.id = "time", .csv = "time_ns", .title = "time", .width = 13, .digits = 3, .per = 1e6, .unit = "ms",
	 .rank = 3},
	{.id = "waiting", .csv = "waiting_ns"},
	{.title = "waiting%", .width = 8, .digits = 1, .rank = 4, .field = "waiting_ns"},
	{.id = "holding", .csv = "holding_ns"},
	{.title = "holding%", .width = 8, .digits = 1, .rank = 5, .field = "holding_ns"},
	{.id = "free", .csv = "free_ns"},
	{.title = "free%", .width = 8, .digits = 1, .rank = 7, .field = "free_ns"},
	{.id = "own", .csv = "own_ns"},
	{.title = "own%", .width = 8, .digits = 1, .rank = 8, .field = "own_ns"},
	{.id = "ended", .csv = "ended"},
};
/* clang-format on */

void lines_threads_declare(struct report_own_type *t)
{
	report_own_type_init(t, thread_columns, sizeof thread_columns / sizeof *thread_columns);
	lines_states_declare(t, true);
}

/* Fills in the number of locks; in text "12 ", "12+" for a lower bound, "- " if unknown. */
static void put_locks(struct report_record *record, const struct thread_locks *one)
{
	struct strbuf text;

	record_value(record, "static", lines_known(one->instances, one->name));
	record_value(record, "static_at_least", lines_known(one->at_least, one->name));
	strbuf_init(&text);
	if (one->name)
		strbuf_addf(&text, "%" PRIu64, one->instances);
	else
		strbuf_addch(&text, '-');
	strbuf_addch(&text, one->at_least ? '+' : ' ');
	record_text(record, "", text.text);
	strbuf_done(&text);
}

static void put_thread(struct report_record *record, const struct locks_lines *l,
		       const struct thread_locks *one)
{
	lines_put_begin(record, l, "thread");
	record_value(record, "tid", lines_known(one->tid, one->name));
	record_text(record, "name", one->name);
	record_text(record, "", one->name ? one->name : "");
	record_count(record, "threads", one->n);
	record_count(record, "acquisitions", one->acquisitions);
	put_locks(record, one);
	record_number(record, "per_10k_ticks", locks_threads_density(one));
	record_text(record, "unit", "ns");
	record_count(record, "time", lines_ns(l, one->time));
	for (int s = 0; s < LOCKS_STATES; s++) {
		const bool known = lines_knows_state(l, s);

		record_value(record, lines_state_names[s],
			     lines_known(lines_ns(l, one->ticks[s]), known));
		record_number(record, "",
			      known ? lines_percent(one->ticks[s], one->time) : (double)NAN);
	}
	record_count(record, "ended", !one->alive);
	lines_states_put(record, &one->states, true);
}

void lines_threads_add(const struct locks_lines *l, struct report *report,
		       const struct report_own_type *t)
{
	report_heading(report, &t->type);
	for (size_t i = 0; i < l->threads->n; i++)
		put_thread(report_add(report, &t->type), l, &l->threads->v[i]);
}
