/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of lines: the counts of events. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "profile/locks/lines_part.h"

/* The scale of lines_put_histogram() for counts: 1. */
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

/* Returns whether any thread could count the event all the time. */
static bool lines_knows_event(const struct locks_lines *l, uint32_t event)
{
	return l->copy->header.n_threads > l->report->lacking[event];
}

/* --- columns --- */

static const char *const reading_ids[] = {"threads_without",
					  "threads_in_user_space",
					  "threads_by_system_call",
					  "threads_in_all_modes",
					  "reason",
					  "reason_id"};

static void declare(struct report_own_type *t, const char *id)
{
	report_own_type_add(t, (struct report_column){.id = id});
}

static void declare_program(struct report_own_type *t)
{
	declare(t, "count");
	for (int s = 0; s < LOCKS_STATES; s++)
		declare(t, lines_state_names[s]);
	declare(t, "measuring");
	declare(t, "per_10k");
	for (size_t i = 0; i < sizeof reading_ids / sizeof *reading_ids; i++)
		declare(t, reading_ids[i]);
}

/* The ranks (report/record.h) of the sum of the first phase, and of its other numbers. */
#define RANK_SUM  2
#define RANK_MORE 21

/* The columns of an event in a phase. JSON and CSV differ: if the event was never counted, `n` is 0
 * in JSON and unknown in CSV; for a single call, the standard deviation is unknown in JSON and 0 in
 * CSV. */
static const struct report_column phase_columns[] = {
	{.id = "unit"},
	{.id = "n", .role = REPORT_IS_N},
	{.id = "sum", .csv = "", .width = 14},
	{.csv = "_n"},
	{.id = "mean",
	 .csv = "_mean",
	 .csv_digits = 3,
	 .title = "each",
	 .width = 10,
	 .digits = 1,
	 .role = REPORT_IS_MEAN},
	{.id = "max", .csv = "_max", .title = "max", .width = 12},
	{.csv = "_stddev", .csv_digits = 3},
	{.id = "stddev", .role = REPORT_IS_SD},
	{.id = "histogram"},
};

/* Declares the columns of an event in a phase. is_lock: CSV has the columns, too, named by phase
 * and event. table: the number of their table in text; 0: none. */
static void declare_phase(struct report_own_type *t, const char *event, int phase, bool is_lock,
			  int table)
{
	const size_t group =
		report_own_type_add(t, (struct report_column){.id = lines_phase_names[phase]});
	struct strbuf name;

	strbuf_init(&name);
	for (size_t i = 0; i < sizeof phase_columns / sizeof *phase_columns; i++) {
		struct report_column c = phase_columns[i];

		strbuf_reset(&name);
		strbuf_addf(&name, "%s_%s%s", lines_phase_names[phase], event, c.csv ? c.csv : "");
		c.title = c.csv && !*c.csv ? lines_phase_names[phase] : c.title;
		c.csv = is_lock && c.csv ? name.text : NULL;
		c.csv_place = LINES_PLACE_EVENTS;
		c.title = table ? c.title : NULL;
		c.table = table;
		c.rank = phase + (!c.id || strcmp(c.id, "sum") ? RANK_MORE : RANK_SUM);
		c.amount = lines_phase_names[phase];
		c.event = event;
		report_own_type_add(t, c);
	}
	strbuf_done(&name);
	report_own_type_group(t, group);
}

/* Begins the table of an event in text, and returns its number; 0: no thread could count the
 * event. */
static int begin_table(struct report_own_type *t, const struct locks_lines *l, uint32_t event)
{
	struct strbuf note;
	int table;

	if (!lines_knows_event(l, event))
		return 0;
	strbuf_init(&note);
	strbuf_addf(&note, "\n# %s of each lock\n", l->copy->header.event[event].name);
	table = report_own_type_table(t, note.text);
	strbuf_done(&note);
	report_own_type_add(
		t, (struct report_column){.title = "counted", .width = 10, .table = table});
	return table;
}

void lines_events_declare(struct report_own_type *t, const struct locks_lines *l, bool is_lock)
{
	const struct locks_header *h = &l->copy->header;
	const size_t events = t->type.n;

	if (!h->n_events)
		return;
	declare(t, "events");
	for (uint32_t e = 0; e < h->n_events; e++) {
		const size_t group = t->type.n;
		int table = 0;

		declare(t, h->event[e].name);
		if (is_lock)
			table = begin_table(t, l, e);
		else
			declare_program(t);
		for (int p = 0; p < LOCKS_PHASES; p++)
			declare_phase(t, h->event[e].name, p, is_lock, table);
		report_own_type_group(t, group);
	}
	report_own_type_group(t, events);
	/* CSV only: text has the notes above its tables, JSON in the record of the program. */
	if (is_lock)
		report_own_type_add(
			t, (struct report_column){.csv = "notes", .csv_place = LINES_PLACE_NOTES});
}

/* --- cells --- */

