/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/lines_sections.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "inject/lib/clock.h"
#include "profile/locks/folded.h"
#include "profile/locks/report.h"
#include "profile/locks/resolver.h"

/* ---- lines_events ----
 *
 * The counts of events.
 */

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

/* The ranks (report/report.h) of the sum of the first phase, and of its other numbers. */
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

/* Begins the table of an event in text. Returns the number of the table; 0: no table was begun, as
 * no thread could count the event. */
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
	const uint32_t refused = event->n_threads[EVENT_REFUSED],
		       lost = (uint32_t)locks_minus(l->report->lacking[e], refused);

	if (refused)
		strbuf_addf(s->out, "%snot counted in %" PRIu32 " thread%s: %s%s", s->before,
			    refused, refused == 1 ? "" : "s", event_note_reason(event), s->behind);
	if (lost)
		strbuf_addf(s->out, "%snot counted all the time in %" PRIu32 "%s, as %s%s",
			    s->before, lost,
			    refused     ? " more"
			    : lost == 1 ? " thread"
					: " threads",
			    EVENT_NOTE_LOST, s->behind);
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
			    "cannot: they are most of the cost; measuring counts %" PRIu64 "\n",
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

/* ---- lines_shared ----
 *
 * Locks in shared memory, whose rows are summed over processes.
 */

/* clang-format off */
static const struct report_column shared_columns[] = {
	{.id = "type"}, {.id = "schema"}, {.id = "processes"}, {.id = "dynamic"}, {.id = "static"}, {.id = "unit"},
	{.id = "group"}, {.id = "rows", .counts_rest = true},
};
/* clang-format on */

static bool is_shared(const struct locks_line *line)
{
	return line->instance && line->instance->n_processes;
}

size_t lines_shared_leave_out(const struct locks_lines *l, struct locks_line *line)
{
	const bool keeps = l->n_processes || l->group == LOCKS_BY_PROCESS;
	size_t n = 0;

	for (size_t i = 0; i < l->report->n; i++)
		if (keeps || !is_shared(&l->report->line[i]))
			line[n++] = l->report->line[i];
	return n;
}

/* --- rows --- */

void lines_shared_declare_row(struct report_own_type *t, const struct locks_lines *l)
{
	report_own_type_add(t, (struct report_column){
				       .id = "processes",
				       .csv = "processes",
				       .csv_place = 8,
				       .title = l->n_processes ? "processes" : NULL,
				       .width = 9,
				       .place = 2,
				       .rank = l->n_processes ? 5 : 0,
			       });
}

void lines_shared_put_row(struct report_record *record, const struct locks_line *line)
{
	const uint32_t n = line->group.name  ? line->group.n_processes
			   : is_shared(line) ? line->instance->n_processes
					     : 0;

	if (line->instance)
		record_count(record, "processes", n ? n : 1);
	else
		record_absent(record, "processes");
}

/* --- the part of a process --- */

/* Returns the acquisitions of locks that have no row in this report, as several processes share
 * them; 0 if rows are summed by process. Sets the number of these locks. */
static uint64_t sum_part(const struct locks_lines *l, uint64_t *locks)
{
	const struct locks_copy *c = l->copy;
	uint64_t n = 0;

	*locks = 0;
	for (size_t i = 0; i < l->report->n; i++) {
		const struct locks_line *line = &l->report->line[i];

		if (is_shared(line) && locks_is_held(line->instance->kind))
			n += locks_n(&line->sum, LOCKS_ACQUIRE);
	}
	for (uint32_t i = 0; i < c->header.n_instances; i++)
		*locks += c->instance[i].n_processes && locks_is_held(c->instance[i].kind);
	return l->group == LOCKS_BY_PROCESS ? 0 : n;
}

void lines_shared_add_text(const struct locks_lines *l, struct strbuf *out)
{
	uint64_t locks;
	const uint64_t n = sum_part(l, &locks);

	if (n)
		strbuf_addf(out,
			    "#   %" PRIu64 " of these, of %" PRIu64
			    " lock%s in shared memory, are in rows over all processes, at the "
			    "end\n",
			    n, locks, locks == 1 ? "" : "s");
}

