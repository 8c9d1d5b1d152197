/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/graph.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "screen/screen.h"
#include "tui/graph_part.h"
#include "view/format.h"

/* Lines: what stands above the curves, the axis, what is written at it, and an empty one. */
#define AROUND     4
#define LINES_MIN  (AROUND + 3)
#define LINES_MAX  20
#define HEIGHT_MIN 20 /* of a page that gives it a part */
#define TICK_LINES 3  /* a tick takes so many at least */
#define TICK_WIDTH 12

int graph_lines(const struct graph_state *g, const struct curves *curves, int height)
{
	const int part = height * 2 / 5;

	if (!curves || g->size == GRAPH_NONE || height < LINES_MIN)
		return 0;
	if (g->size == GRAPH_WHOLE)
		return height;
	if (height < HEIGHT_MIN)
		return 0;
	return curves->why ? 1 : part < LINES_MAX ? part : LINES_MAX;
}

/* ---- the window ---- */

/* From the first number to the last moment. */
static void find_extent(struct graph_state *g, const struct curves *curves)
{
	const struct curve *curve = &curves->curve[0];
	size_t i = 0;

	while (i + 1 < curves->n && !value_known(curve->v[i]))
		i++;
	if (g->instructions != curves->instructions)
		g->span = g->end = 0;
	g->instructions = curves->instructions;
	g->all_begin = curve->begin[i];
	g->all_end = curve->end[curves->n - 1];
	if (!(g->all_end > g->all_begin))
		g->all_end = g->all_begin + 1;
	g->first = curves->first + (uint32_t)i;
	g->last = curves->first + (uint32_t)curves->n - 1;
	if (g->cursor && g->cursor < g->first)
		g->cursor = g->first;
	if (g->cursor > g->last)
		g->cursor = 0;
	g->cursor_at = curve->end[g->cursor ? g->cursor - curves->first : curves->n - 1];
	graph_fit_window(g);
}

static bool is_seen(const struct graph_state *g, const struct curve *curve, size_t i)
{
	return value_known(curve->v[i]) && curve->end[i] >= g->low && curve->begin[i] <= g->high;
}

static struct axis fit_up(const struct graph_painting *p)
{
	const struct curves *curves = p->curves;
	double low = 0, high = 0;
	struct axis a;

	for (size_t k = 0; k < curves->n_curves; k++)
		for (size_t i = 0; i < curves->n; i++)
			if (is_seen(p->g, &curves->curve[k], i)) {
				low = fmin(low, curves->curve[k].v[i].number);
				high = fmax(high, curves->curve[k].v[i].number);
			}
	axis_fit(&a, curves->column->unit, low, high, p->lines / TICK_LINES);
	return a;
}

static struct axis fit_across(const struct graph_painting *p)
{
	const struct curves *curves = p->curves;
	const uint64_t wall_ns = curves->wall_ns[curves->n - 1];
	const time_t t = (time_t)(wall_ns / 1000000000u);
	struct tm tm = {.tm_gmtoff = 0};
	struct axis a;

	if (curves->instructions) {
		axis_fit_exactly(&a, UNIT_COUNT, p->g->low, p->g->high, p->width / TICK_WIDTH);
		return a;
	}
	localtime_r(&t, &tm);
	axis_fit_time(&a, p->g->low, p->g->high,
		      (double)wall_ns / 1e9 - curves->curve[0].end[curves->n - 1] +
			      (double)tm.tm_gmtoff,
		      p->width / TICK_WIDTH);
	return a;
}

/* ---- the curves ---- */

static uint8_t look_of(size_t k)
{
	return k ? LOOK_CURVE_2 : LOOK_CURVE_1;
}

/* A step, and what joins it to the one before, from_y; below 0: there is none. */
static int draw_step(struct dots *d, const struct graph_painting *p, const struct curve *curve,
		     size_t i, int from_y, uint8_t look)
{
	const double width = p->across.high - p->across.low, height = p->up.high - p->up.low;
	const int begin = (int)floor((curve->begin[i] - p->across.low) / width * d->width);
	int end = (int)floor((curve->end[i] - p->across.low) / width * d->width);
	const int y = (int)lround((curve->v[i].number - p->up.low) / height * (d->height - 1));
	const bool rough = curve->v[i].quality != QUALITY_EXACT;
	/* Thick is two dots, where they are small. */
	const int below = d->style == DOTS_BRAILLE && !rough && y > 0 ? y - 1 : y;

	end = end > begin ? end : begin + 1;
	for (int x = begin < 0 ? 0 : begin; x < end && x < d->width; x++)
		if (d->style == DOTS_BRAILLE || !rough || x % 2 == 0)
			dots_set(d, x, below, y, look);
	if (from_y >= 0)
		dots_set(d, begin, from_y < y ? from_y : y, from_y < y ? y : from_y, look);
	return y;
}

static void draw_curve(struct dots *d, const struct graph_painting *p, size_t k)
{
	const struct curve *curve = &p->curves->curve[k];
	int y = -1;

	for (size_t i = 0; i < p->curves->n; i++)
		y = is_seen(p->g, curve, i) ? draw_step(d, p, curve, i, y, look_of(k)) : -1;
}

