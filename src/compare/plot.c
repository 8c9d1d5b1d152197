/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/plot.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/strbuf.h"

struct plot_scale {
	double x; /* divisor of the numbers, which keeps them short at the ticks */
	const char *x_unit;
	double x_max; /* the largest number on the x axis, already divided by `x` */
	double y[PLOT_PANELS_MAX];
	const char *y_unit[PLOT_PANELS_MAX];
	double y_max[PLOT_PANELS_MAX], y_min[PLOT_PANELS_MAX];
};

/* ---- script ----
 *
 * The axes and the script.
 */

/* Sizes in pixels. */
#define WIDTH 1000
#define PANEL 230
#define TOP   42
/* Room for the numbers and the title of the axis; lines of text are higher in an SVG. */
#define BOTTOM     52
#define BOTTOM_SVG 64
#define GAP        22
/* Room for the title of the axis and numbers as long as -2.5e-05. */
#define LEFT 104
/* Room for the names of the curves. */
#define RIGHT 230
#define NAME  21

/* Colours that colour-blind people can distinguish (Okabe and Ito 2008), without their yellow,
 * which is too light for a line; then the same colours with thin lines, as dashes would look
 * like gaps. */
static const char head[] =
	"set encoding utf8\n"
	"set linetype 1 lc rgb '#0072b2' lw 2\n"
	"set linetype 2 lc rgb '#d55e00' lw 2\n"
	"set linetype 3 lc rgb '#009e73' lw 2\n"
	"set linetype 4 lc rgb '#cc79a7' lw 2\n"
	"set linetype 5 lc rgb '#e69f00' lw 2\n"
	"set linetype 6 lc rgb '#56b4e9' lw 2\n"
	"set linetype 7 lc rgb '#000000' lw 2\n"
	"set linetype 8 lc rgb '#888888' lw 2\n"
	"do for [i=1:8] { set linetype 8+i lc rgb word('#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 "
	"#56b4e9 #000000 #888888', i) lw 1 }\n"
	"set linetype cycle 16\n"
	"set border 3 lc rgb '#666666'\n"
	"set tics nomirror out scale 0.6\n"
	"set grid lc rgb '#dddddd' lw 1 lt 1\n"
	"set format '%g'\n";

/* Returns a power of 1000, at most 10^15. Divided by it, a number up to 10^19 has at most four
 * digits before the point. */
static double thousands(double number, const char **prefix)
{
	static const char *const names[] = {"", "K", "M", "G", "T", "P"};
	double divisor = 1;
	size_t i = 0;

	for (; number / divisor >= 9999.5 && i + 1 < sizeof names / sizeof *names; i++)
		divisor *= 1000;
	*prefix = names[i];
	return divisor;
}

static void find_time(struct plot_scale *out, double max_s)
{
	out->x = max_s < 600 ? 1 : max_s < 5 * 3600 ? 60 : 3600;
	out->x_unit = max_s < 600 ? "s" : max_s < 5 * 3600 ? "minutes" : "hours";
	out->x_max = max_s / out->x;
}

static void extend_range(struct plot_scale *out, const struct plot_request *r,
			 const struct series_list *l, const struct series *s, double *x_max)
{
	double sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		const double *number = &s->number[i * l->n_columns];

		for (size_t panel = 0; panel < r->n_panels; panel++) {
			out->y_max[panel] = fmax(out->y_max[panel], number[panel]);
			out->y_min[panel] = fmin(out->y_min[panel], number[panel]);
		}
		if (r->over && isfinite(number[r->n_panels]))
			sum += number[r->n_panels] * (double)(s->at[i].end_ns - s->at[i].begin_ns) /
			       1e9;
	}
	*x_max = fmax(*x_max, sum);
}

static void plot_find_scale(struct plot_scale *out, const struct plot_request *r)
{
	double x_max = 0;

	*out = (struct plot_scale){.x = 1};
	for (size_t side = 0; side < r->n_sides; side++) {
		const struct series_list *l = r->side[side].list;

		for (size_t i = 0; i < l->n && i < r->rows; i++)
			extend_range(out, r, l, l->v[i], &x_max);
		if (!r->over)
			x_max = fmax(x_max, (double)(l->end_ns - l->span.begin_ns) / 1e9);
	}
	if (r->over) {
		out->x = thousands(x_max, &out->x_unit);
		out->x_max = x_max / out->x;
	} else {
		find_time(out, x_max);
	}
	for (size_t panel = 0; panel < r->n_panels; panel++) {
		out->y[panel] =
			thousands(fmax(out->y_max[panel], -out->y_min[panel]), &out->y_unit[panel]);
		out->y_max[panel] /= out->y[panel];
		out->y_min[panel] /= out->y[panel];
	}
}

