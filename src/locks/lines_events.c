/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of lines: what was counted of events. */
#include <inttypes.h>
#include <math.h>

#include "base/csv.h"
#include "base/json.h"
#include "locks/lines_part.h"

/* In units of 1, as lines_add_histogram() takes them. */
#define ONE (1ull << 32)

static const struct locks_quantity *quantity(const struct locks_quantity *counts, uint32_t event,
					     int phase)
{
	return &counts[event * LOCKS_PHASES + (uint32_t)phase];
}

static double mean_of(const struct locks_quantity *q)
{
	return q->n ? (double)locks_sum(q) / (double)q->n : NAN;
}

bool lines_knows_event(const struct locks_lines *l, uint32_t event)
{
	return l->copy->header.n_threads > l->report->lacking[event];
}

/* --- CSV --- */

void lines_events_add_csv_header(const struct locks_lines *l, struct strbuf *out)
{
	static const char *const ends[] = {"", "_n", "_mean", "_max", "_stddev"};
	const struct locks_header *h = &l->copy->header;
	struct strbuf name;

	strbuf_init(&name);
	for (uint32_t e = 0; e < h->n_events; e++)
		for (size_t i = 0; i < LOCKS_PHASES * (sizeof ends / sizeof *ends); i++) {
			strbuf_reset(&name);
			strbuf_addf(&name, "%s_%s%s", lines_phase_names[i / 5], h->event[e].name,
				    ends[i % 5]);
			strbuf_addch(out, ',');
			csv_add_text(out, name.text);
		}
	strbuf_done(&name);
}

void lines_events_add_csv(const struct locks_lines *l, struct strbuf *out,
			  const struct locks_line *line)
{
	for (uint32_t i = 0; i < l->copy->header.n_events * LOCKS_PHASES; i++) {
		const struct locks_quantity *q = &line->counts[i];

		if (q->n)
			strbuf_addf(out, ",%" PRIu64 ",%" PRIu64 ",%.3f,%" PRIu64 ",%.3f",
				    locks_sum(q), q->n, mean_of(q), q->max,
				    sqrt(locks_variance(q)));
		else
			strbuf_addstr(out, ",,,,,");
	}
}

/* --- JSON --- */

static void add_json_phases(struct strbuf *out, const char *unit,
			    const struct locks_quantity *counts, uint32_t event)
{
	for (int p = 0; p < LOCKS_PHASES; p++) {
		const struct locks_quantity *q = quantity(counts, event, p);

		json_key(out, lines_phase_names[p]);
		json_begin(out, '{');
		json_member_text(out, "unit", unit);
		json_member_count(out, "n", q->n);
		json_member_number(out, "sum", q->n ? (double)locks_sum(q) : NAN);
		json_member_number(out, "mean", mean_of(q));
		json_member_number(out, "max", q->n ? (double)q->max : NAN);
		json_member_number(out, "stddev", q->n > 1 ? sqrt(locks_variance(q)) : NAN);
		lines_add_histogram(out, q, ONE);
		json_end(out, '}');
	}
}

static void add_json_program(const struct locks_lines *l, struct strbuf *out, uint32_t e)
{
	const struct event_note *event = &l->copy->header.event[e];
	const struct locks_report *r = l->report;
	const uint64_t count = locks_report_count(r, e);
	const bool known = lines_knows_event(l, e);

	json_member_number(out, "count", known ? (double)count : NAN);
	for (int s = 0; s < LOCKS_STATES; s++)
		json_member_number(out, lines_state_names[s], known ? (double)r->count[e][s] : NAN);
	json_member_number(out, "measuring", known ? (double)r->own_count[e] : NAN);
	json_member_number(out, "per_10k",
			   known && count
				   ? 1e4 * (double)locks_n(&r->all, LOCKS_ACQUIRE) / (double)count
				   : NAN);
	json_member_count(out, "threads_without", r->lacking[e]);
	json_member_count(out, "threads_in_user_space", event->n_threads[EVENT_BY_USER]);
	json_member_count(out, "threads_by_system_call", event->n_threads[EVENT_BY_CALL]);
	json_member_text(out, "reason", event_note_reason(event));
}

