/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of output: the formats for people. The first is the batch output, in the layout of tiptop
 * 2.3.1, line by line, as scripts depend on it; verdicts and lines follow below.
 *
 *   tiptop - up 0 days, 0:03, load average: 0.26, 0.12, 0.04
 *   Sat Nov 21 02:03:18 UTC 2026
 *   delay: 1.00  idle: 0  threads: 0
 *   watching pid 'make'                  (with -w)
 *   only pid 'bash'                      (with -p)
 *   watching uid 0 'root'                (with -u)
 *   filter: ipc < 0.5                    (with --filter)
 *   /proc hides tasks of other users (hidepid)
 *   Screen 0: default
 *   (blank)
 *     PID [ %CPU] %SYS    P ...          (columns, after "timest" and "epoch" if wanted)
 *
 * These lines are written once; beside the live screen again after a key that changes the fields.
 * Each refresh adds its rows, with --verbose a line "# tiptop: ...", and a blank line. At the end
 * of a command comes its summary, each line of it after "# ". The
 * command is followed by a mark: DEAD if the task has exited, an arrow if the task is watched,
 * ABOVE if the row is only an ancestor in a tree. With --safe-names, the marks come before the
 * command. In a tree, commands are indented; fields are not. Each refresh is written at once, with
 * one system call if the kernel accepts all of it. --fields chooses the fields of a line.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "model/fold_groups.h"
#include "model/rows.h"
#include "output/output.h"
#include "view/condition.h"
#include "view/format.h"
#include "view/view.h"

/* Settings that determine the fields of a line. */
struct head {
	const struct screen *screen;
	enum values values;
	bool threads, tree, with_ended, show_user, epoch, timestamp;
};

struct text {
	struct strbuf buf;
	struct fields fields; /* n 0: the fields of tiptop 2.3.1 */
	struct head head;     /* of the last head written; screen NULL: none yet */
};

static int text_open(struct sink *sink, struct err *err)
{
	struct text *text = xcalloc(1, sizeof *text);

	(void)err;
	strbuf_init(&text->buf);
	sink->state = text;
	return 0;
}

static void add_date(struct strbuf *out, uint64_t wall_ns)
{
	time_t t = (time_t)(wall_ns / 1000000000u);
	char date[64];
	struct tm tm;

	localtime_r(&t, &tm);
	/* The name of the time zone may be long, as it comes from TZ. */
	if (!strftime(date, sizeof date, "%a %b %e %H:%M:%S %Z %Y", &tm))
		strftime(date, sizeof date, "%a %b %e %H:%M:%S %z %Y", &tm);
	strbuf_addstr(out, date);
}

/* Appends the fields of --timestamp and --epoch, with which a row begins. */
static void add_prefix(struct strbuf *out, const struct frame *frame)
{
	if (frame->view->timestamp)
		strbuf_addf(out, "%6llu ", (unsigned long long)frame->number);
	if (frame->view->epoch)
		strbuf_addf(out, "%10llu ", (unsigned long long)(frame->wall_ns / 1000000000u));
}

/* The widths of fields that --fields chose, enough for most rows. */
static const int beside_width[N_FIELDS] = {
	[FIELD_HOST] = 12,       [FIELD_SCREEN] = 10,
	[FIELD_VALUE_KIND] = 10, [FIELD_KIND] = 9,
	[FIELD_PID] = 7,         [FIELD_TID] = 7,
	[FIELD_NAME] = 15,       [FIELD_USER] = FORMAT_USER_WIDTH,
	[FIELD_MEMBERS] = 7,     [FIELD_COMMAND] = 15,
	[FIELD_EXIT] = 4,        [FIELD_LIVED] = 9,
};

static bool is_number(enum field field)
{
	return field == FIELD_PID || field == FIELD_TID || field == FIELD_MEMBERS ||
	       field == FIELD_EXIT || field == FIELD_LIVED;
}

/* Returns whether the rows are sorted by this field. */
static bool sorts(const struct frame *frame, struct field_ref ref)
{
	int sort = frame->view->sort;

	switch (ref.field) {
	case FIELD_COLUMN:
		return sort == (int)ref.column;
	case FIELD_PID:
		return sort == SORT_PID;
	case FIELD_USER:
		return sort == SORT_USER;
	case FIELD_COMMAND:
		return sort == (int)frame->screen->n_columns;
	default:
		return false;
	}
}

static void add_field_header(struct strbuf *out, const struct frame *frame, struct field_ref ref)
{
	const char *id = field_ids[ref.field];

	if (ref.field == FIELD_COLUMN)
		format_column_header(out, &frame->screen->column[ref.column]);
	else
		strbuf_addf(out, "%*s", (is_number(ref.field) ? 1 : -1) * beside_width[ref.field],
			    id);
}

