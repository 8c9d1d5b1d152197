/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of lines: a row for each thread, in place of those for locks. */
#include <inttypes.h>

#include "base/csv.h"
#include "base/json.h"
#include "locks/lines_part.h"

static void add_csv_thread(const struct locks_lines *l, struct strbuf *out,
			   const struct locks_one *one)
{
	strbuf_addf(out, "%u,", l->copy->header.pid);
	if (one->name)
		strbuf_addf(out, "%u,", one->tid);
	else
		strbuf_addch(out, ',');
	csv_add_text(out, one->name ? one->name : "");
	strbuf_addf(out, ",%u,%" PRIu64 ",", one->n, one->acquisitions);
	if (one->name)
		strbuf_addf(out, "%" PRIu64 ",%d", one->instances, one->at_least);
	else
		strbuf_addch(out, ',');
	strbuf_addf(out, ",%.6g,%" PRIu64, locks_threads_density(one), lines_ns(l, one->time));
	for (int s = 0; s < LOCKS_STATES; s++)
		if (lines_knows_state(l, s))
			strbuf_addf(out, ",%" PRIu64, lines_ns(l, one->ticks[s]));
		else
			strbuf_addch(out, ',');
	strbuf_addf(out, ",%d\n", !one->alive);
}

void lines_threads_add_csv(const struct locks_lines *l, struct strbuf *out)
{
	if (l->is_first) {
		strbuf_addstr(out, "pid,tid,name,threads,acquisitions,static,static_at_least,"
				   "per_10k_ticks,time_ns");
		for (int s = 0; s < LOCKS_STATES; s++)
			strbuf_addf(out, ",%s_ns", lines_state_names[s]);
		strbuf_addstr(out, ",ended\n");
	}
	for (size_t i = 0; i < l->threads->n; i++)
		add_csv_thread(l, out, &l->threads->v[i]);
}

static void add_json_thread(const struct locks_lines *l, struct strbuf *out,
			    const struct locks_one *one)
{
	lines_begin_object(l, out, "thread");
	lines_add_known(out, "tid", one->tid, one->name);
	json_key(out, "name");
	json_text(out, one->name);
	lines_add_count(out, "threads", one->n);
	lines_add_count(out, "acquisitions", one->acquisitions);
	lines_add_known(out, "static", one->instances, one->name);
	lines_add_known(out, "static_at_least", one->at_least, one->name);
	json_key(out, "per_10k_ticks");
	json_number(out, locks_threads_density(one));
	json_key(out, "unit");
	json_text(out, "ns");
	lines_add_count(out, "time", lines_ns(l, one->time));
	for (int s = 0; s < LOCKS_STATES; s++)
		lines_add_known(out, lines_state_names[s], lines_ns(l, one->ticks[s]),
				lines_knows_state(l, s));
	lines_add_count(out, "ended", !one->alive);
	json_end(out, '}');
	strbuf_addch(out, '\n');
}

void lines_threads_add_json(const struct locks_lines *l, struct strbuf *out)
{
	for (size_t i = 0; i < l->threads->n; i++)
		add_json_thread(l, out, &l->threads->v[i]);
}

/* "12", "12+" where these are so many at least, "-" where it is not known. */
static void add_instances(struct strbuf *out, const struct locks_one *one)
{
	if (one->name)
		strbuf_addf(out, " %7" PRIu64, one->instances);
	else
		strbuf_addf(out, " %7s", "-");
	strbuf_addch(out, one->at_least ? '+' : ' ');
}

static void add_text_thread(const struct locks_lines *l, struct strbuf *out,
			    const struct locks_one *one)
{
	if (one->name)
		strbuf_addf(out, "%9u %-15s", one->tid, one->name);
	else
		strbuf_addf(out, "%9s %-15s", "-", "");
	strbuf_addf(out, " %7u %10" PRIu64, one->n, one->acquisitions);
	add_instances(out, one);
	strbuf_addf(out, " %9.3f %11.3fms", locks_threads_density(one),
		    (double)lines_ns(l, one->time) / 1e6);
	for (int s = 0; s < LOCKS_STATES; s++)
		if (lines_knows_state(l, s))
			strbuf_addf(out, " %8.1f", lines_percent(one->ticks[s], one->time));
		else
			strbuf_addf(out, " %8s", "-");
	strbuf_addch(out, '\n');
}

void lines_threads_add_text(const struct locks_lines *l, struct strbuf *out)
{
	strbuf_addf(out, "%9s %-15s %7s %10s %7s  %9s %13s", "#     tid", "name", "threads",
		    "acquired", "locks", "in 10,000", "time");
	for (int s = 0; s < LOCKS_STATES; s++)
		strbuf_addf(out, " %7s%%", lines_state_names[s]);
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < l->threads->n; i++)
		add_text_thread(l, out, &l->threads->v[i]);
}