static void paint_cursor(const struct graph_painting *p)
{
	const struct graph_state *g = p->g;
	const struct curve *curve = &p->curves->curve[0];
	const char *line = wcwidth(0x2502) == 1 ? "\u2502" : "|";
	double at;
	int x;

	if (!g->cursor)
		return;
	at = (curve->begin[g->cursor - p->curves->first] + g->cursor_at) / 2;
	x = p->x + (int)((at - g->low) / (g->high - g->low) * p->width);
	for (int i = 0; x >= p->x && x < p->x + p->width && i < p->lines; i++)
		if (p->c->cell[(p->y + i) * p->c->width + x].ch == L' ')
			canvas_put(p->c, x, p->y + i, LOOK_LABEL, line);
		else
			canvas_lay(p->c, x, p->y + i, 1, LOOK_CURRENT);
}

/* Where the row changed its level, a line stands behind the curve. */
static void paint_changes(const struct graph_painting *p)
{
	const struct curves *curves = p->curves;
	const char *line = wcwidth(0x250a) == 1 ? "\u250a" : "!";

	for (size_t i = 0; i < curves->phases.n; i++) {
		const struct phases_change *c = &curves->phases.v[i];
		const double at = curves->curve[0].begin[c->change.when - curves->first];
		const int x = p->x + (int)((at - p->g->low) / (p->g->high - p->g->low) * p->width);

		if (c->column != curves->column || x < p->x || x >= p->x + p->width)
			continue;
		for (int k = 0; k < p->lines; k++)
			canvas_put(p->c, x, p->y + k, LOOK_NOTE, line);
	}
}

static void paint_curves(const struct graph_painting *p)
{
	struct dots d;

	dots_init(&d, dots_style_here(p->g->finest), p->width, p->lines);
	for (size_t k = p->curves->n_curves; k-- > 0;)
		draw_curve(&d, p, k);
	paint_changes(p);
	dots_put(&d, p->c, p->x, p->y);
	dots_done(&d);
	paint_cursor(p);
}

/* ---- what stands above them ---- */

static void add_reading(struct strbuf *out, const struct column *column, struct value v)
{
	struct strbuf cell;

	strbuf_init(&cell);
	format_cell(&cell, column, v, false);
	strbuf_addstr(out, format_trim_cell(&cell, column));
	if (value_known(v))
		strbuf_addstr(out, quality_table[v.quality].mark);
	strbuf_done(&cell);
}

static void add_time_of_day(struct strbuf *out, uint64_t wall_ns)
{
	const time_t t = (time_t)(wall_ns / 1000000000u);
	char text[32] = "?";
	struct tm tm;

	if (localtime_r(&t, &tm))
		strftime(text, sizeof text, "%H:%M:%S", &tm);
	strbuf_addstr(out, text);
}

/* "IPC  14:03:12  1.87~ 4711 java  0.93 812 gcc  Retired instructions (per cycle)" */
static void paint_readings(const struct graph_painting *p, int y)
{
	const struct curves *curves = p->curves;
	const size_t i = p->g->cursor ? p->g->cursor - curves->first : curves->n - 1;
	const int end = p->c->width;
	const struct value v = curves->curve[0].v[i];
	struct strbuf text;
	int len, x;
	const char *name = screen_column_name(curves->column, &len);

	strbuf_init(&text);
	strbuf_addf(&text, "%.*s", len, name);
	x = canvas_put_cut(p->c, 0, y, end, LOOK_NORMAL | LOOK_STRONG, text.text) + 2;
	strbuf_reset(&text);
	add_time_of_day(&text, curves->wall_ns[i]);
	x = canvas_put_cut(p->c, x, y, end, p->g->cursor ? LOOK_LABEL : LOOK_FAINT, text.text);
	for (size_t k = 0; k < curves->n_curves; k++) {
		strbuf_reset(&text);
		strbuf_addstr(&text, "  ");
		add_reading(&text, curves->column, curves->curve[k].v[i]);
		strbuf_addf(&text, " %s", curves->curve[k].name);
		x = canvas_put_cut(p->c, x, y, end, look_of(k) | LOOK_STRONG, text.text);
	}
	strbuf_reset(&text);
	strbuf_addf(&text, "  %s",
		    value_known(v) ? curves->column->desc : quality_table[v.quality].text);
	canvas_put_cut(p->c, x, y, end, LOOK_FAINT, text.text);
	strbuf_done(&text);
}

void graph_paint(struct canvas *c, int y, int lines, struct graph_state *g,
		 const struct curves *curves)
{
	struct graph_painting p = {
		.c = c, .g = g, .curves = curves, .y = y + 1, .lines = lines - AROUND};

	g->last = 0;
	if (curves->why) {
		struct strbuf text;

		strbuf_init(&text);
		strbuf_addf(&text, "no graph: %s", curves->why);
		canvas_put_cut(c, 0, y, c->width, LOOK_FAINT, text.text);
		strbuf_done(&text);
		return;
	}
	find_extent(g, curves);
	p.up = fit_up(&p);
	p.x = graph_label_width(&p.up) + 1;
	p.width = c->width - p.x;
	paint_readings(&p, y);
	if (p.width < 1 || p.lines < 1)
		return;
	p.across = fit_across(&p);
	graph_paint_axes(&p);
	paint_curves(&p);
}
