/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/saved_report.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "compare/saved_word.h"
#include "inject/lib/columns.h"
#include "profile/calls/lines.h"
#include "profile/locks/lines.h"
#include "profile/regions/lines.h"
#include "report/read.h"

/* ---- saved entry ----
 *
 * Makes the entry of a line of a report from its columns, by their roles.
 */

/* The columns of one amount; NaN: no number. */
struct figures {
	bool any; /* the type has such columns */
	bool has_n;
	double n, timed, mean, sd, sd_of_all;
};

/* A line: for each amount the figures of the time, and those of the event. */
struct reading {
	struct saved_entry *entry;
	struct strbuf process;
	struct figures time[SAVED_AMOUNTS], event[SAVED_AMOUNTS];
};

static double number_of(const struct report_cell *cell)
{
	return cell->kind == REPORT_VALUE && value_known(cell->value) ? cell->value.number
								      : (double)NAN;
}

static double or_zero(double number)
{
	return isnan(number) ? 0 : number;
}

/* Returns a copy of the text; "": none. The caller frees it. */
static char *text_of(const struct report_record *r, const struct report_cell *cell)
{
	const struct report_scalar s = record_scalar(r, cell);
	struct strbuf number;

	if (cell->kind == REPORT_TEXT)
		return xstrdup(record_text_of(r, cell));
	strbuf_init(&number);
	scalar_add_csv(&number, &s, 0);
	return number.text;
}

/* Returns a copy of the text without the offset in the function. */
static char *place_of(const struct report_record *r, const struct report_cell *cell)
{
	char *text = text_of(r, cell);

	text_cut_offset(text);
	return text;
}

static void set_text(char **to, char *text)
{
	free(*to);
	*to = text;
}

static void add_process(struct strbuf *process, char *part)
{
	strbuf_addf(process, "%s ", part);
	free(part);
}

static void take_figure(struct figures *t, const struct report_column *c, double number)
{
	t->any = true;
	t->has_n |= c->role == REPORT_IS_N;
	*(c->role == REPORT_IS_N       ? &t->n
	  : c->role == REPORT_IS_TIMED ? &t->timed
	  : c->role == REPORT_IS_MEAN  ? &t->mean
	  : c->role == REPORT_IS_SD    ? &t->sd
				       : &t->sd_of_all) = number;
}

static void take_amount(struct reading *r, const struct saved_type *type,
			const struct report_column *c, double number)
{
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		if (type->amount[i] && !strcmp(type->amount[i], c->amount))
			take_figure(c->event ? &r->event[i] : &r->time[i], c, number);
}

static void take_cell(struct reading *r, const struct saved_type *type,
		      const struct report_record *record, size_t i)
{
	const struct report_column *c = &record->type->column[i];
	const struct report_cell *cell = &record->cell[i];
	struct saved_entry *e = r->entry;

	switch (c->role) {
	case REPORT_NO_ROLE:
		break;
	case REPORT_IS_NAME:
		set_text(&e->name, text_of(record, cell));
		break;
	case REPORT_IS_PLACE_NAME:
		set_text(&e->name, place_of(record, cell));
		break;
	case REPORT_IS_KIND:
		set_text(&e->kind, text_of(record, cell));
		break;
	case REPORT_IS_CALLER:
		set_text(&e->caller, place_of(record, cell));
		break;
	case REPORT_IS_PROCESS:
		add_process(&r->process, text_of(record, cell));
		break;
	case REPORT_IS_TIMES:
		e->count = or_zero(number_of(cell));
		break;
	case REPORT_IS_CONTENDED:
		e->contended = number_of(cell);
		break;
	default:
		take_amount(r, type, c, number_of(cell));
	}
}

/* --- amounts --- */

/* Returns the sum of the squared deviations of n numbers from their mean, computed from their
 * standard deviation; 0 for a single number. */
static double squares_of(const struct figures *t, double n)
{
	if (!(n > 1))
		return 0;
	return isnan(t->sd_of_all) ? t->sd * t->sd * (n - 1)
				   : t->sd_of_all * t->sd_of_all * (n - 1) * n / (n - 1);
}

static struct moments make_amount(const struct figures *t, double n)
{
	const double timed = isnan(t->timed) ? n : t->timed;

