/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/panel.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "model/fact_list.h"
#include "tui/canvas.h"
#include "tui/cursor.h"
#include "view/format.h"
#include "view/page.h"
#include "view/view.h"

/* ---- key hints ---- */

/* Appends a hint; nothing if neither of its actions has a key. */
static void add_hint(struct strbuf *out, const struct key_hints *hints, const struct key_hint *hint)
{
	const size_t start = out->len;

	keymap_add_key_of(hints->keymap, hint->action, out);
	if (hint->other && out->len > start)
		strbuf_addch(out, ' ');
	if (hint->other)
		keymap_add_key_of(hints->keymap, hint->other, out);
	if (out->len > start)
		strbuf_addf(out, " %s", hint->text);
}

void key_hints_add(struct strbuf *out, const struct key_hints *hints, const char *between, int room)
{
	const struct key_hint *hint = hints->hint;
	struct strbuf one, last;

	strbuf_init(&one);
	strbuf_init(&last);
	while (hint[1].action)
		hint++;
	add_hint(&last, hints, hint);
	room -= canvas_text_width(last.text);
	for (hint = hints->hint; hint[1].action; hint++) {
		strbuf_reset(&one);
		add_hint(&one, hints, hint);
		if (one.len && last.len)
			strbuf_addstr(&one, between);
		if (canvas_text_width(one.text) > room)
			continue;
		strbuf_addstr(out, one.text);
		room -= canvas_text_width(one.text);
	}
	if (room >= 0)
		strbuf_addstr(out, last.text);
	strbuf_done(&last);
	strbuf_done(&one);
}

/* ---- sheet ---- */

#define NARROW_INDENT   4
#define TEXT_MIN_WIDTH  20
#define TITLE_MIN_WIDTH 16 /* characters */

#define NOWHERE SIZE_MAX

/* Returns whether the first n bytes contain the text of the search. */
static bool has(const struct scroll_find *find, const char *text, size_t n)
{
	char *part = xasprintf("%.*s", (int)strnlen(text, n), text);
	bool found = strcasestr(part, find->text);

	free(part);
	return found;
}

static void note_match(struct sheet *s, const char *text, size_t n)
{
	if (!*s->find->text || !has(s->find, text, n))
		return;
	if (s->y < s->find->from)
		s->before = s->y;
	else if (s->behind == NOWHERE)
		s->behind = s->y;
}

/* Returns the line of the canvas that shows the current line of the sheet; -1: not visible. */
static int visible_row(const struct sheet *s)
{
	return s->y >= s->first && s->y - s->first < s->n ? s->row + (int)(s->y - s->first) : -1;
}

int sheet_put(struct sheet *s, int x, uint8_t attr, const char *text, size_t n)
{
	if (s->find)
		note_match(s, text, n);
	return canvas_put_n(s->canvas, x, visible_row(s), attr, text, n);
}

void sheet_put_rest(struct sheet *s, int x, uint8_t attr, const char *text)
{
	if (s->find)
		note_match(s, text, strlen(text));
	canvas_put_cut(s->canvas, x, visible_row(s), s->canvas->width, attr, text);
}

void sheet_text(struct sheet *s, int x, uint8_t attr, const char *text)
{
	do {
		const char *next;
		size_t n = canvas_wrap(text, s->canvas->width - x, &next);

		sheet_put(s, x, attr, text, n);
		s->y++;
		text = next;
	} while (*text);
}

int sheet_column(const struct sheet *s, int x)
{
	return s->canvas->width - x < TEXT_MIN_WIDTH ? NARROW_INDENT : x;
}

void sheet_entry(struct sheet *s, int x, uint8_t label_attr, const char *label, const char *text)
{
	int end = sheet_put(s, SHEET_INDENT, label_attr, label, strlen(label));

	x = sheet_column(s, x);
	if (end >= x)
		s->y++;
	sheet_text(s, x, LOOK_NORMAL, text);
}

void sheet_title(struct sheet *s, const char *text)
{
	size_t hidden;

	s->y++;
	/* Hide a title on the last visible line: nothing of its section would be visible. */
	hidden = s->n > 1 && s->y + 1 == s->first + s->n;
	s->n -= hidden;
	sheet_text(s, 0, LOOK_NORMAL | LOOK_STRONG, text);
	s->n += hidden;
}

