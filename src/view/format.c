/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/format.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "base/unit.h"
#include "model/fact_list.h"
#include "view/frame.h"
#include "view/view.h"

/* ---- arguments ----
 *
 * The name of a task with the arguments from its command line, if that was read. Pure.
 */

/* First character of the text in brackets, such as "[bash]", that stands for a command line which
 * the kernel does not have, or which the program has erased. */
#define ERASED '['

/* Returns where the name begins in the first word of the command line, after its folders and the
 * '-' of a login shell; NULL: the first word has another name. The kernel may have cut the name, so
 * only its characters are compared. */
static const char *find_name(const char *cmdline, const char *name)
{
	size_t from = strcspn(cmdline, " ");

	while (from > 0 && cmdline[from - 1] != '/')
		from--;
	from += cmdline[from] == '-';
	return strncmp(cmdline + from, name, strlen(name)) ? NULL : cmdline + from;
}

/* Appends "simulate --steps 100" for the command line "/opt/sim/simulate --steps 100". If its first
 * word is not the name, as for a script: "load.py: /usr/bin/python3 load.py". Returns false, and
 * appends nothing, if the row has no command line, has ended (the space is needed for the exit
 * status), or is a thread other than the leader. */
static bool arguments_add_command(struct strbuf *out, const struct frame_row *row)
{
	const struct task *t = row->task;
	const char *from;

	if (!t->cmdline || *t->cmdline == ERASED || row->label != t->process || t->dead ||
	    row->collapsed || t->kind->counts_members || !task_is_leader(t))
		return false;
	from = find_name(t->cmdline, t->process);
	if (!from) {
		text_add(out, t->process);
		strbuf_addstr(out, ": ");
	}
	text_add(out, from ? from : t->cmdline);
	return true;
}

/* ---- format ---- */

/* The format was checked by column_format_read(): one floating conversion, and bounded. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* Returns where the conversion of the number begins. */
static const char *find_conversion(const char *format)
{
	const char *p = strchr(format, '%');

	while (p[1] == '%')
		p = strchr(p + 2, '%');
	return p;
}

/* Returns the format for a long double. */
static char *long_format(const char *format)
{
	const char *p = find_conversion(format);

	p += strcspn(p, "fFeEgG");
	return xasprintf("%.*sL%s", (int)(p - format), format, p);
}

/* Returns the format with a sign. */
static char *signed_format(const char *format)
{
	int n = (int)(find_conversion(format) + 1 - format);

	return xasprintf("%.*s+%s", n, format, format + n);
}

/* Appends a count with more bits than a double has. */
static void add_large(struct strbuf *out, const char *format, struct value v)
{
	char *as_long = long_format(format);

	/* If a long double has no more bits, print only correct digits. */
	if (LDBL_MANT_DIG < 64)
		strbuf_addf(out, "%.*e", DBL_DIG - 1, v.number + v.rest);
	else
		strbuf_addf(out, as_long, (long double)v.number + v.rest);
	free(as_long);
}

/* Returns 0 for -0.0, and for numbers that the format prints like it. */
static double without_negative_zero(const char *format, double number)
{
	char *text, *zero;
	bool equal;

	if (!signbit(number))
		return number;
	text = xasprintf(format, number);
	zero = xasprintf(format, -0.0);
	equal = !strcmp(text, zero);
	free(text);
	free(zero);
	return equal ? 0 : number;
}

/* Appends a shortened number, right-aligned in the width of the conversion, as printf(3) does. */
static void add_for_people(struct strbuf *out, const struct column *column, double number,
			   bool change)
{
	const struct column_format *shape = &column->shape;
	struct strbuf text;

	strbuf_init(&text);
	if (change && number >= 0)
		strbuf_addch(&text, '+');
	unit_add(&text, column->unit, number);
	column_format_add_text(out, column->format, 0, shape->from);
	strbuf_pad(out, ' ', shape->field - (int)text.len);
	strbuf_add(out, text.text, text.len);
	column_format_add_text(out, column->format, shape->to, strlen(column->format));
	strbuf_done(&text);
}

static void add_change(struct strbuf *out, const char *format, double number)
{
	char *with_sign = signed_format(format);

	strbuf_addf(out, with_sign, without_negative_zero(format, number));
	free(with_sign);
}

/* Appends a number that has a simple format. Returns false, and appends nothing, if it has not. */
static bool add_fixed(struct strbuf *out, const struct column *column, double number)
{
	const struct column_format *shape = &column->shape;
	const size_t start = out->len;

	if (!shape->fixed)
		return false;
	column_format_add_text(out, column->format, 0, shape->from);
	if (!num_add_fixed(out, number, shape->field, shape->decimals)) {
		out->len = start;
		out->text[start] = '\0';
		return false;
	}
	column_format_add_text(out, column->format, shape->to, strlen(column->format));
	return true;
}

