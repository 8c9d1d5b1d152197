/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/layout.h"

#include <stddef.h>
#include <string.h>

#include "tui/canvas.h"
#include "view/format.h"
#include "view/view.h"

/* The least width to which a name is cut, and the largest width that a name can have. */
#define NAME_MIN 5
#define NAME_MAX 99

static size_t n_columns(const struct frame *frame)
{
	size_t n = frame->screen->n_columns;

	return n < LAYOUT_COLUMNS_MAX ? n : LAYOUT_COLUMNS_MAX;
}

/* Returns the width of everything beside the columns: id, user, and the command with the gap before
 * it. */
static int fixed_width(const struct layout *l, const struct frame *frame)
{
	int user = frame->show_user ? LAYOUT_USER_GAP + FORMAT_USER_WIDTH : 0;

	return l->id + 1 + user + LAYOUT_GAP + l->command;
}

/* Sets l->command, the cells reserved for COMMAND: more for command lines than for names, plus
 * those of the deepest branch of the tree seen so far. So columns of numbers are left out before
 * COMMAND is hidden. */
static void reserve_command(struct layout *l, const struct frame *frame, size_t first, size_t n,
			    int width)
{
	const int line = frame->view->show_cmdline ? LAYOUT_LINE_MIN : LAYOUT_COMMAND_MIN;

	if (l->screen != frame->screen || !frame->view->tree)
		l->deepest = 0;
	for (size_t i = first; i < first + n && i < frame->n; i++)
		if (frame->row[i].depth > l->deepest)
			l->deepest = frame->row[i].depth;
	l->command = line + l->deepest * LAYOUT_BRANCH_WIDTH;
	if (l->command > width * 2 / 5)
		l->command = width * 2 / 5;
	if (l->command < LAYOUT_COMMAND_MIN)
		l->command = LAYOUT_COMMAND_MIN;
}

/* Updates l->number with the widths of the values of a row. A value that is wider than the declared
 * width of its column does not widen the column. A number after a mark needs one more blank; the
 * mark may be in any column before, as the columns between may be left out. */
static void note_widths(struct layout *l, const struct frame *frame, const struct frame_row *row,
			struct strbuf *text)
{
	const bool ended = row != frame->total && row->task->dead;
	bool marked = false;

	for (size_t i = 0; i < n_columns(frame); i++) {
		const struct column *column = &frame->screen->column[i];
		const struct value v = frame_value(frame, row, i);
		int width;

		strbuf_reset(text);
		format_row_cell(text, frame, row, i);
		width = canvas_text_width(format_trim_cell(text, column));
		/* A column of bars has its declared width. */
		if (width > column->width || column->spark)
			width = column->width;
		if (marked && !screen_column_is_text(column) && !column->spark)
			width++;
		if (width > l->number[i])
			l->number[i] = width;
		marked = marked || mark_is_behind(mark_of_cell(v, ended), v);
	}
}

static void note_all_widths(struct layout *l, const struct frame *frame, size_t first, size_t n)
{
	struct strbuf text;

	if (l->screen != frame->screen)
		memset(l->number, 0, sizeof l->number);
	l->screen = frame->screen;
	strbuf_init(&text);
	for (size_t i = first; i < first + n && i < frame->n; i++)
		note_widths(l, frame, &frame->row[i], &text);
	if (frame->total && l->total)
		note_widths(l, frame, frame->total, &text);
	strbuf_done(&text);
}

static int name_width(const struct column *column)
{
	struct canvas nowhere = CANVAS_INIT;
	int len;
	const char *name = screen_column_name(column, &len);

	return canvas_put_n(&nowhere, 0, 0, LOOK_NORMAL, name, (size_t)len);
}

/* ---- brackets ---- */

/* Sets *begin and *end to the cells in which the name of column i begins and ends, counted from the
 * left edge of the column at its current width. */
static void find_name(const struct layout *l, const struct frame *frame, size_t i, int *begin,
		      int *end)
{
	const struct column *column = &frame->screen->column[i];
	const int width = layout_width(l, frame, i), wide = name_width(column);
	struct canvas nowhere = CANVAS_INIT;
	int len, blanks, all = wide;

	blanks = (int)(screen_column_name(column, &len) - column->header);
	if (width < column->width)
		blanks = 0;
	else
		all = canvas_put(&nowhere, 0, 0, LOOK_NORMAL, column->header);
	*begin = blanks + (all < width && !screen_column_is_text(column) ? width - all : 0);
	*end = *begin + wide < width ? *begin + wide : width;
}