/* Returns the number of columns that hints must leave to the title: its width, but at most half of
 * the line or TITLE_MIN_WIDTH. */
static int title_room(const struct canvas *c, const char *title)
{
	const int width = canvas_text_width(title);
	const int most = c->width / 2 > TITLE_MIN_WIDTH ? c->width / 2 : TITLE_MIN_WIDTH;

	return width < most ? width : most;
}

/* Paints the line of the title. On a narrow line, leaves out first the position in the sheet, then
 * hints. */
static void paint_title(struct canvas *c, const struct scroll *scroll, const char *title,
			const struct key_hints *hints)
{
	const int room = c->width - title_room(c, title) - 2;
	struct strbuf text, place;
	int width;

	strbuf_init(&text);
	strbuf_init(&place);
	canvas_fill(c, 0, 0, c->width, LOOK_HEADER);
	key_hints_add(&text, hints, ", ", room);
	if (scroll->page && scroll->n > scroll->page)
		strbuf_addf(&place, "%zu-%zu of %zu%s", scroll->top + 1, scroll->top + scroll->page,
			    scroll->n, text.len ? ", " : "");
	width = canvas_text_width(text.text);
	if (width + canvas_text_width(place.text) <= room)
		width += canvas_text_width(place.text);
	else
		strbuf_reset(&place);
	strbuf_addstr(&place, text.text);
	if (width++ > 0)
		canvas_put(c, c->width - width, 0, LOOK_HEADER, place.text);
	strbuf_reset(&text);
	strbuf_addf(&text, " %s", title);
	canvas_put_cut(c, 0, 0, c->width - width - (width > 1), LOOK_HEADER | LOOK_STRONG,
		       text.text);
	strbuf_done(&place);
	strbuf_done(&text);
}

/* Scrolls the match of the search to the top. */
static void scroll_to_match(struct scroll *scroll, const struct sheet *count)
{
	struct scroll_find *find = scroll->find;
	size_t line = find->seek > 0 ? count->behind : count->before;

	find->missed = *find->text && line == NOWHERE;
	if (line != NOWHERE)
		scroll->top = line;
	else if (!*find->text)
		scroll->top = find->from;
	find->seek = 0;
}

/* Paints a sheet as sheet_paint() does, but leaves `lines` lines below the title free for something
 * that does not scroll. */
static void sheet_paint_below(struct canvas *c, struct scroll *scroll, int lines, const char *title,
			      const struct key_hints *hints,
			      void (*write)(struct sheet *s, const void *context),
			      const void *context)
{
	const bool titled = c->height >= 2;
	const int row = titled + lines;
	struct sheet count = {.canvas = c, .before = NOWHERE, .behind = NOWHERE}, sheet;

	if (scroll->find && scroll->find->seek)
		count.find = scroll->find;
	write(&count, context);
	if (count.find)
		scroll_to_match(scroll, &count);
	scroll_fit(scroll, count.y, (size_t)(c->height > row ? c->height - row : 0));
	sheet = (struct sheet){.canvas = c, .first = scroll->top, .n = scroll->page, .row = row};
	write(&sheet, context);
	for (int y = row; scroll->find && y < c->height; y++)
		search_mark(scroll->find->text, c, 0, y, c->width);
	if (titled)
		paint_title(c, scroll, title, hints);
}

void sheet_paint(struct canvas *c, struct scroll *scroll, const char *title,
		 const struct key_hints *hints, void (*write)(struct sheet *s, const void *context),
		 const void *context)
{
	sheet_paint_below(c, scroll, 0, title, hints, write, context);
}

/* ---- errors ---- */

static void write_errors(struct sheet *s, const void *context)
{
	const struct log *log = context;
	struct strbuf line;
	char text[96];
	int width = snprintf(text, sizeof(text), "%zu", log->n);

	strbuf_init(&line);
	for (size_t i = 0; i < log->n; i++) {
		strbuf_reset(&line);
		log_put_line(log, i, &line);
		snprintf(text, sizeof(text), "%*zu", width, i + 1);
		sheet_put(s, 0, LOOK_FAINT, text, strlen(text));
		sheet_text(s, sheet_column(s, width + 2), LOOK_NORMAL, line.text);
	}
	if (log->n == 0)
		sheet_text(s, 0, LOOK_NORMAL, "no errors so far");
	for (int kind = 0; kind < N_LOG_KINDS; kind++) {
		strbuf_reset(&line);
		if (log_put_dropped(log, (enum log_kind)kind, &line))
			sheet_text(s, 0, LOOK_NOTE, line.text);
	}
	strbuf_done(&line);
}

