/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/calls/lines.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "inject/lib/clock.h"
#include "inject/preload/seccomp_filter.h"
#include "inject/preload/table_note.h"

/* ---- text ----
 *
 * The sentences above the tables in text.
 */

static const struct calls_row *library(const struct calls_report *r)
{
	return &r->line[CALLS_LIBRARY].sum;
}

/* Appends a sentence about n things; nothing if n is 0. what: a text with {singular|plural} forms,
 * as for text_pluralize(). */
static void add_sentence(struct strbuf *out, uint64_t n, const char *what)
{
	char sentence[128];

	text_pluralize(sentence, sizeof sentence, what, n);
	if (n)
		strbuf_addf(out, "#   %" PRIu64 " %s\n", n, sentence);
}

static uint64_t calls_ns(const struct calls_report *r, uint64_t ticks);

static double calls_overhead_ns(const struct calls_report *r, uint64_t ticks);

static double calls_share(const struct calls_report *r, uint64_t part);

static void add_overhead(const struct calls_report *r, struct strbuf *out)
{
	const struct calls_header *h = &r->header;

	if (!h->overhead) {
		strbuf_addstr(out, "#   the cost of measuring is unknown in this process\n");
		return;
	}
	strbuf_addf(
		out,
		"#   measuring takes %.1f ns a call, of which %.1f are in its own time: %.1f %% "
		"of all",
		calls_overhead_ns(r, h->overhead), calls_overhead_ns(r, h->inside),
		r->time ? calls_share(r, r->own) : 0);
	if (r->cpu_ns)
		strbuf_addf(out, " and %.1f %% of the CPU time",
			    100 * (double)calls_ns(r, r->own) / (double)r->cpu_ns);
	strbuf_addstr(out, ", which is in these times\n");
}

static const char *const calls_mode_names[2];

/* Appends in how many threads an event is unknown, and why: the kernel refused it to some threads;
 * in the others, it has become unknown. */
static void add_missing(const struct calls_report *r, struct strbuf *out, uint32_t e)
{
	const struct event_note *n = &r->header.event[e];
	const uint32_t all = r->sum->lacking[e],
		       refused = n->n_threads[EVENT_REFUSED] < all ? n->n_threads[EVENT_REFUSED]
								   : all,
		       first = refused ? refused : all;

	strbuf_addf(out, "not known in %" PRIu32 " thread%s: %s", first, first == 1 ? "" : "s",
		    refused ? event_note_reason(n) : EVENT_NOTE_LOST);
	if (all > first)
		strbuf_addf(out, "; in %" PRIu32 " more: " EVENT_NOTE_LOST, all - first);
}

static void add_events(const struct calls_report *r, struct strbuf *out)
{
	for (uint32_t e = 0; e < r->header.n_events; e++) {
		const struct event_note *n = &r->header.event[e];

		strbuf_addf(out, "#   %s in %s mode: ", n->name, calls_mode_names[e % 2]);
		if (calls_report_knows(r, e))
			strbuf_addf(out, "%" PRIu64, r->count[e]);
		else
			strbuf_addch(out, '-');
		if (n->all_modes)
			strbuf_addstr(out, ", " EVENT_NOTE_ALL_MODES);
		if (n->n_threads[EVENT_BY_USER])
			strbuf_addf(out, ", read in user space");
		if (n->n_threads[EVENT_BY_CALL])
			strbuf_addf(out,
				    ", read by system calls in %" PRIu32
				    " thread%s, as user space cannot: that is in the times",
				    n->n_threads[EVENT_BY_CALL],
				    n->n_threads[EVENT_BY_CALL] == 1 ? "" : "s");
		if (calls_report_knows(r, e))
			strbuf_addf(out, "; measuring counts %.1f a call",
				    (double)n->overhead / CALLS_OVERHEAD_UNIT);
		if (r->sum->lacking[e]) {
			strbuf_addstr(out, "; ");
			add_missing(r, out, e);
		}
		strbuf_addch(out, '\n');
	}
}

/* Appends the sentences above the tables: the process, how its calls were measured, and what the
 * numbers leave out. */