void format_cell(struct strbuf *out, const struct column *column, struct value v, bool change)
{
	size_t start = out->len;
	int n, width, pad;

	if (!value_known(v)) {
		const char *mark = quality_table[v.quality].mark;

		strbuf_pad(out, ' ', column->width - (int)strlen(mark));
		strbuf_addstr(out, mark);
		return;
	}
	if (column->shape.conversion == 'h')
		add_for_people(out, column, v.number, change);
	else if (change)
		add_change(out, column->format, v.number);
	else if (v.rest)
		add_large(out, column->format, v);
	else if (column->zero && v.number == 0)
		strbuf_addstr(out, column->zero);
	else if (!add_fixed(out, column, v.number))
		strbuf_addf(out, column->format, without_negative_zero(column->format, v.number));
	n = (int)(out->len - start);
	width = column->shape.ascii ? n : text_length(out->text + start);
	pad = column->width - width;
	if (pad > 0) {
		strbuf_pad(out, ' ', pad);
		memmove(out->text + start + pad, out->text + start, (size_t)n);
		memset(out->text + start, ' ', (size_t)pad);
	}
}

/* Appends the number in at most `width` characters, with the text of its format around it, but
 * without the blanks before it. Returns false if it does not fit. */
static bool add_short(struct strbuf *out, const struct column *column, double number, bool change,
		      int width, bool prefixed)
{
	const struct column_format *shape = &column->shape;
	const size_t start = out->len;
	struct strbuf behind;
	const bool people = shape->conversion == 'h';
	bool has_room;

	strbuf_init(&behind);
	column_format_add_text(&behind, column->format, shape->to, strlen(column->format));
	column_format_add_text(out, column->format, strspn(column->format, " "), shape->from);
	if (change && number >= 0)
		strbuf_addch(out, '+');
	width -= text_length(out->text + start) + text_length(behind.text);
	has_room = unit_add_within(out, people ? column->unit : UNIT_NONE, number, width,
				   people || prefixed);
	strbuf_addstr(out, behind.text);
	strbuf_done(&behind);
	return has_room;
}

void format_shorten_cell(struct strbuf *cell, size_t start, const struct column *column,
			 struct value v, bool change, int width, bool prefixed)
{
	const char *shown = cell->text + start;
	struct strbuf text;

	/* There are no more characters than bytes. */
	if ((int)(cell->len - start) <= width || !value_known(v) || screen_column_is_text(column) ||
	    text_length(shown) <= width)
		return;
	shown += strspn(shown, " ");
	strbuf_init(&text);
	if (text_length(shown) <= width ||
	    !add_short(&text, column, v.number, change, width, prefixed)) {
		strbuf_reset(&text);
		strbuf_addstr(&text, shown);
	}
	cell->len = start;
	strbuf_pad(cell, ' ', width - text_length(text.text));
	strbuf_addstr(cell, text.text);
	strbuf_done(&text);
}

/* Appends a text. one_word: replace blanks, which would split the field. */
static void add_text(struct strbuf *out, const struct column *column, const char *text,
		     bool one_word)
{
	const struct column_format *shape = &column->shape;
	size_t start;

	column_format_add_text(out, column->format, 0, shape->from);
	start = out->len;
	text_add(out, *text ? text : "-");
	if (one_word)
		format_join(out, start);
	strbuf_pad(out, ' ', shape->field - text_length(out->text + start));
	column_format_add_text(out, column->format, shape->to, strlen(column->format));
}

void format_cell_of(struct strbuf *out, const struct column *column, struct value v,
		    const char *text, const struct view *view)
{
	size_t start = out->len;

	if (!screen_column_is_text(column)) {
		format_cell(out, column, v, column_shows_change(column, view->values));
		return;
	}
	if (value_known(v))
		add_text(out, column, text, view->safe_names);
	else
		strbuf_addstr(out, quality_table[v.quality].mark);
	strbuf_pad(out, ' ', column->width - text_length(out->text + start));
}

void format_row_cell(struct strbuf *out, const struct frame *frame, const struct frame_row *row,
		     size_t i)
{
	const struct column *column = &frame->screen->column[i];

	format_cell_of(out, column, frame_value(frame, row, i),
		       screen_column_is_text(column) ? frame_text(frame, row, i) : NULL,
		       frame->view);
}

const char *format_trim_cell(struct strbuf *cell, const struct column *column)
{
	if (!screen_column_is_text(column))
		return cell->text + strspn(cell->text, " ");
	while (cell->len && cell->text[cell->len - 1] == ' ')
		cell->text[--cell->len] = '\0';
	return cell->text;
}