void errors_paint(struct canvas *c, struct ui_state *ui, const struct log *log)
{
	static const struct key_hint hint[] = {{"errors", "closes", NULL}, {NULL, NULL, NULL}};
	const struct key_hints hints = {ui->keymap, hint};

	sheet_paint(c, &ui->panel_lines, "Errors so far", &hints, write_errors, log);
}

void errors_add_hint(struct strbuf *out, const struct keymap *keymap, const struct log *log)
{
	bool dropped = false;

	for (int kind = 0; kind < N_LOG_KINDS; kind++)
		dropped |= log->dropped[kind].n > 0;
	if (!log->n)
		return;
	strbuf_addf(out, "%zu%s %s: ", log->n, dropped ? "+" : "",
		    log->n == 1 ? "error" : "errors");
	keymap_add_text(keymap, KEY_OF("errors"), out);
}

/* ---- page ---- */

/* The maximum width of the column of labels; the text of a longer label stands below that label. */
#define LABEL_MAX 30
#define GAP       2

/* The columns that a title leaves for the hints after it. */
#define TITLE_MORE 24

/* Returns the column in which the texts of the section that starts at line i begin. */
static int find_text_x(const struct page *page, size_t i)
{
	int widest = 0;

	for (i += page->line[i].style == PAGE_TITLE; i < page->n; i++) {
		int width;

		if (page->line[i].style == PAGE_TITLE)
			break;
		width = page->line[i].label ? canvas_text_width(page->line[i].label) : 0;
		if (width > widest && width <= LABEL_MAX)
			widest = width;
	}
	return SHEET_INDENT + widest + GAP;
}

static void write_row(struct sheet *s, const struct page_cells *row)
{
	const uint8_t attr = row->cell ? LOOK_NORMAL : LOOK_FAINT;
	struct page_layout laid;

	page_layout_init(&laid);
	page_table_layout(&laid, row, s->canvas->width - SHEET_INDENT);
	sheet_put(s, SHEET_INDENT, attr, laid.fixed.text, laid.fixed.len);
	sheet_text(s, SHEET_INDENT + laid.x, attr, laid.rest);
	if (laid.below.len)
		sheet_text(s, SHEET_INDENT + PAGE_TABLE_BELOW, attr, laid.below.text);
	page_layout_done(&laid);
}

static void write_line(struct sheet *s, const struct page_line *line, int x)
{
	switch (line->style) {
	case PAGE_TITLE:
		sheet_title(s, line->text);
		break;
	case PAGE_TEXT:
		sheet_text(s, SHEET_INDENT, LOOK_NORMAL, line->text);
		break;
	case PAGE_HEAD:
		sheet_put(s, SHEET_INDENT, LOOK_FAINT, line->label, strlen(line->label));
		sheet_text(s, sheet_column(s, x), LOOK_FAINT, line->text);
		break;
	case PAGE_ENTRY:
		sheet_entry(s, x, LOOK_FAINT, line->label, line->text);
		break;
	case PAGE_ROW:
		write_row(s, &line->row);
		break;
	}
}

static void write_page(struct sheet *s, const void *context)
{
	const struct page *page = context;
	int x = 0;

	if (page->note)
		sheet_text(s, 0, LOOK_NOTE, page->note);
	for (size_t i = 0; i < page->n; i++) {
		if (!i || page->line[i].style == PAGE_TITLE)
			x = find_text_x(page, i);
		write_line(s, &page->line[i], x);
	}
}

static void paint_graph(struct canvas *c, int lines, struct ui_state *ui,
			const struct curves *curves)
{
	struct strbuf why;

	strbuf_init(&why);
	if (curves->why)
		keymap_add_text(ui->keymap, curves->why, &why);
	graph_paint(c, 1, lines, &ui->graph, curves, curves->why ? why.text : NULL);
	strbuf_done(&why);
}

