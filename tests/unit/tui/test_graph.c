/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Graphs: ticks, dots in three resolutions, made-up curves compared with
 * tests/golden/ui/graph-NAME.txt, and the effect of keys on the window and the cursor.
 */
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "golden.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "tui/graph.h"
#include "tui/key.h"
#include "tui/keymap.h"
#include "ui_rig.h"

#define N      60
#define WALL_S 1700000000ull /* 22:13:20 UTC */

struct fixture {
	struct screen *screen;
	struct curves curves;
	struct value v[CURVES_MAX][N];
	double begin[CURVES_MAX][N], end[CURVES_MAX][N];
	uint64_t wall_ns[N];
	struct graph_state g;
	struct canvas canvas;
};

static void report(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

/* A curve that falls from 2 to 1 after 30 s and has a gap of 5 s; its last 10 s are estimates. */
static void begin(struct fixture *f, int width, int height)
{
	memset(f, 0, sizeof *f);
	f->screen = screen_new("test", "a test");
	screen_add_column(f->screen, "  IPC", "%5.2f", "instructions per cycle", "1")->unit_name =
		xstrdup("ratio");
	screen_compile(f->screen, report, NULL, NULL);
	f->curves = (struct curves){.column = &f->screen->column[0],
				    .first = 101,
				    .n = N,
				    .wall_ns = f->wall_ns,
				    .n_curves = 1};
	for (int k = 0; k < CURVES_MAX; k++) {
		struct curve *c = &f->curves.curve[k];

		snprintf(c->name, sizeof c->name, "%d %s", 4711 + k, k ? "other" : "java");
		c->v = f->v[k];
		c->begin = f->begin[k];
		c->end = f->end[k];
	}
	for (int i = 0; i < N; i++) {
		f->wall_ns[i] = (WALL_S + (uint64_t)i + 1) * 1000000000u;
		for (int k = 0; k < CURVES_MAX; k++) {
			f->begin[k][i] = 5000 + i;
			f->end[k][i] = 5001 + i;
			f->v[k][i] = value_exact(k ? 0.5 : i < 30 ? 2 : 1);
		}
		if (i >= 40 && i < 45)
			f->v[0][i] = value_none(QUALITY_FRESH);
		if (i >= 50)
			f->v[0][i] = (struct value){1, 0.5f, QUALITY_SCALED, 0};
	}
	canvas_resize(&f->canvas, width, height);
}

static void end(struct fixture *f)
{
	canvas_done(&f->canvas);
	screen_free(f->screen);
}

static void paint(struct fixture *f)
{
	canvas_resize(&f->canvas, f->canvas.width, f->canvas.height);
	graph_paint(&f->canvas, 0, f->canvas.height, &f->g, &f->curves, f->curves.why);
}

static void check(struct fixture *f, const char *name)
{
	paint(f);
	golden_check_canvas(&f->canvas, name);
}

/* ---- axes ---- */

static const char *ticks(const struct axis *a, bool time)
{
	static char text[256];
	struct strbuf out;

	strbuf_init(&out);
	for (double t = axis_first_tick(a); t <= a->high + a->step / 1000; t += a->step) {
		strbuf_addstr(&out, out.len ? " " : "");
		if (time)
			axis_write_time(a, t, &out);
		else
			axis_write(a, t, &out);
	}
	snprintf(text, sizeof text, "%s", out.text);
	strbuf_done(&out);
	return text;
}

static void test_axes(void)
{
	static const struct {
		enum unit unit;
		double low, high;
		int most;
		const char *ticks;
	} cases[] = {
		{UNIT_RATIO, 0, 2, 4, "0.0 0.5 1.0 1.5 2.0"},
		{UNIT_RATIO, 0, 1.87, 4, "0.0 0.5 1.0 1.5 2.0"},
		{UNIT_PERCENT, 0, 98, 5, "0% 20% 40% 60% 80% 100%"},
		{UNIT_PERCENT, 0, 0.013, 3, "0.000% 0.005% 0.010% 0.015%"},
		{UNIT_MILLION, 0, 3900, 4, "0 1G 2G 3G 4G"},
		{UNIT_COUNT, 0, 1234567, 3, "0.0 0.5M 1.0M 1.5M"},
		{UNIT_COUNT, 0, 7, 4, "0 2 4 6 8"},
		{UNIT_KIB, 0, 3 * 1024, 3, "0 1M 2M 3M"},
		{UNIT_KIB, 0, 700, 4, "0 200K 400K 600K 800K"},
		{UNIT_PER_S, 0, 45000, 5, "0/s 10K/s 20K/s 30K/s 40K/s 50K/s"},
		{UNIT_NS, 0, 2.5e9, 5, "0.0s 0.5s 1.0s 1.5s 2.0s 2.5s"},
		{UNIT_RATIO, -0.3, 0.5, 4, "-0.4 -0.2 0.0 0.2 0.4 0.6"},
		{UNIT_RATIO, 0, 0, 4, "0.0 0.5 1.0"},
	};
	static const struct {
		double low, high;
		int most;
		const char *ticks;
	} times[] = {
		{0, 10, 5, "22:13:20 22:13:22 22:13:24 22:13:26 22:13:28 22:13:30"},
		{0.5, 9, 5, "22:13:22 22:13:24 22:13:26 22:13:28"},
		{0, 900, 4, "22:15 22:20 22:25"},
		{0, 86400, 4, "00:00 06:00 12:00 18:00"},
		{0, 10.0 * 86400, 5, "11-15 11-17 11-19 11-21 11-23"},
	};
	struct axis a;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		axis_fit(&a, cases[i].unit, cases[i].low, cases[i].high, cases[i].most);
		tap_str(ticks(&a, false), cases[i].ticks, "%s, %g to %g",
			unit_table[cases[i].unit].name, cases[i].low, cases[i].high);
	}
	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		axis_fit_time(&a, times[i].low, times[i].high, (double)WALL_S, times[i].most);
		tap_str(ticks(&a, true), times[i].ticks, "%g to %g s", times[i].low, times[i].high);
	}
	axis_fit_exactly(&a, UNIT_COUNT, 3.2e9, 9.7e9, 4);
	tap_str(ticks(&a, false), "4G 6G 8G", "an axis that ends anywhere has round ticks");
}

