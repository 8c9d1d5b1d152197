/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of element: <theme> and its looks. */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "conf/element.h"

/* The attributes of each element, in the order of its row. */
enum { THEME_NAME, THEME_DESC, THEME_LIKE, THEME_LIGHT, THEME_REPLACE };
enum { LOOK_NAME, LOOK_FG, LOOK_BG, LOOK_BOLD, LOOK_DIM, LOOK_UNDERLINE, LOOK_REVERSE };

static const struct theme *find_like(struct reader *r, int line, const char *label,
				     const char *name)
{
	struct err err = ERR_INIT;
	const struct theme *like = theme_list_find(r->themes, name ? name : THEME_DEFAULT, &err);

	if (like)
		return like;
	conf_complain(r, line, ENOENT, "%s: %s: it begins as %s", label, err.text, THEME_DEFAULT);
	return theme_list_find(r->themes, THEME_DEFAULT, NULL);
}

void conf_take_theme(struct reader *r, char *const value[ATTR_MAX], int line)
{
	const char *name = value[THEME_NAME];
	const struct theme *old = r->themes ? theme_list_find(r->themes, name, NULL) : NULL;
	char *label = xasprintf("<theme '%s'>", name);
	bool replace = conf_take_flag(r, line, label, "replace", value[THEME_REPLACE]);
	bool light = conf_take_flag(r, line, label, "light", value[THEME_LIGHT]);

	r->theme = NULL;
	if (r->themes && conf_is_name(r, line, label, name, "") &&
	    conf_may_add(r, line, label, old, old ? old->place : NULL, replace)) {
		r->theme = theme_list_add(r->themes, name,
					  value[THEME_DESC] ? value[THEME_DESC] : name,
					  find_like(r, line, label, value[THEME_LIKE]));
		r->theme->place = conf_place(r, line);
		r->theme->own = r->options != NULL;
		r->theme->replace = replace;
		if (value[THEME_LIGHT])
			r->theme->light = light;
	}
	free(label);
}

static void take_look(struct reader *r, char *const value[ATTR_MAX], int line)
{
	char *label = xasprintf("<look '%s'>", value[LOOK_NAME]);
	const struct theme_look_row row = {
		.name = value[LOOK_NAME],
		.fg = value[LOOK_FG],
		.bg = value[LOOK_BG],
		.bold = conf_take_flag(r, line, label, "bold", value[LOOK_BOLD]),
		.dim = conf_take_flag(r, line, label, "dim", value[LOOK_DIM]),
		.underline = conf_take_flag(r, line, label, "underline", value[LOOK_UNDERLINE]),
		.reverse = conf_take_flag(r, line, label, "reverse", value[LOOK_REVERSE]),
	};
	struct err err = ERR_INIT;

	if (r->theme && theme_set_look(r->theme, &row, &err))
		conf_complain(r, line, err.code, "%s: %s: left out", label, err.text);
	free(label);
}

const struct element conf_theme_children[] = {
	{
		.name = "look",
		.attr = {[LOOK_NAME] = {.name = "name", .required = true},
			 [LOOK_FG] = {.name = "fg"},
			 [LOOK_BG] = {.name = "bg"},
			 [LOOK_BOLD] = {.name = "bold"},
			 [LOOK_DIM] = {.name = "dim"},
			 [LOOK_UNDERLINE] = {.name = "underline"},
			 [LOOK_REVERSE] = {.name = "reverse"}},
		.take = take_look,
	},
	{.name = NULL},
};
