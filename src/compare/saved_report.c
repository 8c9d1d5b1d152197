/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/saved_report.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/value.h"
#include "inject/lib/figures.h"
#include "profile/calls/lines.h"
#include "profile/locks/lines.h"
#include "profile/regions/lines.h"
#include "report/counts.h"
#include "report/read.h"

/* ---- saved_word ---- */

/* Returns whether the first n characters are the name of a file. */
static bool is_file(const char *name, size_t n)
{
	char *copy = xstrndup(name, n);
	const bool is = access(copy, F_OK) == 0;

	free(copy);
	return is;
}

/* Returns the end of the first file of a list, with its parts: the next ','; after the first part,
 * the next ',' before the name of an existing file, as parts may contain ','. */
static const char *find_end(const char *begin)
{
	const char *end = strchrnul(begin, ',');

	while (*end) {
		const size_t n = strcspn(end + 1, ",");
		const bool has_part = memchr(begin, '=', (size_t)(end - begin) + 1 + n);

		if (!has_part || is_file(end + 1, n))
			break;
		end += 1 + n;
	}
	return end;
}

bool saved_word_is_list(const char *word)
{
	const char *comma = strchr(word, ',');

	/* The first comma may be a part of a name. */
	for (const char *end = comma; end && *end;) {
		end = strchrnul(end + 1, ',');
		if (is_file(word, (size_t)(end - word)))
			return false;
	}
	return comma && *find_end(word);
}

/* Returns a copy of the next file of the word and advances *rest; NULL: the end. */
static char *take_file(const char **rest, bool is_list)
{
	const char *begin = *rest, *end = is_list ? find_end(begin) : begin + strlen(begin);

	if (!*begin)
		return NULL;
	*rest = *end ? end + 1 : end;
	return xstrndup(begin, (size_t)(end - begin));
}

bool saved_word_begins(const char *word, const char *type)
{
	char *path = take_file(&word, saved_word_is_list(word)), text[64];
	char *begin = xasprintf("{\"type\":\"%s\",", type);
	const ssize_t n = (ssize_t)strlen(begin);
	const bool begins =
		path && file_read(AT_FDCWD, path, text, (size_t)n + 1) == n && !strcmp(text, begin);

	free(begin);
	free(path);
	return begins;
}

/* Returns whether a list names the file `path` before `end`. */
static bool is_named_before(const char *list, const char *end, const char *path)
{
	char *before;
	bool is = false;

	while (list < end && !is && (before = take_file(&list, true))) {
		is = !strcmp(before, path);
		free(before);
	}
	return is;
}

int saved_word_visit(const char *word,
		     int (*read)(void *context, const char *path, struct err *err), void *context,
		     struct err *err)
{
	const bool is_list = saved_word_is_list(word);
	const char *rest = word, *begin = word;
	int ret = 0;

	for (char *path; !ret && (path = take_file(&rest, is_list)); free(path)) {
		if (is_list && is_named_before(word, begin, path))
			ret = err_set(err, EINVAL, "'%s' names '%s' twice: it would count twice",
				      word, path);
		else
			ret = read(context, path, err);
		begin = rest;
	}
	return ret;
}

/* ---- saved_report ---- */

/* ---- saved entry ----
 *
 * Converts a line of a report to an entry; the roles of its columns say what is key and what is
 * number.
 */

/* The columns of one amount; NaN: no number. */
struct figures {
	bool has_n;
	double n, timed, mean, sd, sd_of_all;
};