void lines_shared_put(struct report_record *record, const struct locks_lines *l)
{
	uint64_t locks;
	const uint64_t n = sum_part(l, &locks);

	const bool known = !l->copy->kernel.alone;

	record_value(record, "shared_dynamic", lines_known(n, known));
	record_value(record, "shared_static", lines_known(n ? locks : 0, known));
}

/* --- all processes --- */

static void add_text(const struct locks_lines *l, struct report *report)
{
	const struct locks_report *r = l->report;
	const uint64_t n = locks_n(&r->all, LOCKS_ACQUIRE);
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addf(&text, "# locks in shared memory, over %" PRIu32 " processes", l->n_processes);
	if (n)
		strbuf_addf(&text, ": %" PRIu64 " acquisition%s of %" PRIu64 " lock%s", n,
			    n == 1 ? "" : "s", r->instances, r->instances == 1 ? "" : "s");
	strbuf_addch(&text, '\n');
	report_note(report, text.text);
	strbuf_done(&text);
}

void lines_shared_add(const struct locks_lines *l, struct report *report, struct report_own_type *t)
{
	const struct locks_report *r = l->report;
	struct report_record *record;

	report_own_type_init(t, shared_columns, sizeof shared_columns / sizeof *shared_columns);
	lines_declare_phases(t, false);
	add_text(l, report);
	record = report_add(report, &t->type);
	record_text(record, "type", "shared");
	record_count(record, "schema", LINES_SCHEMA);
	record_count(record, "processes", l->n_processes);
	record_count(record, "dynamic", locks_n(&r->all, LOCKS_ACQUIRE));
	record_count(record, "static", r->instances);
	record_text(record, "unit", "ns");
	record_optional_text(record, "group", locks_group_key_name(l->group));
	record_absent(record, "rows");
	for (int p = 0; p < LOCKS_PHASES; p++)
		lines_put_phase(record, l, &r->all, p);
}

/* ---- lines_states ----
 *
 * What threads did with their time.
 */

/* clang-format off */
static const struct {
	const char *id, *csv, *title, *words;
	int rank;
	bool optional; /* text has it only if it is not 0 */
} names[STATES_N] = {
	[STATES_RUNNING]  = {"running", "running_ns", "running%", "running", 6, false},
	[STATES_RUNNABLE] = {"runnable", "runnable_ns", "ready%", "ready to run", 6, false},
	[STATES_LOCK]	  = {"blocked_lock", "blocked_lock_ns", "lock%", "blocked for a lock", 6, false},
	[STATES_WORK]	  = {"blocked_work", "blocked_work_ns", "work%", "for work", 6, false},
	[STATES_INPUT]	  = {"blocked_input", "blocked_input_ns", "input%", "for input", 12, true},
	[STATES_TIME]	  = {"blocked_time", "blocked_time_ns", "sleep%", "for a time", 12, true},
	[STATES_TASK]	  = {"blocked_task", "blocked_task_ns", "task%", "for a task", 12, true},
	[STATES_DEVICE]	  = {"blocked_device", "blocked_device_ns", "device%", "for a device", 12, true},
	[STATES_OTHER]	  = {"unknown", "unknown_ns", "unknown%", "unknown", 6, false},
};
/* clang-format on */

void lines_states_declare(struct report_own_type *t, bool is_thread)
{
	for (int s = 0; s < STATES_N; s++) {
		report_own_type_add(t,
				    (struct report_column){.id = names[s].id,
							   .csv = is_thread ? names[s].csv : NULL});
		if (is_thread)
			report_own_type_add(t, (struct report_column){.title = names[s].title,
								      .width = 8,
								      .digits = 1,
								      .rank = names[s].rank,
								      .field = names[s].csv});
	}
}

/* The times of threads without totals are unknown: all of their life is STATES_OTHER. */
void lines_states_put(struct report_record *record, const struct states *s, bool is_thread)
{
	const uint64_t life = states_sum(s);

	for (int i = 0; i < STATES_N; i++) {
		const bool known = s->n_known || i == STATES_OTHER;

		record_value(record, names[i].id, lines_known(s->ns[i], known));
		if (is_thread)
			record_number(record, "",
				      known ? lines_percent(s->ns[i], life) : (double)NAN);
	}
}