	return (struct moments){
		.n = n,
		.measured = timed,
		.mean = n > 0 ? t->mean : 0,
		.squares = squares_of(t, timed),
	};
}

/* Returns amount i: of the event if it is selected or there is no time, else of the time. If the
 * amount occurred, but the event has no numbers, mean and deviation are unknown. Without a column
 * for n, n is the count of the entry. */
static struct moments choose(const struct saved *s, const struct reading *r, int i)
{
	static const struct figures nothing = {
		.timed = NAN, .mean = NAN, .sd = NAN, .sd_of_all = NAN};
	const struct figures *time = &r->time[i], *event = &r->event[i];
	const bool by_event = event->any && (s->by_event || !time->any);
	const struct figures *t = by_event ? event : time;

	if (!s->type->amount[i])
		return (struct moments){.n = 0};
	if (!t->has_n)
		return make_amount(t, r->entry->count);
	return or_zero(t->n) > 0 ? make_amount(t, t->n) : make_amount(&nothing, or_zero(time->n));
}

/* --- entries --- */

static void saved_entry_done(struct saved_entry *e)
{
	free(e->name);
	free(e->kind);
	free(e->caller);
	free(e->process);
}

static void begin(struct reading *r, struct saved_entry *e)
{
	*e = (struct saved_entry){.contended = NAN};
	*r = (struct reading){.entry = e};
	strbuf_init(&r->process);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		r->time[i] = r->event[i] =
			(struct figures){.mean = NAN, .timed = NAN, .sd = NAN, .sd_of_all = NAN};
}

static void fill_texts(struct saved_entry *e)
{
	e->name = e->name ? e->name : xstrdup("");
	e->kind = e->kind ? e->kind : xstrdup("");
	e->caller = e->caller ? e->caller : xstrdup("");
}

/* Adds the entry of a record that has the columns of the report. */
static void saved_take_entry(struct saved *s, const struct report_record *record)
{
	struct reading r;
	struct saved_entry e;

	begin(&r, &e);
	for (size_t i = 0; i < record->type->n; i++)
		take_cell(&r, s->type, record, i);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		e.amount[i] = choose(s, &r, i);
	fill_texts(&e);
	e.process = r.process.len ? xstrdup(r.process.text) : NULL;
	e.line = s->n;
	strbuf_done(&r.process);
	s->entry = xgrow(s->entry, &s->cap, s->n + 1, sizeof *s->entry);
	s->entry[s->n++] = e;
}

/* ---- saved types ---- */

static void name(struct event_note *note, const char *event)
{
	snprintf(note->name, sizeof note->name, "%s", event ? event : "");
}

static void declare_locks(struct report_own_type *t, const char *event)
{
	struct event_note note = {.overhead = 0};

	name(&note, event);
	locks_lines_declare(t, &note, event ? 1 : 0, false);
}

/* Calls have two notes for an event: for user mode, and for the kernel. */
static void declare_calls(struct report_own_type *t, const char *event)
{
	struct event_note note[2] = {{.overhead = 0}};

	name(&note[0], event);
	name(&note[1], event);
	calls_lines_declare(t, note, event ? 2 : 0);
}

/* Regions, as their programs write them. */
static void declare_regions(struct report_own_type *t, const char *event)
{
	regions_lines_declare(t, &(struct regions_names){&event, event != NULL, NULL, 0});
}

/* The writer named in errors if the type is unknown. */
static const char *const saved_writer = "'tiptop locks --format json'";

static const struct saved_type types[] = {
	{.report = "locks",
	 .line = "lock",
	 .count = "acquisitions",
	 .did = "acquired",
	 .kind = "kind",
	 .has_callers = true,
	 .amount = {"acquire", "hold", "release"},
	 .of = "tiptop locks",
	 .writer = "'tiptop locks --format json'",
	 .declare = declare_locks},
	{.report = "calls",
	 .line = "call",
	 .count = "calls",
	 .did = "calls",
	 .kind = "group",
	 .amount = {"self", "user", "kernel"},
	 .in_modes = true,
	 .other = {"group", "part"},
	 .of = "tiptop calls",
	 .writer = "'tiptop calls --format json'",
	 .declare = declare_calls},
	{.report = "region",
	 .line = "region",
	 .count = "calls",
	 .did = "calls",
	 .amount = {"time", "event", NULL},
	 .other = {"lack", "thread"},
	 .time = TT_TIME_EVENT,
	 .of = "regions of a program",
	 .writer = "a program with TIPTOP_FORMAT=json",
	 .declare = declare_regions},
};

