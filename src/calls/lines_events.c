/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of lines: what was counted of events, in user mode and in the kernel. */
#include <inttypes.h>
#include <math.h>

#include "base/csv.h"
#include "base/json.h"
#include "calls/lines_part.h"

static const char *const modes[] = {"user", "kernel"};

static bool knows(const struct calls_report *r, const struct calls_line *l, uint32_t e)
{
	return e < r->header.n_events && calls_report_knows(r, e) &&
	       l != &r->line[e % 2 ? CALLS_USER : CALLS_KERNEL];
}

double calls_count(const struct calls_report *r, const struct calls_line *l, uint32_t event)
{
	return knows(r, l, event) ? (double)l->count[event] : NAN;
}

double calls_count_each(const struct calls_report *r, const struct calls_line *l, uint32_t event)
{
	return l->sum.calls ? calls_count(r, l, event) / (double)l->sum.calls : NAN;
}

double calls_count_share(const struct calls_report *r, const struct calls_line *l, uint32_t event)
{
	return event < r->header.n_events && r->count[event]
		       ? 100 * calls_count(r, l, event) / (double)r->count[event]
		       : NAN;
}

/* --- text --- */

void calls_events_add_text_head(const struct calls_report *r, struct strbuf *out)
{
	for (uint32_t e = 0; e < r->header.n_events; e++) {
		const struct event_note *n = &r->header.event[e];

		strbuf_addf(out, "#   %s in %s mode:", n->name, modes[e % 2]);
		calls_lines_add_cell(out, 1, 0,
				     calls_report_knows(r, e) ? (double)r->count[e] : NAN);
		if (n->n_threads[EVENT_BY_USER])
			strbuf_addf(out, ", read in user space");
		if (n->n_threads[EVENT_BY_CALL])
			strbuf_addf(out,
				    ", read by system calls in %" PRIu32
				    " threads, as user space cannot: that is in the times",
				    n->n_threads[EVENT_BY_CALL]);
		if (calls_report_knows(r, e))
			strbuf_addf(out, "; measuring counts %.1f a call",
				    (double)n->overhead / CALLS_OVERHEAD_UNIT);
		if (r->sum->lacking[e])
			strbuf_addf(out, "; not known in %" PRIu32 " threads: %s",
				    r->sum->lacking[e],
				    event_note_reason(n) ? event_note_reason(n) : EVENT_NOTE_LOST);
		strbuf_addch(out, '\n');
	}
}

static void add_text_line(const struct calls_report *r, struct strbuf *out,
			  const struct calls_line *l, uint32_t e)
{
	strbuf_addf(out, "%-*s", calls_lines_name_width(r), l->name);
	for (uint32_t mode = 0; mode < 2; mode++) {
		calls_lines_add_cell(out, 15, 0, calls_count(r, l, e + mode));
		calls_lines_add_cell(out, 12, 1, calls_count_each(r, l, e + mode));
		calls_lines_add_cell(out, 7, 2, calls_count_share(r, l, e + mode));
	}
	strbuf_addch(out, '\n');
}

void calls_events_add_text(const struct calls_report *r, struct strbuf *out)
{
	for (uint32_t e = 0; e < r->header.n_events; e += 2) {
		strbuf_addf(out, "\n# %s of each call\n%-*s %15s %12s %7s %15s %12s %7s\n",
			    r->header.event[e].name, calls_lines_name_width(r), "# function",
			    "user", "each", "share%", "kernel", "each", "share%");
		for (size_t i = 0; i < r->n; i++)
			add_text_line(r, out, &r->line[i], e);
	}
}

/* --- CSV --- */

void calls_events_add_csv_header(const struct calls_report *r, struct strbuf *out)
{
	static const char *const ends[] = {"", "_mean", "_share_pct"};
	struct strbuf name;

	strbuf_init(&name);
	for (uint32_t i = 0; i < r->header.n_events * 3; i++) {
		strbuf_reset(&name);
		strbuf_addf(&name, "%s_%s%s", r->header.event[i / 3].name, modes[i / 3 % 2],
			    ends[i % 3]);
		strbuf_addch(out, ',');
		csv_add_text(out, name.text);
	}
	strbuf_done(&name);
}

static void add_csv_number(struct strbuf *out, int digits, double number)
{
	strbuf_addch(out, ',');
	if (!isnan(number))
		strbuf_addf(out, "%.*f", digits, number);
}

void calls_events_add_csv(const struct calls_report *r, struct strbuf *out,
			  const struct calls_line *l)
{
	for (uint32_t e = 0; e < r->header.n_events; e++) {
		add_csv_number(out, 0, calls_count(r, l, e));
		add_csv_number(out, 3, calls_count_each(r, l, e));
		add_csv_number(out, 4, calls_count_share(r, l, e));
	}
}

/* --- JSON --- */

static void add_json_event(const struct calls_report *r, struct strbuf *out, uint32_t e)
{
	const struct event_note *n = &r->header.event[e];
	const bool known = calls_report_knows(r, e);

	json_key(out, modes[e % 2]);
	json_begin(out, '{');
	json_member_number(out, "count", known ? (double)r->count[e] : NAN);
	json_member_number(out, "measuring_each",
			   known ? (double)n->overhead / CALLS_OVERHEAD_UNIT : NAN);
	json_member_count(out, "threads_without", r->sum->lacking[e]);
	json_member_count(out, "threads_in_user_space", n->n_threads[EVENT_BY_USER]);
	json_member_count(out, "threads_by_system_call", n->n_threads[EVENT_BY_CALL]);
	json_member_text(out, "reason", event_note_reason(n));
	json_end(out, '}');
}

static void add_json_line(const struct calls_report *r, struct strbuf *out,
			  const struct calls_line *l, uint32_t e)
{
	json_key(out, modes[e % 2]);
	json_begin(out, '{');
	json_member_number(out, "count", calls_count(r, l, e));
	json_member_number(out, "mean", calls_count_each(r, l, e));
	json_member_number(out, "share", calls_count_share(r, l, e));
	json_end(out, '}');
}

static void add_json(const struct calls_report *r, struct strbuf *out, const struct calls_line *l)
{
	if (!r->header.n_events)
		return;
	json_key(out, "events");
	json_begin(out, '{');
	for (uint32_t e = 0; e < r->header.n_events; e++) {
		if (e % 2 == 0) {
			json_key(out, r->header.event[e].name);
			json_begin(out, '{');
		}
		if (l)
			add_json_line(r, out, l, e);
		else
			add_json_event(r, out, e);
		if (e % 2)
			json_end(out, '}');
	}
	json_end(out, '}');
}

void calls_events_add_json_head(const struct calls_report *r, struct strbuf *out)
{
	add_json(r, out, NULL);
}

void calls_events_add_json(const struct calls_report *r, struct strbuf *out,
			   const struct calls_line *l)
{
	add_json(r, out, l);
}
