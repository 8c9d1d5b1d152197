/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of output: the batch output, in the layout of tiptop 2.3.1, line by line, as scripts depend
 * on it.
 *
 *   tiptop - up 0 days, 0:03, load average: 0.26, 0.12, 0.04
 *   Sat Nov 21 02:03:18 UTC 2026
 *   delay: 1.00  idle: 0  threads: 0
 *   watching pid 'make'                  (with -w)
 *   only pid 'bash'                      (with -p)
 *   watching uid 0 'root'                (with -u)
 *   filter: ipc < 0.5                    (with --filter)
 *   Screen 0: default
 *   (blank)
 *     PID [ %CPU] %SYS    P ...          (columns, after "timest" and "epoch" if wanted)
 *
 * These lines are written once. Each refresh adds its rows, with --verbose a line "# tiptop: ...",
 * and a blank line. At the end of a command comes its summary, each line of it after "# ". The
 * command is followed by a mark: DEAD if the task has exited, an arrow if the task is watched,
 * ABOVE if the row is only an ancestor in a tree. With --safe-names, the marks come before the
 * command. In a tree, commands are indented; fields are not. Each refresh is written at once, with
 * one system call if the kernel accepts all of it. --fields chooses the fields of a line.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "output/output.h"
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

/* Appends the fields of --timestamp and --epoch at the begin of a row. */
static void add_prefix(struct strbuf *out, const struct frame *frame)
{
	if (frame->view->timestamp)
		strbuf_addf(out, "%6llu ", (unsigned long long)frame->number);
	if (frame->view->epoch)
		strbuf_addf(out, "%10llu ", (unsigned long long)(frame->wall_ns / 1000000000u));
}

/* The widths of fields that --fields chose, enough for most rows. */
static const int beside_width[N_FIELDS] = {
	[FIELD_HOST] = 12,
	[FIELD_SCREEN] = 10,
	[FIELD_KIND] = 9,
	[FIELD_PID] = 7,
	[FIELD_TID] = 7,
	[FIELD_NAME] = 15,
	[FIELD_USER] = FORMAT_USER_WIDTH,
	[FIELD_MEMBERS] = 7,
	[FIELD_COMMAND] = 15,
	[FIELD_EXIT] = 4,
	[FIELD_LIVED] = 9,
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
		strbuf_addstr(out, "%CPU with that of children that have ended\n");
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
	blanks = beside_width[field] - text_length(out->text + start);
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

/* Appends the begin of the head; the rest differs each time. */
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
	.summary = text_summary,
	.close = text_close,
};