/* Finds the type of a report; NULL: none has that name. */
static const struct saved_type *saved_type_find(const char *report)
{
	for (size_t i = 0; report && i < sizeof types / sizeof *types; i++)
		if (!strcmp(report, types[i].report))
			return &types[i];
	return NULL;
}

/* ---- saved report ---- */

/* Bytes of the first line in which the type must be; the reader handles longer lines. */
#define SIZE_MAX_LINE ((size_t)64 << 10)

#define UNIT "ns"

/* Sets the context to whether the file is a report; returns 1, as only the first file counts. */
static int match(void *context, const char *path, struct err *err)
{
	struct json_object *line = NULL;
	struct strbuf text;
	char first[2];
	bool *is = context;

	(void)err;
	if (file_read(AT_FDCWD, path, first, sizeof first) != 1 || *first != '{')
		return 1;
	strbuf_init(&text);
	if (file_read_first_line(AT_FDCWD, path, SIZE_MAX_LINE, &text) > 0)
		line = report_line_parse(text.text);
	*is = !line || saved_type_find(report_line_text(line, "type"));
	report_line_done(line);
	strbuf_done(&text);
	return 1;
}

bool saved_is_report(const char *word)
{
	bool is = false;

	saved_word_visit(word, match, &is, NULL);
	return is;
}

int saved_compare(const struct saved_entry *a, const struct saved_entry *b)
{
	int order = strcmp(a->name, b->name);

	order = order ? order : strcmp(a->kind, b->kind);
	return order ? order : strcmp(a->caller, b->caller);
}

static int compare_entries(const void *a, const void *b)
{
	return saved_compare(a, b);
}

/* --- merging of lines --- */

/* Sorts by process and entry, later lines first. */
static int compare_processes(const void *a, const void *b)
{
	const struct saved_entry *x = a, *y = b;
	int order = strcmp(x->process, y->process);

	order = order ? order : saved_compare(x, y);
	return order ? order : (x->line < y->line) - (x->line > y->line);
}

/* Keeps the last line on each region of each process. */
static void drop_earlier(struct saved *s)
{
	size_t n = 0;

	if (!s->n || !s->entry[0].process)
		return;
	array_sort(s->entry, s->n, sizeof *s->entry, compare_processes);
	for (size_t i = 0; i < s->n; i++) {
		struct saved_entry *e = &s->entry[i], *last = n ? &s->entry[n - 1] : NULL;

		if (last && !strcmp(last->process, e->process) && !saved_compare(last, e))
			saved_entry_done(e);
		else
			s->entry[n++] = *e;
	}
	s->n = n;
}

/* Merges the entries with the same name, kind and caller. */
static void join(struct saved *s)
{
	size_t n = 0;

	drop_earlier(s);
	array_sort(s->entry, s->n, sizeof *s->entry, compare_entries);
	for (size_t i = 0; i < s->n; i++) {
		struct saved_entry *e = &s->entry[i], *to = n ? &s->entry[n - 1] : NULL;

		if (!to || saved_compare(to, e)) {
			s->entry[n++] = *e;
			continue;
		}
		to->count += e->count;
		to->contended += e->contended;
		for (int k = 0; k < SAVED_AMOUNTS; k++)
			moments_add(&to->amount[k], &e->amount[k]);
		saved_entry_done(e);
	}
	s->n = n;
}

/* --- the file --- */

static int refuse_event(const struct saved *s, struct json_object *line, struct err *err)
{
	const char *name;
	struct strbuf names;
	int ret;

	if (!report_line_has(line, "events", NULL))
		return err_set(err, EINVAL,
			       "--event: '%s' has counted no events: 'tiptop %s -e' does so",
			       s->path, s->type->report);
	strbuf_init(&names);
	for (size_t i = 0; (name = report_line_member(line, "events", i)); i++)
		strbuf_addf(&names, "%s'%s'", i ? ", " : "", name);
	ret = err_set(err, EINVAL, "--event: '%s' has not counted '%s', but %s", s->path, s->event,
		      names.text);
	strbuf_done(&names);
	return ret;
}