/* ---- drawing ---- */

/* Returns how many cells around the end of the gap (columns 58 to 61) have a dot of the first
 * curve. */
static int count_dots_behind_gap(struct fixture *f)
{
	int n = 0;

	paint(f);
	for (int y = 1; y < f->canvas.height - 3; y++)
		for (int x = 58; x < 62; x++)
			n += f->canvas.cell[y * f->canvas.width + x].ch == L':';
	return n;
}

/* The ends of a gap are not joined by a line. */
static void test_gap(void)
{
	struct fixture f;

	begin(&f, 80, 12);
	f.g.finest = DOTS_ASCII;
	for (int i = 45; i < N; i++)
		f.v[0][i] = value_exact(2);
	tap_int(count_dots_behind_gap(&f), 0, "a gap is not bridged");
	f.v[0][44] = value_exact(1);
	tap_ok(count_dots_behind_gap(&f) > 0, "what is one line is joined");
	end(&f);
}

static void test_drawn(void)
{
	struct fixture f;

	begin(&f, 80, 12);
	check(&f, "graph-braille");
	f.g.finest = DOTS_BLOCKS;
	check(&f, "graph-blocks");
	f.g.finest = DOTS_ASCII;
	check(&f, "graph-dots");
	setlocale(LC_CTYPE, "C");
	f.g.finest = DOTS_BRAILLE;
	check(&f, "graph-ascii");
	setlocale(LC_CTYPE, "C.UTF-8");
	f.curves.n_curves = 2;
	f.g.cursor = 141;
	check(&f, "graph-two-in-gap");
	end(&f);
	begin(&f, 40, 7);
	check(&f, "graph-small");
	for (int width = 0; width < 20; width++)
		for (int height = 0; height < 9; height++) {
			canvas_resize(&f.canvas, width, height);
			paint(&f);
		}
	tap_ok(true, "any size is fine");
	f.curves.why = "no past is kept here";
	canvas_resize(&f.canvas, 40, 7);
	check(&f, "graph-none");
	end(&f);
	begin(&f, 100, 7);
	f.v[0][N - 1] = value_none(QUALITY_NOT_READ);
	f.curves.curve[0].ended = true;
	check(&f, "graph-ended");
	end(&f);
	tap_int(dots_style_of_terminal("linux"), DOTS_BLOCKS, "the console has no Braille");
	tap_int(dots_style_of_terminal("xterm-256color"), DOTS_BRAILLE, "windows have");
}