static void calls_lines_add_head(const struct calls_report *r, struct strbuf *out)
{
	const struct calls_header *h = &r->header;

	strbuf_addf(out, "# library calls of process %u: %u thread%s, %.3f s of %s time\n",
		    h->container.pid, h->n_threads, h->n_threads == 1 ? "" : "s",
		    (double)calls_ns(r, r->time) / 1e9, h->n_threads == 1 ? "its" : "their");
	strbuf_addstr(out,
		      "#   times are clock times, not CPU cycles; user and kernel mode are not "
		      "distinguished\n");
	header_add_stop(out, h->lacking_call, calls_ns(r, h->end - h->begin));
	add_events(r, out);
	add_overhead(r, out);
	add_sentence(out, h->n_homeless,
		     "{thread|threads} had no room in the table: {its|their} calls are not here");
	add_sentence(out, library(r)->depth, "{call|calls} had not returned at the end");
	add_sentence(
		out, library(r)->amid,
		"{call in a signal handler|calls in signal handlers} interrupted the measuring: "
		"{its|their} time is in that of the interrupted code");
	add_sentence(out, r->n_too_deep,
		     "{call was|calls were} nested too deeply: {its|their} time is with the "
		     "{calling function|calling functions}");
	add_sentence(out, h->n_late, "{call|calls} of threads that had ended {is|are} not here");
}

/* ---- lines ---- */

#define SCHEMA 1

static const char *const calls_mode_names[2] = {"user", "kernel"};

static const char *const kind_names[] = {
	[CALLS_PART] = "part", [CALLS_GROUP] = "group", [CALLS_FUNCTION] = "call"};

/* clang-format off */
static const struct report_column program_columns[] = {
	{.id = "type"},
	{.id = "schema"},
	{.id = "pid"},
	{.id = "threads"},
	{.id = "unit"},
	{.id = "time"},
	{.id = "measuring"},
	{.id = "cpu_time"},
	{.id = "measuring_each"},
	{.id = "measuring_inside"},
	{.id = "threads_left_out"},
	{.id = "unreturned"},
	{.id = "untimed"},
	{.id = "late"},
	{.id = "stopped_after"},
	{.id = "stopped_for"},
	{.id = "rows", .counts_rest = true},
};

static const struct report_column line_columns[] = {
	{.id = "type", .csv = "type"},
	{.id = "schema"},
	{.id = "pid", .csv = "pid", .csv_place = -1},
	{.id = "name", .csv = "name", .title = "# function", .width = -24, .table = REPORT_EACH_TABLE,
	 .rank = 1, .role = REPORT_IS_NAME},
	{.id = "group", .role = REPORT_IS_KIND},
	{.csv = "group"},
	{.title = "group", .width = -8, .rank = 8, .field = "group"},
	{.id = "calls", .csv = "calls", .title = "calls", .width = 11, .rank = 4, .role = REPORT_IS_TIMES},
	{.id = "nested", .csv = "nested", .title = "nested", .width = 11},
	{.id = "unreturned", .csv = "unreturned"},
	{.id = "unit"},
	{.id = "self", .csv = "self_ns", .title = "self ms", .width = 12, .digits = 3, .per = 1e6, .rank = 2},
	{.id = "share", .csv = "share_pct", .csv_digits = 4, .title = "share%", .width = 7, .digits = 2,
	 .rank = 3},
	{.id = "mean", .csv = "mean_ns", .csv_digits = 3, .title = "ns each", .width = 11, .digits = 1,
	 .rank = 5, .role = REPORT_IS_MEAN, .amount = "self"},
	{.id = "total", .csv = "total_ns", .title = "total ms", .width = 12, .digits = 3, .per = 1e6, .place = 1,
	 .rank = 6},
	{.id = "max", .csv = "max_ns", .title = "max us", .width = 11, .digits = 3, .per = 1e3, .place = 1,
	 .rank = 7},
	{.id = "stddev", .csv = "stddev_ns", .csv_digits = 3, .title = "sd ns", .width = 11, .digits = 1,
	 .role = REPORT_IS_SD, .amount = "self"},
	{.id = "user", .csv = "user", .title = "user", .width = 9, .place = 1},
	{.id = "kernel", .csv = "kernel", .title = "kernel", .width = 9, .place = 1},
};
/* clang-format on */

/* --- numbers --- */

/* Converts ticks of the clock to ns. */
static uint64_t calls_ns(const struct calls_report *r, uint64_t ticks)
{
	return tt_multiply(ticks, r->header.ns_per_tick);
}

/* Converts the ticks that CALLS_OVERHEAD_UNIT calls take to the ns that one call takes. */
static double calls_overhead_ns(const struct calls_report *r, uint64_t ticks)
{
	return (double)calls_ns(r, ticks) / CALLS_OVERHEAD_UNIT;
}

