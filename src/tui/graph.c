/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "screen/screen.h"
#include "view/format.h"

/* The graph being painted. */
struct graph_painting {
	struct canvas *c;
	struct graph_state *g;
	const struct curves *curves;
	int x, y, width, lines; /* the area of the curves, in cells */
	struct axis across, up;
};

/* ---- axis ---- */

/* The smallest range of an axis, relative to the numbers on it, as doubles have only 16 digits.
 * Also the tolerance for rounding errors where numbers are rounded to steps or digits. */
#define FINEST 1e-9

#define MINUTE 60
#define HOUR   3600
#define DAY    86400

/* How an axis writes numbers of a unit: multiplied by factor, with a prefix and a suffix. */
struct writing {
	/* Base: the ratio of successive prefixes, 1000 or 1024; 0: no prefixes. */
	double factor, base;
	const char *behind; /* the suffix */
};

static struct writing writing_of(enum unit unit)
{
	const double factor = unit_table[unit].factor;

	switch (unit) {
	case UNIT_PERCENT:
		return (struct writing){1, 0, "%"};
	case UNIT_MS_PER_S:
		return (struct writing){1, 0, "ms/s"};
	case UNIT_NS:
	case UNIT_US:
	case UNIT_MS:
	case UNIT_S:
		return (struct writing){factor, 0, "s"};
	case UNIT_PER_S:
	case UNIT_MILLION_PER_S:
		return (struct writing){factor, 1000, "/s"};
	case UNIT_BYTES:
	case UNIT_KIB:
		return (struct writing){factor, 1024, ""};
	default:
		return (struct writing){factor, 1000, ""};
	}
}

/* Returns the smallest round step that is not below `least`: 1, 2 or 5 times a power of ten; for
 * memory (base 1024), also times a power of 1024. Both are in the unit of the labels. */
static double round_step(double least, double base)
{
	const double prefix = base > 1000 ? pow(base, floor(log(least) / log(base))) : 1;
	const double power = pow(10, floor(log10(least / prefix)));
	const double steps[] = {1, 2, 5, 10};

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (steps[i] * power * prefix >= least * (1 - FINEST))
			return steps[i] * power * prefix;
	return 10 * power * prefix;
}

static void set_step(struct axis *a, int most)
{
	const struct writing w = writing_of(a->unit);
	const double size = fmax(fabs(a->low), fabs(a->high));

	if (!(a->high - a->low > size * FINEST))
		a->high = a->low + (size > 0 ? size : 1);
	a->step = round_step((a->high - a->low) * w.factor / (most > 1 ? most : 1), w.base) /
		  w.factor;
}

void axis_fit_exactly(struct axis *a, enum unit unit, double low, double high, int most)
{
	*a = (struct axis){.low = low, .high = high, .unit = unit};
	set_step(a, most);
}

void axis_fit(struct axis *a, enum unit unit, double low, double high, int most)
{
	axis_fit_exactly(a, unit, low, high, most);
	a->low = floor(a->low / a->step + FINEST) * a->step;
	a->high = ceil(a->high / a->step - FINEST) * a->step;
}

void axis_fit_time(struct axis *a, double low, double high, double shift_s, int most)
{
	static const int steps[] = {1,           2,           5,          10,         15,
				    30,          MINUTE,      2 * MINUTE, 5 * MINUTE, 10 * MINUTE,
				    15 * MINUTE, 30 * MINUTE, HOUR,       2 * HOUR,   3 * HOUR,
				    6 * HOUR,    12 * HOUR,   DAY};
	const size_t n = sizeof steps / sizeof *steps;
	size_t i = 0;

	*a = (struct axis){.low = low, .high = high > low ? high : low + 1, .shift_s = shift_s};
	while (i + 1 < n && (a->high - a->low) / steps[i] > most)
		i++;
	a->step = steps[i] * fmax(1, ceil((a->high - a->low) / steps[i] / (most > 1 ? most : 1)));
}

double axis_first_tick(const struct axis *a)
{
	const double shift = a->shift_s;

	return ceil((a->low + shift) / a->step - FINEST) * a->step - shift;
}