static void add_json(const struct locks_lines *l, struct strbuf *out, bool is_program,
		     const struct locks_quantity *counts)
{
	const struct locks_header *h = &l->copy->header;

	if (!h->n_events)
		return;
	json_key(out, "events");
	json_begin(out, '{');
	for (uint32_t e = 0; e < h->n_events; e++) {
		json_key(out, h->event[e].name);
		json_begin(out, '{');
		if (is_program)
			add_json_program(l, out, e);
		add_json_phases(out, h->event[e].name, counts, e);
		json_end(out, '}');
	}
	json_end(out, '}');
}

void lines_events_add_json_head(const struct locks_lines *l, struct strbuf *out)
{
	add_json(l, out, true, l->report->all_counts);
}

void lines_events_add_json(const struct locks_lines *l, struct strbuf *out,
			   const struct locks_line *line)
{
	add_json(l, out, false, line->counts);
}

/* --- text --- */

static void add_reading(const struct locks_lines *l, struct strbuf *out, uint32_t e)
{
	const struct event_note *event = &l->copy->header.event[e];
	const uint32_t *n = event->n_threads;

	if (n[EVENT_BY_USER])
		strbuf_addf(out,
			    "#     read in user space: measuring an acquisition counts %" PRIu64
			    "\n",
			    event->overhead);
	if (n[EVENT_BY_CALL])
		strbuf_addf(out,
			    "#     read by system calls in %" PRIu32 " thread%s, as user space "
			    "cannot, which take most of the measuring; it counts %" PRIu64 "\n",
			    n[EVENT_BY_CALL], n[EVENT_BY_CALL] == 1 ? "" : "s", event->overhead);
	if (n[EVENT_REFUSED])
		strbuf_addf(out, "#     not counted in %" PRIu32 " thread%s: %s\n",
			    n[EVENT_REFUSED], n[EVENT_REFUSED] == 1 ? "" : "s",
			    event_note_reason(event));
	if (l->report->lacking[e] > n[EVENT_REFUSED])
		strbuf_addf(out,
			    "#     not counted all the time in %" PRIu32
			    " more, as " EVENT_NOTE_LOST "\n",
			    l->report->lacking[e] - n[EVENT_REFUSED]);
	if (lines_knows_event(l, e) && l->report->n_alive)
		strbuf_addf(out,
			    "#     %" PRIu32 " threads had not ended: counted up to their last "
			    "lock\n",
			    l->report->n_alive);
}

void lines_events_add_text_head(const struct locks_lines *l, struct strbuf *out, uint32_t e)
{
	const struct locks_report *r = l->report;
	const uint64_t count = locks_report_count(r, e), *in = r->count[e];
	const uint64_t n = locks_n(&r->all, LOCKS_ACQUIRE);

	strbuf_addf(out, "#   %s: ", l->copy->header.event[e].name);
	if (!lines_knows_event(l, e))
		strbuf_addch(out, '-');
	else if (!count)
		strbuf_addch(out, '0');
	else
		strbuf_addf(out,
			    "%" PRIu64 ", waiting %.1f %%, holding %.1f %%, neither %.1f %%, in "
			    "tiptop %.1f %%",
			    count, lines_percent(in[LOCKS_WAITING], count),
			    lines_percent(in[LOCKS_HOLDING], count),
			    lines_percent(in[LOCKS_FREE], count),
			    lines_percent(in[LOCKS_OWN], count));
	if (lines_knows_event(l, e) && count > n)
		strbuf_addf(out, ", %.3f acquisitions in 10,000", 1e4 * (double)n / (double)count);
	strbuf_addch(out, '\n');
	add_reading(l, out, e);
}
