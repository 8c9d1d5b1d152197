/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of key_act: what is drawn on the page of a row. */
#include <stdio.h>

#include "model/kinds.h"
#include "tui/key_act.h"
#include "tui/live.h"

/* False, with a sentence: there is no graph here. */
static bool has_graph(struct ui_state *ui)
{
	if (!ui->graph.last)
		ask_message(&ui->ask, "no graph is shown here: g shows it, where there is a past");
	return ui->graph.last;
}

unsigned act_graph_cursor(const struct key_row *row, struct ui_state *ui, struct view *view,
			  const struct screen_list *screens)
{
	(void)view, (void)screens;
	if (!has_graph(ui))
		return REACT_PAINT;
	return graph_move_cursor(&ui->graph, (int)row->arg) ? row->reaction : REACT_NONE;
}

unsigned act_graph_zoom(const struct key_row *row, struct ui_state *ui, struct view *view,
			const struct screen_list *screens)
{
	(void)view, (void)screens;
	if (!has_graph(ui))
		return REACT_PAINT;
	return graph_zoom(&ui->graph, row->arg) ? row->reaction : REACT_NONE;
}

unsigned act_graph_pan(const struct key_row *row, struct ui_state *ui, struct view *view,
		       const struct screen_list *screens)
{
	(void)view, (void)screens;
	if (!has_graph(ui))
		return REACT_PAINT;
	return graph_pan(&ui->graph, (int)row->arg) ? row->reaction : REACT_NONE;
}

unsigned act_graph_all(const struct key_row *row, struct ui_state *ui, struct view *view,
		       const struct screen_list *screens)
{
	(void)view, (void)screens;
	if (!has_graph(ui))
		return REACT_PAINT;
	return graph_show_all(&ui->graph) ? row->reaction : REACT_NONE;
}

unsigned act_graph_column(const struct key_row *row, struct ui_state *ui, struct view *view,
			  const struct screen_list *screens)
{
	const struct screen *screen = screens->v[view->screen];
	const size_t old = curve_find_column(screen, view);
	const size_t column = curve_next_column(screen, old, (int)row->arg);

	(void)ui;
	if (column == old)
		return REACT_NONE;
	snprintf(view->graph.column, sizeof view->graph.column, "%s", screen->column[column].id);
	return row->reaction;
}

unsigned act_graph_axis(const struct key_row *row, struct ui_state *ui, struct view *view,
			const struct screen_list *screens)
{
	(void)screens;
	view->graph.instructions = !view->graph.instructions;
	ask_message(&ui->ask, view->graph.instructions
				      ? "over the instructions that the row itself has retired"
				      : "over time");
	return row->reaction;
}

/* The next of: the first tagged row that is not the one of the page, the sum of its user, nothing.
 */
unsigned act_graph_beside(const struct key_row *row, struct ui_state *ui, struct view *view,
			  const struct screen_list *screens)
{
	const struct row_id *page = &view->page;
	struct view_graph *graph = &view->graph;
	const bool first = !graph->beside.kind && !graph->user;

	(void)screens;
	graph->user = page->kind == &kind_task && !graph->user && (graph->beside.kind || first);
	graph->beside.kind = NULL;
	for (size_t i = 0; first && i < ui->tags.n; i++)
		if (ui->tags.v[i].id != page->id || ui->tags.v[i].start_ns != page->start_ns) {
			graph->beside = ui->tags.v[i];
			graph->user = false;
			break;
		}
	ask_message(&ui->ask,
		    graph->user ? "beside all of its user together; b draws it alone"
		    : graph->beside.kind
			    ? "beside the other one that is tagged; b: beside all of its user"
			    : "alone");
	return row->reaction;
}

unsigned act_graph_size(const struct key_row *row, struct ui_state *ui, struct view *view,
			const struct screen_list *screens)
{
	(void)view, (void)screens;
	ui->graph.size = (ui->graph.size + 1) % N_GRAPH_SIZES;
	return row->reaction;
}