void page_paint(struct canvas *c, struct ui_state *ui, const struct page *page,
		const struct curves *curves)
{
	static const struct key_hint hint[] = {{"page-down", "scrolls", NULL},
					       {"help", "help", NULL},
					       {"quit", "closes", NULL},
					       {NULL, NULL, NULL}};
	static const struct page none = {.n = 0};
	const struct key_hints hints = {ui->keymap, hint};
	const bool built = page && page->title;
	const int lines = graph_lines(&ui->graph, curves, c->height - 1);

	ui->graph.last = 0;
	sheet_paint_below(c, &ui->panel_lines, lines,
			  built ? page->title : "this row is not there any more", &hints,
			  write_page, built ? page : &none);
	if (lines > 0)
		paint_graph(c, lines, ui, curves);
}

void page_paint_text(struct canvas *c, struct ui_state *ui, const struct page *page)
{
	static const struct key_hint hint[] = {{"what", "closes", NULL}, {NULL, NULL, NULL}};
	const struct key_hints hints = {ui->keymap, hint};
	struct page shown;

	if (!page)
		return;
	shown = *page;
	/* If the title will be cut, repeat the whole title as the first lines of the page. */
	if (canvas_text_width(page->title) + TITLE_MORE > c->width)
		shown.note = page->title;
	sheet_paint(c, &ui->panel_lines, page->title, &hints, write_page, &shown);
}

/* ---- sort menu ---- */

size_t sort_menu_n(const struct frame *frame)
{
	return frame->screen->n_columns + 2 + frame->show_user;
}

int sort_menu_at(const struct frame *frame, size_t i)
{
	if (i == 0)
		return SORT_PID;
	return (int)i - 1 - (frame->show_user ? 1 : 0);
}

size_t sort_menu_find(const struct frame *frame)
{
	for (size_t i = 0; i < sort_menu_n(frame); i++)
		if (sort_menu_at(frame, i) == frame->view->sort)
			return i;
	return 0;
}

static const char *describe(const struct frame *frame, int sort)
{
	const struct column *column = sort_column_of(frame->screen, sort);

	if (column)
		return column->desc;
	if (sort == SORT_USER)
		return "the user that the task runs as";
	return sort == SORT_PID ? frame->kind->id_help : frame->kind->label_help;
}

static const char *header_of(const struct frame *frame, int sort, int *len)
{
	if (sort == SORT_PID || sort == (int)frame->screen->n_columns) {
		const char *name =
			sort == SORT_PID ? frame->kind->id_name : frame->kind->label_name;

		*len = (int)strlen(name);
		return name;
	}
	return sort_name(frame->screen, sort, len);
}

static bool column_has(const void *context, size_t i, const char *text)
{
	const struct frame *frame = context;
	const int sort = sort_menu_at(frame, i);
	struct strbuf about;
	const char *header;
	bool found;
	int len;

	strbuf_init(&about);
	header = header_of(frame, sort, &len);
	strbuf_addf(&about, "%s\n%.*s\n%s", sort_id(frame->screen, sort), len, header,
		    describe(frame, sort));
	found = strcasestr(about.text, text);
	strbuf_done(&about);
	return found;
}

void sort_menu_seek(struct ui_state *ui, const struct frame *frame)
{
	scroll_find_line(&ui->find, sort_menu_n(frame), &ui->menu, column_has, frame);
}

/* Finds the widths of the longest id and of the longest name in the header. */
static void find_widths(const struct frame *frame, int *id, int *header)
{
	*id = *header = 0;
	for (size_t i = 0; i < sort_menu_n(frame); i++) {
		const int sort = sort_menu_at(frame, i);
		int width = (int)strlen(sort_id(frame->screen, sort)), len;

		header_of(frame, sort, &len);
		*id = width > *id ? width : *id;
		*header = len > *header ? len : *header;
	}
}

/* Writes exactly one line for each column, and cuts longer texts, so that the place of the selected
 * line is known. */
static void write_columns(struct sheet *s, const void *context)
{
	const struct frame *frame = context;
	int header_x, text_x;

	find_widths(frame, &header_x, &text_x);
	header_x += SHEET_INDENT + 2;
	text_x += header_x + 2;
	for (size_t i = 0; i < sort_menu_n(frame); i++, s->y++) {
		const int sort = sort_menu_at(frame, i);
		const char *id = sort_id(frame->screen, sort), *text = describe(frame, sort);
		const char *header, *mark = frame->view->reverse ? "^" : "v";
		int len;

		header = header_of(frame, sort, &len);
		if (sort == frame->view->sort)
			sheet_put(s, 0, LOOK_NORMAL | LOOK_STRONG, mark, 1);
		sheet_put(s, SHEET_INDENT, LOOK_NORMAL | LOOK_STRONG, id, strlen(id));
		sheet_put(s, header_x, LOOK_NORMAL, header, (size_t)len);
		sheet_put_rest(s, text_x, LOOK_NORMAL, text);
	}
}