/* A line: for each amount the figures of the time, and those of the event. */
struct reading {
	const struct saved *of;
	struct saved_entry *entry;
	struct strbuf process;
	struct figures (*figures)[2]; /* [n_amounts] */
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

/* Sets a key. A column without a text does not replace the key of an earlier column. */
static void take_key(struct saved_entry *e, const struct report_column *c,
		     const struct report_record *r, const struct report_cell *cell)
{
	char **key = &e->key[c->role - REPORT_IS_NAME];
	char *text = text_of(r, cell);

	if (c->has_offset)
		text_cut_offset(text);
	if (*key && !*text) {
		free(text);
		return;
	}
	free(*key);
	*key = text;
}

static void add_process(struct strbuf *process, char *part)
{
	strbuf_addf(process, "%s ", part);
	free(part);
}

static void take_figure(struct figures *t, const struct report_column *c, double number)
{
	if (c->role == REPORT_IS_NUMBER) {
		*t = (struct figures){true, isnan(number) ? 0 : 1, NAN, number, 0, NAN};
		return;
	}
	t->has_n |= c->role == REPORT_IS_N;
	*(c->role == REPORT_IS_N       ? &t->n
	  : c->role == REPORT_IS_TIMED ? &t->timed
	  : c->role == REPORT_IS_MEAN  ? &t->mean
	  : c->role == REPORT_IS_SD    ? &t->sd
				       : &t->sd_of_all) = number;
}

static void take_cell(struct reading *r, const struct report_record *record, size_t i)
{
	const struct report_column *c = &record->type->column[i];
	const struct report_cell *cell = &record->cell[i];
	struct saved_entry *e = r->entry;

	switch (c->role) {
	case REPORT_NO_ROLE:
		break;
	case REPORT_IS_NAME:
	case REPORT_IS_KIND:
	case REPORT_IS_CALLER:
		take_key(e, c, record, cell);
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
		take_figure(&r->figures[saved_find_amount(r->of, c->amount)][c->event != NULL], c,
			    number_of(cell));
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
static struct moments choose(const struct saved *s, const struct reading *r, size_t i)
{
	static const struct figures nothing = {
		.timed = NAN, .mean = NAN, .sd = NAN, .sd_of_all = NAN};
	const struct saved_amount *amount = &s->amount[i];
	const bool by_event = amount->has_event && (s->by_event || !amount->has_time);
	const struct figures *t = &r->figures[i][by_event];

	if (!t->has_n)
		return make_amount(t, r->entry->count);
	return or_zero(t->n) > 0 ? make_amount(t, t->n)
				 : make_amount(&nothing, or_zero(r->figures[i][0].n));
}

/* --- entries --- */

static void saved_entry_done(struct saved_entry *e)
{
	for (int i = 0; i < REPORT_KEYS; i++)
		free(e->key[i]);
	free(e->process);
	free(e->amount);
}

static void begin(struct reading *r, const struct saved *s, struct saved_entry *e)
{
	*e = (struct saved_entry){.count = 1, .contended = NAN, .line = s->n};
	*r = (struct reading){.of = s, .entry = e};
	strbuf_init(&r->process);
	r->figures = xcalloc(s->n_amounts + 1, sizeof *r->figures);
	for (size_t i = 0; i < s->n_amounts; i++)
		r->figures[i][0] = r->figures[i][1] =
			(struct figures){.mean = NAN, .timed = NAN, .sd = NAN, .sd_of_all = NAN};
}

/* Adds the entry of a record that has the columns of the report. */
static void saved_take_entry(struct saved *s, const struct report_record *record)
{
	struct reading r;
	struct saved_entry e;

	begin(&r, s, &e);
	for (size_t i = 0; i < record->type->n; i++)
		take_cell(&r, record, i);
	e.n_amounts = s->n_amounts;
	e.amount = xcalloc(e.n_amounts + 1, sizeof *e.amount);
	for (size_t i = 0; i < e.n_amounts; i++)
		e.amount[i] = choose(s, &r, i);
	for (int i = 0; i < REPORT_KEYS; i++)
		e.key[i] = e.key[i] ? e.key[i] : xstrdup("");
	e.process = r.process.len ? xstrdup(r.process.text) : NULL;
	free(r.figures);
	strbuf_done(&r.process);
	s->entry = xgrow(s->entry, &s->cap, s->n + 1, sizeof *s->entry);
	s->entry[s->n++] = e;
}

const struct moments *saved_amount_of(const struct saved_entry *e, size_t amount)
{
	return e && amount < e->n_amounts ? &e->amount[amount] : NULL;
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
	 .other = {"shared", "shared"},
	 .of = "tiptop locks",
	 .writer = "'tiptop locks --format json'",
	 .declare = declare_locks},
	{.report = "calls",
	 .line = "call",
	 .count = "calls",
	 .did = "calls",
	 .other = {"group", "part"},
	 .of = "tiptop calls",
	 .writer = "'tiptop calls --format json'",
	 .declare = declare_calls},
	{.report = "region",
	 .line = "region",
	 .count = "calls",
	 .did = "calls",
	 .other = {"lack", "thread"},
	 .time = TT_TIME_EVENT,
	 .of = "regions of a program",
	 .writer = "a program with TIPTOP_FORMAT=json",
	 .declare = declare_regions},
	{.report = "follow",
	 .line = "follow",
	 .count = "processes",
	 .did = "ran",
	 .of = "tiptop follow",
	 .writer = "'tiptop follow --format json'",
	 .is_follow = true},
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

/* Sets *context (a bool) to whether the file is a report; returns 1, as only the first file
 * matters. */
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
	int order = 0;

	for (int i = 0; i < REPORT_KEYS && !order; i++)
		order = strcmp(a->key[i], b->key[i]);
	return order;
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

/* Makes room for n amounts; new ones are empty. */
static void add_room(struct saved_entry *to, size_t n)
{
	if (n <= to->n_amounts)
		return;
	to->amount = xreallocarray(to->amount, n, sizeof *to->amount);
	memset(to->amount + to->n_amounts, 0, (n - to->n_amounts) * sizeof *to->amount);
	to->n_amounts = n;
}

static void add_amounts(struct saved_entry *to, const struct saved_entry *e)
{
	add_room(to, e->n_amounts);
	for (size_t i = 0; i < e->n_amounts; i++)
		moments_add(&to->amount[i], &e->amount[i]);
}

/* Keeps the last entry of each region of a process, then merges the entries with the same keys. */
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
		add_amounts(to, e);
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

size_t saved_find_amount(const struct saved *s, const char *name)
{
	size_t i = 0;

	while (i < s->n_amounts && strcmp(s->amount[i].name, name) != 0)
		i++;
	return i;
}

/* Adds the amount of a column, unless it was added before. */
static void need_amount(struct saved *s, const struct report_column *c)
{
	const size_t i = saved_find_amount(s, c->amount);

	if (i == s->n_amounts) {
		s->amount = xgrow(s->amount, &s->cap_amounts, i + 1, sizeof *s->amount);
		s->amount[s->n_amounts++] = (struct saved_amount){.name = c->amount};
	}
	*(c->event ? &s->amount[i].has_event : &s->amount[i].has_time) = true;
}

/* Declares the columns of the lines, and finds the keys and amounts among them. */
static void declare(struct saved *s)
{
	s->columns = xcalloc(1, sizeof *s->columns);
	if (s->type->is_follow) {
		report_own_type_init(s->columns, NULL, 0);
		report_counts_add_group(s->columns, (const char *const *)s->counter, s->n_counters);
	} else {
		s->type->declare(s->columns, s->event);
	}
	record_init(&s->record, &s->columns->type);
	for (size_t i = 0; i < s->columns->type.n; i++) {
		const struct report_column *c = &s->columns->type.column[i];
		const unsigned key = (unsigned)c->role - REPORT_IS_NAME;

		if (c->amount && c->role)
			need_amount(s, c);
		else if (key < REPORT_KEYS && !s->key_id[key])
			s->key_id[key] = xstrdup(c->id);
	}
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

/* Returns the unit of an amount; NULL: the amount is left out. With --event, amounts that have only
 * a time are left out, except in reports on regions. */
static const char *unit_of(const struct saved *s, const struct saved_amount *a)
{
	if (s->type->is_follow)
		return !s->by_event || !strcmp(s->event, a->name) ? a->name : NULL;
	if (a->has_event && (s->by_event || !a->has_time))
		return s->event;
	return s->by_event && !s->type->time ? NULL : UNIT;
}

static void set_units(struct saved *s)
{
	for (size_t i = 0; i < s->n_amounts; i++)
		s->amount[i].unit = unit_of(s, &s->amount[i]);
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
	free_columns(s);
	declare(s);
	set_units(s);
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
	if (s->type->time && !s->n_amounts && take_events(s, line, err))
		return -EINVAL;
	if (!s->columns)
		declare(s);
	record_restart(&s->record, &s->columns->type);
	report_line_read(line, &s->record);
	saved_take_entry(s, &s->record);
	return 0;
}

/* --- rows of tiptop follow --- */

/* Adds the counters that a row is the first to have, and then declares the columns again. */
static void take_counters(struct saved *s, struct json_object *line)
{
	const size_t before = s->n_counters;
	const char *name;

	for (size_t i = 0; (name = report_line_member(line, "counts", i)); i++) {
		size_t k = 0;

		while (k < s->n_counters && strcmp(s->counter[k], name) != 0)
			k++;
		if (k < s->n_counters)
			continue;
		s->counter = xgrow(s->counter, &s->cap_counters, k + 1, sizeof *s->counter);
		s->counter[s->n_counters++] = xstrdup(name);
	}
	if (s->n_counters == before)
		return;
	free_columns(s);
	declare(s);
	set_units(s);
}

/* Returns the program of a process; adds it if it is unknown. Rows do not name the program of the
 * command itself. */
static struct saved_program *find_program(struct saved *s, double pid)
{
	for (size_t i = 0; i < s->n_programs; i++)
		if (s->program[i].pid == pid)
			return &s->program[i];
	s->program = xgrow(s->program, &s->cap_programs, s->n_programs + 1, sizeof *s->program);
	s->program[s->n_programs] = (struct saved_program){pid, xstrdup("(command)")};
	return &s->program[s->n_programs++];
}

static void set_program(struct saved *s, double pid, const char *name)
{
	char *copy = xstrdup(name);
	struct saved_program *p = find_program(s, pid);

	free(p->name);
	p->name = copy;
}

/* Returns whether a count of the row is known only in part. */
static bool is_partial(struct json_object *line)
{
	struct json_object *quality = report_line_group(line, "quality");
	const char *name, *text;

	for (size_t i = 0; (name = report_line_member(line, "quality", i)); i++) {
		text = report_line_text(quality, name);
		if (text && !strcmp(text, quality_table[QUALITY_PARTIAL].name))
			return true;
	}
	return false;
}

/* Adds the last entry, which has the counters of another set, to the entry before it: one program
 * has ended. A counter of several sets has the sum of their counts, as it was counted in turns. */
static void merge_sets(struct saved *s)
{
	struct saved_entry *e = &s->entry[s->n - 1], *to = e - 1;

	add_room(to, e->n_amounts);
	for (size_t i = 0; i < e->n_amounts; i++) {
		const bool known = to->amount[i].n > 0 && !isnan(to->amount[i].mean);

		if (!known)
			to->amount[i] = e->amount[i];
		else if (!isnan(e->amount[i].mean))
			to->amount[i].mean += e->amount[i].mean;
	}
	saved_entry_done(e);
	s->n--;
}

/* Takes a row. A row with the event "exec" or "exit" and with counts ends a program of the process:
 * it adds an item, the counts since the process began or since its last execve(2). If sets of
 * counters took turns, each set has such a row, and these rows become one item. */
static void take_follow(struct saved *s, struct json_object *line)
{
	const double pid = report_line_number(line, "pid"), made = report_line_number(line, "made");
	const char *event = report_line_text(line, "event"),
		   *image = report_line_text(line, "image");
	const bool ends = event && (!strcmp(event, "exec") || !strcmp(event, "exit")) &&
			  report_line_has(line, "counts", NULL),
		   is_further_set = ends && pid == s->ending_pid;

	s->ending_pid = ends ? pid : 0;
	s->command_pid = s->command_pid > 0 ? s->command_pid : pid;
	s->has_end = s->has_end || (pid == s->command_pid && event && !strcmp(event, "exit"));
	if (made > 0)
		set_program(s, made, find_program(s, pid)->name);
	if (image)
		set_program(s, pid, image);
	if (!ends)
		return;
	s->partial = s->partial || is_partial(line);
	take_counters(s, line);
	record_restart(&s->record, &s->columns->type);
	report_line_read(line, &s->record);
	saved_take_entry(s, &s->record);
	free(s->entry[s->n - 1].key[0]);
	s->entry[s->n - 1].key[0] = xstrdup(find_program(s, pid)->name);
	if (is_further_set)
		merge_sets(s);
}

/* Checks that the report has counts, and those of the event that the user named. */
static int check_counters(const struct saved *s, struct err *err)
{
	for (size_t i = 0; i < s->n_counters; i++)
		if (!s->by_event || !strcmp(s->event, s->counter[i]))
			return 0;
	if (s->by_event && s->n_counters)
		return err_set(err, EINVAL, "--event: '%s' has not counted '%s'", s->path,
			       s->event);
	return err_set(err, ENODATA, "%s: no process has ended in it", s->path);
}

/* --- all --- */

static int refuse_cut(const struct saved *s, const char *member, double n, const char *what,
		      struct err *err)
{
	return err_set(err, ENODATA,
		       "%s: this report was cut off, or filtered without deleting '%s' of its "
		       "head, which counts %.0f more %s%s",
		       s->path, member, n, what, n > 1 ? "s" : "");
}

static int check_lines(const struct saved *s, struct err *err)
{
	return s->n_lines > 0 ? refuse_cut(s, "rows", s->n_lines, "line", err) : 0;
}

static int check_reports(const struct saved *s, struct err *err)
{
	return s->n_reports > 0 ? refuse_cut(s, "further_reports", s->n_reports, "report", err) : 0;
}

/* Counts the lines and the reports that are missing: the head of a process has their numbers.
 * Behind the last report of a run, those of another run may follow. */
static int count_line(struct saved *s, struct json_object *line, struct err *err)
{
	const double rows = report_line_number(line, "rows"),
		     further = or_zero(report_line_number(line, "further_reports"));

	if (isnan(rows)) {
		s->n_lines -= s->n_lines > 0;
		return 0;
	}
	if (check_lines(s, err) || (s->n_reports != further + 1 && check_reports(s, err)))
		return -ENODATA;
	s->n_lines = rows;
	s->n_reports = further;
	return 0;
}

static int take_line(void *context, int number, struct json_object *line, struct err *err)
{
	struct saved *s = context;
	const char *name = report_line_text(line, "type");

	if (line && count_line(s, line, err))
		return -ENODATA;
	if (!s->type)
		s->type = saved_type_find(name);
	if (!name || !s->type)
		return refuse_line(s, number, name, err);
	if (s->type->is_follow && !strcmp(name, s->type->line)) {
		take_follow(s, line);
		return 0;
	}
	if (!strcmp(name, s->type->line))
		return take_entry(s, number, line, err);
	if (!strcmp(name, s->type->report))
		return take_events(s, line, err);
	return is_other(s->type, name) ? 0 : refuse_line(s, number, name, err);
}

int saved_read(struct saved *s, const char *path, const char *event, struct err *err)
{
	int ret;

	*s = (struct saved){
		.path = xstrdup(path), .by_event = event, .event = event ? xstrdup(event) : NULL};
	ret = report_lines_visit(path, take_line, s, err);
	free_columns(s);
	if (!ret)
		ret = check_lines(s, err);
	if (!ret)
		ret = check_reports(s, err);
	if (!ret && s->type->is_follow)
		ret = check_counters(s, err);
	if (!ret)
		join(s);
	return ret;
}

void saved_done(struct saved *s)
{
	for (size_t i = 0; i < s->n; i++)
		saved_entry_done(&s->entry[i]);
	for (int i = 0; i < REPORT_KEYS; i++)
		free(s->key_id[i]);
	for (size_t i = 0; i < s->n_counters; i++)
		free(s->counter[i]);
	free(s->counter);
	for (size_t i = 0; i < s->n_programs; i++)
		free(s->program[i].name);
	free(s->program);
	free(s->entry);
	free(s->amount);
	free(s->event);
	free(s->path);
	*s = (struct saved){.n = 0};
}
