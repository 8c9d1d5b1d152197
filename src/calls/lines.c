/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calls/lines_part.h"

#include <inttypes.h>
#include <math.h>

#include "base/csv.h"
#include "base/json.h"
#include "lib/clock.h"
#include "preload/header.h"

#define SCHEMA 1

/* Of the column of names, at least. */
#define NAME_WIDTH 24

static const char *const kind_names[] = {
	[CALLS_PART] = "part", [CALLS_GROUP] = "group", [CALLS_FUNCTION] = "call"};

/* --- numbers --- */

static uint64_t ns_of(const struct calls_report *r, uint64_t ticks)
{
	return tt_multiply(ticks, r->header.ns_per_tick);
}

/* Ticks of CALLS_OVERHEAD_UNIT calls. */
static double overhead_ns(const struct calls_report *r, uint64_t ticks)
{
	return (double)ns_of(r, ticks) / CALLS_OVERHEAD_UNIT;
}

static double share_of(const struct calls_report *r, uint64_t part)
{
	return r->time ? 100 * (double)part / (double)r->time : NAN;
}

static uint64_t calls_of(const struct calls_line *l)
{
	return l->sum.calls + l->sum.amid;
}

/* Of those whose time is known. */
static double mean_of(const struct calls_report *r, const struct calls_line *l)
{
	return l->sum.calls ? (double)l->sum.self / (double)l->sum.calls *
				      (double)r->header.ns_per_tick / 4294967296.0
			    : NAN;
}

/* Of the time of a call; NaN: not known. */
static double stddev_of(const struct calls_report *r, const struct calls_line *l)
{
	return sqrt(calls_row_variance(&l->sum)) * (double)r->header.ns_per_tick / 4294967296.0;
}

static bool has_calls(const struct calls_report *r, const struct calls_line *l)
{
	return l->kind != CALLS_PART || l == &r->line[CALLS_LIBRARY];
}

/* --- text --- */

static const struct calls_row *library(const struct calls_report *r)
{
	return &r->line[CALLS_LIBRARY].sum;
}

static void add_sentence(struct strbuf *out, uint64_t n, const char *what)
{
	if (n)
		strbuf_addf(out, "#   %" PRIu64 " %s\n", n, what);
}

static void add_overhead(const struct calls_report *r, struct strbuf *out)
{
	const struct calls_header *h = &r->header;

	if (!h->overhead) {
		strbuf_addstr(out, "#   what measuring takes was not measured in this process\n");
		return;
	}
	strbuf_addf(
		out,
		"#   measuring takes %.1f ns a call, of which %.1f are in its own time: %.1f %% "
		"of all",
		overhead_ns(r, h->overhead), overhead_ns(r, h->inside),
		r->time ? share_of(r, r->own) : 0);
	if (r->cpu_ns)
		strbuf_addf(out, " and %.1f %% of the CPU time",
			    100 * (double)ns_of(r, r->own) / (double)r->cpu_ns);
	strbuf_addstr(out, ", which is in these times\n");
}

static void add_head(const struct calls_report *r, struct strbuf *out)
{
	const struct calls_header *h = &r->header;

	strbuf_addf(out, "# library calls of process %u: %u thread%s, %.3f s of %s time\n", h->pid,
		    h->n_threads, h->n_threads == 1 ? "" : "s", (double)ns_of(r, r->time) / 1e9,
		    h->n_threads == 1 ? "its" : "their");
	strbuf_addstr(out,
		      "#   times are those of a clock, not cycles of a CPU: user and kernel are "
		      "not told apart\n");
	header_add_stop(out, h->lacking_call, ns_of(r, h->end - h->begin));
	calls_events_add_text_head(r, out);
	add_overhead(r, out);
	add_sentence(out, h->n_homeless,
		     "threads had no room in the table: their calls are not here");
	add_sentence(out, library(r)->depth, "calls had not returned when it ended");
	add_sentence(out, library(r)->amid,
		     "calls of signal handlers came amid the measuring: their time is with others");
	add_sentence(out, r->n_too_deep,
		     "calls had too many others below them: their time is with these");
	add_sentence(out, h->n_late, "calls of threads that had ended are not here");
}