void axis_write(const struct axis *a, double tick, struct strbuf *out)
{
	const struct writing w = writing_of(a->unit);
	static const char prefixes[] = {'\0', 'K', 'M', 'G', 'T', 'P', 'E'};
	double number = tick * w.factor, step = a->step * w.factor;
	const double top = fmax(fabs(a->low), fabs(a->high)) * w.factor;
	size_t i = 0;
	int digits;

	for (double least = w.base; w.base > 0 && top >= least && i + 1 < sizeof prefixes;
	     least *= w.base) {
		number /= w.base;
		step /= w.base;
		i++;
	}
	digits = (int)fmax(0, ceil(-log10(step) - FINEST));
	/* Near 0, write 0 instead of -0. */
	strbuf_addf(out, "%.*f", digits, fabs(number) < step * FINEST ? 0 : number);
	if (prefixes[i] && number != 0)
		strbuf_addch(out, prefixes[i]);
	strbuf_addstr(out, w.behind);
}

void axis_write_time(const struct axis *a, double tick, struct strbuf *out)
{
	const time_t t = (time_t)llround(tick + a->shift_s);
	char text[32];
	struct tm tm;

	/* t is local time: shift_s contains the time zone. */
	gmtime_r(&t, &tm);
	strftime(text, sizeof text,
		 a->step >= DAY      ? "%m-%d"
		 : a->step >= MINUTE ? "%H:%M"
				     : "%H:%M:%S",
		 &tm);
	strbuf_addstr(out, text);
}

/* ---- dots ---- */

#define BRAILLE 0x2800

struct grid {
	int width, height;
	/* The bit of each dot: the columns from the left, the dots of a column from the top. */
	uint8_t bit[8];
};

static const struct grid grids[] = {
	[DOTS_BRAILLE] = {2, 4, {0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80}},
	[DOTS_BLOCKS] = {1, 2, {1, 2}},
	[DOTS_ASCII] = {1, 2, {1, 2}},
};

/* Returns the finest style that this locale can show, but not finer than `finest`. */
static enum dots_style dots_style_here(enum dots_style finest)
{
	if (finest == DOTS_BRAILLE && wcwidth(BRAILLE + 1) == 1)
		return DOTS_BRAILLE;
	return finest != DOTS_ASCII && wcwidth(0x2580) == 1 ? DOTS_BLOCKS : DOTS_ASCII;
}

/* The fonts of text consoles have the half blocks of the PC's character set, but no Braille. */
enum dots_style dots_style_of_terminal(const char *type)
{
	static const char *const consoles[] = {"linux", "cons25", "vt220", "vt320"};

	for (size_t i = 0; type && i < sizeof consoles / sizeof *consoles; i++)
		if (!strncmp(type, consoles[i], strlen(consoles[i])))
			return DOTS_BLOCKS;
	return DOTS_BRAILLE;
}

static void dots_init(struct dots *d, enum dots_style style, int columns, int lines)
{
	const size_t n = (size_t)columns * (size_t)lines;

	*d = (struct dots){.style = style,
			   .columns = columns,
			   .lines = lines,
			   .width = columns * grids[style].width,
			   .height = lines * grids[style].height,
			   .set = xcalloc(n, sizeof *d->set),
			   .look = xcalloc(n, sizeof *d->look)};
}

static void dots_done(struct dots *d)
{
	free(d->set);
	free(d->look);
	*d = (struct dots){.columns = 0};
}

/* Sets the dots from (x, low) to (x, high); clips them to the grid. (0, 0) is at the bottom
 * left. */
static void dots_set(struct dots *d, int x, int low, int high, uint8_t look)
{
	const struct grid *g = &grids[d->style];

	if (x < 0 || x >= d->width)
		return;
	low = low < 0 ? 0 : low;
	high = high < d->height ? high : d->height - 1;
	for (int y = low; y <= high; y++) {
		const int down = d->height - 1 - y;
		const int cell = down / g->height * d->columns + x / g->width;

		d->set[cell] |= g->bit[x % g->width * g->height + down % g->height];
		d->look[cell] = look;
	}
}

static wchar_t character_of(enum dots_style style, uint8_t set)
{
	static const wchar_t blocks[] = {L' ', 0x2580, 0x2584, 0x2588};
	static const wchar_t ascii[] = {L' ', L'\'', L'.', L':'};

	if (style == DOTS_BRAILLE)
		return BRAILLE + set;
	return style == DOTS_BLOCKS ? blocks[set] : ascii[set];
}

/* Puts the grid on the canvas, its top left cell at (x, y). Cells without a dot are left out. */
static void dots_put(const struct dots *d, struct canvas *c, int x, int y)
{
	struct strbuf text;

	strbuf_init(&text);
	for (int i = 0; i < d->lines * d->columns; i++) {
		if (!d->set[i])
			continue;
		strbuf_reset(&text);
		canvas_add_character(&text, character_of(d->style, d->set[i]));
		canvas_put(c, x + i % d->columns, y + i / d->columns, d->look[i], text.text);
	}
	strbuf_done(&text);
}

