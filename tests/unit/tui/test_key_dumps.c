/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each key of the table is pressed in each panel where it has a meaning, on screens of five sizes.
 * The canvas must be valid, in four depths of colour. At one size at least it must show the effect
 * of the key, unless the effect is left to the loop.
 */
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

#include "base/mem.h"
#include "conf/theme.h"
#include "screen/compile.h"
#include "tui/keymap.h"
#include "ui_rig.h"
#include "view/frame.h"
#include "view/page.h"
#include "view/view.h"

static const struct {
	int width, height;
} size[] = {{1, 1}, {20, 5}, {40, 10}, {80, 24}, {200, 60}};
static const int depth[] = {8, 16, 256, COLOUR_DIRECT};

#define N(array) (sizeof(array) / sizeof *(array))

#define N_MOMENTS 40

/* A screen with rows, a page and a graph. */
struct place {
	struct ui_rig r;
	struct collapse collapse;
	struct page page;
	struct page_screen screen;
	struct curves curves;
	struct value v[CURVES_MAX][N_MOMENTS];
	double begin[CURVES_MAX][N_MOMENTS], end[CURVES_MAX][N_MOMENTS];
	uint64_t wall_ns[N_MOMENTS];
	struct setting_list settings;
	struct screen_list choices;
};

static void fill_curves(struct place *p)
{
	p->curves = (struct curves){.column = &p->r.rig.screen->column[0],
				    .first = 1,
				    .n = N_MOMENTS,
				    .wall_ns = p->wall_ns,
				    .n_curves = 1};
	for (int k = 0; k < CURVES_MAX; k++) {
		struct curve *c = &p->curves.curve[k];

		snprintf(c->name, sizeof c->name, "%d task", k);
		c->v = p->v[k];
		c->begin = p->begin[k];
		c->end = p->end[k];
	}
	for (int i = 0; i < N_MOMENTS; i++) {
		p->wall_ns[i] = (1700000000u + (uint64_t)i) * 1000000000u;
		for (int k = 0; k < CURVES_MAX; k++) {
			p->begin[k][i] = i;
			p->end[k][i] = i + 1;
			p->v[k][i] = value_exact(i % 7);
		}
	}
}

/* Sets the drawn curves as the view requests, see view/curve.h. */
static void choose_curves(struct place *p)
{
	const struct screen *s = p->r.rig.screen;
	const struct view_graph *graph = &p->r.rig.view.graph;

	for (size_t i = 0; i < s->n_columns; i++)
		if (!strcmp(s->column[i].id, graph->column))
			p->curves.column = &s->column[i];
	p->curves.n_curves = graph->beside.kind || graph->user ? 2 : 1;
}

/* Builds and paints a frame as the loop does. */
static void build(struct place *p)
{
	struct ui_rig *r = &p->r;
	const struct row_id *of = &r->rig.view.page;

	frame_rig_build(&r->rig);
	p->screen = (struct page_screen){r->rig.screen, &r->rig.binding};
	r->info.page = NULL;
	r->info.curves = NULL;
	if (of->kind) {
		choose_curves(p);
		page_reset(&p->page, of);
		page_build(&p->page, &(struct page_input){.frame = &r->rig.frame,
							  .screen = &p->screen,
							  .n_screens = 1,
							  .curves = &p->curves});
		r->info.page = &p->page;
		r->info.curves = &p->curves;
	}
	paint_screen(&r->canvas, &r->ui, &r->rig.frame, &r->info);
}

static unsigned press(struct place *p, int key)
{
	unsigned reactions = keys_apply(&p->r.ui, &p->r.rig.view, &p->r.screens, key);

	build(p);
	return reactions;
}

static void add_screen(struct ui_rig *r)
{
	struct screen *other = screen_new("other", "another screen");

	screen_add_column(other, " %CPU", "%5.1f", "CPU usage", "CPU_TOT");
	screen_compile(other, NULL, NULL, NULL);
	screen_list_add(&r->screens, other);
	screen_list_number(&r->screens);
}

/* Rows with names of all kinds, in a tree. Each key that moves the cursor can move it from here. */
static void begin(struct place *p, int width, int height, enum panel panel)
{
	static const int opens[] = {[PANEL_HELP] = 'h', [PANEL_ERRORS] = 'e', [PANEL_EXPLAIN] = 'x',
				    [PANEL_SORT] = 'o', [PANEL_PAGE] = '=',   [PANEL_SETUP] = 'C'};
	static const char *const name[] = {
		"task",   "t\303\244sk",       "\344\270\255\346\226\207",
		"a\033b", "e\314\201\314\201", "\377\376"};
	struct ui_rig *r = &p->r;

	memset(p, 0, sizeof *p);
	ui_rig_init(r, width, height);
	for (int i = 1; i <= 70; i++)
		frame_rig_add(&r->rig, &(struct rig_task){.id = i,
							  .parent = i % 3 ? 0 : i - 1,
							  .name = name[i % (int)N(name)],
							  .cmdline = "/a/long/path --to something",
							  .user = i % 2 ? "alice" : "\344\270\255",
							  .cpu_ns = (uint64_t)(80 - i) * 10000000});
	add_screen(r);
	r->rig.view.collapse = &p->collapse;
	r->rig.view.total = r->rig.view.show_user = true;
	r->rig.view.sort = SORT_PID;
	r->ui.setup.choices = &p->choices;
	r->ui.setup.settings = &p->settings;
	page_init(&p->page);
	fill_curves(p);
	build(p);
	press(p, KEYCODE_DOWN);
	press(p, ' ');
	press(p, ' ');
	press(p, KEYCODE_PGDN);
	if (panel != PANEL_NONE)
		press(p, opens[panel]);
	if (panel == PANEL_PAGE) {
		press(p, '[');
		press(p, '[');
		press(p, '+');
	}
}

