/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/saved_report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "compare/saved_entry.h"
#include "report/read.h"

#define SIZE_MAX_REPORT ((size_t)256 << 20)

/* So much of the first line says of what type it is; one that is longer is for the reader. */
#define SIZE_MAX_LINE ((size_t)64 << 10)

#define UNIT "ns"

bool saved_is_report(const char *path)
{
	struct json_object *line = NULL;
	struct strbuf text;
	char first[2];
	bool is;

	if (file_read(AT_FDCWD, path, first, sizeof first) != 1 || *first != '{')
		return false;
	strbuf_init(&text);
	if (file_read_first_line(AT_FDCWD, path, SIZE_MAX_LINE, &text) > 0)
		line = report_line_parse(text.text);
	is = !line || saved_type_find(report_line_text(line, "type"));
	report_line_done(line);
	strbuf_done(&text);
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

/* --- lines that are one --- */

/* By process, and of one the later lines first. */
static int compare_processes(const void *a, const void *b)
{
	const struct saved_entry *x = a, *y = b;
	int order = strcmp(x->process, y->process);

	order = order ? order : saved_compare(x, y);
	return order ? order : (x->line < y->line) - (x->line > y->line);
}

/* Leaves of each process the last line on each region. */
static void drop_earlier(struct saved *s)
{
	size_t n = 0;

	if (!s->n || !s->entry[0].process)
		return;
	qsort(s->entry, s->n, sizeof *s->entry, compare_processes);
	for (size_t i = 0; i < s->n; i++) {
		struct saved_entry *e = &s->entry[i], *last = n ? &s->entry[n - 1] : NULL;

		if (last && !strcmp(last->process, e->process) && !saved_compare(last, e))
			saved_entry_done(e);
		else
			s->entry[n++] = *e;
	}
	s->n = n;
}

/* What has the same name, kind and caller becomes one. */
static void join(struct saved *s)
{
	size_t n = 0;

	drop_earlier(s);
	if (s->n)
		qsort(s->entry, s->n, sizeof *s->entry, compare_entries);
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

static int refuse_event(const struct saved *s, const char *path, struct json_object *line,
			struct err *err)
{
	const char *name;
	struct strbuf names;
	int ret;

	if (!report_line_has(line, "events", NULL))
		return err_set(err, EINVAL,
			       "--event: '%s' has counted no events: 'tiptop %s -e' does so", path,
			       s->type->report);
	strbuf_init(&names);
	for (size_t i = 0; (name = report_line_member(line, "events", i)); i++)
		strbuf_addf(&names, "%s'%s'", i ? ", " : "", name);
	ret = err_set(err, EINVAL, "--event: '%s' has not counted '%s', but %s", path, s->event,
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

static void undeclare(struct saved *s)
{
	if (!s->columns)
		return;
	record_done(&s->record);
	report_own_type_done(s->columns);
	free(s->columns);
	s->columns = NULL;
}

/* What an amount is in; NULL: it is not there. Of an event in two modes there is no amount in place
 * of the time. */
static const char *unit_of(const struct saved *s, int i)
{
	const struct saved_type *type = s->type;

	if (!type->in_modes && !type->time)
		return s->by_event ? s->event : UNIT;
	if (!i)
		return type->in_modes && s->by_event ? NULL : UNIT;
	return type->amount[i] ? s->event : NULL;
}

/* Finds the event: the first one, or of regions, of which the first is the time, the second. */
static int take_events(struct saved *s, const char *path, struct json_object *line, struct err *err)
{
	const char *event = report_line_member(line, "events", s->type->time ? 1 : 0);

	if (s->by_event && !report_line_has(line, "events", s->event))
		return refuse_event(s, path, line, err);
	if (!s->event && event)
		s->event = xstrdup(event);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		s->unit[i] = unit_of(s, i);
	undeclare(s);
	declare(s);
	return 0;
}

static bool is_other(const struct saved_type *type, const char *line)
{
	return type->other[0] && (!strcmp(line, type->other[0]) || !strcmp(line, type->other[1]));
}

static int refuse_line(const struct saved *s, const char *path, int number, const char *name,
		       struct err *err)
{
	if (name && !strcmp(name, "thread"))
		return err_set(err, EINVAL,
			       "%s:%d: this report has threads, and no locks to compare: write it "
			       "without --threads",
			       path, number);
	return err_set(err, EINVAL, "%s:%d: this is no line of a report that %s writes", path,
		       number, s->type ? s->type->writer : saved_writer);
}

/* The first line of a report on regions says what was counted. */
static int take_entry(struct saved *s, const char *path, int number, struct json_object *line,
		      struct err *err)
{
	const char *unit = report_line_text(line, "unit");

	if (unit && strcmp(unit, UNIT) != 0)
		return err_set(err, EINVAL, "%s:%d: its times are in '%s', where only ns are known",
			       path, number, unit);
	if (s->type->time && !s->unit[0] && take_events(s, path, line, err))
		return -EINVAL;
	if (!s->columns)
		declare(s);
	record_restart(&s->record, &s->columns->type);
	report_line_read(line, &s->record);
	saved_take_entry(s, &s->record);
	return 0;
}

static int take_line(struct saved *s, const char *path, int number, struct json_object *line,
		     struct err *err)
{
	const char *name = report_line_text(line, "type");

	if (!s->type)
		s->type = saved_type_find(name);
	if (name && s->type && !strcmp(name, s->type->line))
		return take_entry(s, path, number, line, err);
	if (name && s->type && !strcmp(name, s->type->report))
		return take_events(s, path, line, err);
	if (name && s->type && is_other(s->type, name))
		return 0;
	return refuse_line(s, path, number, name, err);
}

static int read_line(struct saved *s, const char *path, int number, const char *text,
		     struct err *err)
{
	struct json_object *line = report_line_parse(text);
	int ret = take_line(s, path, number, line, err);

	report_line_done(line);
	return ret;
}

int saved_read(struct saved *s, const char *path, const char *event, struct err *err)
{
	struct strbuf text;
	ssize_t n;
	int ret = 0, number = 0;

	*s = (struct saved){
		.path = xstrdup(path), .by_event = event, .event = event ? xstrdup(event) : NULL};
	strbuf_init(&text);
	n = file_read_all(AT_FDCWD, path, SIZE_MAX_REPORT, &text);
	if (n < 0)
		ret = err_set(err, (int)-n, "cannot read '%s': %s", path, strerror((int)-n));
	else if (!n)
		ret = err_set(err, EINVAL, "%s: there is nothing in it", path);
	else if ((size_t)n >= SIZE_MAX_REPORT)
		ret = err_set(err, EFBIG, "%s: it is longer than 256 MiB", path);
	for (char *line = text.text, *end; !ret && *line; line = end) {
		end = strchrnul(line, '\n');
		end += *end ? (*end = '\0', 1) : 0;
		ret = read_line(s, path, ++number, line, err);
	}
	strbuf_done(&text);
	undeclare(s);
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