/* Returns a share of the time of all threads, in percent; NaN if that time is 0. */
static double calls_share(const struct calls_report *r, uint64_t part)
{
	return r->time ? 100 * (double)part / (double)r->time : NAN;
}

static double to_ns(const struct calls_report *r, double ticks)
{
	return ticks * (double)r->header.ns_per_tick / 4294967296.0;
}

/* Returns the mean self time of a call, in ns; NaN: there are no calls, or some had no frame, so
 * that their time is in the calling function. */
static double mean_of(const struct calls_report *r, const struct calls_line *l)
{
	return l->sum.calls && !isnan(l->sum.squares)
		       ? to_ns(r, (double)l->sum.self / (double)l->sum.calls)
		       : NAN;
}

/* Returns the count of an event; NaN: unknown. */
static double count_of(const struct calls_report *r, const struct calls_line *l, uint32_t event)
{
	return event < r->header.n_events && calls_report_knows(r, event) &&
			       l != &r->line[event % 2 ? CALLS_USER : CALLS_KERNEL]
		       ? (double)l->count[event]
		       : NAN;
}

/* --- events --- */

/* Adds the columns for the counts of an event in one mode. */
static void add_mode_columns(struct report_own_type *t, const char *event, int mode, int table)
{
	const size_t group =
		report_own_type_add(t, (struct report_column){.id = calls_mode_names[mode]});
	struct report_column column[] = {
		{.id = "count", .title = calls_mode_names[mode], .width = 15},
		{.id = "mean",
		 .csv_digits = 3,
		 .title = "each",
		 .width = 12,
		 .digits = 1,
		 .role = REPORT_IS_MEAN,
		 .amount = calls_mode_names[mode],
		 .event = event},
		{.id = "share", .csv_digits = 4, .title = "share%", .width = 7, .digits = 2},
	};
	static const char *const ends[] = {"", "_mean", "_share_pct"};
	struct strbuf name;

	strbuf_init(&name);
	for (size_t i = 0; i < sizeof column / sizeof *column; i++) {
		strbuf_reset(&name);
		strbuf_addf(&name, "%s_%s%s", event, calls_mode_names[mode], ends[i]);
		column[i].csv = name.text;
		column[i].table = table;
		report_own_type_add(t, column[i]);
	}
	strbuf_done(&name);
	report_own_type_group(t, group);
}

/* Adds the columns that say how an event was read in one mode. */
static void add_reading_columns(struct report_own_type *t, const char *event, int mode, int table)
{
	static const char *const ids[] = {"count",
					  "measuring_each",
					  "threads_without",
					  "threads_in_user_space",
					  "threads_by_system_call",
					  "threads_in_all_modes",
					  "reason",
					  "reason_id"};
	const size_t group =
		report_own_type_add(t, (struct report_column){.id = calls_mode_names[mode]});

	(void)event, (void)table;
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		report_own_type_add(t, (struct report_column){.id = ids[i]});
	report_own_type_group(t, group);
}

/* Adds a column group for each event, in it one for each mode. If the type has tables in text, each
 * event gets a separate table. */
static void add_event_columns(struct report_own_type *t, const struct calls_report *r,
			      void (*add)(struct report_own_type *t, const char *event, int mode,
					  int table))
{
	const size_t events = t->type.n;
	struct strbuf note;

	if (!r->header.n_events)
		return;
	strbuf_init(&note);
	report_own_type_add(t, (struct report_column){.id = "events"});
	for (uint32_t e = 0; e < r->header.n_events; e += 2) {
		const char *name = r->header.event[e].name;
		const size_t group = report_own_type_add(t, (struct report_column){.id = name});
		int table = 0;

		strbuf_reset(&note);
		strbuf_addf(&note, "\n# %s of each call\n", name);
		if (t->type.n_tables)
			table = report_own_type_table(t, note.text);
		for (int mode = 0; mode < 2; mode++)
			add(t, name, mode, table);
		report_own_type_group(t, group);
	}
	report_own_type_group(t, events);
	strbuf_done(&note);
}