void sort_menu_paint(struct canvas *c, struct ui_state *ui, const struct frame *frame)
{
	static const struct key_hint hint[] = {{"up", "move", "down"},
					       {"choose", "chooses", NULL},
					       {"search", "searches", NULL},
					       {"reverse", "reverses", NULL},
					       {"help", "help", NULL},
					       {"quit", "closes", NULL},
					       {NULL, NULL, NULL}};
	const struct key_hints hints = {ui->keymap, hint};
	const int title = c->height >= 2;
	struct scroll *scroll = &ui->panel_lines;

	scroll_fit(scroll, sort_menu_n(frame), (size_t)(c->height - title));
	scroll_show(scroll, ui->menu);
	sheet_paint(c, scroll, "Sort by", &hints, write_columns, frame);
	canvas_lay(c, 0, title + (int)(ui->menu - scroll->top), c->width, LOOK_CURRENT);
	for (size_t i = 0; i < scroll->page && scroll->top + i < scroll->n; i++)
		hits_add(&ui->hits, 0, title + (int)i, c->width,
			 (struct hit){HIT_LINE, (int)(scroll->top + i)});
}

/* ---- explain ---- */

/* The column in which the texts after the labels begin. */
#define TEXT_X 11

/* The data to explain. */
struct subject {
	const struct frame *frame;
	/* The sorting column; NULL: sorted by PID, USER or COMMAND. */
	const struct column *declared;
	const struct frame_row *row; /* NULL: none */
	const struct origins *events;
	const struct keymap *keymap;
	bool on_page; /* the row is that of the open page */
};

__attribute__((format(printf, 3, 4))) static void put_entry(struct sheet *s, const char *label,
							    const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	sheet_entry(s, TEXT_X, LOOK_FAINT, label, text);
	free(text);
}

/* Appends the number without decimals, if it is known, and the mark of its quality. */
static void add_value(struct strbuf *out, struct value v)
{
	uint64_t count;

	if (value_is_count(v, &count))
		strbuf_addf(out, "%" PRIu64, count);
	else if (value_known(v))
		strbuf_addf(out, "%.0f", v.number);
	strbuf_addstr(out, quality_table[v.quality].mark);
}

/* Writes "last  12345~ in the last interval (scaled, ...)", or "last  ?: why". */
static void put_value(struct sheet *s, const char *label, struct value v, const char *since)
{
	struct strbuf text;

	strbuf_init(&text);
	add_value(&text, v);
	if (value_known(v))
		strbuf_addstr(&text, since);
	format_quality(&text, v, false);
	put_entry(s, label, "%s", text.text);
	strbuf_done(&text);
}

/* Writes the total. Its share of the time is left out, as each interval has another share. */
static void put_total(struct sheet *s, struct value v)
{
	struct strbuf text;

	strbuf_init(&text);
	add_value(&text, v);
	put_entry(s, "total", "%s in all intervals", text.text);
	strbuf_done(&text);
}

/* ---- counters ---- */

/* before: the event of the same counter on the previous kind of cores; NULL: e is the first
 * event. */
static void write_event(struct sheet *s, const struct origin *e, const struct origin *before)
{
	if (!e->what)
		put_entry(s, "event", "none was found");
	else
		put_entry(s, "event", "%s (PMU %s, %s, %s)", e->what, e->pmu, e->code, e->modes);
	if (e->meaning && !(before && before->meaning && !strcmp(e->meaning, before->meaning)))
		put_entry(s, "meaning", "%s", e->meaning);
}

static void write_events(struct sheet *s, const struct origins *events, const char *counter)
{
	const struct origin *before = NULL;

	for (size_t i = 0; events && i < events->n; i++)
		if (!strcmp(events->v[i].counter, counter)) {
			write_event(s, &events->v[i], before);
			before = &events->v[i];
		}
	if (!before)
		put_entry(s, "event", "not known");
}

