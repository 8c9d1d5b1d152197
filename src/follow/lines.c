/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "follow/lines.h"

#include <stdlib.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "base/text.h"

static const struct report_column begin_columns[] = {
	{.id = "type"},
	{.id = "time_s",
	 .csv = "time_s",
	 .csv_digits = 6,
	 .title = "time",
	 .width = 8,
	 .digits = 3},
	{.id = "pid", .csv = "pid", .title = "pid", .width = 7},
	{.id = "lwp", .csv = "lwp", .title = "lwp", .width = 7, .blank = true},
	{.id = "event", .csv = "event", .title = "event", .width = -10},
	{.id = "made"},
	{.id = "image"},
};

static const struct report_column end_columns[] = {
	{.id = "status"},
	{.id = "signal"},
	{.csv = "remark"},
	{.title = "", .blank = true}, /* '#' before a remark */
	{.title = "", .blank = true},
};

static void add_type(struct follow_lines *l, int s)
{
	struct report_own_type *t = &l->type[s];
	const char *name[EVENT_SET_MAX];

	event_set_counter_names(&l->set[s], name);
	report_own_type_init(t, begin_columns, sizeof begin_columns / sizeof *begin_columns);
	report_counts_add(t, &l->counts, name, l->set[s].n_counters);
	for (size_t c = 0; c < sizeof end_columns / sizeof *end_columns; c++)
		report_own_type_add(t, end_columns[c]);
	report_own_type_settle(t);
}

void follow_lines_init(struct follow_lines *l, enum report_format_id format,
		       const struct event_set *set, int n_sets)
{
	*l = (struct follow_lines){.format = format, .set = set, .counts = {.n_sets = n_sets}};
	report_init(&l->report);
	l->report.is_stream = true;
	l->type = xcalloc((size_t)n_sets + 1, sizeof *l->type);
	for (int s = 0; s < n_sets; s++)
		if (set[s].n_counters > l->counts.n_columns)
			l->counts.n_columns = set[s].n_counters;
	for (int s = 0; s < n_sets; s++)
		add_type(l, s);
}

void follow_lines_done(struct follow_lines *l)
{
	for (int s = 0; s < l->counts.n_sets; s++)
		report_own_type_done(&l->type[s]);
	free(l->type);
	report_done(&l->report);
}

static void write_entry(struct follow_lines *l, struct strbuf *out, bool with_header)
{
	report_formats[l->format].write(&l->report, with_header, out);
	report_empty(&l->report);
}

void follow_lines_header(struct follow_lines *l, struct strbuf *out)
{
	report_heading(&l->report, &l->type[0].type);
	write_entry(l, out, true);
}

/* What a row has beside counts. Whoever starts a program chooses its name. */
static void add_remark(const struct follow_lines *l, struct strbuf *out,
		       const struct follow_row *row)
{
	const struct event_set *set = &l->set[row->set];
	const char *name[EVENT_SET_MAX];

	if (row->made) {
		strbuf_addf(out, "%d", row->made);
	} else if (row->image) {
		strbuf_addch(out, '\'');
		text_add(out, row->image);
		strbuf_addch(out, '\'');
	} else if (row->value && l->counts.n_sets > 1) {
		event_set_counter_names(set, name);
		report_counts_add_names(&l->counts, name, set->n_counters, out);
	}
}

/* Puts with what status, or by what signal, the process has ended, and adds it to a remark. */
static void put_end(struct report_record *r, const struct follow_row *row, struct strbuf *remark)
{
	const bool by_signal = row->ended && WIFSIGNALED(row->how);

	if (row->ended && !by_signal)
		record_count(r, "status", (uint64_t)WEXITSTATUS(row->how));
	else
		record_absent(r, "status");
	record_optional_count(r, "signal", by_signal ? (uint64_t)WTERMSIG(row->how) : 0);
	if (row->ended)
		strbuf_addf(remark, "%s%s %d", remark->len ? " " : "",
			    by_signal ? "signal" : "status",
			    by_signal ? WTERMSIG(row->how) : WEXITSTATUS(row->how));
}

/* In text, status 0 is no remark: most end so. */
static void put_remarks(struct report_record *r, const struct follow_lines *l,
			const struct follow_row *row)
{
	struct strbuf remark;
	size_t len;

	strbuf_init(&remark);
	add_remark(l, &remark, row);
	len = remark.len;
	put_end(r, row, &remark);
	record_text(r, "", remark.text);
	if (row->how == 0)
		remark.text[len] = '\0';
	record_optional_text(r, "", *remark.text ? "#" : NULL);
	record_optional_text(r, "", *remark.text ? remark.text : NULL);
	strbuf_done(&remark);
}

void follow_lines_row(struct follow_lines *l, struct strbuf *out, double time_s,
		      const struct follow_row *row)
{
	struct report_record *r = report_add(&l->report, &l->type[row->set].type);

	record_text(r, "type", "follow");
	record_number(r, "time_s", time_s);
	record_count(r, "pid", (uint64_t)row->process);
	record_optional_count(r, "lwp", (uint64_t)row->task);
	record_text(r, "event", follow_kind_names[row->kind]);
	record_optional_count(r, "made", (uint64_t)row->made);
	record_optional_text(r, "image", row->image);
	report_counts_put(r, &l->counts, row->value, l->set[row->set].n_counters);
	put_remarks(r, l, row);
	write_entry(l, out, false);
}