/* Returns the character before column i, or before the fields beside the columns: [ and ] enclose
 * the sorting column. */
static char separator(const struct frame *frame, int i)
{
	int sort = frame->view->sort;

	if (sort == SORT_USER && !frame->show_user)
		return ' ';
	if (i == sort)
		return '[';
	return i == sort + 1 ? ']' : ' ';
}

void format_column_header(struct strbuf *out, const struct column *c)
{
	int pad = c->width - text_length(c->header);

	if (!screen_column_is_text(c))
		strbuf_pad(out, ' ', pad);
	strbuf_addstr(out, c->header);
	if (screen_column_is_text(c))
		strbuf_pad(out, ' ', pad);
}

void format_header(struct strbuf *out, const struct frame *frame)
{
	int n = (int)frame->screen->n_columns;

	strbuf_addf(out, "%c%*s%c", separator(frame, SORT_PID),
		    frame->kind->id_is_text ? 1 - frame->id_width : frame->id_width - 1,
		    frame->kind->id_name, frame->view->sort == SORT_PID ? ']' : ' ');
	if (frame->show_user)
		strbuf_addf(out, "%c%-*s", frame->view->sort == SORT_USER ? '[' : ' ',
			    FORMAT_USER_WIDTH, "user");
	for (int i = 0; i < n; i++) {
		strbuf_addch(out, separator(frame, i));
		format_column_header(out, &frame->screen->column[i]);
	}
	strbuf_addch(out, separator(frame, n));
	strbuf_addstr(out, frame->kind->label_name);
	strbuf_addch(out, separator(frame, n + 1));
}

void format_join(struct strbuf *out, size_t start)
{
	if (out->len == start)
		strbuf_addch(out, '_');
	for (size_t i = start; i < out->len; i++)
		if (out->text[i] == ' ')
			out->text[i] = '_';
}

/* Appends a number, with blanks before it up to this width. */
static void add_number(struct strbuf *out, uint64_t number, int width)
{
	int digits = 1;

	for (uint64_t rest = number / 10; rest; rest /= 10)
		digits++;
	strbuf_pad(out, ' ', width - digits);
	num_add_count(out, number);
}

void format_id(struct strbuf *out, const struct frame *frame, const struct frame_row *row)
{
	const struct task *t = row->task;
	size_t start = out->len;

	if (t->kind->id_is_text) {
		strbuf_addch(out, ' ');
		text_add(out, *t->name ? t->name : "-");
		if (frame->view->safe_names)
			format_join(out, start + 1);
		strbuf_pad(out, ' ', frame->id_width - text_length(out->text + start));
	} else if (t->kind->counts_members && *t->name) {
		strbuf_addf(out, "%*s", frame->id_width, t->name);
	} else {
		add_number(out, task_number(t), frame->id_width);
	}
	strbuf_addch(out, row->mark);
}

static void add_task(struct strbuf *out, const struct frame *frame, const struct frame_row *row)
{
	size_t start;

	format_id(out, frame, row);
	if (!frame->show_user)
		return;
	strbuf_addch(out, ' ');
	start = out->len;
	strbuf_addstr(out, row->task->user);
	if (frame->view->safe_names)
		format_join(out, start);
	strbuf_pad(out, ' ', FORMAT_USER_WIDTH - (int)(out->len - start));
}

/* Puts the mark after the number that begins at start. The mark replaces a blank next to the
 * number, if there is one, so that all later fields keep their place. */
static void add_mark(struct strbuf *out, size_t start, char mark)
{
	size_t end = out->len;

	while (end > start && out->text[end - 1] == ' ')
		end--;
	if (end < out->len) {
		out->text[end] = mark;
	} else if (out->text[start] == ' ') {
		memmove(out->text + start, out->text + start + 1, end - start - 1);
		out->text[end - 1] = mark;
	} else {
		strbuf_addch(out, mark);
	}
}

void format_marked_cell(struct strbuf *out, const struct frame *frame, const struct frame_row *row,
			size_t i)
{
	const struct column *column = &frame->screen->column[i];
	const struct value v = frame_value(frame, row, i);
	size_t start = out->len;

	format_row_cell(out, frame, row, i);
	format_shorten_cell(out, start, column, v, column_shows_change(column, frame->view->values),
			    column->width, false);
	if (value_known(v) && v.quality != QUALITY_EXACT && !screen_column_is_text(column))
		add_mark(out, start, quality_table[v.quality].mark[0]);
}

void format_row(struct strbuf *out, const struct frame *frame, const struct frame_row *row)
{
	add_task(out, frame, row);
	for (size_t i = 0; i < frame->screen->n_columns; i++) {
		strbuf_addch(out, ' ');
		format_marked_cell(out, frame, row, i);
	}
	strbuf_addch(out, ' ');
}