static void put_phase(struct report_record *record, const char *unit,
		      const struct locks_quantity *q)
{
	const double stddev = q->n ? sqrt(locks_variance(q)) : NAN;

	record_text(record, "unit", unit);
	record_count(record, "n", q->n);
	record_value(record, "sum", lines_known(locks_sum(q), q->n));
	record_value(record, "", lines_known(q->n, q->n));
	record_number(record, "mean", mean_of(q));
	record_value(record, "max", lines_known(q->max, q->n));
	record_number(record, "", stddev);
	record_number(record, "stddev", q->n > 1 ? stddev : NAN);
	lines_put_histogram(record, q, ONE);
}

static void put_program(struct report_record *record, const struct locks_lines *l, uint32_t e)
{
	const struct event_note *event = &l->copy->header.event[e];
	const struct locks_report *r = l->report;
	const uint64_t count = locks_report_count(r, e);
	const bool known = lines_knows_event(l, e);

	record_value(record, "count", lines_known(count, known));
	for (int s = 0; s < LOCKS_STATES; s++)
		record_value(record, lines_state_names[s], lines_known(r->count[e][s], known));
	record_value(record, "measuring", lines_known(r->own_count[e], known));
	record_number(record, "per_10k",
		      known && count ? 1e4 * (double)locks_n(&r->all, LOCKS_ACQUIRE) / (double)count
				     : NAN);
	record_count(record, "threads_without", r->lacking[e]);
	record_count(record, "threads_in_user_space", event->n_threads[EVENT_BY_USER]);
	record_count(record, "threads_by_system_call", event->n_threads[EVENT_BY_CALL]);
	record_count(record, "threads_in_all_modes", event->all_modes);
	record_text(record, "reason", event_note_reason(event));
	record_text(record, "reason_id", event_note_reason_id(event));
}

void lines_events_put(struct report_record *record, const struct locks_lines *l,
		      const struct locks_line *line)
{
	const struct locks_quantity *counts = line ? line->counts : l->report->all_counts;
	const struct locks_header *h = &l->copy->header;

	if (h->n_events)
		record_group(record, "events");
	for (uint32_t e = 0; e < h->n_events; e++) {
		record_group(record, h->event[e].name);
		if (!line)
			put_program(record, l, e);
		else if (lines_knows_event(l, e))
			record_count(record, "", quantity(counts, e, LOCKS_ACQUIRE)->n);
		for (int p = 0; p < LOCKS_PHASES; p++) {
			record_group(record, lines_phase_names[p]);
			put_phase(record, h->event[e].name, quantity(counts, e, p));
		}
	}
}

/* --- text --- */

/* A destination of sentences, with a text before and after each. */
struct sentences {
	struct strbuf *out;
	const char *before, *behind;
};

static void add_modes(const struct sentences *s, const struct event_note *event)
{
	if (event->all_modes)
		strbuf_addf(s->out, "%scounted " EVENT_NOTE_ALL_MODES "%s", s->before, s->behind);
}

/* Appends why counts are missing. */
static void add_missing(const struct locks_lines *l, const struct sentences *s, uint32_t e)
{
	const struct event_note *event = &l->copy->header.event[e];
	const uint32_t refused = event->n_threads[EVENT_REFUSED];

	if (refused)
		strbuf_addf(s->out, "%snot counted in %" PRIu32 " thread%s: %s%s", s->before,
			    refused, refused == 1 ? "" : "s", event_note_reason(event), s->behind);
	if (l->report->lacking[e] > refused)
		strbuf_addf(s->out,
			    "%snot counted all the time in %" PRIu32 " more, as " EVENT_NOTE_LOST
			    "%s",
			    s->before, l->report->lacking[e] - refused, s->behind);
	if (lines_knows_event(l, e) && l->report->n_alive)
		strbuf_addf(s->out,
			    "%s%" PRIu32 " thread%s had not ended: counted up to %s last lock%s",
			    s->before, l->report->n_alive, l->report->n_alive == 1 ? "" : "s",
			    l->report->n_alive == 1 ? "its" : "their", s->behind);
}

static void add_reading(const struct locks_lines *l, struct strbuf *out, uint32_t e)
{
	const struct sentences comment = {out, "#     ", "\n"};
	const struct event_note *event = &l->copy->header.event[e];
	const uint32_t *n = event->n_threads;

	add_modes(&comment, event);
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
	add_missing(l, &comment, e);
}

void lines_events_put_notes(struct report_record *record, const struct locks_lines *l)
{
	struct strbuf notes, name;

	if (!l->copy->header.n_events)
		return;
	strbuf_init(&notes);
	strbuf_init(&name);
	for (uint32_t e = 0; e < l->copy->header.n_events; e++) {
		const struct event_note *event = &l->copy->header.event[e];
		struct sentences s = {.out = &notes, .behind = ""};

		strbuf_reset(&name);
		strbuf_addf(&name, "; %s: ", event->name);
		s.before = name.text;
		add_modes(&s, event);
		add_missing(l, &s, e);
	}
	record_text(record, "", notes.len ? notes.text + strlen("; ") : NULL);
	strbuf_done(&notes);
	strbuf_done(&name);
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
