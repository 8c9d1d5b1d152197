/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of output: JSON Lines, an object for each refresh; doc/output.md has the schema.
 *
 *   {"type":"refresh","schema":1,"time":"2026-11-22T05:20:42.123+00:00","mono_s":4711.5,
 *    "interval_s":1.000123,"host":"node7","screen":"default",
 *    "columns":[{"id":"cpu","header":"%CPU","unit":"%","kind":"rate","description":"CPU usage"}],
 *    "rows":[{"kind":"process","pid":4711,"name":"bash","user":"alice",
 *             "values":{"cpu":25,"ipc":null},"quality":{"ipc":"denied"}}]}
 *   {"type":"exit","schema":1,"time":...,"kind":"process","pid":4712,...}
 *   {"type":"summary","schema":1,"time":...,"command":["make"],"status":0,"wall_s":12.5,...}
 *
 * Each object is on one line. The first refresh has "columns", and so has each refresh after a
 * change of the screen.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "model/fact_list.h"
#include "output/output.h"
#include "screen/column.h"

#define SCHEMA 1

struct json {
	struct strbuf buf, time;
	struct frame ended;
	struct fields fields;
	bool chosen; /* the user chose fields; else all are written */
	/* The screen in which the fields were found; NULL: none yet. */
	const struct screen *screen;
	size_t n_columns;
};

static int json_open(struct sink *sink, struct err *err)
{
	struct json *json = xcalloc(1, sizeof *json);

	(void)err;
	strbuf_init(&json->buf);
	strbuf_init(&json->time);
	frame_init(&json->ended);
	sink->state = json;
	return 0;
}

/* Appends the members that all objects begin with. */
static void add_head(struct json *json, const char *type, const struct frame *frame)
{
	const struct sample_machine *machine = frame->sample->machine;
	struct strbuf *out = &json->buf;

	json_member_text(out, "type", type);
	json_key(out, "schema");
	json_count(out, SCHEMA);
	json_member_text(out, "time", json->time.text);
	json_key(out, "mono_s");
	json_number(out, (double)frame->sample->mono_ns / 1e9);
	json_key(out, "interval_s");
	if (frame->interval_ns)
		json_number(out, (double)frame->interval_ns / 1e9);
	else
		json_text(out, NULL);
	json_member_text(out, "host", machine ? machine->host : NULL);
	json_member_text(out, "screen", frame->screen->name);
}

static void add_column(struct strbuf *out, const struct column *column)
{
	const char *unit = unit_table[column->unit].name;
	struct strbuf header;
	int len;

	strbuf_init(&header);
	screen_column_name(column, &len);
	strbuf_add(&header, screen_column_name(column, &len), (size_t)len);
	json_begin(out, '{');
	json_member_text(out, "id", column->id);
	json_member_text(out, "header", header.text);
	json_member_text(out, "unit", *unit ? unit : NULL);
	json_member_text(out, "kind", column_kind_name[column->kind]);
	json_member_text(out, "description", *column->desc ? column->desc : NULL);
	json_end(out, '}');
	strbuf_done(&header);
}

static void add_columns(struct json *json)
{
	json_key(&json->buf, "columns");
	json_begin(&json->buf, '[');
	for (size_t i = 0; i < json->fields.n; i++)
		if (json->fields.v[i].field == FIELD_COLUMN)
			add_column(&json->buf, &json->screen->column[json->fields.v[i].column]);
	json_end(&json->buf, ']');
}

/* Appends a field; nothing if the row does not have it. */
static void add_json_field(struct strbuf *out, struct field_ref ref, const struct frame *frame,
			   const struct frame_row *row)
{
	char buf[FIELD_TEXT_MAX];
	const struct report_scalar s = field_scalar(ref, frame, row, buf);

	if (s.kind == REPORT_ABSENT)
		return;
	json_key(out, ref.field == FIELD_COLUMN ? frame->screen->column[ref.column].id
						: field_ids[ref.field]);
	scalar_add_json(out, &s);
}

static void add_values(struct json *json, const struct frame *frame, const struct frame_row *row)
{
	json_key(&json->buf, "values");
	json_begin(&json->buf, '{');
	for (size_t i = 0; i < json->fields.n; i++)
		if (json->fields.v[i].field == FIELD_COLUMN)
			add_json_field(&json->buf, json->fields.v[i], frame, row);
	json_end(&json->buf, '}');
}

