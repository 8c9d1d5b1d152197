/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of key_act: actions on rows: searching, tagging, following, groups, pages, menus. */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "model/fact_list.h"
#include "tui/key.h"
#include "tui/key_act.h"
#include "tui/keymap.h"
#include "tui/panel.h"
#include "tui/setup_page.h"
#include "view/frame.h"
#include "view/tree.h"

/* ---- family ----
 *
 * Visits the process of a row and its descendants, shown or idle, that pass the filters of the
 * view. If rows are threads, visits all threads of these processes.
 */

/* Returns whether the parents of tasks were read for this frame. */
static bool family_known(const struct frame *f)
{
	const struct sample *s = f->sample;

	for (size_t i = 0; i < s->n; i++)
		if (!s->task[i]->dead && fact_in(s->task[i]->known, FACT_PPID))
			return true;
	return false;
}

typedef void family_take(void *context, const struct task *t);

/* Calls take for each living task of the family. The row must be one of a task. */
static void family_each(const struct frame *f, const struct row_id *row, family_take *take,
			void *context)
{
	const struct sample *s = f->sample;
	struct lineage lineage = LINEAGE_INIT;

	lineage_trace(&lineage, s, row->owner);
	for (size_t i = 0; i < s->n; i++) {
		const struct task *t = s->task[i];

		if (!t->dead && (f->view->threads || task_is_leader(t)) &&
		    lineage_has(&lineage, t->owner) == TRI_TRUE && frame_passes(f, t))
			take(context, t);
	}
	lineage_done(&lineage);
}

/* ---- actions ---- */

bool key_panel_has_menu(const struct ui_state *ui)
{
	return ui->panel == PANEL_SETUP || ui->panel == PANEL_SORT;
}

void key_seek_line(struct ui_state *ui)
{
	if (ui->panel == PANEL_SETUP)
		setup_page_seek(ui);
	else if (ui->panel == PANEL_SORT && ui->frame)
		sort_menu_seek(ui, ui->frame);
}

size_t *key_place(struct ui_state *ui)
{
	return key_panel_has_menu(ui) ? &ui->menu : &ui->panel_lines.top;
}

unsigned act_search(const struct key_row *row, struct ui_state *ui, struct view *view,
		    const struct screen_list *screens)
{
	(void)screens;
	if (ui->panel) {
		ui->panel_lines.find = &ui->find;
		ui->find = (struct scroll_find){.from = *key_place(ui), .origin = *key_place(ui)};
	} else {
		search_begin(&ui->search, &ui->cursor);
	}
	ask_open(&ui->ask, REQUEST_SEARCH, view);
	return row->reaction;
}

void key_say_no_match(struct ui_state *ui)
{
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addf(&text, "no row has '%s': ", ui->search.text);
	if (ui->frame && !ui->frame->view->idle)
		strbuf_addstr(&text, KEY_OF("idle") " shows idle ones, ");
	strbuf_addstr(&text, KEY_OF("close") " ends the search");
	keymap_say(ui, text.text);
	strbuf_done(&text);
}

void key_resume_search(struct ui_state *ui)
{
	if (!ui->panel && !ask_takes_keys(&ui->ask))
		search_resume(&ui->search, ui->layout.arguments, &ui->cursor, ui->frame);
}

unsigned act_search_step(const struct key_row *row, struct ui_state *ui, struct view *view,
			 const struct screen_list *screens)
{
	if (ui->panel && ui->panel_lines.find) {
		ui->find.from = *key_place(ui) + (row->arg > 0);
		ui->find.seek = (int)row->arg;
		key_seek_line(ui);
		return REACT_PAINT;
	}
	if (ui->panel && (row->arg > 0 || ui->panel != PANEL_EXPLAIN)) {
		keymap_say(ui, "there is no search here: " KEY_OF("search") " begins one");
		return REACT_PAINT;
	}
	/* Without a search, the key N sorts by PID, as in top. */
	if (!*ui->search.text && row->arg < 0)
		return act_sort_by_pid(row, ui, view, screens);
	if (!*ui->search.text)
		keymap_say(ui, "there is no search: " KEY_OF("search") " begins one");
	else if (!ui->frame || !search_step(&ui->search, (int)row->arg, ui->layout.arguments,
					    &ui->cursor, ui->frame))
		key_say_no_match(ui);
	return REACT_PAINT;
}