static void add_name(struct strbuf *out, const struct column *c, const char *per, const char *unit)
{
	struct strbuf name;
	const char *text;
	int len;

	strbuf_init(&name);
	text = screen_column_name(c, &len);
	strbuf_add(&name, text, (size_t)len);
	text_add(out, name.text);
	strbuf_addstr(out, per);
	if (*unit)
		strbuf_addf(out, " (%s)", unit);
	strbuf_done(&name);
}

static void plot_add_texts(struct plot *p, const struct plot_request *r,
			   const struct plot_scale *scale)
{
	text_add(&p->text[0], r->title);
	if (r->over)
		add_name(&p->text[1], r->over, "", scale->x_unit);
	else
		strbuf_addf(&p->text[1], "time (%s)", scale->x_unit);
	for (size_t i = 0; i < r->n_panels; i++)
		add_name(&p->text[2 + i], r->column[i],
			 r->column[i]->kind == COLUMN_COUNT ? "/s" : "", scale->y_unit[i]);
	p->n_texts = 2 + r->n_panels;
}

/* Sets the range of the y axis. It begins at 0, unless there are negative numbers; it ends at 1 if
 * all numbers are 0. */
static void add_range(struct strbuf *out, const struct plot_scale *scale, size_t panel)
{
	if (scale->y_min[panel] < 0)
		strbuf_addstr(out, "set yrange [*:*]\n");
	else
		strbuf_addf(out, "set yrange [0:%s]\n", scale->y_max[panel] > 0 ? "*" : "1");
}

static void script_add_panel(struct strbuf *out, const struct plot_scale *scale, size_t panel,
			     size_t n, size_t n_curves)
{
	add_range(out, scale, panel);
	strbuf_addf(out, "set ylabel ARG%zu\n", panel + 3);
	if (panel + 1 < n)
		strbuf_addstr(out, "set format x ''\nunset xlabel\n");
	else
		strbuf_addstr(out, "set format x '%g'\nset xlabel ARG2\n");
	strbuf_addf(out,
		    "plot for [i=0:%zu] '/dev/fd/%d' index i+%zu using 1:2 with lines linetype i+1 "
		    "title columnheader(1)\n",
		    n_curves - 1, PLOT_DATA_FD, panel * n_curves);
	strbuf_addstr(out, "unset title\n");
}

/* Adds the names of the curves, beside all panels: by a separate plot that draws nothing else. */
static void add_names(struct strbuf *out, size_t n_curves, double x, double y)
{
	strbuf_addf(out,
		    "unset border\nunset tics\nunset grid\nunset xlabel\nunset ylabel\n"
		    "set xrange [0:1]\nset yrange [0:1]\n"
		    "set bmargin at screen 0\nset tmargin at screen %.4f\n"
		    "set key at screen %.4f,%.4f left top Left reverse samplen 2 spacing 1.25\n"
		    "plot for [i=0:%zu] '/dev/fd/%d' index i using (2):(2) with lines linetype i+1 "
		    "title columnheader(1)\n",
		    y, x, y, n_curves - 1, PLOT_DATA_FD);
}

/* Uses pngcairo if gnuplot has it, as its lines are smoother. */
static void add_terminal(struct strbuf *out, bool svg, int width, int height)
{
	if (svg)
		strbuf_addf(out,
			    "set terminal svg size %d,%d noenhanced font 'sans,12' background "
			    "'#ffffff'\n",
			    width, height);
	else
		strbuf_addf(out,
			    "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) { set terminal pngcairo "
			    "size %d,%d noenhanced font 'sans,10' } else { set terminal png size "
			    "%d,%d noenhanced truecolor }\n",
			    width, height, width, height);
}