static void end(struct place *p)
{
	page_done(&p->page);
	collapse_done(&p->collapse);
	screen_free(p->r.screens.v[1]);
	ui_rig_done(&p->r);
}

/* Returns whether each cell has a character that fits into the columns it takes. */
static bool is_whole(const struct canvas *c)
{
	bool whole = true;

	for (int y = 0; y < c->height; y++)
		for (int x = 0; x < c->width; x++) {
			const struct cell *cell = &c->cell[y * c->width + x];
			const bool wide = cell->ch && wcwidth(cell->ch) == 2;
			const bool right = x + 1 < c->width && !cell[1].ch;

			whole = whole && (cell->ch ? iswprint((wint_t)cell->ch) != 0 : x > 0) &&
				wide == (cell->ch && right);
		}
	return whole;
}

static bool has_depth(struct colour c, int colours)
{
	return c.kind != COLOUR_RGB ? c.kind != COLOUR_INDEX || (int)c.value < colours
				    : colours == COLOUR_DIRECT;
}

/* Returns whether each cell has a valid look, and whether all themes show it with colours that
 * exist. Cells with the same two looks (attr and laid) are checked once. */
static bool has_colours(const struct canvas *c, const struct theme_list *themes, int colours)
{
	bool asked[UINT8_MAX + 1][N_LOOKS] = {{false}}, all = true;

	for (int i = 0; all && i < c->width * c->height; i++) {
		const struct cell *cell = &c->cell[i];

		all = (cell->attr & ~LOOK_STRONG) < N_LOOKS && cell->laid < N_LOOKS;
		for (size_t k = 0; all && !asked[cell->attr][cell->laid] && k < themes->n; k++) {
			const struct style s = theme_style(themes->v[k], cell->attr,
							   (enum look)cell->laid, colours);

			all = has_depth(s.fg, colours) && has_depth(s.bg, colours);
		}
		if (all)
			asked[cell->attr][cell->laid] = true;
	}
	return all;
}

static void add_dump(struct strbuf *out, const struct canvas *c)
{
	strbuf_init(out);
	canvas_dump(c, true, out);
}

/* Reactions whose effect only the loop would show. */
#define OF_LOOP (REACT_REQUEST | REACT_RECONFIGURE | REACT_QUIT | REACT_REFRESH)

/* Presses the keys without which the key under test, which undoes their effect, would do
 * nothing. */
static void prepare(struct place *p, const struct key_row *row)
{
	static const struct {
		const char *action;
		int key[3];
	} first[] = {
		{"close", {'/', 'a', KEYCODE_ENTER}},
		{"columns-left", {']'}},
		{"search-previous", {'P'}},
		{"sort-left", {'>'}},
	};

	for (size_t i = 0; i < N(first); i++)
		for (size_t k = 0; !strcmp(first[i].action, row->action) && k < 3; k++)
			if (first[i].key[k])
				press(p, first[i].key[k]);
}

/* Presses a key. Returns whether the canvas changed, or a reaction is left to the loop. */
static bool press_key(const struct key_row *row, int key, enum panel panel, size_t i,
		      const struct theme_list *themes)
{
	struct strbuf before, after;
	struct place p;
	unsigned reactions;
	bool shown;

	begin(&p, size[i].width, size[i].height, panel);
	p.r.ui.replay = row->only_replay;
	prepare(&p, row);
	add_dump(&before, &p.r.canvas);
	reactions = press(&p, key);
	add_dump(&after, &p.r.canvas);
	shown = strcmp(before.text, after.text) != 0 || reactions & OF_LOOP || p.r.ui.redraw;
	tap_ok(is_whole(&p.r.canvas), "%s, panel %d, %dx%d: each cell is one", row->action, panel,
	       size[i].width, size[i].height);
	for (size_t k = 0; k < N(depth); k++)
		if (!has_colours(&p.r.canvas, themes, depth[k]))
			tap_ok(false, "%s: shown with %d colours", row->action, depth[k]);
	strbuf_done(&before);
	strbuf_done(&after);
	end(&p);
	return shown;
}

/* Returns whether the key works in this panel. */
static bool is_place(const struct key_row *row, enum panel panel)
{
	return panel == PANEL_NONE ? !row->only_panels : row->panels & PANEL_BIT(panel);
}

int main(void)
{
	struct theme_list themes = THEME_LIST_INIT;

	tap_ok(setlocale(LC_CTYPE, "C.UTF-8") != NULL, "the locale C.UTF-8 is there");
	theme_list_add_built_in(&themes);
	for (size_t k = 0; k < key_table_n; k++) {
		const struct key_row *row = &key_table[k];
		const int key = key_name_parse(row->keys);
		bool shown = false;

		for (enum panel panel = PANEL_NONE; panel <= PANEL_SETUP; panel++)
			for (size_t i = 0; is_place(row, panel) && i < N(size); i++)
				shown |= press_key(row, key == KEYCODE_DIGIT ? '1' : key, panel, i,
						   &themes);
		tap_ok(shown, "%s: what it does is seen", row->action);
	}
	theme_list_done(&themes);
	return tap_done();
}