static void add_header(struct text *text, const struct frame *frame)
{
	struct strbuf *out = &text->buf;
	bool before = false;

	strbuf_addstr(out, frame->view->timestamp ? "timest " : "");
	strbuf_addstr(out, frame->view->epoch ? "     epoch " : "");
	if (!text->fields.n)
		format_header(out, frame);
	for (size_t i = 0; i < text->fields.n; i++) {
		bool here = sorts(frame, text->fields.v[i]);

		strbuf_addch(out, here ? '[' : before ? ']' : ' ');
		add_field_header(out, frame, text->fields.v[i]);
		before = here;
	}
	strbuf_addstr(out, before ? "]\n" : "\n");
}

/* Appends "WHAT pid 4711" or "WHAT pid 'text'". */
static void add_filter(struct strbuf *out, const char *what, const struct filter *filter)
{
	if (filter->pid)
		strbuf_addf(out, "%s pid %d\n", what, filter->pid);
	if (filter->text) {
		strbuf_addf(out, "%s pid '", what);
		text_add(out, filter->text);
		strbuf_addstr(out, "'\n");
	}
}

static void add_head(struct text *text, const struct frame *frame)
{
	const struct view *view = frame->view;
	struct strbuf *out = &text->buf;

	strbuf_addstr(out, "tiptop - ");
	format_uptime(out, frame->host);
	strbuf_addch(out, '\n');
	add_date(out, frame->wall_ns);
	strbuf_addf(out, "\ndelay: %.2f  idle: %d  threads: %d\n", view->delay_s, view->idle,
		    view->threads);
	if (view->watching)
		add_filter(out, "watching", &view->watch);
	add_filter(out, "only", &view->filter);
	if (view->uid_name)
		strbuf_addf(out, "watching uid %ld '%s'\n", view->filter.uid, view->uid_name);
	if (view->row_filter) {
		strbuf_addstr(out, "filter: ");
		text_add(out, view->filter_text);
		strbuf_addch(out, '\n');
	}
	if (frame->host && frame->host->hides && !view->filter.pid && !view->filter.family)
		strbuf_addstr(out, "/proc hides tasks of other users (hidepid)\n");
	if (view->group != GROUP_PROCESS)
		strbuf_addf(out, "grouped by %s\n", group_key_table[view->group].name);
	if (view->values != VALUES_INTERVAL)
		strbuf_addf(out, "values: %s", values_name[view->values]);
	if (view->values == VALUES_SINCE_MARK) {
		strbuf_addstr(out, ", ");
		format_mark(out, frame);
	}
	if (view->values != VALUES_INTERVAL)
		strbuf_addch(out, '\n');
	if (view->with_ended)
		strbuf_addstr(out, "%CPU includes children that have ended\n");
	if (view_is_tree(view))
		strbuf_addstr(out, "as a tree\n");
	strbuf_addf(out, "Screen %d: ", frame->screen->number);
	text_add(out, frame->screen->name);
	strbuf_addstr(out, "\n\n");
	add_header(text, frame);
}

static void add_cost(struct strbuf *out, const struct own_cost *cost)
{
	strbuf_addf(out,
		    "# tiptop: %.0f us, %.3f %% of a CPU; %zu tasks, %zu ran; %zu reads; %zu "
		    "groups of counters, %zu descriptors\n",
		    cost->cpu_us, cost->share_pct, cost->tasks, cost->ran, cost->reads,
		    cost->groups, cost->n_fds);
}

/* Indentation of children in a tree, per level. */
#define INDENT 2

static void add_marks(struct strbuf *out, const char *dead, const char *watched, const char *above)
{
	strbuf_addstr(out, dead);
	strbuf_addstr(out, watched);
	strbuf_addstr(out, above);
}

/* Appends the command and its marks: the command comes first; with --safe-names it comes last, as
 * one word. */
static void add_command(struct strbuf *out, const struct frame *frame, const struct frame_row *row)
{
	bool safe = frame->view->safe_names;
	const char *dead = row->task->dead ? safe ? "DEAD " : " DEAD" : "";
	const char *watched = row->watched ? safe ? "<--- " : " <---" : "";
	const char *above = row->ancestor ? safe ? "ABOVE " : " ABOVE" : "";
	size_t start;

	if (safe)
		add_marks(out, dead, watched, above);
	strbuf_pad(out, ' ', INDENT * (row->depth < FRAME_RAILS ? row->depth : FRAME_RAILS));
	start = out->len;
	text_add(out, row->label);
	if (safe)
		format_join(out, start);
	else
		add_marks(out, dead, watched, above);
	/* How the task ended is not in the output of tiptop 2.3.1, so it is appended last. */
	if (!safe && row->task->dead && frame->view->children)
		format_end(out, row);
}