/* where: the kind of cores, if the counter has an event for each kind; else "". */
static void write_reading(struct sheet *s, const struct subject *x, int event, const char *where)
{
	enum quality quality = x->row->from->events->event[event].quality;
	struct strbuf text;
	struct raw_count r;

	if (quality != QUALITY_EXACT) {
		put_entry(s, "value", "none%s: %s", where, quality_table[quality].text);
		return;
	}
	raw_read(x->frame, x->row, event, 1, &r);
	if (!r.n) {
		put_entry(s, "value", "none%s: %s", where, raw_why_none(x->row, &r));
		return;
	}
	strbuf_init(&text);
	strbuf_addf(&text, "%" PRIu64 " since it was opened%s", r.sum.value, where);
	if (r.n > 1)
		strbuf_addf(&text, ", the sum of %d threads", r.n);
	put_entry(s, "value", "%s", text.text);
	strbuf_reset(&text);
	strbuf_addf(&text, "%.3f s enabled, %.3f s running", (double)r.sum.enabled_ns / 1e9,
		    (double)r.sum.running_ns / 1e9);
	if (r.sum.enabled_ns) {
		strbuf_addstr(&text, " (");
		format_percent(&text, (double)r.sum.running_ns / (double)r.sum.enabled_ns);
		strbuf_addstr(&text, r.sum.running_ns >= r.sum.enabled_ns ? ": exact)" : ")");
	}
	put_entry(s, "time", "%s", text.text);
	strbuf_done(&text);
}

static void write_counts(struct sheet *s, const struct subject *x, int head)
{
	const struct sample_events *set = x->row->from->events;
	struct value increment = x->row->from->increment[head], total = x->row->from->total[head];
	bool parts = sample_events_next_part(set, head, head) < set->n, any = false;

	for (int i = head; i < set->n; i = sample_events_next_part(set, head, i)) {
		const char *where =
			set->event[i].core > 0 ? ", on the slower cores" : ", on the faster cores";

		write_reading(s, x, i, parts ? where : "");
		any = any || set->event[i].quality == QUALITY_EXACT;
	}
	if (!any)
		return;
	put_value(s, "last", increment, " in the last interval");
	if (value_known(total) && total.quality != QUALITY_EXACT)
		put_total(s, total);
}

static void write_counter(struct sheet *s, const struct subject *x, int counter)
{
	const char *alias = x->frame->screen->alias[counter];
	struct strbuf title;
	struct bound bound;

	strbuf_init(&title);
	strbuf_addf(&title, "%s (kernel perf event)", alias);
	sheet_title(s, title.text);
	strbuf_done(&title);
	write_events(s, x->events, alias);
	if (!x->row)
		return;
	bound = binding_column(x->frame->binding, x->row->from->events,
			       (size_t)x->frame->view->sort)[counter];
	if (bound.event >= 0)
		write_counts(s, x, bound.event);
	else
		put_entry(s, "value", "none: %s", quality_table[bound.quality].text);
}

/* ---- variables ---- */

/* named: also shows the name of the fact. */
static void write_fact(struct sheet *s, const struct subject *x, int f, bool named)
{
	const struct fact_row *fact = &fact_table[f];
	struct strbuf origin;

	strbuf_init(&origin);
	fact_add_origin(&origin, f);
	put_entry(s, "source", "%s%s%s%s%s", named ? fact->name : "", named ? ", " : "",
		  *origin.text != '/' && strchr(origin.text, ':') ? "/proc/PID/" : "", origin.text,
		  fact->per_thread && !x->frame->sample->threads ? ", the sum of its threads" : "");
	strbuf_done(&origin);
	if (!x->row || fact->kind == FACT_TEXT)
		return;
	put_value(s, "value", delta_fact_now(x->row->from, f),
		  fact->kind == FACT_COUNTER ? " since it began" : "");
	if (fact->kind == FACT_COUNTER)
		put_value(s, "last", delta_fact(x->row->from, f), " in the last interval");
}

static void add_seconds(struct strbuf *out, struct value ns)
{
	if (value_known(ns))
		strbuf_addf(out, "%.6f s", ns.number / 1e9);
	strbuf_addstr(out, quality_table[ns.quality].mark);
}

/* Appends how %CPU is computed from the CPU time: the length of the interval, and the share of one
 * CPU. Appends nothing if the share is unknown, and for a sum of tasks, whose intervals may
 * differ. */