void calls_lines_add_cell(struct strbuf *out, int width, int digits, double number)
{
	if (isnan(number))
		strbuf_addf(out, " %*s", width, "-");
	else
		strbuf_addf(out, " %*.*f", width, digits, number);
}

int calls_lines_name_width(const struct calls_report *r)
{
	return r->longest > NAME_WIDTH ? (int)r->longest : NAME_WIDTH;
}

static void add_text_header(const struct calls_report *r, struct strbuf *out)
{
	strbuf_addf(out, "%-*s %-8s %11s %11s %12s %7s %11s %11s %12s %11s %9s %9s\n",
		    calls_lines_name_width(r), "# function", "group", "calls", "nested", "self ms",
		    "share%", "ns each", "sd ns", "total ms", "max us", "user", "kernel");
}

static void add_text_line(const struct calls_report *r, struct strbuf *out,
			  const struct calls_line *l)
{
	strbuf_addf(out, "%-*s %-8s", calls_lines_name_width(r), l->name,
		    l->kind == CALLS_FUNCTION ? l->group : kind_names[l->kind]);
	if (has_calls(r, l))
		strbuf_addf(out, " %11" PRIu64 " %11" PRIu64, calls_of(l), l->sum.nested);
	else
		strbuf_addf(out, " %11s %11s", "-", "-");
	if (l->unknown)
		strbuf_addf(out, " %12s", "-");
	else
		strbuf_addf(out, " %12.3f", (double)ns_of(r, l->sum.self) / 1e6);
	if (r->time && !l->unknown)
		strbuf_addf(out, " %7.2f", share_of(r, l->sum.self));
	else
		strbuf_addf(out, " %7s", "-");
	calls_lines_add_cell(out, 11, 1, mean_of(r, l));
	calls_lines_add_cell(out, 11, 1, stddev_of(r, l));
	if (l->kind == CALLS_FUNCTION && l->sum.calls > l->sum.depth)
		strbuf_addf(out, " %12.3f %11.3f", (double)ns_of(r, l->sum.total) / 1e6,
			    (double)ns_of(r, l->sum.max) / 1e3);
	else
		strbuf_addf(out, " %12s %11s", "-", "-");
	for (uint32_t mode = 0; mode < 2; mode++)
		calls_lines_add_cell(out, 9, 0, calls_count(r, l, mode));
	strbuf_addch(out, '\n');
}

/* --- CSV --- */

static void add_csv_header(const struct calls_report *r, struct strbuf *out)
{
	strbuf_addstr(out, "pid,type,name,group,calls,nested,unreturned,self_ns,share_pct,mean_ns,"
			   "total_ns,max_ns,stddev_ns,user,kernel");
	calls_events_add_csv_header(r, out);
	strbuf_addch(out, '\n');
}

static void add_csv_line(const struct calls_report *r, struct strbuf *out,
			 const struct calls_line *l)
{
	strbuf_addf(out, "%u,%s,", r->header.pid, kind_names[l->kind]);
	csv_add_text(out, l->name);
	strbuf_addch(out, ',');
	csv_add_text(out, l->group);
	if (has_calls(r, l))
		strbuf_addf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, calls_of(l), l->sum.nested,
			    l->sum.depth);
	else
		strbuf_addstr(out, ",,,");
	strbuf_addch(out, ',');
	if (!l->unknown)
		strbuf_addf(out, "%" PRIu64, ns_of(r, l->sum.self));
	strbuf_addch(out, ',');
	if (r->time && !l->unknown)
		strbuf_addf(out, "%.4f", share_of(r, l->sum.self));
	strbuf_addch(out, ',');
	if (l->sum.calls)
		strbuf_addf(out, "%.3f", mean_of(r, l));
	if (l->kind == CALLS_FUNCTION && l->sum.calls > l->sum.depth)
		strbuf_addf(out, ",%" PRIu64 ",%" PRIu64, ns_of(r, l->sum.total),
			    ns_of(r, l->sum.max));
	else
		strbuf_addstr(out, ",,");
	strbuf_addch(out, ',');
	if (!isnan(stddev_of(r, l)))
		strbuf_addf(out, "%.3f", stddev_of(r, l));
	for (uint32_t mode = 0; mode < 2; mode++) {
		strbuf_addch(out, ',');
		if (!isnan(calls_count(r, l, mode)))
			strbuf_addf(out, "%.0f", calls_count(r, l, mode));
	}
	calls_events_add_csv(r, out, l);
	strbuf_addch(out, '\n');
}

