/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/view.h"

#include "model/fact_list.h"
#include "view/sort.h"

struct shown view_shown(const struct view *view)
{
	return (struct shown){.values = view->values, .with_ended = view->with_ended};
}

bool view_is_tree(const struct view *view)
{
	return view->tree && view->group == GROUP_PROCESS;
}

bool view_shows_user(const struct view *view, const struct screen *screen)
{
	int column;

	return view->show_user &&
	       sort_find_variable(screen, VARIABLE_FIRST_FACT + FACT_USER, &column);
}

void view_show_screen(struct view *view, const struct screen_list *screens, size_t screen)
{
	view->screen = screen;
	view->sort = sort_first(screens->v[screen]);
	view->idle = view->default_idle || screens->v[screen]->idle;
}

void view_toggle_idle(struct view *view, const struct screen *screen)
{
	view->idle = !view->idle;
	if (!screen->idle)
		view->default_idle = view->idle;
}