/* A change of level is marked if it is of the drawn column and within the window. */
static void test_changes(void)
{
	struct phases_change change[] = {{.change.when = 131}, {.change.when = 140}};
	struct fixture f;

	begin(&f, 80, 12);
	change[0].column = &f.screen->column[0];
	f.curves.phases = (struct phases){.v = change, .n = 2};
	f.g.finest = DOTS_ASCII;
	check(&f, "graph-changes");
	end(&f);
}

/* The x axis is instructions, of which the task retired twice as many per second in its first
 * half. */
static void test_instructions(void)
{
	struct fixture f;
	double at = 0;

	begin(&f, 80, 12);
	f.curves.instructions = true;
	for (int i = 0; i < N; i++) {
		f.begin[0][i] = at;
		at += f.v[0][i].number > 0 ? f.v[0][i].number * 1e9 : 0;
		f.end[0][i] = at;
	}
	check(&f, "graph-instructions");
	end(&f);
}

/* ---- keys ---- */

static const char *window(struct fixture *f)
{
	static char text[64];

	paint(f);
	snprintf(text, sizeof text, "%g-%g", f->g.low - 5000, f->g.high - 5000);
	return text;
}

static void test_window(void)
{
	struct fixture f;

	begin(&f, 80, 12);
	tap_str(window(&f), "0-60", "all, at first");
	tap_ok(!graph_pan(&f.g, -1) && !graph_zoom(&f.g, false), "there is no more");
	tap_ok(graph_zoom(&f.g, true), "half of it");
	tap_str(window(&f), "30-60", "is the end of it");
	tap_ok(graph_pan(&f.g, -1), "half a window back");
	tap_str(window(&f), "15-45", "is seen");
	graph_pan(&f.g, -1);
	tap_str(window(&f), "0-30", "up to the beginning");
	tap_ok(!graph_pan(&f.g, -1), "and no further");
	graph_pan(&f.g, 1);
	graph_pan(&f.g, 1);
	tap_str(window(&f), "30-60", "and on to the end");
	f.curves.n = N - 10;
	tap_str(window(&f), "20-50", "at the end it goes along with what comes");
	f.curves.n = N;
	graph_pan(&f.g, -1);
	f.curves.n = N - 5;
	tap_str(window(&f), "5-35", "elsewhere it stays");
	f.curves.n = N;
	tap_ok(graph_show_all(&f.g), "all again");
	tap_str(window(&f), "0-60", "are seen");
	graph_move_cursor(&f.g, -1);
	tap_int(f.g.cursor, 159, "the cursor begins before the last moment, which is read without");
	graph_move_cursor(&f.g, -50);
	tap_int(f.g.cursor, 109, "and goes back");
	window(&f);
	graph_zoom(&f.g, true);
	tap_str(window(&f), "4.5-34.5", "what is read stays where it is");
	graph_move_cursor(&f.g, -50);
	tap_int(f.g.cursor, 101, "at the first one it stops");
	tap_ok(!graph_move_cursor(&f.g, -1), "there");
	graph_move_cursor(&f.g, 100);
	tap_int(f.g.cursor, 0, "behind the last one there is none");
	for (int i = 0; i < 100; i++) {
		graph_zoom(&f.g, true);
		paint(&f);
	}
	tap_ok(f.g.high - f.g.low > 1e-3, "there is an end to zooming");
	f.curves.instructions = true;
	tap_str(window(&f), "0-60", "another axis begins with all");
	end(&f);
}

/* Keys that exist only on a page change the graph, and nothing that they would change in the
 * table. */