static bool goes_on(const struct frame_row *row, int depth)
{
	return depth < FRAME_RAILS && row->rails & 1u << depth;
}

void format_branch(struct strbuf *out, const struct frame_row *row, const char *const rail[4])
{
	for (int k = 0; k < row->depth - 1 && k < FRAME_RAILS; k++)
		strbuf_addstr(out, rail[!goes_on(row, k)]);
	if (row->depth)
		strbuf_addstr(out, rail[goes_on(row, row->depth - 1) ? 2 : 3]);
	if (row->collapsed)
		strbuf_addch(out, '+');
	if (row->depth || row->collapsed)
		strbuf_addch(out, ' ');
}

static void add_how(struct strbuf *out, struct value exit)
{
	const int signal = value_known(exit) && exit.number < 0 ? (int)-exit.number : 0;
	const char *name = signal ? code_name_signal(signal) : NULL;

	if (name)
		strbuf_addf(out, "SIG%s", name);
	else if (signal)
		strbuf_addf(out, "signal %d", signal);
	else if (value_known(exit))
		strbuf_addf(out, "status %.0f", exit.number);
	else
		strbuf_addf(out, "status %s", quality_table[exit.quality].mark);
}

void format_end(struct strbuf *out, const struct frame_row *row)
{
	const struct value exit = delta_fact_now(row->from, FACT_EXIT);
	const struct value life = delta_fact_now(row->from, FACT_LIFE_NS);

	if (row->task->kind->counts_members || (!value_known(exit) && !value_known(life)))
		return;
	strbuf_addstr(out, " (");
	add_how(out, exit);
	if (value_known(life))
		strbuf_addf(out, ", %.3f s", life.number / 1e9);
	strbuf_addch(out, ')');
}

void format_row_command(struct strbuf *out, const struct frame_row *row, bool arguments)
{
	if (!arguments || !arguments_add_command(out, row))
		text_add(out, row->label);
	if (row->thread) {
		strbuf_addstr(out, " {");
		text_add(out, row->thread);
		strbuf_addch(out, '}');
	}
	if (!task_is_leader(row->task))
		strbuf_addf(out, " (%" PRIu64 ")", row->task->owner);
	if (row->collapsed)
		strbuf_addf(out, " [%d]", row->from->n_members);
	if (row->task->dead)
		format_end(out, row);
}

void format_mark(struct strbuf *out, const struct frame *frame)
{
	const time_t at = (time_t)(frame->mark_wall_ns / 1000000000);
	const time_t now = (time_t)(frame->wall_ns / 1000000000);
	struct tm mark, today;
	char text[64] = "?";
	bool same;

	if (localtime_r(&at, &mark) && localtime_r(&now, &today)) {
		same = mark.tm_year == today.tm_year && mark.tm_yday == today.tm_yday;
		strftime(text, sizeof text, same ? "%H:%M:%S" : "%Y-%m-%d %H:%M:%S", &mark);
	}
	strbuf_addstr(out, text);
}

static void add_load(struct strbuf *out, const char *before, double load)
{
	strbuf_addstr(out, before);
	if (isnan(load))
		strbuf_addch(out, '?');
	else
		strbuf_addf(out, "%.2f", load);
}

void format_uptime(struct strbuf *out, const struct host *host)
{
	long minutes = (long)(host->uptime_s / 60), hours = minutes / 60;

	strbuf_addf(out, "up %ld days, %ld:%02ld, load average: ", hours / 24, hours % 24,
		    minutes % 60);
	add_load(out, "", host->load1);
	add_load(out, ", ", host->load5);
	add_load(out, ", ", host->load15);
}

void format_percent(struct strbuf *out, double share)
{
	double percent = 100 * share;

	if (share >= 1)
		strbuf_addstr(out, "100 %");
	else
		strbuf_addf(out, "%.4g %%", percent < 99.99 ? percent : 99.99);
}

void format_share(struct strbuf *out, struct value v)
{
	strbuf_addstr(out, "share ");
	format_percent(out, (double)v.share);
}

void format_quality(struct strbuf *out, struct value v, bool ended)
{
	const struct quality_row *quality = &quality_table[v.quality];

	if (!value_known(v)) {
		strbuf_addf(out, ": %s", quality_text((enum quality)v.quality, ended));
	} else if (v.quality != QUALITY_EXACT) {
		strbuf_addf(out, " (%s%s", quality->name, v.share < 1 ? ", " : "");
		if (v.share < 1)
			format_share(out, v);
		strbuf_addch(out, ')');
	}
}