static void add_cpu_share(struct strbuf *out, const struct delta_row *row)
{
	const struct value share = delta_cpu_share(row);

	if (row->sums || !value_known(share))
		return;
	strbuf_addf(out, " of %.6f s: %.1f %% of one CPU",
		    (double)(row->cpu_counted ? row->counts_ns : row->facts_ns) / 1e9,
		    share.number * 100);
}

static const char *cpu_time_source(const struct delta_row *row)
{
	if (!row || !row->cpu_counted)
		return "its CPU clock; of a thread, schedstat; without these, ticks in stat";
	return row->sums ? "CPU clocks; of some tasks, the time that counters were enabled"
			 : "the time that its counters were enabled";
}

static void write_cpu_time(struct sheet *s, const struct subject *x)
{
	struct strbuf text;

	put_entry(s, "source", "%s", cpu_time_source(x->row ? x->row->from : NULL));
	if (x->frame->view->with_ended)
		put_entry(s, "and",
			  "of a process, the CPU time of the whole life of children that "
			  "ended and were waited for (A)");
	if (!x->row)
		return;
	strbuf_init(&text);
	add_seconds(&text, x->row->from->cpu_ns);
	strbuf_addstr(&text, " on a CPU in the last interval");
	add_cpu_share(&text, x->row->from);
	format_quality(&text, x->row->from->cpu_ns, x->row->task->dead);
	put_entry(s, "last", "%s", text.text);
	strbuf_done(&text);
}

static void write_core_time(struct sheet *s, const struct subject *x)
{
	struct strbuf text;

	put_entry(s, "source", "the time that its counters were on the PMU of each kind of cores");
	if (!x->row)
		return;
	strbuf_init(&text);
	add_seconds(&text, x->row->from->fast_ns);
	strbuf_addstr(&text, " on the faster cores, of ");
	add_seconds(&text, x->row->from->core_ns);
	strbuf_addstr(&text, " on any");
	format_quality(&text, x->row->from->fast_ns, x->row->task->dead);
	put_entry(s, "last", "%s", text.text);
	strbuf_done(&text);
}

static void write_verdict_hint(struct sheet *s, const struct subject *x)
{
	struct strbuf text;

	strbuf_init(&text);
	keymap_add_text(x->keymap,
			KEY_OF("choose") " shows the page of the row, with the numbers behind it, "
					 "its certainty, and what to do next",
			&text);
	put_entry(s, "more", "%s", text.text);
	strbuf_done(&text);
}

static void write_variable(struct sheet *s, const struct subject *x, int v)
{
	const struct variable_row variable = variable_at(v);

	sheet_title(s, variable.name);
	put_entry(s, "meaning", "%s", variable.help);
	if (v == VARIABLE_CPU_TOT) {
		write_cpu_time(s, x);
	} else if (v == VARIABLE_FAST_CORES) {
		write_core_time(s, x);
	} else if (v == VARIABLE_VERDICT) {
		put_entry(s, "from",
			  "the rules of tiptop, with the counters that are "
			  "open now, and with /proc");
		write_verdict_hint(s, x);
	} else {
		for (int f = 0; f < N_FACTS; f++)
			if (fact_in(variable.facts, f))
				write_fact(s, x, f, v < VARIABLE_FIRST_FACT);
		if (v < VARIABLE_FIRST_FACT)
			put_entry(s, "limit",
				  "not above CPU_TOT of the same interval, which is more precise");
	}
}

/* ---- the panel ---- */