static void test_keys(void)
{
	for (size_t i = 0; i < key_table_n; i++) {
		const struct key_row *row = &key_table[i];
		struct graph_state before;
		struct view view;
		struct fixture f;
		struct ui_rig r;
		unsigned reaction;

		if (!row->only_panels || !(row->panels & PANEL_BIT(PANEL_PAGE)))
			continue;
		begin(&f, 80, 12);
		ui_rig_init(&r, 80, 40);
		r.info.curves = &f.curves;
		frame_rig_add(&r.rig, &(struct rig_task){.id = 1, .cpu_ns = 1000});
		frame_rig_add(&r.rig, &(struct rig_task){.id = 2, .cpu_ns = 2000});
		ui_rig_build(&r);
		UI_RIG_PRESS(&r, ' ', ' ', KEYCODE_HOME, KEYCODE_ENTER, '+', '(', '[');
		snprintf(r.rig.view.graph.column, sizeof r.rig.view.graph.column, "%s",
			 row->arg < 0 ? "p" : "cpu");
		before = r.ui.graph;
		view = r.rig.view;
		reaction = keys_apply(&r.ui, &r.rig.view, &r.screens, key_name_parse(row->keys));
		tap_ok(reaction & row->reaction, "%s: %s", row->keys, row->action);
		tap_ok(!!memcmp(&before, &r.ui.graph, sizeof before) !=
			       !!memcmp(&view.graph, &r.rig.view.graph, sizeof view.graph),
		       "it changes the graph");
		view.graph = r.rig.view.graph;
		tap_ok(!memcmp(&view, &r.rig.view, sizeof view) && r.ui.panel == PANEL_PAGE,
		       "and nothing else");
		ui_rig_done(&r);
		end(&f);
	}
}

/* Key b cycles: compared with the tagged task, with all tasks of the user, alone. */
static void test_beside(void)
{
	struct ui_rig r;
	const struct view_graph *graph = &r.rig.view.graph;

	ui_rig_init(&r, 80, 40);
	frame_rig_add(&r.rig, &(struct rig_task){.id = 1, .cpu_ns = 1000});
	frame_rig_add(&r.rig, &(struct rig_task){.id = 2, .cpu_ns = 2000});
	ui_rig_build(&r);
	UI_RIG_PRESS(&r, KEYCODE_HOME, KEYCODE_ENTER, 'b');
	tap_ok(graph->user && !graph->beside.kind, "no tag: all of its user");
	UI_RIG_PRESS(&r, 'b');
	tap_ok(!graph->user && !graph->beside.kind, "then alone");
	UI_RIG_PRESS(&r, 'q', ' ', ' ', KEYCODE_HOME, KEYCODE_ENTER, 'b');
	tap_ok(!graph->user && graph->beside.kind, "the other one that is tagged");
	UI_RIG_PRESS(&r, 'b');
	tap_ok(graph->user && !graph->beside.kind, "then all of its user");
	UI_RIG_PRESS(&r, 'b');
	tap_ok(!graph->user && !graph->beside.kind, "then alone");
	r.rig.view.page.kind = &kind_cpu;
	UI_RIG_PRESS(&r, 'b');
	tap_str(r.ui.ask.text, "the row beside the tagged row; b draws it alone",
		"a CPU has no user");
	UI_RIG_PRESS(&r, 'b');
	tap_str(r.ui.ask.text, "the row alone", "so it is alone next");
	ui_rig_done(&r);
}

/* A key that has an action for the table may have another one for pages. */
static void test_own_keys(void)
{
	struct keymap m = {.n = 0};
	struct err err = ERR_INIT;

	tap_ok(!keymap_use(&m, "htop", &err), "keys as in htop");
	tap_str(keymap_find(&m, ']', PANEL_NONE)->action, "nice-lower", "in the table");
	tap_str(keymap_find(&m, ']', PANEL_PAGE)->action, "graph-on", "on a page");
	tap_ok(!keymap_find(&m, ']', PANEL_HELP), "nowhere else");
	keymap_bind(&m, "]", "none", &err);
	tap_ok(!keymap_find(&m, ']', PANEL_PAGE), "what is to do nothing does nothing");
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	tap_ok(setlocale(LC_CTYPE, "C.UTF-8") != NULL, "the locale C.UTF-8 is there");
	test_axes();
	test_drawn();
	test_gap();
	test_changes();
	test_instructions();
	test_window();
	test_keys();
	test_beside();
	test_own_keys();
	return tap_done();
}