/* Appends a value; an unknown number is shown as the mark of its quality. */
static void add_scalar(struct strbuf *out, const struct report_scalar *s, enum field field)
{
	if (is_number(field) && s->kind == REPORT_VALUE && !value_known(s->value))
		strbuf_addstr(out, quality_table[s->value.quality].mark);
	else
		scalar_add_people(out, s, field == FIELD_LIVED ? 3 : 0);
}

/* Moves the last n characters, which are blanks, to `start`. */
static void move_right(struct strbuf *out, size_t start, size_t n)
{
	memmove(out->text + start + n, out->text + start, out->len - n - start);
	memset(out->text + start, ' ', n);
}

static void add_beside(struct strbuf *out, const struct frame *frame, const struct frame_row *row,
		       enum field field)
{
	const size_t start = out->len;
	char buf[FIELD_TEXT_MAX];
	struct report_scalar s;
	int blanks;

	if (field == FIELD_COMMAND) {
		add_command(out, frame, row);
	} else {
		s = field_scalar((struct field_ref){field, 0}, frame, row, buf);
		add_scalar(out, &s, field);
		if (s.kind == REPORT_TEXT && frame->view->safe_names)
			format_join(out, start);
	}
	blanks = beside_width[field] - text_columns(out->text + start);
	strbuf_pad(out, ' ', blanks);
	if (is_number(field) && blanks > 0)
		move_right(out, start, (size_t)blanks);
}

static void add_row(struct text *text, const struct frame *frame, const struct frame_row *row)
{
	struct strbuf *out = &text->buf;

	add_prefix(out, frame);
	for (size_t i = 0; i < text->fields.n; i++) {
		const struct field_ref *ref = &text->fields.v[i];

		strbuf_addch(out, ' ');
		if (ref->field == FIELD_COLUMN)
			format_marked_cell(out, frame, row, ref->column);
		else
			add_beside(out, frame, row, ref->field);
	}
	if (!text->fields.n) {
		format_row(out, frame, row);
		add_command(out, frame, row);
	}
	strbuf_addch(out, '\n');
}

/* Finds the fields of the frame's screen. After a change of the screen, fields that the new one
 * lacks are left out. */
static int find_fields(struct text *text, const struct sink *sink, const struct frame *frame,
		       struct err *err)
{
	bool first = !text->head.screen;

	fields_done(&text->fields);
	if (!sink->fields)
		return 0;
	return fields_find(&text->fields, sink->fields, !first, frame->screen, frame->view, err);
}

/* Returns whether the last head fits the frame. Beside the live screen, a key may change the
 * fields, so that a new head is needed. */
static bool is_headed(const struct head *head, const struct frame *frame)
{
	const struct view *view = frame->view;

	return head->screen == frame->screen && head->threads == view->threads &&
	       head->values == view->values && head->tree == view_is_tree(view) &&
	       head->show_user == view->show_user && head->with_ended == view->with_ended &&
	       head->epoch == view->epoch && head->timestamp == view->timestamp;
}

static int text_frame(struct sink *sink, const struct frame *frame, struct err *err)
{
	struct text *text = sink->state;
	struct strbuf *out = &text->buf;

	strbuf_reset(out);
	if (!is_headed(&text->head, frame)) {
		if (find_fields(text, sink, frame, err))
			return -EINVAL;
		add_head(text, frame);
		text->head = (struct head){.screen = frame->screen,
					   .threads = frame->view->threads,
					   .values = frame->view->values,
					   .tree = view_is_tree(frame->view),
					   .with_ended = frame->view->with_ended,
					   .show_user = frame->view->show_user,
					   .epoch = frame->view->epoch,
					   .timestamp = frame->view->timestamp};
	}
	for (size_t i = 0; i < frame->n; i++)
		add_row(text, frame, &frame->row[i]);
	if (frame->view->verbose && frame->cost)
		add_cost(out, frame->cost);
	strbuf_addch(out, '\n');
	return dest_write(&sink->dest, out->text, out->len, err);
}

/* Writes the summary as lines that begin with "# ", like those of --verbose: programs that read
 * rows skip them. */
static int text_summary(struct sink *sink, const struct summary *summary, struct err *err)
{
	struct text *text = sink->state;

	strbuf_reset(&text->buf);
	summary_add_text(&text->buf, summary, "# ");
	return dest_write(&sink->dest, text->buf.text, text->buf.len, err);
}

/* Appends the beginning of the head; the rest differs each time. */
static int text_header(const struct sink *sink, const struct screen *screen,
		       const struct view *view, struct strbuf *out, struct err *err)
{
	(void)sink, (void)screen, (void)view, (void)err;
	strbuf_addstr(out, "tiptop - ");
	return 0;
}

