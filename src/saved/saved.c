/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "saved/saved.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"

#define SIZE_MAX_REPORT ((size_t)256 << 20)

#define UNIT "ns"

static const struct saved_type types[] = {
	{"locks",
	 "lock",
	 "acquisitions",
	 "acquired",
	 "kind",
	 true,
	 {"acquire", "hold", "release"},
	 false,
	 {NULL}},
	{"calls",
	 "call",
	 "calls",
	 "calls",
	 "group",
	 false,
	 {"self", "user", "kernel"},
	 true,
	 {"group", "part"}},
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

/* --- what stands in a line --- */

/* A copy of a text without the offset in a function, "" where there is none. */
static char *take_text(struct json_object *line, const char *key)
{
	struct json_object *value;
	const char *text = "", *at;

	if (json_object_object_get_ex(line, key, &value) && json_object_get_string(value))
		text = json_object_get_string(value);
	at = strstr(text, "+0x");
	return at && at > text
		       ? xasprintf("%.*s%s", (int)(at - text), text, text[0] == '[' ? "]" : "")
		       : xstrdup(text);
}

/* NaN: it is not there, or null. */
static double take_number(struct json_object *object, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, key, &value) || !value)
		return NAN;
	return json_object_get_double(value);
}

static double or_nothing(double number)
{
	return isnan(number) ? 0 : number;
}

/* NULL: there is none. */
static struct json_object *take_object(struct json_object *from, const char *key)
{
	struct json_object *object;

	return from && json_object_object_get_ex(from, key, &object) ? object : NULL;
}

/* The first member; NULL: there is none. */
static const char *take_first(struct json_object *object)
{
	struct json_object_iterator at, end;

	if (!object || !json_object_is_type(object, json_type_object))
		return NULL;
	at = json_object_iter_begin(object);
	end = json_object_iter_end(object);
	return json_object_iter_equal(&at, &end) ? NULL : json_object_iter_peek_name(&at);
}

static struct json_object *take_event(const struct saved *s, struct json_object *line)
{
	return s->event ? take_object(take_object(line, "events"), s->event) : NULL;
}

/* Of n, what the object says; NULL: nothing. */
static struct saved_amount take_amount(struct json_object *object, double n)
{
	const double sd = object ? take_number(object, "stddev") : (double)NAN;
	const double told = object ? take_number(object, "timed") : (double)NAN;
	const double timed = isnan(told) ? n : told;

	return (struct saved_amount){
		.n = n,
		.timed = timed,
		.mean = !(n > 0) ? 0
			: object ? take_number(object, "mean")
				 : (double)NAN,
		.squares = timed > 1 ? sd * sd * (timed - 1) : 0,
	};
}

static double take_n(struct json_object *object)
{
	return object ? or_nothing(take_number(object, "n")) : 0;
}

/* Where a phase took time, but nothing is told of the event, that is not known. */
static void take_lock_amounts(const struct saved *s, struct saved_entry *e,
			      struct json_object *line)
{
	struct json_object *from = s->by_event ? take_event(s, line) : line;

	for (int i = 0; i < SAVED_AMOUNTS; i++) {
		const char *phase = s->type->amount[i];
		struct json_object *object = take_object(from, phase);
		const double n = take_n(object);

		e->amount[i] = n > 0 ? take_amount(object, n)
				     : take_amount(NULL, take_n(take_object(line, phase)));
	}
}

/* Beside the time, the first event. */
static void take_call_amounts(const struct saved *s, struct saved_entry *e,
			      struct json_object *line)
{
	struct json_object *event = take_event(s, line);

	e->amount[0] = take_amount(line, e->count);
	for (int i = 1; i < SAVED_AMOUNTS; i++)
		e->amount[i] = take_amount(take_object(event, s->type->amount[i]), e->count);
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

static void entry_done(struct saved_entry *e)
{
	free(e->name);
	free(e->kind);
	free(e->caller);
}

static void take_entry(struct saved *s, struct json_object *line)
{
	struct saved_entry e = {
		.name = take_text(line, "name"),
		.kind = take_text(line, s->type->kind),
		.caller = take_text(line, "caller"),
		.count = or_nothing(take_number(line, s->type->count)),
		.contended = take_number(line, "contended"),
	};

	(s->type->in_modes ? take_call_amounts : take_lock_amounts)(s, &e, line);
	s->entry = xgrow(s->entry, &s->cap, s->n + 1, sizeof *s->entry);
	s->entry[s->n++] = e;
}

/* What has the same name, kind and caller becomes one. */
static void join(struct saved *s)
{
	size_t n = 0;

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
		entry_done(e);
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
	struct json_object *events = take_object(line, "events");
	const char *first = take_first(events);

	if (s->by_event && !take_object(events, s->event))
		return refuse_event(s, path, events, err);
	if (!s->event && first)
		s->event = xstrdup(first);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		s->unit[i] = s->by_event || (s->type->in_modes && i) ? s->event : UNIT;
	if (s->by_event && s->type->in_modes)
		s->unit[0] = NULL;
	return 0;
}

static bool is_sum(const struct saved_type *type, const char *line)
{
	return type->sum[0] && (!strcmp(line, type->sum[0]) || !strcmp(line, type->sum[1]));
}

static int refuse_line(const struct saved *s, const char *path, int number, const char *name,
		       struct err *err)
{
	if (name && !strcmp(name, "thread"))
		return err_set(err, EINVAL,
			       "%s:%d: this report has threads, and no locks to compare: write it "
			       "without --threads",
			       path, number);
	return err_set(err, EINVAL,
		       "%s:%d: this is no line of a report that 'tiptop %s --format json' writes",
		       path, number, s->type ? s->type->report : types[0].report);
}

static int take_line(struct saved *s, const char *path, int number, struct json_object *line,
		     struct err *err)
{
	const char *name = find_text(line, "type"), *unit = find_text(line, "unit");

	if (!s->type)
		s->type = find_type(name);
	if (name && s->type && !strcmp(name, s->type->line)) {
		if (unit && strcmp(unit, UNIT) != 0)
			return err_set(err, EINVAL,
				       "%s:%d: its times are in '%s', where only ns are known",
				       path, number, unit);
		take_entry(s, line);
	} else if (name && s->type && !strcmp(name, s->type->report)) {
		return take_head(s, path, line, err);
	} else if (!name || !s->type || !is_sum(s->type, name)) {
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
		entry_done(&s->entry[i]);
	free(s->entry);
	free(s->event);
	free(s->path);
	*s = (struct saved){.n = 0};
}