/* Appends the qualities of columns that are not exact; nothing if all are. */
static void add_json_qualities(struct json *json, const struct frame *frame,
			       const struct frame_row *row)
{
	struct strbuf *out = &json->buf;
	bool any = false;

	for (size_t i = 0; i < json->fields.n; i++) {
		size_t k = json->fields.v[i].column;

		if (json->fields.v[i].field != FIELD_COLUMN ||
		    frame_value(frame, row, k).quality == QUALITY_EXACT)
			continue;
		if (!any) {
			json_key(out, "quality");
			json_begin(out, '{');
		}
		any = true;
		json_member_text(out, frame->screen->column[k].id,
				 quality_table[frame_value(frame, row, k).quality].name);
	}
	if (any)
		json_end(out, '}');
}

static bool is_wanted(const struct json *json, enum field field, const struct frame *frame)
{
	if (json->chosen)
		return fields_have(&json->fields, field);
	return field != FIELD_COMMAND || frame->view->show_cmdline;
}

/* Appends the fields from `first` to before `end` that are wanted and that the row has. */
static void add_further_fields(struct json *json, enum field first, enum field end,
			       const struct frame *frame, const struct frame_row *row)
{
	for (int field = first; field < (int)end; field++)
		if (is_wanted(json, (enum field)field, frame))
			add_json_field(&json->buf, (struct field_ref){(enum field)field, 0}, frame,
				       row);
}

static void add_json_row(struct json *json, const struct frame *frame, const struct frame_row *row)
{
	add_further_fields(json, FIELD_KIND, FIELD_COLUMN, frame, row);
	if (row->task->kind->in_program && is_wanted(json, FIELD_NAME, frame))
		json_member_text(&json->buf, "program", row->task->process);
	add_values(json, frame, row);
	add_further_fields(json, FIELD_EXIT, FIELD_QUALITY, frame, row);
	if (is_wanted(json, FIELD_QUALITY, frame))
		add_json_qualities(json, frame, row);
}

static void add_refresh(struct json *json, const struct frame *frame, bool columns)
{
	struct strbuf *out = &json->buf;

	json_begin(out, '{');
	add_head(json, "refresh", frame);
	if (view_shown(frame->view).values != VALUES_INTERVAL)
		json_member_text(out, "value_kind", values_name[view_shown(frame->view).values]);
	if (columns)
		add_columns(json);
	json_key(out, "rows");
	json_begin(out, '[');
	for (size_t i = 0; i < frame->n; i++) {
		json_begin(out, '{');
		add_json_row(json, frame, &frame->row[i]);
		json_end(out, '}');
	}
	json_end(out, ']');
	json_end(out, '}');
	strbuf_addch(out, '\n');
}

/* Appends an object for each task that exited, whether its row is shown or not. */
static void add_exits(struct json *json, const struct frame *frame)
{
	frame_build_ended(&json->ended, frame);
	for (size_t i = 0; i < json->ended.n; i++) {
		json_begin(&json->buf, '{');
		add_head(json, "exit", frame);
		add_json_row(json, &json->ended, &json->ended.row[i]);
		json_end(&json->buf, '}');
		strbuf_addch(&json->buf, '\n');
	}
}

/* Finds the fields of the frame's screen. After a change of the screen, fields that the new one
 * lacks are left out. */
static int find_fields(struct json *json, const struct sink *sink, const struct frame *frame,
		       struct err *err)
{
	bool first = !json->screen;

	fields_done(&json->fields);
	json->chosen = sink->fields != NULL;
	json->screen = frame->screen;
	json->n_columns = frame->screen->n_columns;
	return fields_find(&json->fields, sink->fields, !first, frame->screen, frame->view, err);
}

static int json_frame(struct sink *sink, const struct frame *frame, struct err *err)
{
	struct json *json = sink->state;
	bool other = json->screen != frame->screen || json->n_columns != frame->screen->n_columns;

	if (other && find_fields(json, sink, frame, err))
		return -EINVAL;
	strbuf_reset(&json->buf);
	strbuf_reset(&json->time);
	clock_add_time(&json->time, frame->wall_ns);
	add_refresh(json, frame, other);
	add_exits(json, frame);
	return dest_write(&sink->dest, json->buf.text, json->buf.len, err);
}

/* Appends the count of each event: if `ended`, over the exited tasks as reported at their ends;
 * else over the whole command. */
static void add_event_totals(struct strbuf *out, const struct summary *s, bool ended)
{
	json_key(out, "events");
	json_begin(out, '{');
	for (int i = summary_next_event(s, 0); i >= 0; i = summary_next_event(s, i + 1)) {
		const struct value v = ended ? s->how.count[i] : summary_event(s, i);

		json_key(out, summary_event_name(s, i));
		json_begin(out, '{');
		json_key(out, "value");
		json_value(out, v);
		json_member_text(out, "quality", quality_table[v.quality].name);
		json_member_text(out, "unit", unit_table[summary_event_unit(s, i)].name);
		json_end(out, '}');
	}
	json_end(out, '}');
}