/* Returns the last visible column before column i; -1: none. */
static int shown_before(const struct layout *l, const struct frame *frame, size_t i)
{
	while (i-- > 0)
		if (layout_width(l, frame, i))
			return (int)i;
	return -1;
}

/* Returns whether only the usual blank is between column i and the text before it: the name of
 * another column, or the mark "<". */
static bool is_adjacent(const struct layout *l, const struct frame *frame, size_t i)
{
	const int before = shown_before(l, frame, i);
	int begin, end;

	if (before < 0)
		return layout_scrolled(l, frame);
	find_name(l, frame, (size_t)before, &begin, &end);
	return end == layout_width(l, frame, (size_t)before);
}

int layout_bracket(const struct layout *l, const struct frame *frame, size_t i)
{
	int begin, end;

	find_name(l, frame, i, &begin, &end);
	return begin && is_adjacent(l, frame, i) ? 0 : -1;
}

int layout_gap(const struct layout *l, const struct frame *frame, size_t i)
{
	const int sort = frame->view->sort, before = shown_before(l, frame, i);
	const bool behind = before < 0 ? sort == SORT_USER && frame->show_user : before == sort;
	int begin, end;

	if (i >= frame->screen->n_columns)
		return layout_lacks(l, frame) && (behind || sort == (int)i);
	if (!layout_width(l, frame, i) || (!behind && sort != (int)i))
		return 0;
	/* The mark "<" stands between the name of the user column and that of column i; one of the
	 * LAYOUT_USER_MARK_GAP blanks is before the mark. */
	if (behind && before < 0 && layout_scrolled(l, frame))
		return LAYOUT_USER_MARK_GAP;
	find_name(l, frame, i, &begin, &end);
	return !begin && (behind || is_adjacent(l, frame, i));
}

static int sum_of_gaps(const struct layout *l, const struct frame *frame)
{
	int sum = 0;

	for (size_t i = 0; i <= frame->screen->n_columns; i++)
		sum += layout_gap(l, frame, i);
	return sum;
}

/* Returns an upper bound of sum_of_gaps() for any choice and any widths of columns. */
static int most_gaps(const struct layout *l, const struct frame *frame)
{
	const int sort = frame->view->sort;

	if (sort < 0)
		return sort == SORT_USER && frame->show_user ? LAYOUT_USER_MARK_GAP : 0;
	return sort == 0 || sort >= (int)n_columns(frame) || (size_t)sort == l->first ? 1 : 2;
}

/* Returns whether all columns fit with their declared widths. */
static bool all_fit(struct layout *l, const struct frame *frame, int width)
{
	int room;

	l->tight = false;
	room = width - fixed_width(l, frame) - sum_of_gaps(l, frame);
	for (size_t i = 0; i < frame->screen->n_columns && room >= 0; i++)
		room -= 1 + layout_width(l, frame, i);
	return room >= 0;
}

/* Returns the width of a column if its name and its texts are cut to name_max cells; numbers are
 * not cut. */
static int cut_width(const struct layout *l, const struct frame *frame, size_t i, int name_max)
{
	const struct column *column = &frame->screen->column[i];
	int name = name_width(column), cell = l->number[i];

	if (name > name_max)
		name = name_max;
	if (cell > name_max && screen_column_is_text(column))
		cell = name_max;
	return name > cell ? name : cell;
}

#define ANY_PRIORITY 0

/* Chooses the columns of this priority (or ANY_PRIORITY), from the left, as long as they fit with
 * their names cut. Reduces *room by their widths. Returns false if a column did not fit. */
static bool choose_priority(struct layout *l, const struct frame *frame, int priority, int *room)
{
	for (size_t i = l->first; i < n_columns(frame); i++) {
		int width;

		if ((int)i == frame->view->sort ||
		    (priority && screen_column_priority(&frame->screen->column[i]) != priority))
			continue;
		width = cut_width(l, frame, i, NAME_MIN);
		if (1 + width > *room)
			return false;
		l->width[i] = width;
		*room -= 1 + width;
	}
	return true;
}

/* Gives texts of the first priority their whole width as far as there is room, before columns of
 * other priorities are chosen: such a text is what the screen is about, and two texts may begin
 * alike. */