/* Writes "1.87~: process 4711 simulate, the current row", and the quality of the number. */
static void write_cell(struct sheet *s, const struct subject *x)
{
	struct value v = frame_value(x->frame, x->row, (size_t)x->frame->view->sort);
	const struct task *of = x->row->task;
	struct strbuf text, cell;

	strbuf_init(&text);
	strbuf_init(&cell);
	format_row_cell(&cell, x->frame, x->row, (size_t)x->frame->view->sort);
	strbuf_addf(&text, "%s%s: %s ", format_trim_cell(&cell, x->declared),
		    value_known(v) ? quality_table[v.quality].mark : "",
		    x->frame->sample->threads ? of->kind->part : of->kind->name);
	if (!of->kind->id_is_text)
		strbuf_addf(&text, "%" PRIu64 "%s", of->id, *of->name ? " " : "");
	text_add(&text, of->name);
	strbuf_addf(&text, "%s, %s", x->row->collapsed ? " and all below it" : "",
		    x->on_page        ? "the row of the page"
		    : x->row->watched ? "watched"
				      : "the current row");
	sheet_title(s, text.text);
	strbuf_reset(&text);
	if (v.share < 1) {
		format_share(&text, v);
		strbuf_addstr(&text, ": ");
	}
	strbuf_addstr(&text, v.quality == QUALITY_EXACT
				     ? "exact"
				     : quality_text((enum quality)v.quality, x->row->task->dead));
	sheet_text(s, SHEET_INDENT, LOOK_NORMAL, text.text);
	strbuf_done(&text);
	strbuf_done(&cell);
}

/* Writes each counter and variable of the formula once, however often it is used. */
static void write_references(struct sheet *s, const struct subject *x)
{
	const struct expr *expr = x->declared->expr;

	for (size_t i = 0; i < expr_n_refs(expr); i++) {
		int symbol = expr_ref_at(expr, i).symbol;
		bool seen = false;

		for (size_t k = 0; k < i; k++)
			seen = seen || expr_ref_at(expr, k).symbol == symbol;
		if (seen)
			continue;
		if (symbol < SYMBOL_VARIABLE)
			write_counter(s, x, symbol);
		else
			write_variable(s, x, symbol - SYMBOL_VARIABLE);
	}
}

static const char *beside_columns(const struct kind *kind, int sort)
{
	if (sort == SORT_PID)
		return kind->id_help;
	if (sort == SORT_USER)
		return "the effective user of the process (/proc/PID/status: Uid)";
	return kind->label_help;
}

/* Returns the name of the sorting column as in the header. The names of the id and of the last
 * field (COMMAND) depend on the kind of rows. */
static const char *header_name(const struct frame *frame, int sort, int *len)
{
	const char *name = sort == SORT_PID ? frame->kind->id_name : frame->kind->label_name;

	if (sort == SORT_USER || sort_column_of(frame->screen, sort))
		return sort_name(frame->screen, sort, len);
	*len = (int)strlen(name);
	return name;
}

static void write_sheet(struct sheet *s, const void *context)
{
	const struct subject *x = context;
	const struct unit_row *unit;

	if (!x->declared) {
		sheet_text(s, 0, LOOK_NORMAL, beside_columns(x->frame->kind, x->frame->view->sort));
		return;
	}
	unit = &unit_table[x->declared->unit];
	if (strcmp(x->declared->desc, x->declared->text))
		sheet_text(s, 0, LOOK_NORMAL, x->declared->desc);
	sheet_text(s, SHEET_INDENT, LOOK_FAINT, x->declared->text);
	if (*unit->name)
		put_entry(s, "unit", "%s: %s", unit->name, unit->help);
	if (x->declared->warn.text)
		put_entry(s, "warn", "%s", x->declared->warn.text);
	if (x->declared->crit.text)
		put_entry(s, "crit", "%s", x->declared->crit.text);
	if (x->row)
		write_cell(s, x);
	else
		sheet_title(s, x->on_page ? "the row of the page is not there any more"
					  : "no task is shown whose numbers could be here");
	write_references(s, x);
}

void explain_paint(struct canvas *c, struct ui_state *ui, const struct frame *frame,
		   const struct frame_row *row, const struct origins *events)
{
	static const struct key_hint hint[] = {{"sort-left", "move", "sort-right"},
					       {"explain", "closes", NULL},
					       {NULL, NULL, NULL}};
	const struct key_hints hints = {ui->keymap, hint};
	const struct screen *screen = frame->screen;
	struct subject subject = {
		.frame = frame,
		.declared = sort_column_of(screen, frame->view->sort),
		.row = row,
		.events = events,
		.keymap = ui->keymap,
		.on_page = ui_state_has_page(ui),
	};
	struct strbuf title;
	int len;
	const char *name = header_name(frame, frame->view->sort, &len);

	strbuf_init(&title);
	strbuf_addf(&title, "%.*s of screen %d, %s", len, name, screen->number, screen->name);
	sheet_paint(c, &ui->panel_lines, title.text, &hints, write_sheet, &subject);
	strbuf_done(&title);
}
