/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/view_options.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "model/kinds.h"
#include "session/backend.h"
#include "session/screen_order.h"
#include "view/parts.h"
#include "view/row_filter.h"
#include "view/sort.h"

/* ---- settings ---- */

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

/* Returns the value of an option as the page shows it; the caller frees it. */
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

/* Adds the allowed names of an option. */
static void find_names(const struct setup *setup, struct setting *s)
{
	if (!strcmp(s->name, "theme"))
		for (size_t i = 0; i < setup->themes.n; i++)
			add_choice(s, setup->themes.v[i]->name);
	if (!strcmp(s->name, "group"))
		for (int i = 0; i < N_GROUP_KEYS; i++)
			if (group_key_is_for((enum group_key)i, setup_kind(setup)))
				add_choice(s, group_key_table[i].name);
	/* Without VALUES_SINCE_MARK, as only a key can set a mark. */
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

/* Sets an option from a text, in the format of the configuration file. */
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

/* ---- view options ---- */

/* Parses a pid or a part of a name into the filter; NULL and "": neither. The text is borrowed. */
static int parse_task(const char *text, const char *what, struct filter *filter, struct err *err)
{
	long number;

	filter->pid = 0;
	filter->text = NULL;
	if (!text || !*text)
		return 0;
	if (text[strspn(text, "0123456789")]) {
		filter->text = text;
		return 0;
	}
	if (num_parse_int(text, what, 1, INT32_MAX, &number, err))
		return -EINVAL;
	filter->pid = (int)number;
	return 0;
}

/* Replaces an option's string by a copy of text. */
static void replace(char **option, const char *text)
{
	char *copy = text && *text ? xstrdup(text) : NULL;

	free(*option);
	*option = copy;
}

int state_set_filter(struct setup *s, const char *text, struct err *err)
{
	struct filter checked = FILTER_ALL;

	if (parse_task(text, "the pid", &checked, err))
		return -EINVAL;
	replace(&s->options.pid, text);
	return parse_task(s->options.pid, "the pid", &s->view.filter, err);
}

int state_set_watch(struct setup *s, const char *text, struct err *err)
{
	struct filter checked = FILTER_ALL;

	if (parse_task(text, "the pid", &checked, err))
		return -EINVAL;
	replace(&s->options.watch, text);
	s->view.watch = (struct filter)FILTER_ALL;
	s->view.watching = s->options.watch != NULL;
	return parse_task(s->options.watch, "the pid", &s->view.watch, err);
}

static int make_row_filter(const struct setup *s, const char *text, struct row_filter **out,
			   struct err *err)
{
	return row_filter_make(out, text ? text : "", s->screens.v[s->view.screen], &s->filters,
			       err);
}

static void take_row_filter(struct setup *s, struct row_filter *made)
{
	row_filter_free(s->row_filter);
	s->row_filter = s->view.row_filter = made;
	if (made)
		row_filter_set_judged(made, s->view.judged);
	s->view.filter_text = s->options.filter;
}

int state_set_row_filter(struct setup *s, const char *text, struct err *err)
{
	struct row_filter *made;
	int ret = make_row_filter(s, text, &made, err);

	if (ret)
		return ret;
	replace(&s->options.filter, text);
	s->filter_fault = (struct err)ERR_INIT;
	take_row_filter(s, made);
	return 0;
}

int state_check_row_filter(const struct setup *s, struct err *err)
{
	struct row_filter *made;
	int ret = make_row_filter(s, s->options.filter, &made, err);

	row_filter_free(made);
	return ret ? err_prefix(err, "--filter") : 0;
}

void state_fit_row_filter(struct setup *s)
{
	struct row_filter *made;
	struct err why = ERR_INIT;

	s->filter_fault = (struct err)ERR_INIT;
	if (make_row_filter(s, s->options.filter, &made, &why))
		err_set(&s->filter_fault, ENOENT,
			"the filter '%s' is not for this screen, and all rows are shown: %s",
			s->options.filter, why.text);
	take_row_filter(s, made);
}

struct fact_set state_filter_facts(const struct setup *s)
{
	return s->row_filter ? row_filter_facts(s->row_filter) : FACT_NONE;
}

int state_set_screen(struct setup *s, const char *text, struct err *err)
{
	struct err why = ERR_INIT;
	long number;
	int i = screen_list_find(&s->screens, text, &why);

	if (i < 0 && !num_parse_int(text, "", 0, INT_MAX, &number, NULL))
		i = screen_order_show_hidden(s, (int)number);
	if (i < 0)
		return err_set(err, EINVAL, "%s", why.text);
	setup_fit(s, (size_t)i);
	view_show_screen(&s->view, &s->screens, (size_t)i);
	return 0;
}

int state_set_user(struct setup *s, const char *text, struct err *err)
{
	long uid = -1;

	if (text && *text && backend_find_user(s, text, &uid, err))
		return -EINVAL;
	replace(&s->options.user, text);
	free(s->user_name);
	s->user_name = s->options.user ? backend_user_name(s, uid, s->options.user) : NULL;
	s->view.uid_name = s->user_name;
	s->view.filter.uid = uid;
	state_hide_others(s);
	return 0;
}

/* With a command, all of its tasks are shown, whatever their user. */
void state_hide_others(struct setup *s)
{
	const struct screen *screen = s->screens.v[s->view.screen];

	if (s->options.user || s->options.command)
		return;
	s->view.own_only = screen_needs_counters(screen) && !s->counts_others;
	s->view.filter.uid = s->view.own_only ? (long)geteuid() : -1;
}

#define SHARED(field)                                                                              \
	.option = offsetof(struct options, field), .view = offsetof(struct view, field),           \
	.size = sizeof(((struct view *)0)->field)

/* Fields in both options and view: copied to the view at the start; changes by keys are copied back
 * for the key W. */
static const struct {
	size_t option, view, size;
	bool keys; /* keys change it */
} shared[] = {
	{SHARED(threads), .keys = true},
	{.option = offsetof(struct options, idle),
	 .view = offsetof(struct view, default_idle),
	 .size = sizeof(bool),
	 .keys = true},
	{SHARED(tree), .keys = true},
	{SHARED(kernel), .keys = true},
	{SHARED(show_user), .keys = true},
	{SHARED(show_cmdline), .keys = true},
	{SHARED(sticky), .keys = true},
	{SHARED(children), .keys = true},
	{SHARED(delay_s), .keys = true},
	{SHARED(heat)},
	{SHARED(epoch)},
	{SHARED(timestamp)},
	{SHARED(safe_names)},
	{SHARED(verbose)},
	{SHARED(cpu_min)},
};

#define SHARED_N (sizeof shared / sizeof *shared)

static void copy_to_view(struct setup *s)
{
	for (size_t i = 0; i < SHARED_N; i++)
		memcpy((char *)&s->view + shared[i].view, (char *)&s->options + shared[i].option,
		       shared[i].size);
}

static void copy_to_options(struct setup *s)
{
	for (size_t i = 0; i < SHARED_N; i++)
		if (shared[i].keys)
			memcpy((char *)&s->options + shared[i].option,
			       (char *)&s->view + shared[i].view, shared[i].size);
}

bool state_shows_at_once(const struct option_row *row)
{
	for (size_t i = 0; i < SHARED_N; i++)
		if (shared[i].option == row->offset)
			return true;
	return false;
}

/* Sets the hidden parts of the screen from the option "layout"; in batch mode, hides all parts. */
static int set_parts(struct setup *s, struct err *err)
{
	struct view *view = &s->view;
	int ret;

	view->hidden = PARTS_AUTO;
	ret = s->options.layout ? parts_parse(s->options.layout, &view->hidden, err) : 0;
	view->all_parts = view->hidden == PARTS_FULL ? PARTS_FULL : PARTS_AUTO;
	if (s->options.batch)
		view->hidden = PARTS_ALL;
	view->total = !(view->hidden & PART_BIT(PART_TOTAL));
	return ret ? err_prefix(err, "--layout") : 0;
}

/* With a command, only the command is shown. Idle CPUs are always shown. */
int state_begin(struct setup *s, pid_t command, struct err *err)
{
	char *task = xstrdup_or_null(s->options.pid);
	char *watch = xstrdup_or_null(s->options.watch);
	char *user = xstrdup_or_null(s->options.user);
	int ret;

	copy_to_view(s);
	s->view.members = setup_kind(s);
	s->view.default_idle |= command != 0 || kind_is(setup_kind(s), &kind_cpu);
	s->view.children |= command != 0 && !s->options.batch;
	s->view.children &= !s->options.no_children;
	s->children_given = s->options.children;
	ret = set_parts(s, err);
	if (!ret)
		ret = state_set_watch(s, watch, err);
	s->view.filter = (struct filter)FILTER_ALL;
	if (!ret && s->options.group)
		ret = group_key_find(s->options.group, setup_kind(s), &s->view.group, err);
	if (!ret && s->options.values)
		ret = values_find(s->options.values, &s->view.values, err);
	s->view.marks = s->view.values == VALUES_SINCE_MARK;
	if (!ret && command && setup_kind(s) == &kind_task)
		s->view.filter.pid = command;
	if (!ret && !command)
		ret = state_set_filter(s, task, err);
	if (!ret && !command)
		ret = state_set_user(s, user, err);
	free(task);
	free(watch);
	free(user);
	return ret;
}

int state_take_options(struct setup *s, struct err *err)
{
	const struct options *o = &s->options;
	const struct theme *theme =
		theme_list_find(&s->themes, o->theme ? o->theme : THEME_DEFAULT, err);
	const bool default_idle = s->view.default_idle;
	enum group_key group = GROUP_PROCESS;
	enum values values = VALUES_INTERVAL;

	if (!theme || (o->group && group_key_find(o->group, setup_kind(s), &group, err)) ||
	    (o->values && values_find(o->values, &values, err)) || set_parts(s, err) ||
	    screen_order_apply(s, true, err))
		return -EINVAL;
	s->theme = theme;
	if (s->view.group != group)
		s->view.only_key = GROUP_PROCESS;
	s->view.group = group;
	s->view.values = values;
	copy_to_view(s);
	if (s->view.default_idle != default_idle)
		s->view.idle = s->view.default_idle || s->screens.v[s->view.screen]->idle;
	return 0;
}

/* Finds the sorting of the options for the current screen. sort: --sort; NULL: not given. */
static int find_sorting(const struct setup *s, const char *sort, int *column, bool *reverse,
			struct err *err)
{
	const struct screen *screen = s->screens.v[s->view.screen];
	const struct options *o = &s->options;

	*reverse = false;
	*column = sort_first(screen);
	if (sort)
		return sort_parse(screen, sort, column, reverse, err);
	if (o->sort_column)
		sort_parse(screen, o->sort_column, column, reverse, NULL);
	/* For a text column, ascending is the default. */
	if (o->ascending)
		*reverse = !sort_is_text(screen, *column);
	return 0;
}

int state_choose_sorting(struct setup *s, struct err *err)
{
	return find_sorting(s, s->options.sort, &s->view.sort, &s->view.reverse, err) ? -EINVAL : 0;
}

/* Returns whether the options select the current screen; ignores -e. */
static bool brings_screen(const struct setup *s)
{
	return setup_asked_screen(s) == (int)s->view.screen;
}

/* Appends the current screen as an argument of -S: its name, or its number if -S would find another
 * screen by the name. */
static void screen_name(const struct setup *s, struct strbuf *out)
{
	const char *name = s->screens.v[s->view.screen]->name;

	if (screen_list_find(&s->screens, name, NULL) == (int)s->view.screen)
		strbuf_addstr(out, name);
	else
		strbuf_addf(out, "%d", s->screens.v[s->view.screen]->number);
}

static void save_screen(struct setup *s)
{
	struct strbuf name;

	if (brings_screen(s))
		return;
	strbuf_init(&name);
	screen_name(s, &name);
	replace(&s->options.screen, name.text);
	strbuf_done(&name);
}

static void save_sorting(struct setup *s)
{
	const struct screen *screen = s->screens.v[s->view.screen];
	struct options *o = &s->options;
	struct strbuf name;
	int column;
	bool reverse;

	find_sorting(s, NULL, &column, &reverse, NULL);
	if (column == s->view.sort && reverse == s->view.reverse)
		return;
	o->ascending = s->view.reverse && !sort_is_text(screen, s->view.sort);
	strbuf_init(&name);
	strbuf_addstr(&name, sort_id(screen, s->view.sort));
	strbuf_addstr(&name, s->view.reverse && !o->ascending ? ":desc" : "");
	replace(&o->sort_column, name.text);
	strbuf_done(&name);
}

static void save_parts(struct setup *s)
{
	const char *layout = s->options.layout;
	unsigned hidden = PARTS_AUTO;
	struct strbuf text;

	if (layout)
		parts_parse(layout, &hidden, NULL);
	if (hidden == s->view.hidden)
		return;
	strbuf_init(&text);
	parts_add(&text, s->view.hidden);
	replace(&s->options.layout, s->view.hidden ? text.text : NULL);
	strbuf_done(&text);
}

void state_save(struct setup *s)
{
	struct options *o = &s->options;

	copy_to_options(s);
	replace(&o->group,
		s->view.group == GROUP_PROCESS ? NULL : group_key_table[s->view.group].name);
	replace(&o->values, s->view.values == VALUES_INTERVAL ? NULL : values_name[s->view.values]);
	save_parts(s);
	save_screen(s);
	save_sorting(s);
}

void state_save_for_file(struct setup *s)
{
	state_save(s);
	if (s->options.command && !s->options.batch)
		s->options.children = s->children_given;
}

/* Returns whether the command is shown, alone or with its descendants. */
static bool shows_command(const struct setup *s)
{
	return s->command && s->view.filter.pid == s->command;
}

void state_fit_family(struct setup *s)
{
	s->view.filter.family = shows_command(s) && s->view.children ? s->family : NULL;
	s->view.record_children = shows_command(s) && s->options.record && !s->options.no_children;
	s->view.with_ended = s->view.children && !s->options.command;
}

struct filter state_source_filter(const struct setup *s)
{
	struct filter filter = s->view.filter;

	if (s->view.record_children)
		filter.family = s->family;
	if (filter.pid)
		filter.pid = backend_process_of(s, filter.pid);
	return filter;
}