static void plot_add_script(struct strbuf *out, const struct plot_request *r,
			    const struct plot_scale *scale, size_t n_curves)
{
	const int n = (int)r->n_panels, width = r->width ? r->width : WIDTH;
	const int bottom = r->svg ? BOTTOM_SVG : BOTTOM;
	const int panels = TOP + bottom + n * PANEL + (n - 1) * GAP;
	const int names = TOP + (int)n_curves * NAME;
	const int height = r->height ? r->height : panels > names ? panels : names;
	const double each = (double)(height - TOP - bottom - (n - 1) * GAP) / n / height;
	const double w = width, h = height;

	strbuf_addstr(out, head);
	add_terminal(out, r->svg, width, height);
	strbuf_addf(out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", LEFT / w,
		    1 - RIGHT / w);
	strbuf_addf(out, "set xrange [0:%.9g]\nunset key\nset title ARG1\nset multiplot\n",
		    scale->x_max > 0 ? scale->x_max : 1);
	for (int panel = 0; panel < n; panel++) {
		const double top = 1 - TOP / h - panel * (each + GAP / h);

		strbuf_addf(out, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", top,
			    top - each);
		script_add_panel(out, scale, (size_t)panel, (size_t)n, n_curves);
	}
	add_names(out, n_curves, 1 - (RIGHT - 6) / w, 1 - TOP / h);
	strbuf_addstr(out, "unset multiplot\n");
}

/* ---- plot ---- */

/* Bytes of the name of a curve: longer names would leave too little room for the picture. */
#define LABEL_MAX 24
/* Bytes of the label of a side in it, and the least of the name itself. */
#define SIDE_LABEL_MAX 10
#define NAME_MIN       4

void plot_init(struct plot *p)
{
	*p = (struct plot){.n_texts = 0};
	strbuf_init(&p->script);
	strbuf_init(&p->data);
	strbuf_init(&p->notes);
	for (int i = 0; i < PLOT_TEXTS; i++)
		strbuf_init(&p->text[i]);
}

void plot_done(struct plot *p)
{
	strbuf_done(&p->script);
	strbuf_done(&p->data);
	strbuf_done(&p->notes);
	for (int i = 0; i < PLOT_TEXTS; i++)
		strbuf_done(&p->text[i]);
}

static size_t n_curves_of(const struct plot_request *r, size_t side)
{
	const size_t n = r->side[side].list->n;

	return n < r->rows ? n : r->rows;
}

/* Appends the text as one field of data: gnuplot interprets \ and " in it. */
static void add_field(struct strbuf *out, const char *text)
{
	strbuf_addch(out, '"');
	for (; *text; text++)
		if (*text == '\\')
			strbuf_addstr(out, "\\\\");
		else
			strbuf_addch(out, (char)(*text == '"' ? '\'' : *text));
	strbuf_addstr(out, "\"\n");
}

/* Appends a text as one line: of a longer one, its first or, with at_end, its last max bytes and an
 * ellipsis. */
static void add_cut(struct strbuf *out, const char *text, size_t max, bool at_end)
{
	struct strbuf line;
	size_t at;

	strbuf_init(&line);
	text_add(&line, text);
	at = line.len <= max ? 0 : at_end ? line.len - max : max;
	while (at && text_continues(line.text[at]))
		at += at_end ? 1 : (size_t)-1;
	if (!at)
		strbuf_addstr(out, line.text);
	else if (at_end)
		strbuf_addf(out, "\u2026%s", line.text + at);
	else
		strbuf_addf(out, "%.*s\u2026", (int)at, line.text);
	strbuf_done(&line);
}

/* Appends the name of a curve: of a long one, the pid and the end of the side's label stay. */
static void add_label(struct strbuf *out, const struct plot_side *side, const struct series *s)
{
	struct strbuf label, rest;

	strbuf_init(&label);
	strbuf_init(&rest);
	if (s->id.kind && s->id.kind->pid)
		strbuf_addf(&rest, " %llu", (unsigned long long)s->shown_id);
	if (side->label) {
		strbuf_addstr(&rest, ", ");
		add_cut(&rest, side->label, SIDE_LABEL_MAX, true);
	}
	add_cut(&label, s->name, rest.len + NAME_MIN < LABEL_MAX ? LABEL_MAX - rest.len : NAME_MIN,
		false);
	strbuf_addstr(&label, rest.text);
	add_field(out, label.text);
	strbuf_done(&label);
	strbuf_done(&rest);
}

/* The begin and the end of an interval on the axis. */
struct step {
	double from, to;
};

/* An iterator over the intervals of one curve. */
struct walk {
	const struct plot_request *r;
	const struct plot_scale *scale;
	const struct series_list *list;
	const struct series *s;
	double sum; /* the count of the axis column so far */
	size_t n_lost;
};

static double seconds(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? (double)(to_ns - from_ns) / 1e9 : 0;
}

/* Sets the step of interval i, which never begins before the end of the step of i - 1. Returns
 * false if the count of the axis column is unknown for the interval: the axis then continues
 * without the interval. */