/* --- JSON --- */

static void begin_object(const struct calls_report *r, struct strbuf *out, const char *type)
{
	json_begin(out, '{');
	json_member_text(out, "type", type);
	json_member_count(out, "schema", SCHEMA);
	json_member_count(out, "pid", r->header.pid);
}

static void add_json_head(const struct calls_report *r, struct strbuf *out)
{
	const struct calls_header *h = &r->header;

	begin_object(r, out, "calls");
	json_member_count(out, "threads", h->n_threads);
	json_member_text(out, "unit", "ns");
	json_member_count(out, "time", ns_of(r, r->time));
	json_member_number(out, "measuring", h->overhead ? (double)ns_of(r, r->own) : NAN);
	json_member_number(out, "cpu_time", r->cpu_ns ? (double)r->cpu_ns : NAN);
	json_member_number(out, "measuring_each", h->overhead ? overhead_ns(r, h->overhead) : NAN);
	json_member_number(out, "measuring_inside", h->overhead ? overhead_ns(r, h->inside) : NAN);
	json_member_count(out, "threads_left_out", h->n_homeless);
	json_member_count(out, "unreturned", library(r)->depth);
	json_member_count(out, "untimed", library(r)->amid + r->n_too_deep);
	json_member_count(out, "late", h->n_late);
	header_add_json_stop(out, h->lacking_call, ns_of(r, h->end - h->begin));
	calls_events_add_json_head(r, out);
	json_end(out, '}');
	strbuf_addch(out, '\n');
}

static void add_json_line(const struct calls_report *r, struct strbuf *out,
			  const struct calls_line *l)
{
	begin_object(r, out, kind_names[l->kind]);
	json_member_text(out, "name", l->name);
	if (l->kind == CALLS_FUNCTION)
		json_member_text(out, "group", l->group);
	if (has_calls(r, l)) {
		json_member_count(out, "calls", calls_of(l));
		json_member_count(out, "nested", l->sum.nested);
		json_member_count(out, "unreturned", l->sum.depth);
	}
	json_member_text(out, "unit", "ns");
	json_member_number(out, "self", l->unknown ? NAN : (double)ns_of(r, l->sum.self));
	json_member_number(out, "share", l->unknown ? NAN : share_of(r, l->sum.self));
	json_member_number(out, "mean", mean_of(r, l));
	if (l->kind == CALLS_FUNCTION) {
		const bool known = l->sum.calls > l->sum.depth;

		json_member_number(out, "total", known ? (double)ns_of(r, l->sum.total) : NAN);
		json_member_number(out, "max", known ? (double)ns_of(r, l->sum.max) : NAN);
	}
	json_member_number(out, "stddev", stddev_of(r, l));
	json_member_number(out, "user", calls_count(r, l, 0));
	json_member_number(out, "kernel", calls_count(r, l, 1));
	calls_events_add_json(r, out, l);
	json_end(out, '}');
	strbuf_addch(out, '\n');
}

/* --- all --- */

static const struct format {
	void (*head)(const struct calls_report *r, struct strbuf *out);   /* NULL: none */
	void (*header)(const struct calls_report *r, struct strbuf *out); /* NULL: none */
	bool every;                                                       /* report has a header */
	void (*line)(const struct calls_report *r, struct strbuf *out, const struct calls_line *l);
} formats[] = {
	[CALLS_TEXT] = {add_head, add_text_header, true, add_text_line},
	[CALLS_CSV] = {NULL, add_csv_header, false, add_csv_line},
	[CALLS_JSON] = {add_json_head, NULL, false, add_json_line},
};

void calls_lines_add(const struct calls_report *r, enum calls_format format, bool is_first,
		     struct strbuf *out)
{
	const struct format *f = &formats[format];

	if (f->head)
		f->head(r, out);
	if (f->header && (f->every || is_first))
		f->header(r, out);
	for (size_t i = 0; i < r->n; i++)
		f->line(r, out, &r->line[i]);
	if (format == CALLS_TEXT)
		calls_events_add_text(r, out);
}