static void widen_texts(struct layout *l, const struct frame *frame, int *room)
{
	for (size_t i = l->first; i < n_columns(frame) && *room > 0; i++) {
		const struct column *column = &frame->screen->column[i];
		int more = l->width[i] && screen_column_is_text(column) &&
					   screen_column_priority(column) == 1
				   ? l->number[i] - l->width[i]
				   : 0;

		if (more > *room)
			more = *room;
		if (more > 0) {
			l->width[i] += more;
			*room -= more;
		}
	}
}

/* Chooses the visible columns: the sorting column, and as many others as fit, by priority; if the
 * user has scrolled, in their order. Returns the remaining room; negative: not even the sorting
 * column fits. */
static int choose_columns(struct layout *l, const struct frame *frame, int room)
{
	/* If PID, USER or COMMAND sorts, `sort` is not an index of a column: n or larger. */
	size_t n = n_columns(frame), sort = (size_t)frame->view->sort;
	int priority = l->first ? ANY_PRIORITY : 1;

	memset(l->width, 0, sizeof l->width);
	if (sort < n) {
		l->width[sort] = cut_width(l, frame, sort, NAME_MIN);
		room -= 1 + l->width[sort];
	}
	while (choose_priority(l, frame, priority, &room) && priority != ANY_PRIORITY &&
	       priority < SCREEN_PRIORITY_MAX) {
		if (priority == 1)
			widen_texts(l, frame, &room);
		priority++;
	}
	return room;
}

/* Distributes the remaining room over the columns whose names are cut the most, so that in the end
 * only the longest names are cut. */
static void distribute_room(struct layout *l, const struct frame *frame, int room)
{
	for (int max = NAME_MIN + 1; room > 0 && max <= NAME_MAX; max++)
		for (size_t i = 0; room > 0 && i < n_columns(frame); i++)
			if (l->width[i] && cut_width(l, frame, i, max) > l->width[i]) {
				l->width[i]++;
				room--;
			}
}

/* Returns whether all columns from `first` on, and the sorting column, fit with their names cut. */
static bool rest_fits(const struct layout *l, const struct frame *frame, size_t first, int room)
{
	room -= (first ? LAYOUT_MARK_WIDTH : 0) + most_gaps(l, frame);
	for (size_t i = 0; i < n_columns(frame); i++)
		if (i >= first || (int)i == frame->view->sort)
			room -= 1 + cut_width(l, frame, i, NAME_MIN);
	return room >= 0;
}

/* Scrolls back to the left as long as all columns from l->first on fit. */
static void end_scrolling(struct layout *l, const struct frame *frame, int room)
{
	const size_t n = n_columns(frame);

	if (l->first >= n)
		l->first = n - 1;
	while (l->first && rest_fits(l, frame, l->first - 1, room))
		l->first--;
}

/* Skips the sorting column together with the column after it: the sorting column stays visible, so
 * that skipping it alone would change nothing. */
void layout_scroll(struct layout *l, int by, int sort)
{
	if (by > 0)
		l->first += (int)l->first == sort ? 2 : 1;
	else if (l->first > 0)
		l->first -= (int)l->first == sort + 2 ? 2 : 1;
}

bool layout_scrolled(const struct layout *l, const struct frame *frame)
{
	return l->first > (frame->view->sort == 0 ? 1 : 0);
}

/* Chooses the visible columns and their widths. */
static void fit_columns(struct layout *l, const struct frame *frame, size_t first, size_t n,
			int width)
{
	int room, left;

	reserve_command(l, frame, first, n, width);
	room = width - fixed_width(l, frame);
	if (l->screen != frame->screen)
		l->first = 0;
	note_all_widths(l, frame, first, n);
	l->tight = !all_fit(l, frame, width);
	if (!l->tight) {
		l->first = 0;
		return;
	}
	end_scrolling(l, frame, room);
	room -= layout_scrolled(l, frame) ? LAYOUT_MARK_WIDTH : 0;
	room -= most_gaps(l, frame);
	left = choose_columns(l, frame, room);
	if (layout_lacks(l, frame))
		left = choose_columns(l, frame, room - LAYOUT_MARK_WIDTH);
	distribute_room(l, frame, left);
}

int layout_width(const struct layout *l, const struct frame *frame, size_t i)
{
	const int declared = frame->screen->column[i].width;

	if (l->tight)
		return i < LAYOUT_COLUMNS_MAX ? l->width[i] : 0;
	return i < LAYOUT_COLUMNS_MAX && l->number[i] > declared ? l->number[i] : declared;
}