void lines_states_add_text(const struct states *s, struct strbuf *out)
{
	const uint64_t life = states_sum(s);

	if (!s->n_known) {
		strbuf_addstr(out, "#   how long the threads ran is unknown: the process did not "
				   "read it at its end\n");
		return;
	}
	strbuf_addstr(out, "#   of this time by the kernel:");
	for (int i = 0; i < STATES_N; i++)
		if (s->ns[i] || !names[i].optional)
			strbuf_addf(out, "%s %s %.1f %%", i ? "," : "", names[i].words,
				    lines_percent(s->ns[i], life));
	strbuf_addch(out, '\n');
	if (s->n_threads > s->n_known)
		strbuf_addf(out,
			    "#   threads of which it is unknown how long they ran: %" PRIu64 "\n",
			    s->n_threads - s->n_known);
}

/* ---- lines_threads ----
 *
 * A record for each thread, in place of the records for locks.
 */

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

/* Fills in the number of locks; in text "12 ", "12+" for a lower bound, "- " if unknown. counted:
 * the acquisitions of the thread are. */
static void put_locks(struct report_record *record, const struct thread_locks *one, bool counted)
{
	const bool known = counted && one->name;
	struct strbuf text;

	record_value(record, "static", lines_known(one->instances, known));
	record_value(record, "static_at_least", lines_known(one->at_least, known));
	strbuf_init(&text);
	if (known)
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
	const bool counted = !l->copy->kernel.alone;

	lines_put_begin(record, l, "thread");
	record_value(record, "tid", lines_known(one->tid, one->name));
	record_text(record, "name", one->name);
	record_text(record, "", one->name ? one->name : "");
	record_count(record, "threads", one->n);
	record_value(record, "acquisitions", lines_known(one->acquisitions, counted));
	put_locks(record, one, counted);
	record_number(record, "per_10k_ticks", counted ? locks_threads_density(one) : (double)NAN);
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

/* ---- lines_chains ----
 *
 * A record for each chain of waits, in place of the records for locks.
 */

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

/* Fills a list with a name for each wait of a chain of waits: add() appends it. */
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

/* Returns why chains may be missing; NULL: none is. */
static const char *chains_reason(const struct locks_lines *l)
{
	if (l->copy->kernel.alone)
		return "the kernel's records do not say which thread held a lock";
	return locks_chains_are_full(l->copy->header.n_chains)
		       ? "their table is full: times of chains without a record are added to "
			 "shorter chains"
		       : NULL;
}

void lines_chains_put(struct report_record *record, const struct locks_lines *l)
{
	record_optional_text(record, "chains_reason", l->chains ? chains_reason(l) : NULL);
}

static void add_sentence(const struct locks_lines *l, const struct locks_chains *all,
			 struct report *report)
{
	const char *reason = chains_reason(l);
	struct strbuf text;

	strbuf_init(&text);
	if (l->copy->kernel.alone)
		strbuf_addf(&text, "# chains of waits are not known: %s\n", reason);
	else if (all->n)
		strbuf_addf(
			&text,
			"# chains of waits: %zu, with %.1f %% of the waiting for locks: \"a (f) > "
			"b (g)\": f waited for a, while its holder waited in g for b\n",
			all->n, lines_percent(all->listed, all->ticks));
	else
		strbuf_addstr(&text,
			      "# no chains of waits: in waits that have ended, no holder of a lock "
			      "waited while another thread waited for the lock\n");
	if (reason && !l->copy->kernel.alone)
		strbuf_addf(&text, "#   chains may be missing: %s\n", reason);
	report_note(report, text.text);
	strbuf_done(&text);
}

void lines_chains_add(const struct locks_lines *l, struct report *report)
{
	struct locks_chains all;

	locks_chains_make(&all, l->copy, l->names);
	add_sentence(l, &all, report);
	report_heading(report, &chain_type);
	for (size_t i = 0; i < all.n; i++)
		put_chain(report_add(report, &chain_type), l, &all, &all.v[i]);
	locks_chains_done(&all);
}
