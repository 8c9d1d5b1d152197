/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/job_lines.h"

#include <sys/wait.h>

#include "base/text.h"

static const struct report_column before[] = {
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

static const struct report_column behind[] = {
	{.id = "status"},
	{.id = "signal"},
	{.csv = "remark", .width = -1},
	{.title = "", .blank = true}, /* '#' before a remark */
	{.title = "", .blank = true},
};

void follow_lines_init(struct follow_lines *l, enum report_format_id format,
		       const struct event_set *set, int n_sets)
{
	const char *name[EVENT_SET_MAX];

	report_counts_init(&l->counts, format, n_sets, NULL);
	for (int s = 0; s < n_sets; s++) {
		event_set_counter_names(&set[s], name);
		report_counts_name(&l->counts, s, name, set[s].n_counters);
	}
	report_counts_declare(&l->counts, before, sizeof before / sizeof *before, behind,
			      sizeof behind / sizeof *behind);
}

void follow_lines_done(struct follow_lines *l)
{
	report_counts_done(&l->counts);
}

int follow_lines_choose(struct follow_lines *l, const char *fields, struct err *err)
{
	return report_counts_choose(&l->counts, fields, err);
}

void follow_lines_header(struct follow_lines *l, struct strbuf *out)
{
	report_counts_header(&l->counts, out);
}

/* What a row has beside counts. Whoever starts a program chooses its name. */
static void add_remark(const struct follow_lines *l, struct strbuf *out,
		       const struct follow_row *row)
{
	if (row->made) {
		strbuf_addf(out, "%d", row->made);
	} else if (row->image) {
		strbuf_addch(out, '\'');
		text_add(out, row->image);
		strbuf_addch(out, '\'');
	} else if (row->value && l->counts.n_sets > 1) {
		report_counts_add_names(&l->counts, row->set, out);
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
	struct report_record *r = report_counts_begin(&l->counts, row->set);

	record_text(r, "type", "follow");
	record_number(r, "time_s", time_s);
	record_count(r, "pid", (uint64_t)row->process);
	record_optional_count(r, "lwp", (uint64_t)row->task);
	record_text(r, "event", follow_kind_names[row->kind]);
	record_optional_count(r, "made", (uint64_t)row->made);
	record_optional_text(r, "image", row->image);
	report_counts_put(&l->counts, r, row->set, row->value);
	put_remarks(r, l, row);
	report_counts_write(&l->counts, out);
}