/* ---- window ----
 *
 * The window and the cursor, which keys move.
 */

/* The narrowest window, relative to the whole extent. */
#define NARROWEST 1e-4

static double clamp(double x, double low, double high)
{
	return x < low ? low : x > high ? high : x;
}

/* Sets low and high of the window from its span and end, clamped to the extent of the data. */
static void graph_fit_window(struct graph_state *g)
{
	const double all = g->all_end - g->all_begin;

	if (!(g->span > 0) || g->span > all)
		g->span = 0;
	g->high = g->span > 0 && g->end > 0 ? clamp(g->end, g->all_begin + g->span, g->all_end)
					    : g->all_end;
	g->low = g->span > 0 ? g->high - g->span : g->all_begin;
	if (g->high >= g->all_end)
		g->end = 0;
}

static bool set_window(struct graph_state *g, double low, double high)
{
	const double old_low = g->low, old_high = g->high;

	g->span = high - low;
	g->end = high;
	graph_fit_window(g);
	return fabs(g->low - old_low) > 0 || fabs(g->high - old_high) > 0;
}

bool graph_move_cursor(struct graph_state *g, int by)
{
	const uint32_t old = g->cursor;
	const int64_t from = old ? old : (int64_t)g->last + (by > 0);

	if (!g->last)
		return false;
	/* A move beyond the last moment turns the cursor off. */
	g->cursor = from + by > (int64_t)g->last
			    ? 0
			    : (uint32_t)(from + by < (int64_t)g->first ? g->first : from + by);
	return g->cursor != old;
}

bool graph_zoom(struct graph_state *g, bool in)
{
	const double span = (g->high - g->low) * (in ? 0.5 : 2), all = g->all_end - g->all_begin;
	/* The place on the axis that stays at the same column. */
	const double at = g->cursor ? clamp(g->cursor_at, g->low, g->high) : g->high;
	const double part = g->high > g->low ? (at - g->low) / (g->high - g->low) : 1;

	if (!g->last || (in && span < all * NARROWEST))
		return false;
	return set_window(g, at - part * span, at + (1 - part) * span);
}

bool graph_pan(struct graph_state *g, int direction)
{
	const double by = direction * (g->high - g->low) / 2;

	return g->last && set_window(g, g->low + by, g->high + by);
}

bool graph_show_all(struct graph_state *g)
{
	const bool changed = g->span > 0 || g->cursor;

	g->span = g->end = 0;
	g->cursor = 0;
	return changed;
}

/* ---- axes ----
 *
 * Lines, ticks and their labels.
 */

/* The least number of blank columns between two labels. */
#define GAP 2

/* The characters of the axes: box drawing if the locale has these characters, else ASCII. */
struct strokes {
	const char *up, *tick_up, *corner, *across, *tick_across;
};

static const struct strokes *strokes_here(void)
{
	static const struct strokes lines = {"\u2502", "\u2524", "\u2514", "\u2500", "\u252c"};
	static const struct strokes ascii = {"|", "+", "+", "-", "+"};

	return wcwidth(0x2500) == 1 ? &lines : &ascii;
}

static void write_tick(const struct axis *a, bool time, double tick, struct strbuf *out)
{
	strbuf_reset(out);
	if (time)
		axis_write_time(a, tick, out);
	else
		axis_write(a, tick, out);
}

/* Returns the width of the widest label of the vertical axis. */
static int graph_label_width(const struct axis *up)
{
	struct strbuf text;
	int width = 0;

	strbuf_init(&text);
	for (double t = axis_first_tick(up); t <= up->high + up->step / 2; t += up->step) {
		write_tick(up, false, t, &text);
		width = (int)text.len > width ? (int)text.len : width;
	}
	strbuf_done(&text);
	return width;
}

static void paint_up(const struct graph_painting *p, const struct strokes *s)
{
	const double height = p->up.high - p->up.low;
	struct strbuf text;

	strbuf_init(&text);
	for (int i = 0; i < p->lines; i++)
		canvas_put(p->c, p->x - 1, p->y + i, LOOK_FAINT, s->up);
	for (double t = axis_first_tick(&p->up); t <= p->up.high + p->up.step / 2;
	     t += p->up.step) {
		int line = (int)((p->up.high - t) / height * p->lines);

		/* The label at the bottom end stands in the line of the horizontal axis. */
		line = line > p->lines ? p->lines : line;
		write_tick(&p->up, false, t, &text);
		canvas_put(p->c, p->x - 1 - (int)text.len, p->y + line, LOOK_FAINT, text.text);
		if (line < p->lines)
			canvas_put(p->c, p->x - 1, p->y + line, LOOK_FAINT, s->tick_up);
	}
	strbuf_done(&text);
}