bool layout_lacks(const struct layout *l, const struct frame *frame)
{
	for (size_t i = l->first; i < frame->screen->n_columns; i++)
		if (!layout_width(l, frame, i))
			return true;
	return false;
}

int layout_command(const struct layout *l, const struct frame *frame)
{
	int x = l->id + 1 + LAYOUT_GAP + layout_gap(l, frame, n_columns(frame));

	x += frame->show_user ? LAYOUT_USER_GAP + FORMAT_USER_WIDTH : 0;
	x += layout_scrolled(l, frame) ? LAYOUT_MARK_WIDTH : 0;
	x += layout_lacks(l, frame) ? LAYOUT_MARK_WIDTH : 0;
	for (size_t i = 0; i < frame->screen->n_columns; i++)
		if (layout_width(l, frame, i))
			x += layout_gap(l, frame, i) + 1 + layout_width(l, frame, i);
	return x;
}

/* Returns the cells of the id. */
static int id_width(const struct frame *frame, int width)
{
	int most = width / LAYOUT_ID_SHARE;

	if (most < LAYOUT_ID_MIN)
		most = LAYOUT_ID_MIN;
	return frame->kind->id_is_comm && frame->id_width > most ? most : frame->id_width;
}

void layout_fit(struct layout *l, const struct frame *frame, size_t first, size_t n, int width)
{
	l->id = id_width(frame, width);
	fit_columns(l, frame, first, n, width);
	l->arguments = width - layout_command(l, frame) >= LAYOUT_ARGUMENTS_MIN;
}

/* ---- legend ---- */

/* clang-format off */
const struct mark_row mark_table[N_MARKS] = {
	[MARK_ESTIMATE] = {"~", "estimate",
			   "an estimate: counters took turns, intervals differ, or a clock is late", false},
	[MARK_LAST_KNOWN] = {"'", "last known", "the last known value, read in an earlier refresh", false},
	[MARK_PARTIAL] = {"*", "in part", "only a part was counted", false},
	[MARK_UNKNOWN] = {"?", "not known", "unknown: the key " KEY_OF("explain") " says why", false},
	[MARK_NO_NUMBER] = {"-", "no such number",
			    "no such number: division by 0, members that differ, cores without the event", false},
	[MARK_ENDED] = {"x", "ended", "a task that has ended, with its last numbers", true},
	[MARK_THREADS] = {"+", NULL, "a process with several threads", true},
	[MARK_THREAD] = {"-", NULL, "a thread that is not the first of its process", true},
	[MARK_TAGGED] = {"#", NULL,
			 "a tagged task: " KEY_OF("signal") ", " KEY_OF("nice") " and "
			 KEY_OF("cpus") " act on all of these", true},
};
/* clang-format on */

enum mark mark_of_quality(enum quality quality)
{
	for (int i = 0; i < N_MARKS; i++)
		if (!mark_table[i].of_row &&
		    !strcmp(mark_table[i].sign, quality_table[quality].mark))
			return (enum mark)i;
	return N_MARKS;
}

enum mark mark_of_cell(struct value v, bool ended)
{
	if (v.quality == QUALITY_STALE && ended)
		return N_MARKS;
	return mark_of_quality((enum quality)v.quality);
}

bool mark_is_behind(enum mark mark, struct value v)
{
	return mark != N_MARKS && value_known(v);
}

/* Separates a mark from its meaning. A key in the footer is separated from its effect only by a
 * blank. */
#define MEANS " = "
#define GAP   "  "

void legend_add(struct legend *l, int room, struct strbuf *out)
{
	const unsigned pending = l->wanted ? l->shown | (l->seen & ~l->explained) : 0;
	const size_t start = out->len;

	l->shown = 0;
	for (int i = 0; i < N_MARKS; i++) {
		const struct mark_row *row = &mark_table[i];
		const char *gap = out->len > start ? GAP : "";

		if (!(pending & MARK_BIT(i)) || !row->brief ||
		    out->len - start + strlen(gap) + strlen(row->sign) + strlen(MEANS) +
				    strlen(row->brief) >
			    (size_t)(room > 0 ? room : 0))
			continue;
		strbuf_addf(out, "%s%s" MEANS "%s", gap, row->sign, row->brief);
		l->shown |= MARK_BIT(i);
	}
}

bool legend_clear(struct legend *l)
{
	const bool shown = l->shown != 0;

	l->explained |= l->shown;
	l->shown = 0;
	return shown;
}