unsigned act_tag(const struct key_row *row, struct ui_state *ui, struct view *view,
		 const struct screen_list *screens)
{
	const struct frame_row *current = ui->frame ? cursor_row(&ui->cursor, ui->frame) : NULL;

	(void)screens;
	if (!current)
		return REACT_NONE;
	if (!key_needs_task(ui, view, current))
		return REACT_PAINT;
	tags_toggle(&ui->tags, current);
	ui->search.waits = false;
	cursor_key(&ui->cursor, &ui->rows, ui->frame, KEYCODE_DOWN);
	return row->reaction;
}

static void add_tag(void *context, const struct task *t)
{
	struct ui_state *ui = context;

	tags_add_task(&ui->tags, t);
}

void key_tag_family(struct ui_state *ui, const struct frame *frame)
{
	const size_t before = ui->tags.n;
	char text[64];

	if (!ui->family.kind || !family_known(frame))
		return;
	family_each(frame, &ui->family, add_tag, ui);
	ui->family.kind = NULL;
	snprintf(text, sizeof text, "%zu more are tagged, %zu now", ui->tags.n - before,
		 ui->tags.n);
	ask_message(&ui->ask, text);
}

/* Tags the current task with its descendants: key_tag_family() sets the tags at the next painting.
 * If the parents of tasks are not known, reconfigures first, so that they are read. */
unsigned act_tag_family(const struct key_row *row, struct ui_state *ui, struct view *view,
			const struct screen_list *screens)
{
	const struct frame_row *current = ui->frame ? cursor_row(&ui->cursor, ui->frame) : NULL;

	(void)screens;
	if (!current)
		return REACT_NONE;
	if (!key_needs_task(ui, view, current))
		return REACT_PAINT;
	ui->family = row_id_of(current->task);
	if (family_known(ui->frame))
		return REACT_PAINT;
	view->parents = true;
	return row->reaction;
}

unsigned act_untag(const struct key_row *row, struct ui_state *ui, struct view *view,
		   const struct screen_list *screens)
{
	(void)view;
	(void)screens;
	if (!ui->tags.n)
		return REACT_NONE;
	tags_clear(&ui->tags);
	return row->reaction;
}

unsigned act_sort_menu(const struct key_row *row, struct ui_state *ui, struct view *view,
		       const struct screen_list *screens)
{
	if (ui->frame)
		ui->menu = sort_menu_find(ui->frame);
	return act_panel(row, ui, view, screens);
}

unsigned act_menu_move(struct ui_state *ui, int key)
{
	const size_t old = ui->menu, n = ui->frame ? sort_menu_n(ui->frame) : 0;
	size_t i;

	if (ui->panel == PANEL_SETUP) {
		ui->menu = setup_page_move(ui, key);
	} else {
		i = scroll_move(ui->menu, n, ui->panel_lines.page, key);
		ui->menu = i < n ? i : n - (n > 0);
	}
	return ui->menu == old ? REACT_NONE : REACT_PAINT;
}

/* Opens or closes the setup page. Opening it requests REQUEST_SETUP, which collects the columns and
 * options that the page offers. */
unsigned act_setup(const struct key_row *row, struct ui_state *ui, struct view *view,
		   const struct screen_list *screens)
{
	(void)view;
	(void)screens;
	if (ui->panel == PANEL_SETUP)
		return setup_page_close(ui);
	ui->panel = PANEL_SETUP;
	ui->panel_lines.find = NULL;
	ui->panel_lines.top = ui->menu = 0;
	ui->ask.ready = (struct request){.kind = REQUEST_SETUP};
	return row->reaction;
}

unsigned act_setup_only(const struct key_row *row, struct ui_state *ui, struct view *view,
			const struct screen_list *screens)
{
	const struct setup_key *own = setup_page_find_key(row->action);

	(void)screens;
	return own ? own->act(ui, view, own->way) : REACT_NONE;
}