static void put_reading(struct report_record *record, const struct calls_report *r, uint32_t e)
{
	const struct event_note *n = &r->header.event[e];
	const bool known = calls_report_knows(r, e);

	record_number(record, "count", known ? (double)r->count[e] : NAN);
	record_number(record, "measuring_each",
		      known ? (double)n->overhead / CALLS_OVERHEAD_UNIT : NAN);
	record_count(record, "threads_without", r->sum->lacking[e]);
	record_count(record, "threads_in_user_space", n->n_threads[EVENT_BY_USER]);
	record_count(record, "threads_by_system_call", n->n_threads[EVENT_BY_CALL]);
	record_count(record, "threads_in_all_modes", n->all_modes);
	record_text(record, "reason", event_note_reason(n));
	record_text(record, "reason_id", event_note_reason_id(n));
}

static void put_counts(struct report_record *record, const struct calls_report *r,
		       const struct calls_line *l, uint32_t e)
{
	const double count = count_of(r, l, e);

	record_number(record, "count", count);
	/* The calls are those of all threads. */
	record_number(record, "mean",
		      l->sum.calls && !r->sum->lacking[e] ? count / (double)l->sum.calls : NAN);
	record_number(record, "share", r->count[e] ? 100 * count / (double)r->count[e] : NAN);
}

/* Fills the group "events" of a line. l NULL: of the program's record. */
static void put_events(struct report_record *record, const struct calls_report *r,
		       const struct calls_line *l)
{
	if (r->header.n_events)
		record_group(record, "events");
	for (uint32_t e = 0; e < r->header.n_events; e++) {
		if (e % 2 == 0)
			record_group(record, r->header.event[e].name);
		record_group(record, calls_mode_names[e % 2]);
		if (l)
			put_counts(record, r, l, e);
		else
			put_reading(record, r, e);
	}
}

/* Fills "notes" of a line: the reasons why counts of events are incomplete or cover all modes. */
static void put_notes(struct report_record *record, const struct calls_report *r)
{
	struct strbuf notes;

	if (!r->header.n_events)
		return;
	strbuf_init(&notes);
	for (uint32_t e = 0; e < r->header.n_events; e++) {
		const struct event_note *n = &r->header.event[e];
		const uint32_t lacking = r->sum->lacking[e];

		if (!n->all_modes && !lacking)
			continue;
		strbuf_addf(&notes, "%s%s in %s mode: ", notes.len ? "; " : "", n->name,
			    calls_mode_names[e % 2]);
		if (n->all_modes)
			strbuf_addf(&notes, EVENT_NOTE_ALL_MODES "%s", lacking ? "; " : "");
		if (lacking)
			add_missing(r, &notes, e);
	}
	record_text(record, "", notes.len ? notes.text : NULL);
	strbuf_done(&notes);
}

/* --- records --- */

static void put_begin(struct report_record *record, const struct calls_report *r, const char *type)
{
	record_text(record, "type", type);
	record_count(record, "schema", SCHEMA);
	record_count(record, "pid", r->header.container.pid);
}

static void put_stop(struct report_record *record, const struct calls_report *r)
{
	const char *call = seccomp_calls_name(r->header.lacking_call);

	record_number(record, "stopped_after",
		      call ? (double)calls_ns(r, r->header.end - r->header.begin) : NAN);
	record_optional_text(record, "stopped_for", call);
}

static void put_program(struct report_record *record, const struct calls_report *r)
{
	const struct calls_header *h = &r->header;
	const struct calls_row *library = &r->line[CALLS_LIBRARY].sum;
	const bool knows = h->overhead;

	put_begin(record, r, "calls");
	record_count(record, "threads", h->n_threads);
	record_text(record, "unit", "ns");
	record_count(record, "time", calls_ns(r, r->time));
	record_number(record, "measuring", knows ? (double)calls_ns(r, r->own) : NAN);
	record_number(record, "cpu_time", r->cpu_ns ? (double)r->cpu_ns : NAN);
	record_number(record, "measuring_each", knows ? calls_overhead_ns(r, h->overhead) : NAN);
	record_number(record, "measuring_inside", knows ? calls_overhead_ns(r, h->inside) : NAN);
	record_count(record, "threads_left_out", h->n_homeless);
	record_count(record, "unreturned", library->depth);
	record_count(record, "untimed", library->amid + r->n_too_deep);
	record_count(record, "late", h->n_late);
	put_stop(record, r);
	record_absent(record, "rows");
	put_events(record, r, NULL);
}

static void put_names(struct report_record *record, const struct calls_line *l)
{
	const bool is_function = l->kind == CALLS_FUNCTION;

	record_text(record, "name", l->name);
	record_optional_text(record, "group", is_function ? l->group : NULL);
	record_text(record, "", l->group);
	record_text(record, "", is_function ? l->group : kind_names[l->kind]);
}

