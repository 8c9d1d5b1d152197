/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/view_options.h"

static const char *const switch_text[] = {"no", "yes"};
static const char *const layouts[] = {"full", "compact", "table"};

void settings_done(struct setting_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->v[i].value);
		free(l->v[i].usual);
		free(l->v[i].choice);
	}
	free(l->v);
	*l = (struct setting_list){.n = 0};
}

static bool is_switch(const struct option_row *row)
{
	return row->kind == OPTION_TOGGLE || row->kind == OPTION_FLAG;
}

/* Its value, as the page shows it; the caller frees it. */
static char *text_of(const struct option_row *row, const struct options *o)
{
	const void *field = (const char *)o + row->offset;

	if (is_switch(row))
		return xstrdup(switch_text[*(const bool *)field]);
	if (row->kind == OPTION_DOUBLE)
		return xasprintf("%g", *(const double *)field);
	return xstrdup(*(char *const *)field ? *(char *const *)field : row->none);
}

static void add_choice(struct setting *s, const char *name)
{
	s->choice = xreallocarray(s->choice, s->n_choices + 1, sizeof *s->choice);
	s->choice[s->n_choices++] = name;
}

static void add_choices(struct setting *s, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_choice(s, names[i]);
}

/* Of an option that is a name, those that there are. */
static void find_names(const struct setup *setup, struct setting *s)
{
	if (!strcmp(s->name, "theme"))
		for (size_t i = 0; i < setup->themes.n; i++)
			add_choice(s, setup->themes.v[i]->name);
	if (!strcmp(s->name, "group"))
		for (int i = 0; i < N_GROUP_KEYS; i++)
			if (group_key_is_for((enum group_key)i, setup_kind(setup)))
				add_choice(s, group_key_table[i].name);
	/* Since which mark, only a key can say. */
	if (!strcmp(s->name, "values"))
		add_choices(s, values_name, VALUES_SINCE_MARK);
	if (!strcmp(s->name, "layout"))
		add_choices(s, layouts, sizeof layouts / sizeof *layouts);
}

static void add_setting(struct setup *setup, const struct option_row *row,
			const struct options *usual)
{
	struct setting_list *l = &setup->settings;
	struct setting s = {.name = row->conf_name, .help = row->help};

	if (!row->conf_name || !row->help || row->writing != WRITE_CHANGED)
		return;
	if (is_switch(row))
		add_choices(&s, switch_text, 2);
	else if (row->kind == OPTION_STRING)
		find_names(setup, &s);
	if (!s.n_choices && row->kind != OPTION_DOUBLE)
		return;
	s.later = row->kind != OPTION_STRING && !state_shows_at_once(row);
	s.value = text_of(row, &setup->options);
	s.usual = text_of(row, usual);
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = s;
}

void settings_find(struct setup *s)
{
	struct options usual;

	settings_done(&s->settings);
	state_save(s);
	options_init(&usual);
	for (size_t i = 0; i < option_table_n; i++)
		add_setting(s, &option_table[i], &usual);
	options_done(&usual);
}

/* As a file has it. */
static int take(struct setup *s, const struct option_row *row, const char *text, struct err *err)
{
	if (is_switch(row))
		text = !strcmp(text, switch_text[1]) ? "1" : "0";
	return option_set_conf(&s->options, row->conf_name, text, err);
}

int settings_set(struct setup *s, struct setup_change *change, struct err *err)
{
	const struct option_row *row = &option_table[option_find_conf(change->option)];
	char *before;
	int ret;

	state_save(s);
	before = text_of(row, &s->options);
	ret = take(s, row, change->value, err);
	if (!ret)
		ret = state_take_options(s, err);
	if (ret) {
		take(s, row, before, NULL);
		free(before);
		return ret;
	}
	free(change->value);
	change->value = before;
	return 0;
}