unsigned act_follow(const struct key_row *row, struct ui_state *ui, struct view *view,
		    const struct screen_list *screens)
{
	const struct frame_row *current = ui->frame ? cursor_row(&ui->cursor, ui->frame) : NULL;
	const bool follows = ui->cursor.follows;

	(void)screens;
	if (!current)
		return REACT_NONE;
	cursor_put(&ui->cursor, ui->frame, ui->cursor.index);
	ui->cursor.follows = !follows;
	view->followed_id = current->task->id;
	view->followed_start_ns = current->task->start_ns;
	return row->reaction;
}

/* Lists the members of the current row's group in place of the groups. */
static unsigned enter_group(struct ui_state *ui, struct view *view, const struct task *group)
{
	free(ui->only_text);
	ui->only_text = xstrdup(group->name);
	ui->group = ui->cursor;
	view->only = (struct group_id){.number = group->id, .text = ui->only_text};
	view->only_key = view->group;
	view->group = GROUP_PROCESS;
	ui->rows.top = 0;
	cursor_reset(&ui->cursor);
	return REACT_REBUILD;
}

unsigned key_leave_group(struct ui_state *ui, struct view *view)
{
	if (!view->only_key)
		return REACT_NONE;
	view->group = view->only_key;
	view->only_key = GROUP_PROCESS;
	ui->cursor = ui->group;
	ui->cursor.held = true;
	return REACT_REBUILD;
}

unsigned act_leave(const struct key_row *row, struct ui_state *ui, struct view *view,
		   const struct screen_list *screens)
{
	(void)row;
	(void)screens;
	if (!view->only_key)
		keymap_say(
			ui,
			"there is nothing to go back to: " KEY_OF(
				"choose") " on a group lists its members, " KEY_OF("group") " makes"
											    " group"
											    "s");
	return view->only_key ? key_leave_group(ui, view) : REACT_PAINT;
}

static unsigned open_page(struct ui_state *ui, struct view *view, const struct frame_row *row)
{
	ui->panel = PANEL_PAGE;
	ui->panel_lines.find = NULL;
	ui->panel_lines.top = 0;
	view->page = row_id_of(row->task);
	view->graph.beside.kind = NULL;
	view->graph.user = false;
	graph_show_all(&ui->graph);
	view->page_requests++;
	return REACT_REBUILD;
}

unsigned act_page(const struct key_row *row, struct ui_state *ui, struct view *view,
		  const struct screen_list *screens)
{
	const struct frame_row *current = ui->frame ? cursor_row(&ui->cursor, ui->frame) : NULL;

	(void)row;
	(void)screens;
	if (current && !current->collapsed)
		return open_page(ui, view, current);
	keymap_say(ui, current ? "the current row is a sum of several: " KEY_OF(
					 "expand") " shows them, and each of them has a page"
			       : "there is no row whose page could be shown");
	return REACT_PAINT;
}

/* Opens or closes the story of the time up to now. The story is built when it is opened, not at
 * each refresh. */
unsigned act_story(const struct key_row *row, struct ui_state *ui, struct view *view,
		   const struct screen_list *screens)
{
	act_panel(row, ui, view, screens);
	view->story_requests += ui->panel == PANEL_STORY;
	return row->reaction;
}

/* In the sort menu, sorts by the selected line; on a group, lists its members; else opens the page
 * of the current row. */
unsigned act_choose(const struct key_row *row, struct ui_state *ui, struct view *view,
		    const struct screen_list *screens)
{
	const struct frame_row *current = ui->frame ? cursor_row(&ui->cursor, ui->frame) : NULL;

	if (ui->panel == PANEL_SORT) {
		ui->panel = PANEL_NONE;
		ui->panel_lines.find = NULL;
		if (ui->frame)
			view->sort = sort_menu_at(ui->frame, ui->menu);
		return row->reaction;
	}
	if (current && view->group != GROUP_PROCESS)
		return enter_group(ui, view, current->task);
	return act_page(row, ui, view, screens);
}
