/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "saved/saved.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "saved/line.h"

#define SIZE_MAX_REPORT ((size_t)256 << 20)

#define UNIT "ns"

static const struct saved_type types[] = {
	{.report = "locks",
	 .line = "lock",
	 .count = "acquisitions",
	 .did = "acquired",
	 .name = "name",
	 .kind = "kind",
	 .has_callers = true,
	 .amount = {"acquire", "hold", "release"},
	 .of = "tiptop locks",
	 .writer = "'tiptop locks --format json'"},
	{.report = "calls",
	 .line = "call",
	 .count = "calls",
	 .did = "calls",
	 .name = "name",
	 .kind = "group",
	 .amount = {"self", "user", "kernel"},
	 .in_modes = true,
	 .other = {"group", "part"},
	 .of = "tiptop calls",
	 .writer = "'tiptop calls --format json'"},
	{.report = "region",
	 .line = "region",
	 .count = "calls",
	 .did = "calls",
	 .name = "label",
	 .amount = {"time", "event", NULL},
	 .other = {"lack", "thread"},
	 .time = "time-ns",
	 .of = "regions of a program",
	 .writer = "a program with TIPTOP_FORMAT=json"},
};

/* NULL: there is no report of that name. */
static const struct saved_type *find_type(const char *report)
{
	for (size_t i = 0; report && i < sizeof types / sizeof *types; i++)
		if (!strcmp(report, types[i].report))
			return &types[i];
	return NULL;
}

bool saved_is_report(const char *path)
{
	char head[32] = "", type[16];

	return file_read(AT_FDCWD, path, head, sizeof head) > 0 &&
	       sscanf(head, "{\"type\":\"%15[a-z]\",", type) == 1 && find_type(type);
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

double saved_stddev(const struct saved_amount *a)
{
	return a->timed > 1 ? sqrt(a->squares / (a->timed - 1)) : (double)NAN;
}

/* --- lines that are one --- */

static void add_amount(struct saved_amount *to, const struct saved_amount *from)
{
	const double n = to->n + from->n, off = from->mean - to->mean;
	const double timed = to->timed + from->timed;

	if (!(n > 0))
		return;
	to->squares += from->squares;
	if (timed > 0)
		to->squares += off * off * to->timed * from->timed / timed;
	to->mean += off * from->n / n;
	to->n = n;
	to->timed = timed;
}

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
			add_amount(&to->amount[k], &e->amount[k]);
		saved_entry_done(e);
	}
	s->n = n;
}

/* --- the file --- */

/* NULL: it is not there, or null. */
static const char *find_text(struct json_object *line, const char *key)
{
	struct json_object *value;

	return line && json_object_object_get_ex(line, key, &value) ? json_object_get_string(value)
								    : NULL;
}

static int refuse_event(const struct saved *s, const char *path, struct json_object *events,
			struct err *err)
{
	struct strbuf names;
	int ret;

	if (!events)
		return err_set(err, EINVAL,
			       "--event: '%s' has counted no events: 'tiptop %s -e' does so", path,
			       s->type->report);
	strbuf_init(&names);
	json_object_object_foreach(events, name, value)
	{
		(void)value;
		strbuf_addf(&names, "%s'%s'", names.len ? ", " : "", name);
	}
	ret = err_set(err, EINVAL, "--event: '%s' has not counted '%s', but %s", path, s->event,
		      names.text);
	strbuf_done(&names);
	return ret;
}

/* Of an event in two modes there is no amount in place of the time. */
static int take_head(struct saved *s, const char *path, struct json_object *line, struct err *err)
{
	struct json_object *events = saved_take_object(line, "events");
	const char *first = saved_take_first(events);

	if (s->by_event && !saved_take_object(events, s->event))
		return refuse_event(s, path, events, err);
	if (!s->event && first)
		s->event = xstrdup(first);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		s->unit[i] = s->by_event || (s->type->in_modes && i) ? s->event : UNIT;
	if (s->by_event && s->type->in_modes)
		s->unit[0] = NULL;
	return 0;
}

static bool is_other(const struct saved_type *type, const char *line)
{
	return type->other[0] && (!strcmp(line, type->other[0]) || !strcmp(line, type->other[1]));
}

/* The first line of a report on regions says what was counted. */
static int take_region(struct saved *s, const char *path, struct json_object *line, struct err *err)
{
	struct json_object *events = saved_take_object(line, "events");

	if (!s->unit[0]) {
		s->unit[0] = UNIT;
		if (s->by_event && !saved_take_object(events, s->event))
			return refuse_event(s, path, events, err);
		if (!s->by_event)
			s->event = saved_take_second(events);
		s->unit[1] = s->event;
	}
	saved_take_entry(s, line);
	return 0;
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
		       number, s->type ? s->type->writer : types[0].writer);
}

static int take_line(struct saved *s, const char *path, int number, struct json_object *line,
		     struct err *err)
{
	const char *name = find_text(line, "type"), *unit = find_text(line, "unit");

	if (!s->type)
		s->type = find_type(name);
	if (name && s->type && s->type->time && !strcmp(name, s->type->line))
		return take_region(s, path, line, err);
	if (name && s->type && !strcmp(name, s->type->line)) {
		if (unit && strcmp(unit, UNIT) != 0)
			return err_set(err, EINVAL,
				       "%s:%d: its times are in '%s', where only ns are known",
				       path, number, unit);
		saved_take_entry(s, line);
	} else if (name && s->type && !strcmp(name, s->type->report)) {
		return take_head(s, path, line, err);
	} else if (!name || !s->type || !is_other(s->type, name)) {
		return refuse_line(s, path, number, name, err);
	}
	return 0;
}

static int read_line(struct saved *s, const char *path, int number, const char *text,
		     struct err *err)
{
	struct json_object *line = json_tokener_parse(text);
	int ret = take_line(s, path, number, line, err);

	json_object_put(line);
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
