/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "saved/line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* A copy of a text; "" where there is none. */
static char *take_text(struct json_object *line, const char *key)
{
	struct json_object *value;
	const char *text = NULL;

	if (json_object_object_get_ex(line, key, &value))
		text = json_object_get_string(value);
	return xstrdup(text ? text : "");
}

/* The same, of a place in a function, without where in it that is. */
static char *take_place(struct json_object *line, const char *key)
{
	char *text = take_text(line, key);

	text_cut_place(text);
	return text;
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
struct json_object *saved_take_object(struct json_object *from, const char *key)
{
	struct json_object *object;

	return from && json_object_object_get_ex(from, key, &object) ? object : NULL;
}

/* The first member; NULL: there is none. */
const char *saved_take_first(struct json_object *object)
{
	struct json_object_iterator at, end;

	if (!object || !json_object_is_type(object, json_type_object))
		return NULL;
	at = json_object_iter_begin(object);
	end = json_object_iter_end(object);
	return json_object_iter_equal(&at, &end) ? NULL : json_object_iter_peek_name(&at);
}

/* A copy of the second member, behind the time; NULL: there is none. */
char *saved_take_second(struct json_object *object)
{
	int n = 0;

	if (!object || !json_object_is_type(object, json_type_object))
		return NULL;
	json_object_object_foreach(object, name, value)
	{
		(void)value;
		if (n++)
			return xstrdup(name);
	}
	return NULL;
}

static struct json_object *take_event(const struct saved *s, struct json_object *line)
{
	return s->event ? saved_take_object(saved_take_object(line, "events"), s->event) : NULL;
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
		struct json_object *object = saved_take_object(from, phase);
		const double n = take_n(object);

		e->amount[i] = n > 0 ? take_amount(object, n)
				     : take_amount(NULL, take_n(saved_take_object(line, phase)));
	}
}

/* Beside the time, the first event. */
static void take_call_amounts(const struct saved *s, struct saved_entry *e,
			      struct json_object *line)
{
	struct json_object *event = take_event(s, line);

	e->amount[0] = take_amount(line, e->count);
	for (int i = 1; i < SAVED_AMOUNTS; i++)
		e->amount[i] = take_amount(saved_take_object(event, s->type->amount[i]), e->count);
}

/* The deviation of a region is that of its calls, not of a sample of them. */
static struct saved_amount take_region_amount(struct json_object *object, double n)
{
	struct saved_amount a = take_amount(object, n);

	a.squares = n > 1 ? a.squares * n / (n - 1) : 0;
	return a;
}

/* The time, and an event. */
static void take_region_amounts(const struct saved *s, struct saved_entry *e,
				struct json_object *line)
{
	struct json_object *events = saved_take_object(line, "events");

	e->amount[0] = take_region_amount(saved_take_object(events, s->type->time), e->count);
	e->amount[1] =
		take_region_amount(s->event ? saved_take_object(events, s->event) : NULL, e->count);
	e->amount[2] = (struct saved_amount){.n = 0};
}

void saved_entry_done(struct saved_entry *e)
{
	free(e->name);
	free(e->kind);
	free(e->caller);
	free(e->process);
}

/* Which process a region is of. */
static char *take_process(struct json_object *line)
{
	char *pid = take_text(line, "pid"), *host = take_text(line, "host"),
	     *started = take_text(line, "started");
	char *process = xasprintf("%s %s %s", pid, host, started);

	free(pid);
	free(host);
	free(started);
	return process;
}

static void take_amounts(const struct saved *s, struct saved_entry *e, struct json_object *line)
{
	if (s->type->time)
		take_region_amounts(s, e, line);
	else if (s->type->in_modes)
		take_call_amounts(s, e, line);
	else
		take_lock_amounts(s, e, line);
}

void saved_take_entry(struct saved *s, struct json_object *line)
{
	struct saved_entry e = {
		.name = (s->type->has_callers ? take_place : take_text)(line, s->type->name),
		.kind = take_text(line, s->type->kind ? s->type->kind : ""),
		.caller = take_place(line, "caller"),
		.count = or_nothing(take_number(line, s->type->count)),
		.contended = take_number(line, "contended"),
		.process = s->type->time ? take_process(line) : NULL,
		.line = s->n,
	};

	take_amounts(s, &e, line);
	s->entry = xgrow(s->entry, &s->cap, s->n + 1, sizeof *s->entry);
	s->entry[s->n++] = e;
}