static void put_calls(struct report_record *record, const struct calls_line *l, bool has_calls)
{
	if (has_calls) {
		record_count(record, "calls", l->sum.calls + l->sum.amid);
		record_count(record, "nested", l->sum.nested);
		record_count(record, "unreturned", l->sum.depth);
	} else {
		record_absent(record, "calls");
		record_absent(record, "nested");
		record_absent(record, "unreturned");
	}
}

static void put_totals(struct report_record *record, const struct calls_report *r,
		       const struct calls_line *l)
{
	const bool known = calls_report_has_total(&l->sum);

	if (l->kind == CALLS_FUNCTION) {
		record_number(record, "total", known ? (double)calls_ns(r, l->sum.total) : NAN);
		record_number(record, "max", known ? (double)calls_ns(r, l->sum.max) : NAN);
	} else {
		record_absent(record, "total");
		record_absent(record, "max");
	}
}

static void put_line(struct report_record *record, const struct calls_report *r,
		     const struct calls_line *l)
{
	const bool has_calls = l->kind != CALLS_PART || l == &r->line[CALLS_LIBRARY];

	put_begin(record, r, kind_names[l->kind]);
	put_names(record, l);
	put_calls(record, l, has_calls);
	record_text(record, "unit", "ns");
	record_number(record, "self", l->unknown ? NAN : (double)calls_ns(r, l->sum.self));
	record_number(record, "share", l->unknown ? NAN : calls_share(r, l->sum.self));
	record_number(record, "mean", mean_of(r, l));
	put_totals(record, r, l);
	record_number(record, "stddev", to_ns(r, sqrt(calls_row_variance(&l->sum))));
	record_number(record, "user", count_of(r, l, 0));
	record_number(record, "kernel", count_of(r, l, 1));
	put_events(record, r, l);
	put_notes(record, r);
}

/* --- report --- */

static void declare(struct report_own_type *line, const struct calls_report *r)
{
	report_own_type_init(line, line_columns, sizeof line_columns / sizeof *line_columns);
	add_event_columns(line, r, add_mode_columns);
	/* CSV only: text has the notes above its tables, JSON in the record of the program. */
	if (r->header.n_events)
		report_own_type_add(line, (struct report_column){.csv = "notes", .csv_place = 1});
}

void calls_lines_declare(struct report_own_type *t, const struct event_note event[],
			 uint32_t n_events)
{
	struct calls_report r = {.header = {.n_events = n_events}};

	memcpy(r.header.event, event, n_events * sizeof *event);
	declare(t, &r);
}

static void add_records(const struct calls_report *r, struct report *report,
			struct report_own_type *program, struct report_own_type *line)
{
	struct strbuf head;

	report_own_type_init(program, program_columns,
			     sizeof program_columns / sizeof *program_columns);
	add_event_columns(program, r, add_reading_columns);
	declare(line, r);
	strbuf_init(&head);
	calls_lines_add_head(r, &head);
	report_note(report, head.text);
	strbuf_done(&head);
	put_program(report_add(report, &program->type), r);
	report_heading(report, &line->type);
	for (size_t i = 0; i < r->n; i++)
		put_line(report_add(report, &line->type), r, &r->line[i]);
}

void calls_lines_add(const struct calls_lines *l, struct strbuf *out)
{
	struct report report;
	struct report_own_type program, line;

	report_init(&report);
	add_records(l->report, &report, &program, &line);
	if (l->selection)
		report_select(&report, l->selection);
	report_formats[l->format].write(&report, l->is_first, out);
	report_done(&report);
	report_own_type_done(&program);
	report_own_type_done(&line);
}

/* ---- folded ---- */

/* Appends a part of a line; replaces ';' in its name, since ';' separates parts. */
static void add_part(struct strbuf *out, const char *name)
{
	strbuf_addch(out, ';');
	for (; *name; name++)
		strbuf_addch(out, *name == ';' ? ':' : *name);
}

void calls_folded_add(const struct calls_report *r, struct strbuf *out)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct calls_line *line = &r->line[i];

		if (line->kind != CALLS_FUNCTION && i != CALLS_OF_PROGRAM)
			continue;
		strbuf_addf(out, "process %u", r->header.container.pid);
		if (line->group[0])
			add_part(out, line->group);
		add_part(out, line->name);
		strbuf_addf(out, " %" PRIu64 "\n",
			    tt_multiply(line->sum.self, r->header.ns_per_tick));
	}
}
