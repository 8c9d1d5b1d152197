/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of output: writes lines, with the header repeated after at most 21 of them:
 *
 *    busy   mips   bus   cpi   dcm
 *      12    340     -  1.25   4.1
 *
 * With several rows, each is a line that begins with its id; or (view.spread) one line has the
 * largest or smallest number of each column, with "@ID" of its row.
 *
 * A CPU that went offline keeps a line without numbers.
 *
 * When groups of counters are multiplexed, a line before the header shows which columns are counted
 * together. A line before the rows of an interval says if it was more than 1.5 times as long as the
 * delay.
 *
 * At the end comes a line over the whole time, from the first to the last sample of the last
 * generation with an interval: counts are sums, and ratios are ratios of sums.
 */
#include "output/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "model/fold.h"
#include "model/fold_groups.h"
#include "view/format.h"

/* Lines below a header, so that both fit on a terminal of 24 lines. */
#define LINES_MAX 21

/* An interval longer than this multiple of the delay is late. */
#define LATE 1.5

/* Width of the '@' and id after a number; enough for most ids. */
#define WHOSE_WIDTH 4

struct line {
	struct strbuf buf;
	const struct screen *screen; /* of the last header; NULL: none yet */
	size_t n_lines;              /* number of lines below it */
	/* Ids of all rows so far, ascending. */
	uint64_t *id;
	size_t n_ids, cap_ids;
	/* begun: the first sample of the current generation; first, last: the first and the last
	 * sample of the last generation that had an interval. NULL: none yet. */
	struct sample *begun, *first, *last;
	/* Of the last frame, for the line at the end; NULL: no frame yet. */
	struct binding *binding;
	const struct view *view;
};

static int line_open(struct sink *sink, struct err *err)
{
	struct line *line = xcalloc(1, sizeof *line);

	(void)err;
	strbuf_init(&line->buf);
	sink->state = line;
	return 0;
}

static void store_sample(struct sample **place, const struct sample *sample)
{
	sample_unref(*place);
	*place = sample_ref(sample);
}

static int line_sample(struct sink *sink, const struct sample *sample, struct err *err)
{
	struct line *line = sink->state;

	(void)err;
	if (!line->begun || line->begun->generation != sample->generation) {
		store_sample(&line->begun, sample);
		return 0;
	}
	store_sample(&line->first, line->begun);
	store_sample(&line->last, sample);
	return 0;
}

static bool shows_extremes(const struct frame *frame)
{
	return frame->view->spread != SPREAD_ALL && frame->view->group != GROUP_MACHINE;
}

/* Returns whether lines begin with the id of their row. */
static bool has_id(const struct frame *frame)
{
	return frame->view->group != GROUP_MACHINE && !shows_extremes(frame);
}

/* Returns the counter group of a column; SAMPLE_NO_GROUP: none that needs a hardware PMU. */
static uint16_t column_group(const struct frame *frame, size_t column)
{
	const struct sample_events *events = frame->n ? frame->row[0].from->events : NULL;
	const struct bound *bound = events ? binding_column(frame->binding, events, column) : NULL;

	for (int c = 0; bound && c < frame->binding->numbers->n_counters; c++) {
		const struct sample_event *e =
			bound[c].event < 0 ? NULL : &events->event[bound[c].event];

		if (e && e->kind != EVENT_SOFTWARE && e->kind != EVENT_TRACEPOINT)
			return e->group;
	}
	return SAMPLE_NO_GROUP;
}

/* Appends the columns of each group; nothing if there are fewer than two groups. */
static void add_turns(struct strbuf *out, const struct frame *frame)
{
	const size_t n = frame->screen->n_columns, start = out->len;
	uint16_t *group = xcalloc(n, sizeof *group);
	size_t n_groups = 0;

	for (size_t i = 0; i < n; i++)
		group[i] = column_group(frame, i);
	strbuf_addstr(out, "# counted in turns:");
	for (size_t i = 0; i < n; i++) {
		const uint16_t own = group[i];

		if (own == SAMPLE_NO_GROUP)
			continue;
		strbuf_addstr(out, n_groups++ ? " |" : "");
		for (size_t k = i; k < n; k++)
			if (group[k] == own) {
				strbuf_addf(out, " %s", frame->screen->column[k].id);
				group[k] = SAMPLE_NO_GROUP;
			}
	}
	strbuf_addch(out, '\n');
	if (n_groups < 2)
		out->text[out->len = start] = '\0';
	free(group);
}