static bool next_step(struct walk *w, size_t i, struct step *out)
{
	const struct series_interval *at = &w->s->at[i];
	const uint64_t begin_ns = w->list->span.begin_ns;

	if (!w->r->over) {
		*out = (struct step){seconds(begin_ns, at->begin_ns) / w->scale->x,
				     seconds(begin_ns, at->end_ns) / w->scale->x};
		return true;
	}
	out->from = w->sum;
	w->sum += w->s->number[i * w->list->n_columns + w->r->n_panels] *
		  seconds(at->begin_ns, at->end_ns) / w->scale->x;
	out->to = w->sum;
	if (isfinite(w->sum))
		return true;
	w->sum = out->from;
	w->n_lost++;
	return false;
}

/* Returns whether interval i follows the one before it closely enough for a line to join them. */
static bool follows(const struct series *s, size_t i)
{
	const struct series_interval *at = &s->at[i];

	return i &&
	       seconds(s->at[i - 1].end_ns, at->begin_ns) < seconds(at->begin_ns, at->end_ns) / 2;
}

static void add_point(struct strbuf *out, double x, double y)
{
	num_add(out, x);
	strbuf_addch(out, ' ');
	num_add(out, y);
	strbuf_addch(out, '\n');
}

/* Appends the points of a curve; a blank line makes a gap. Returns the number of known
 * intervals. */
static size_t add_points(struct strbuf *out, struct walk *w, size_t panel)
{
	bool drawn = false;
	size_t n = 0;

	for (size_t i = 0; i < w->s->n; i++) {
		const double v = w->s->number[i * w->list->n_columns + panel] / w->scale->y[panel];
		struct step step;
		const bool known = next_step(w, i, &step) && isfinite(v);

		if (n && drawn && !(known && follows(w->s, i)))
			strbuf_addch(out, '\n');
		drawn = known;
		if (!known)
			continue;
		add_point(out, step.from, v);
		add_point(out, step.to, v);
		n++;
	}
	return n;
}

static void note_lost(struct plot *p, const struct walk *w, size_t panel, size_t n)
{
	const struct plot_request *r = w->r;

	if (!n) {
		strbuf_addstr(&p->notes, "'");
		text_add(&p->notes, w->s->name);
		strbuf_addf(&p->notes, "' has no number of '%s': %s\n", r->column[panel]->id,
			    quality_table[w->s->why[panel]].text);
	} else if (w->n_lost && !panel) {
		strbuf_addstr(&p->notes, "'");
		text_add(&p->notes, w->s->name);
		strbuf_addf(
			&p->notes,
			"' is drawn without the intervals of which '%s' is not known (%zu): %s\n",
			r->over->id, w->n_lost, quality_table[w->s->why[r->n_panels]].text);
	}
}

/* Adds the blocks of one panel, separated by two blank lines. */
static int add_panel(struct plot *p, const struct plot_request *r, const struct plot_scale *scale,
		     size_t panel, struct err *err)
{
	const struct series *last = NULL;
	size_t drawn = 0;

	for (size_t side = 0; side < r->n_sides; side++)
		for (size_t i = 0; i < n_curves_of(r, side); i++) {
			struct walk w = {.r = r,
					 .scale = scale,
					 .list = r->side[side].list,
					 .s = r->side[side].list->v[i]};
			size_t n;

			add_label(&p->data, &r->side[side], w.s);
			n = add_points(&p->data, &w, panel);
			drawn += n;
			last = w.s;
			note_lost(p, &w, panel, n);
			/* A curve without points is still listed among the names. */
			strbuf_addstr(&p->data, n ? "\n\n" : "NaN NaN\n\n\n");
		}
	if (drawn)
		return 0;
	return err_set(err, ENODATA, "there is no number of '%s' to draw: %s", r->column[panel]->id,
		       last ? quality_table[last->why[panel]].text : "no task was found");
}

int plot_make(struct plot *p, const struct plot_request *r, struct err *err)
{
	struct plot_scale scale;
	size_t n_curves = 0;
	int ret = 0;

	for (size_t side = 0; side < r->n_sides; side++)
		n_curves += n_curves_of(r, side);
	plot_find_scale(&scale, r);
	for (size_t panel = 0; panel < r->n_panels && !ret; panel++)
		ret = add_panel(p, r, &scale, panel, err);
	plot_add_texts(p, r, &scale);
	plot_add_script(&p->script, r, &scale, n_curves);
	return ret;
}