static int text_close(struct sink *sink, struct err *err)
{
	struct text *text = sink->state;

	(void)err;
	fields_done(&text->fields);
	strbuf_done(&text->buf);
	free(text);
	sink->state = NULL;
	return 0;
}

const struct sink_ops sink_text = {
	.name = "text",
	.help = "the batch output of tiptop 2.3.1",
	/* Text shows quality marks, --epoch and --timestamp instead. */
	.lacks = 1u << FIELD_TIMESTAMP | 1u << FIELD_MONO | 1u << FIELD_INTERVAL |
		 1u << FIELD_QUALITY,
	.open = text_open,
	.header = text_header,
	.frame = text_frame,
	.summary_header = "# summary: ",
	.summary = text_summary,
	.close = text_close,
};

/* ---- verdicts ----
 *
 * Writes, in sentences, why each row is no faster.
 *
 *   Sat Nov 21 02:03:18 2026
 *
 *   4711 simulate
 *   memory          In 60.2 % of the cycles nothing was done, while ...
 *     numbers       stalls while a load waits for memory 60.2 % of the cycles
 *     certainty     sure
 *     rule          memory-stalls: memory_stalls >= 20 (Intel perfmon, ...)
 *     next          perf record -e ... -p 4711 - the instructions whose data is missing
 *
 * Rows are in the order of the frame; a sentence replaces them if there are none. The verdicts come
 * from view.judged, which is called for each row.
 */

static int verdicts_open(struct sink *sink, struct err *err)
{
	struct strbuf *text = xcalloc(1, sizeof *text);

	(void)err;
	strbuf_init(text);
	sink->state = text;
	return 0;
}

static void add_time(struct strbuf *out, uint64_t wall_ns)
{
	const time_t t = (time_t)(wall_ns / 1000000000u);
	char date[64] = "?";
	struct tm tm;

	if (localtime_r(&t, &tm))
		strftime(date, sizeof date, "%a %b %e %H:%M:%S %Y", &tm);
	strbuf_addf(out, "%s\n\n", date);
}

static void add_verdict_row(struct strbuf *out, const struct frame *frame,
			    const struct frame_row *row)
{
	const struct judged *judged = frame->view->judged;

	if (!row->task->kind->id_is_text)
		strbuf_addf(out, "%" PRIu64 " ", task_number(row->task));
	text_add(out, row->label);
	if (!judged || !judged->explain(judged->context, frame->sample, row->from, out))
		strbuf_addstr(out, ": nothing can be said of it\n");
	strbuf_addch(out, '\n');
}

/* Appends why there are no rows. */
static void add_no_verdicts(struct strbuf *out, const struct frame *frame)
{
	const bool filtered = frame->n_hidden + frame->n_unknown > 0;

	if (!filtered && !frame->n_tasks)
		strbuf_addstr(out, "there is no task");
	else
		strbuf_addf(out, "no task%s%s%s",
			    frame->view->idle ? ""
			    : filtered        ? " that ran"
					      : " ran",
			    filtered ? " passes the filter" : "",
			    frame->view->idle ? "" : ": -i explains idle ones, too");
	strbuf_addstr(out, "\n\n");
}

static int verdicts_frame(struct sink *sink, const struct frame *frame, struct err *err)
{
	struct strbuf *text = sink->state;
	size_t n = sink->rows && sink->rows < frame->n ? sink->rows : frame->n;

	if (!frame->interval_ns)
		return 0;
	strbuf_reset(text);
	add_time(text, frame->wall_ns);
	for (size_t i = 0; i < n; i++)
		add_verdict_row(text, frame, &frame->row[i]);
	if (!frame->n)
		add_no_verdicts(text, frame);
	return dest_write(&sink->dest, text->text, text->len, err);
}

static int verdicts_close(struct sink *sink, struct err *err)
{
	(void)err;
	strbuf_done(sink->state);
	free(sink->state);
	return 0;
}

const struct sink_ops sink_verdicts = {
	.name = "verdicts",
	.help = "why each row is no faster, in sentences",
	.open = verdicts_open,
	.frame = verdicts_frame,
	.close = verdicts_close,
};

/* ---- lines ----
 *
 * Writes lines, with the header repeated after at most 21 of them:
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

/* Appends which columns are counted together, in turns with the others; nothing if all are counted
 * all the time. */
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
	const int ret = any ? write_total(sink, err) : 0;

	sample_unref(line->begun);
	sample_unref(line->first);
	sample_unref(line->last);
	strbuf_done(&line->buf);
	free(line->id);
	free(line);
	sink->state = NULL;
	return ret;
}

const struct sink_ops line_sink = {
	.name = "line",
	.help = "a line for each refresh, as vmstat has them",
	.open = line_open,
	.sample = line_sample,
	.frame = line_frame,
	.close = line_close,
};