#define AXIS "instructions"

static void paint_across(const struct graph_painting *p, const struct strokes *s)
{
	const bool time = !p->curves->instructions;
	const int y = p->y + p->lines;
	const double width = p->across.high - p->across.low;
	/* Reserve columns for the name of the axis; an axis of times has no name. */
	const int end = p->c->width - (time ? 0 : (int)strlen(AXIS) + GAP);
	int free_from = 0;
	struct strbuf text;

	strbuf_init(&text);
	canvas_put(p->c, p->x - 1, y, LOOK_FAINT, s->corner);
	for (int i = 0; i < p->width; i++)
		canvas_put(p->c, p->x + i, y, LOOK_FAINT, s->across);
	for (double t = axis_first_tick(&p->across); t <= p->across.high; t += p->across.step) {
		const int x = p->x + (int)((t - p->across.low) / width * p->width);
		int begin;

		if (x >= p->x + p->width)
			break;
		canvas_put(p->c, x, y, LOOK_FAINT, s->tick_across);
		write_tick(&p->across, time, t, &text);
		begin = x - (int)text.len / 2;
		if (begin < free_from || begin + (int)text.len > end)
			continue;
		canvas_put(p->c, begin, y + 1, LOOK_FAINT, text.text);
		free_from = begin + (int)text.len + GAP;
	}
	if (!time)
		canvas_put_cut(p->c, end + GAP, y + 1, p->c->width, LOOK_FAINT, AXIS);
	strbuf_done(&text);
}

/* Paints the axes with ticks and labels. */
static void graph_paint_axes(const struct graph_painting *p)
{
	const struct strokes *s = strokes_here();

	paint_up(p, s);
	paint_across(p, s);
}

/* ---- graph ---- */

/* Lines that a graph needs besides the curves: the values above them, the horizontal axis, its
 * labels, and an empty line. */
#define AROUND     4
#define LINES_MIN  (AROUND + 3)
#define LINES_MAX  20
#define HEIGHT_MIN 20 /* the least height of a page for GRAPH_PART */
#define TICK_LINES 3  /* the least lines between two ticks */
#define TICK_WIDTH 12 /* the least columns between two ticks */

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

/* Sets the extent, from the first known number to the last moment, and limits the window to it.
 * A cursor before it moves to its begin; one behind it is turned off. */
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

/* Draws the step of interval i, and a vertical line from the previous step, whose height is from_y
 * (negative: no previous step). Returns the height of the step. Heights are in dots. */
static int draw_step(struct dots *d, const struct graph_painting *p, const struct curve *curve,
		     size_t i, int from_y, uint8_t look)
{
	const double width = p->across.high - p->across.low, height = p->up.high - p->up.low;
	const int begin = (int)floor((curve->begin[i] - p->across.low) / width * d->width);
	int end = (int)floor((curve->end[i] - p->across.low) / width * d->width);
	const int y = (int)lround((curve->v[i].number - p->up.low) / height * (d->height - 1));
	const bool rough = curve->v[i].quality != QUALITY_EXACT;
	/* In Braille, whose dots are small, the line of an exact number is two dots high. */
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

/* Paints a vertical line behind the curve at each moment where the values of the column changed
 * their level (base/phase.h). */
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

/* ---- the readings above the curves ---- */

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

/* Writes "IPC  14:03:12  1.87~ 4711 java  0.93 812 gcc  Retired instructions (per cycle)". */
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
	clock_add_time_of_day(&text, curves->wall_ns[i]);
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
		    value_known(v) ? curves->column->desc
				   : quality_text((enum quality)v.quality, curves->curve[0].ended));
	canvas_put_cut(p->c, x, y, end, LOOK_FAINT, text.text);
	strbuf_done(&text);
}

void graph_paint(struct canvas *c, int y, int lines, struct graph_state *g,
		 const struct curves *curves, const char *why)
{
	struct graph_painting p = {
		.c = c, .g = g, .curves = curves, .y = y + 1, .lines = lines - AROUND};

	g->last = 0;
	if (why) {
		struct strbuf text;

		strbuf_init(&text);
		strbuf_addf(&text, "no graph: %s", why);
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