static void add_seconds(struct strbuf *out, const char *key, struct value ns)
{
	json_key(out, key);
	if (value_known(ns))
		json_number(out, ns.number / 1e9);
	else
		json_text(out, NULL);
}

static void add_ended(struct strbuf *out, const struct summary *s)
{
	json_key(out, "ended");
	json_begin(out, '{');
	json_key(out, "tasks");
	json_count(out, s->how.ended);
	json_key(out, "lost");
	json_value(out, s->how.damaged ? value_none(QUALITY_NOT_READ) : value_count(s->how.lost));
	json_key(out, "reopened");
	json_count(out, s->how.reopened);
	add_event_totals(out, s, true);
	json_end(out, '}');
}

static void add_programs(struct strbuf *out, const struct summary *s)
{
	json_key(out, "programs");
	json_begin(out, '[');
	for (size_t i = 0; i < s->how.n_programs; i++) {
		const struct ending_program *p = &s->how.program[i];

		json_begin(out, '{');
		json_member_text(out, "name", p->name);
		json_key(out, "processes");
		json_count(out, p->processes);
		add_seconds(out, "cpu_s", p->cpu_ns);
		json_key(out, "failed");
		json_value(out, p->failed);
		if (p->failed.quality != QUALITY_EXACT)
			json_member_text(out, "failed_quality",
					 quality_table[p->failed.quality].name);
		json_end(out, '}');
	}
	json_end(out, ']');
	add_seconds(out, "rest_cpu_s", summary_rest(s));
	json_key(out, "names_lost");
	json_count(out, s->how.names_lost);
}

static void add_conflict(struct strbuf *out, const struct summary *s)
{
	struct strbuf conflict;

	strbuf_init(&conflict);
	if (summary_add_conflict(&conflict, s))
		json_member_text(out, "conflict", conflict.text);
	strbuf_done(&conflict);
}

static void add_summary(struct json *json, const struct summary *s)
{
	struct strbuf *out = &json->buf;

	json_begin(out, '{');
	add_head(json, "summary", s->frame);
	json_key(out, "command");
	json_begin(out, '[');
	for (char *const *word = s->how.command; *word; word++)
		json_text(out, *word);
	json_end(out, ']');
	json_key(out, "status");
	if (s->how.unknown)
		json_text(out, NULL);
	else
		json_count(out, (uint64_t)s->how.status);
	add_seconds(out, "wall_s", value_exact((double)s->frame->interval_ns));
	add_seconds(out, "cpu_s", summary_cpu(s));
	add_seconds(out, "user_s", summary_fact(s, FACT_UTIME_NS));
	add_seconds(out, "system_s", summary_fact(s, FACT_STIME_NS));
	add_conflict(out, s);
	add_event_totals(out, s, false);
	json_member_text(out, "level", summary_level(s));
	if (s->how.from_ns)
		add_seconds(out, "counted_from_s", value_exact((double)s->how.from_ns));
	if (summary_has_ends(s))
		add_ended(out, s);
	if (s->how.program && !s->how.from_ns)
		add_programs(out, s);
	if (s->runs) {
		json_key(out, "runs");
		runs_add_json(out, s->runs);
	}
	add_values(json, s->frame, &s->frame->row[0]);
	add_json_qualities(json, s->frame, &s->frame->row[0]);
	json_end(out, '}');
	strbuf_addch(out, '\n');
}

static int json_summary(struct sink *sink, const struct summary *summary, struct err *err)
{
	struct json *json = sink->state;

	/* A summary shows the first screen, even if a key has changed the screen. */
	if (json->screen != summary->frame->screen && find_fields(json, sink, summary->frame, err))
		return -EINVAL;
	strbuf_reset(&json->buf);
	strbuf_reset(&json->time);
	clock_add_time(&json->time, summary->frame->wall_ns);
	add_summary(json, summary);
	return dest_write(&sink->dest, json->buf.text, json->buf.len, err);
}

/* Appends the beginning of a JSON file, which does not depend on the screen. */
static int json_header(const struct sink *sink, const struct screen *screen,
		       const struct view *view, struct strbuf *out, struct err *err)
{
	(void)sink, (void)screen, (void)view, (void)err;
	strbuf_addf(out, "{\"type\":\"refresh\",\"schema\":%d,", SCHEMA);
	return 0;
}

static int json_close(struct sink *sink, struct err *err)
{
	struct json *json = sink->state;

	(void)err;
	frame_done(&json->ended);
	fields_done(&json->fields);
	strbuf_done(&json->time);
	strbuf_done(&json->buf);
	free(json);
	sink->state = NULL;
	return 0;
}

const struct sink_ops sink_json = {
	.name = "json",
	.help = "JSON Lines, an object for each refresh",
	.open = json_open,
	.header = json_header,
	.frame = json_frame,
	.summary = json_summary,
	.close = json_close,
};