static void declare(struct saved *s)
{
	s->columns = xcalloc(1, sizeof *s->columns);
	s->type->declare(s->columns, s->event);
	record_init(&s->record, &s->columns->type);
}

static void free_columns(struct saved *s)
{
	if (!s->columns)
		return;
	record_done(&s->record);
	report_own_type_done(s->columns);
	free(s->columns);
	s->columns = NULL;
}

/* Returns the unit of amount i; NULL: the report does not have it. If events are counted in two
 * modes, they have no amount in place of the time. */
static const char *unit_of(const struct saved *s, int i)
{
	const struct saved_type *type = s->type;

	if (!type->in_modes && !type->time)
		return s->by_event ? s->event : UNIT;
	if (!i)
		return type->in_modes && s->by_event ? NULL : UNIT;
	return type->amount[i] ? s->event : NULL;
}

/* Sets the event, if the user named none: the first one; for regions the second one, as the first
 * is the time. */
static int take_events(struct saved *s, struct json_object *line, struct err *err)
{
	const char *event = report_line_member(line, "events", s->type->time ? 1 : 0);

	if (s->by_event && !report_line_has(line, "events", s->event))
		return refuse_event(s, line, err);
	if (!s->event && event)
		s->event = xstrdup(event);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		s->unit[i] = unit_of(s, i);
	free_columns(s);
	declare(s);
	return 0;
}

static bool is_other(const struct saved_type *type, const char *line)
{
	return type->other[0] && (!strcmp(line, type->other[0]) || !strcmp(line, type->other[1]));
}

static int refuse_line(const struct saved *s, int number, const char *name, struct err *err)
{
	const bool threads = name && !strcmp(name, "thread"),
		   chains = name && !strcmp(name, "chain");

	if (threads || chains)
		return err_set(err, EINVAL,
			       "%s:%d: this report has %s instead of locks to compare: write it "
			       "without %s",
			       s->path, number, threads ? "threads" : "chains of waits",
			       threads ? "--threads" : "--chains");
	return err_set(err, EINVAL, "%s:%d: this is not a line of a report that %s writes", s->path,
		       number, s->type ? s->type->writer : saved_writer);
}

/* The first line of a report on regions contains the events. */
static int take_entry(struct saved *s, int number, struct json_object *line, struct err *err)
{
	const char *unit = report_line_text(line, "unit");

	if (unit && strcmp(unit, UNIT) != 0)
		return err_set(err, EINVAL, "%s:%d: its times are in '%s', where only ns are known",
			       s->path, number, unit);
	if (s->type->time && !s->unit[0] && take_events(s, line, err))
		return -EINVAL;
	if (!s->columns)
		declare(s);
	record_restart(&s->record, &s->columns->type);
	report_line_read(line, &s->record);
	saved_take_entry(s, &s->record);
	return 0;
}

static int take_line(void *context, int number, struct json_object *line, struct err *err)
{
	struct saved *s = context;
	const char *name = report_line_text(line, "type");

	if (!s->type)
		s->type = saved_type_find(name);
	if (name && s->type && !strcmp(name, s->type->line))
		return take_entry(s, number, line, err);
	if (name && s->type && !strcmp(name, s->type->report))
		return take_events(s, line, err);
	if (name && s->type && is_other(s->type, name))
		return 0;
	return refuse_line(s, number, name, err);
}

int saved_read(struct saved *s, const char *path, const char *event, struct err *err)
{
	int ret;

	*s = (struct saved){
		.path = xstrdup(path), .by_event = event, .event = event ? xstrdup(event) : NULL};
	ret = report_lines_visit(path, take_line, s, err);
	free_columns(s);
	if (!ret)
		join(s);
	return ret;
}

void saved_done(struct saved *s)
{
	for (size_t i = 0; i < s->n; i++)
		saved_entry_done(&s->entry[i]);
	free(s->entry);
	free(s->event);
	free(s->path);
	*s = (struct saved){.n = 0};
}
