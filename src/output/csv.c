/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of output: comma-separated values (RFC 4180, except that lines end with LF).
 *
 *   timestamp,interval_s,kind,pid,tid,name,user,cpu,ipc,quality
 *   2026-11-22T05:20:42.123+00:00,1.000123,process,4711,,bash,alice,25,1.5,
 *   2026-11-22T05:20:42.123+00:00,1.000123,process,99,,"a, b",root,0.5,,cpu:stale ipc:denied
 *
 * One header, then a line for each row of each refresh. An unknown value is an empty field; the
 * last field names the columns that are not exact, with their qualities. Control characters and
 * invalid UTF-8 bytes become U+FFFD, so a row is always one line.
 *
 * Beside the live screen, a key may switch to another screen: each field of the header then gets
 * the column of that screen with the same id and the same expression, and is empty if there is
 * none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/csv.h"
#include "base/mem.h"
#include "output/output.h"

#define NO_COLUMN SIZE_MAX

/* A column of the header, copied when the header was written. */
struct heading {
	char *id, *text;
};

struct csv {
	struct strbuf buf, time, quality;
	struct fields fields;
	struct heading *heading; /* [fields.n]; set for columns only */
	/* The screen that the fields' columns refer to; NULL: no header yet. */
	const struct screen *screen;
	size_t n_columns;
};

static int csv_open(struct sink *sink, struct err *err)
{
	struct csv *csv = xcalloc(1, sizeof *csv);

	(void)err;
	strbuf_init(&csv->buf);
	strbuf_init(&csv->time);
	strbuf_init(&csv->quality);
	sink->state = csv;
	return 0;
}

/* Appends "cpu:stale ipc:denied" for the columns written. */
static void add_csv_qualities(struct csv *csv, const struct frame *frame,
			      const struct frame_row *row)
{
	struct strbuf *out = &csv->quality;

	strbuf_reset(out);
	for (size_t i = 0; i < csv->fields.n; i++) {
		const struct field_ref *ref = &csv->fields.v[i];
		enum quality quality;

		if (ref->field != FIELD_COLUMN || ref->column == NO_COLUMN)
			continue;
		quality = frame_value(frame, row, ref->column).quality;
		if (quality != QUALITY_EXACT)
			strbuf_addf(out, "%s%s:%s", out->len ? " " : "", csv->heading[i].id,
				    quality_table[quality].name);
	}
	csv_add_text(&csv->buf, out->text);
}

static void add_csv_field(struct csv *csv, struct field_ref ref, const struct frame *frame,
			  const struct frame_row *row)
{
	char buf[FIELD_TEXT_MAX];
	struct report_scalar s;

	if (ref.field == FIELD_TIMESTAMP) {
		strbuf_addstr(&csv->buf, csv->time.text);
	} else if (ref.field == FIELD_QUALITY) {
		add_csv_qualities(csv, frame, row);
	} else if (ref.field != FIELD_COLUMN || ref.column != NO_COLUMN) {
		s = field_scalar(ref, frame, row, buf);
		scalar_add_csv(&csv->buf, &s, 0);
	}
}

static void add_csv_row(struct csv *csv, const struct frame *frame, const struct frame_row *row)
{
	for (size_t i = 0; i < csv->fields.n; i++) {
		strbuf_addstr(&csv->buf, i ? "," : "");
		add_csv_field(csv, csv->fields.v[i], frame, row);
	}
	strbuf_addch(&csv->buf, '\n');
}

static void set_screen(struct csv *csv, const struct screen *screen)
{
	csv->screen = screen;
	csv->n_columns = screen->n_columns;
}

static void add_header(struct strbuf *out, const struct fields *fields, const struct screen *screen)
{
	for (size_t i = 0; i < fields->n; i++) {
		const struct field_ref *ref = &fields->v[i];

		strbuf_addf(out, "%s%s", i ? "," : "",
			    ref->field == FIELD_COLUMN ? screen->column[ref->column].id
						       : field_ids[ref->field]);
	}
	strbuf_addch(out, '\n');
}

static int csv_header(const struct sink *sink, const struct screen *screen, const struct view *view,
		      struct strbuf *out, struct err *err)
{
	struct fields fields;
	int ret = fields_find(&fields, sink->fields, false, screen, view, err);

	if (ret)
		return ret;
	add_header(out, &fields, screen);
	fields_done(&fields);
	return 0;
}

static int begin(struct csv *csv, const struct sink *sink, const struct frame *frame,
		 struct err *err)
{
	const struct screen *screen = frame->screen;
	int ret = fields_find(&csv->fields, sink->fields, false, screen, frame->view, err);

	if (ret)
		return ret;
	set_screen(csv, screen);
	csv->heading = xcalloc(csv->fields.n, sizeof *csv->heading);
	for (size_t i = 0; i < csv->fields.n; i++) {
		const struct field_ref *ref = &csv->fields.v[i];
		const struct column *column = &screen->column[ref->column];

		if (ref->field == FIELD_COLUMN)
			csv->heading[i] =
				(struct heading){xstrdup(column->id), xstrdup(column->text)};
	}
	/* A file that is appended to has a header already. */
	if (!sink->dest.filled)
		add_header(&csv->buf, &csv->fields, screen);
	return 0;
}

/* Returns the column of another screen with the same id and the same expression; NO_COLUMN:
 * none. */
static size_t find_column(const struct screen *screen, const struct heading *heading)
{
	for (size_t i = 0; i < screen->n_columns; i++)
		if (!strcmp(screen->column[i].id, heading->id) &&
		    !strcmp(screen->column[i].text, heading->text))
			return i;
	return NO_COLUMN;
}

static void use_screen(struct csv *csv, const struct screen *screen)
{
	if (csv->screen == screen && csv->n_columns == screen->n_columns)
		return;
	set_screen(csv, screen);
	for (size_t i = 0; i < csv->fields.n; i++)
		if (csv->fields.v[i].field == FIELD_COLUMN)
			csv->fields.v[i].column = find_column(screen, &csv->heading[i]);
}

static int csv_frame(struct sink *sink, const struct frame *frame, struct err *err)
{
	struct csv *csv = sink->state;

	strbuf_reset(&csv->buf);
	if (!csv->screen && begin(csv, sink, frame, err))
		return -EINVAL;
	use_screen(csv, frame->screen);
	strbuf_reset(&csv->time);
	clock_add_time(&csv->time, frame->wall_ns);
	for (size_t i = 0; i < frame->n; i++)
		add_csv_row(csv, frame, &frame->row[i]);
	return dest_write(&sink->dest, csv->buf.text, csv->buf.len, err);
}

static int csv_close(struct sink *sink, struct err *err)
{
	struct csv *csv = sink->state;

	(void)err;
	for (size_t i = 0; csv->heading && i < csv->fields.n; i++) {
		free(csv->heading[i].id);
		free(csv->heading[i].text);
	}
	free(csv->heading);
	fields_done(&csv->fields);
	strbuf_done(&csv->quality);
	strbuf_done(&csv->time);
	strbuf_done(&csv->buf);
	free(csv);
	sink->state = NULL;
	return 0;
}

const struct sink_ops sink_csv = {
	.name = "csv",
	.help = "a line of values for each row, with commas between",
	.open = csv_open,
	.header = csv_header,
	.frame = csv_frame,
	.close = csv_close,
};