static void add_line_header(struct line *line, const struct frame *frame)
{
	struct strbuf *out = &line->buf;

	if (frame->view->sums_over)
		strbuf_addf(out, "# sums over %s\n", frame->view->sums_over);
	if (frame->least_share < 1)
		add_turns(out, frame);
	if (frame->view->epoch)
		strbuf_addf(out, "%10s ", "epoch");
	if (has_id(frame))
		strbuf_addf(out, "%7s ", frame->kind->id_name);
	for (size_t i = 0; i < frame->screen->n_columns; i++) {
		strbuf_addstr(out, i ? " " : "");
		format_column_header(out, &frame->screen->column[i]);
		if (shows_extremes(frame))
			strbuf_pad(out, ' ', WHOSE_WIDTH);
	}
	strbuf_addch(out, '\n');
	line->screen = frame->screen;
	line->n_lines = 0;
}

static void add_epoch(struct strbuf *out, const struct frame *frame)
{
	if (frame->view->epoch)
		strbuf_addf(out, "%10" PRIu64 " ", frame->wall_ns / 1000000000u);
}

static void add_line_row(struct strbuf *out, const struct frame *frame, const struct frame_row *row)
{
	if (has_id(frame) && row->task->kind->id_is_text)
		strbuf_addf(out, "%7s ", row->task->name);
	else if (has_id(frame))
		strbuf_addf(out, "%7" PRIu64 " ", row->task->id);
	for (size_t i = 0; i < frame->screen->n_columns; i++) {
		strbuf_addstr(out, i ? " " : "");
		format_marked_cell(out, frame, row, i);
	}
}

/* Returns the row with the largest or smallest number of the column; NULL: no row has a number. */
static const struct frame_row *find_extreme(const struct frame *frame, size_t column)
{
	const struct frame_row *found = NULL;
	bool largest = frame->view->spread == SPREAD_MAX;

	for (size_t i = 0; i < frame->n; i++) {
		struct value v = frame_value(frame, &frame->row[i], column), best;

		if (!value_known(v))
			continue;
		best = found ? frame_value(frame, found, column) : v;
		if (!found || (largest ? v.number > best.number : v.number < best.number))
			found = &frame->row[i];
	}
	return found;
}

static void add_extremes(struct strbuf *out, const struct frame *frame)
{
	for (size_t i = 0; i < frame->screen->n_columns; i++) {
		const struct frame_row *row = find_extreme(frame, i);
		char whose[32] = "";

		if (row)
			snprintf(whose, sizeof whose, "@%" PRIu64, row->task->id);
		strbuf_addstr(out, i ? " " : "");
		format_marked_cell(out, frame, row ? row : &frame->row[0], i);
		strbuf_addf(out, "%-*s", WHOSE_WIDTH, whose);
	}
}

static void remember_id(struct line *line, uint64_t id)
{
	size_t i = line->n_ids;

	while (i > 0 && line->id[i - 1] > id)
		i--;
	if (i > 0 && line->id[i - 1] == id)
		return;
	line->id = xgrow(line->id, &line->cap_ids, line->n_ids + 1, sizeof *line->id);
	memmove(&line->id[i + 1], &line->id[i], (line->n_ids++ - i) * sizeof *line->id);
	line->id[i] = id;
}

/* Appends lines without numbers for ids below `below` that were shown earlier and are missing
 * now. */
static void add_gone(struct line *line, const struct frame *frame, size_t *next, uint64_t below)
{
	struct strbuf *out = &line->buf;

	for (; *next < line->n_ids && line->id[*next] < below; (*next)++) {
		add_epoch(out, frame);
		strbuf_addf(out, "%7" PRIu64 " ", line->id[*next]);
		for (size_t i = 0; i < frame->screen->n_columns; i++)
			strbuf_addf(out, "%s%*s", i ? " " : "", frame->screen->column[i].width,
				    "-");
		strbuf_addch(out, '\n');
		line->n_lines++;
	}
}

/* Appends the rows, which are sorted by id. */
static void add_rows(struct line *line, const struct frame *frame)
{
	const bool by_id = has_id(frame) && frame->n && !frame->row[0].task->kind->id_is_text;
	struct strbuf *out = &line->buf;
	size_t next = 0;

	for (size_t i = 0; by_id && i < frame->n; i++)
		remember_id(line, frame->row[i].task->id);
	for (size_t i = 0; i < frame->n; i++) {
		if (by_id)
			add_gone(line, frame, &next, frame->row[i].task->id);
		next += by_id;
		add_epoch(out, frame);
		add_line_row(out, frame, &frame->row[i]);
		strbuf_addch(out, '\n');
		line->n_lines++;
	}
	if (by_id)
		add_gone(line, frame, &next, UINT64_MAX);
}

/* Appends the rows, after a header if one is due. late: first appends that the interval was longer
 * than the delay. */
static void add_lines(struct line *line, const struct frame *frame, bool late)
{
	struct strbuf *out = &line->buf;
	size_t n = shows_extremes(frame) ? frame->n != 0 : frame->n;

	if (line->screen != frame->screen || line->n_lines + n > LINES_MAX)
		add_line_header(line, frame);
	if (late)
		strbuf_addf(out, "# late: %.1f s\n", (double)frame->interval_ns / 1e9);
	if (!shows_extremes(frame)) {
		add_rows(line, frame);
	} else if (n) {
		add_epoch(out, frame);
		add_extremes(out, frame);
		strbuf_addch(out, '\n');
		line->n_lines++;
	}
}

static int line_frame(struct sink *sink, const struct frame *frame, struct err *err)
{
	struct line *line = sink->state;

	line->binding = frame->binding;
	line->view = frame->view;
	/* There is no interval yet. */
	if (!frame->interval_ns)
		return 0;
	strbuf_reset(&line->buf);
	add_lines(line, frame, (double)frame->interval_ns > LATE * frame->view->delay_s * 1e9);
	return dest_write(&sink->dest, line->buf.text, line->buf.len, err);
}

/* The data to build one frame from two samples. */
struct total_build {
	struct delta start, all, processes, groups;
	struct retired_groups retired;
	struct frame frame;
};

static void total_init(struct total_build *w)
{
	delta_init(&w->start);
	delta_init(&w->all);
	delta_init(&w->processes);
	delta_init(&w->groups);
	retired_groups_init(&w->retired);
	frame_init(&w->frame);
}

static void total_done(struct total_build *w)
{
	frame_done(&w->frame);
	retired_groups_done(&w->retired);
	delta_done(&w->groups);
	delta_done(&w->processes);
	delta_done(&w->all);
	delta_done(&w->start);
}

static void total_compute(struct total_build *w, const struct line *line)
{
	const struct grouping by = {.key = line->view->group, .filter = &line->view->filter};
	const struct delta *d = &w->all;

	delta_compute(&w->start, NULL, NULL, line->first);
	delta_compute(&w->all, &w->start, line->first, line->last);
	if (!line->last->threads) {
		fold_processes(&w->processes, d);
		d = &w->processes;
	}
	if (by.key != GROUP_PROCESS) {
		fold_groups(&w->groups, d, &by, &w->retired);
		d = &w->groups;
	}
	frame_build(&w->frame, line->binding, line->view, d, NULL, 0);
	w->frame.least_share = delta_least_share(&w->all);
}

static int write_total(struct sink *sink, struct err *err)
{
	struct line *line = sink->state;
	struct total_build w;

	total_init(&w);
	total_compute(&w, line);
	strbuf_reset(&line->buf);
	strbuf_addf(&line->buf, "# all of the last %.1f s:\n", (double)w.frame.interval_ns / 1e9);
	add_lines(line, &w.frame, false);
	total_done(&w);
	return dest_write(&sink->dest, line->buf.text, line->buf.len, err);
}

static int line_close(struct sink *sink, struct err *err)
{
	struct line *line = sink->state;
	/* Tasks get no line over the whole time: it would lack the tasks that have exited. */
	const bool any = line->view && line->last && !line->view->own_only;
	int ret = any ? write_total(sink, err) : 0;

	sample_unref(line->begun);
	sample_unref(line->first);
	sample_unref(line->last);
	strbuf_done(&line->buf);
	free(line->id);
	free(line);
	sink->state = NULL;
	return ret == -EPIPE ? 0 : ret;
}

const struct sink_ops line_sink = {
	.name = "line",
	.help = "a line for each refresh, as vmstat has them",
	.open = line_open,
	.sample = line_sample,
	.frame = line_frame,
	.close = line_close,
};
