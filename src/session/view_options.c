/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/view_options.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "model/kinds.h"
#include "pmu/check/refusal.h"
#include "session/screen_change.h"
#include "session/setup.h"
#include "view/row_filter.h"
#include "view/view.h"

static bool state_shows_at_once(const struct option_row *row);
static int state_take_options(struct setup *s, struct err *err);

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
		for (size_t i = 0; i < setup->config.themes.n; i++)
			add_choice(s, setup->config.themes.v[i]->name);
	if (!strcmp(s->name, "group"))
		for (int i = 0; i < N_GROUP_KEYS; i++)
			if (group_key_is_for((enum group_key)i, configuration_kind(&setup->config)))
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
	struct setting_list *l = &setup->config.settings;
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
	s.value = text_of(row, &setup->config.options);
	s.usual = text_of(row, usual);
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = s;
}

void settings_find(struct setup *s)
{
	struct options usual;

	settings_done(&s->config.settings);
	state_save(s);
	options_init(&usual);
	for (size_t i = 0; i < option_table_n; i++)
		add_setting(s, &option_table[i], &usual);
	options_done(&usual);
}

/* Sets an option from a text as the page shows it. */
static int take(struct options *o, const struct option_row *row, const char *text, struct err *err)
{
	if (is_switch(row))
		text = !strcmp(text, switch_text[1]) ? "1" : "0";
	return option_set_conf(o, row->conf_name, text, err);
}

void settings_keep(struct configuration *config, const char *name)
{
	const struct option_row *row = &option_table[option_find_conf(name)];
	char *text = text_of(row, &config->options);

	take(&config->of_file, row, text, NULL);
	free(text);
}

int settings_set(struct setup *s, struct setup_change *change, struct err *err)
{
	const struct option_row *row = &option_table[option_find_conf(change->option)];
	char *before;
	int ret;

	state_save(s);
	before = text_of(row, &s->config.options);
	ret = take(&s->config.options, row, change->value, err);
	if (!ret)
		ret = state_take_options(s, err);
	if (ret) {
		take(&s->config.options, row, before, NULL);
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
	replace(&s->config.options.pid, text);
	return parse_task(s->config.options.pid, "the pid", &s->display.view.filter, err);
}

int state_set_watch(struct setup *s, const char *text, struct err *err)
{
	struct filter checked = FILTER_ALL;

	if (parse_task(text, "the pid", &checked, err))
		return -EINVAL;
	replace(&s->config.options.watch, text);
	s->display.view.watch = (struct filter)FILTER_ALL;
	s->display.view.watching = s->config.options.watch != NULL;
	return parse_task(s->config.options.watch, "the pid", &s->display.view.watch, err);
}

static int make_row_filter(const struct setup *s, const char *text, struct row_filter **out,
			   struct err *err)
{
	return row_filter_make(out, text ? text : "", s->config.screens.v[s->display.view.screen],
			       &s->config.filters, err);
}

static void take_row_filter(struct setup *s, struct row_filter *made)
{
	row_filter_free(s->display.row_filter);
	s->display.row_filter = s->display.view.row_filter = made;
	if (made)
		row_filter_set_judged(made, s->display.view.judged);
	s->display.view.filter_text = s->config.options.filter;
}

int state_set_row_filter(struct setup *s, const char *text, struct err *err)
{
	struct row_filter *made;
	int ret = make_row_filter(s, text, &made, err);

	if (ret)
		return ret;
	replace(&s->config.options.filter, text);
	s->display.filter_fault = (struct err)ERR_INIT;
	take_row_filter(s, made);
	return 0;
}

int state_check_row_filter(const struct setup *s, struct err *err)
{
	struct row_filter *made;
	int ret = make_row_filter(s, s->config.options.filter, &made, err);

	row_filter_free(made);
	return ret ? err_prefix(err, "--filter") : 0;
}

void state_fit_row_filter(struct setup *s)
{
	struct row_filter *made;
	struct err why = ERR_INIT;

	s->display.filter_fault = (struct err)ERR_INIT;
	if (make_row_filter(s, s->config.options.filter, &made, &why))
		err_set(&s->display.filter_fault, ENOENT,
			"the filter '%s' is not for this screen, and all rows are shown: %s",
			s->config.options.filter, why.text);
	take_row_filter(s, made);
}

struct fact_set state_filter_facts(const struct display *display)
{
	return display->row_filter ? row_filter_facts(display->row_filter) : FACT_NONE;
}

int state_set_screen(struct setup *s, const char *text, struct err *err)
{
	struct err why = ERR_INIT;
	long number;
	int i = screen_list_find(&s->config.screens, text, &why);

	if (i < 0 && !num_parse_int(text, "", 0, INT_MAX, &number, NULL))
		i = screen_order_show_hidden(s, (int)number);
	if (i < 0)
		return err_set(err, EINVAL, "%s", why.text);
	setup_fit(s, (size_t)i);
	view_show_screen(&s->display.view, &s->config.screens, (size_t)i);
	return 0;
}

int state_set_user(struct setup *s, const char *text, struct err *err)
{
	long uid = -1;

	if (text && *text && backend_find_user(&s->backend, text, &uid, err))
		return -EINVAL;
	replace(&s->config.options.user, text);
	free(s->display.user_name);
	s->display.user_name = s->config.options.user
				       ? backend_user_name(&s->backend, uid, s->config.options.user)
				       : NULL;
	s->display.view.uid_name = s->display.user_name;
	s->display.view.filter.uid = uid;
	state_hide_others(s);
	return 0;
}

/* With a command, all of its tasks are shown, whatever their user. */
void state_hide_others(struct setup *s)
{
	const struct screen *screen = s->config.screens.v[s->display.view.screen];

	if (s->config.options.user || s->config.options.command)
		return;
	s->display.view.own_only = screen_needs_counters(screen) && !s->backend.counts_others;
	s->display.view.filter.uid = s->display.view.own_only ? (long)geteuid() : -1;
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
		memcpy((char *)&s->display.view + shared[i].view,
		       (char *)&s->config.options + shared[i].option, shared[i].size);
}

static void copy_to_options(struct setup *s)
{
	for (size_t i = 0; i < SHARED_N; i++)
		if (shared[i].keys)
			memcpy((char *)&s->config.options + shared[i].option,
			       (char *)&s->display.view + shared[i].view, shared[i].size);
}

/* Returns whether the option affects only the view. */
static bool state_shows_at_once(const struct option_row *row)
{
	for (size_t i = 0; i < SHARED_N; i++)
		if (shared[i].option == row->offset)
			return true;
	return false;
}

/* Puts the file and the option, or the option of the command line, before the sentence about a
 * value. */
static int name_option(const struct setup *s, const char *conf_name, const char *typed,
		       struct err *err)
{
	if (configuration_name_file(&s->config, conf_name, err))
		return -err->code;
	return err_prefix(err, "%s", typed);
}

/* Sets the hidden parts of the screen from the option "layout"; in batch mode, hides all parts. */
static int set_parts(struct setup *s, struct err *err)
{
	struct view *view = &s->display.view;
	int ret;

	view->hidden = PARTS_AUTO;
	ret = s->config.options.layout ? parts_parse(s->config.options.layout, &view->hidden, err)
				       : 0;
	view->all_parts = view->hidden == PARTS_FULL ? PARTS_FULL : PARTS_AUTO;
	if (s->config.options.batch)
		view->hidden = PARTS_ALL;
	view->total = !(view->hidden & PART_BIT(PART_TOTAL));
	return ret ? name_option(s, "layout", "--layout", err) : 0;
}

static int find_group(const struct setup *s, enum group_key *key, struct err *err)
{
	int ret = group_key_find(s->config.options.group, configuration_kind(&s->config), key, err);

	if (ret)
		configuration_name_file(&s->config, "group", err);
	return ret;
}

static int find_values(const struct setup *s, enum values *values, struct err *err)
{
	int ret = values_find(s->config.options.values, values, err);

	if (ret)
		configuration_name_file(&s->config, "values", err);
	return ret;
}

/* With a command, only the command is shown. Idle CPUs are always shown. */
int state_begin(struct setup *s, pid_t command, struct err *err)
{
	char *task = xstrdup_or_null(s->config.options.pid);
	char *watch = xstrdup_or_null(s->config.options.watch);
	char *user = xstrdup_or_null(s->config.options.user);
	int ret;

	copy_to_view(s);
	s->display.view.members = configuration_kind(&s->config);
	s->display.view.default_idle |=
		command != 0 || kind_is(configuration_kind(&s->config), &kind_cpu);
	s->display.view.children |= command != 0 && !s->config.options.batch;
	s->display.view.children &= !s->config.options.no_children;
	s->config.children_given = s->config.options.children;
	ret = set_parts(s, err);
	if (!ret && state_set_watch(s, watch, err))
		ret = name_option(s, "watch_name", "-w", err);
	s->display.view.filter = (struct filter)FILTER_ALL;
	if (!ret && s->config.options.group)
		ret = find_group(s, &s->display.view.group, err);
	if (!ret && s->config.options.values)
		ret = find_values(s, &s->display.view.values, err);
	s->display.view.marks = s->display.view.values == VALUES_SINCE_MARK;
	if (!ret && command && configuration_kind(&s->config) == &kind_task)
		s->display.view.filter.pid = command;
	if (!ret && !command && state_set_filter(s, task, err))
		ret = name_option(s, "only_pid", "-p", err);
	if (!ret && !command) {
		ret = state_set_user(s, user, err);
		if (ret)
			configuration_name_file(&s->config, "only_uid", err);
	}
	free(task);
	free(watch);
	free(user);
	return ret;
}

/* Updates the view from all options that the setup page can set. -EINVAL with a sentence. */
static int state_take_options(struct setup *s, struct err *err)
{
	const struct options *o = &s->config.options;
	const struct theme *theme =
		theme_list_find(&s->config.themes, o->theme ? o->theme : THEME_DEFAULT, err);
	const bool default_idle = s->display.view.default_idle;
	enum group_key group = GROUP_PROCESS;
	enum values values = VALUES_INTERVAL;

	if (!theme ||
	    (o->group && group_key_find(o->group, configuration_kind(&s->config), &group, err)) ||
	    (o->values && values_find(o->values, &values, err)) || set_parts(s, err) ||
	    screen_order_apply(s, true, err))
		return -EINVAL;
	s->config.theme = theme;
	if (s->display.view.group != group)
		s->display.view.only_key = GROUP_PROCESS;
	s->display.view.group = group;
	s->display.view.values = values;
	copy_to_view(s);
	if (s->display.view.default_idle != default_idle)
		s->display.view.idle = s->display.view.default_idle ||
				       s->config.screens.v[s->display.view.screen]->idle;
	return 0;
}

/* Finds the sorting of the options for the current screen. sort: --sort; NULL: not given. */
static int find_sorting(const struct setup *s, const char *sort, int *column, bool *reverse,
			struct err *err)
{
	const struct screen *screen = s->config.screens.v[s->display.view.screen];
	const struct options *o = &s->config.options;

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
	return find_sorting(s, s->config.options.sort, &s->display.view.sort,
			    &s->display.view.reverse, err)
		       ? -EINVAL
		       : 0;
}

/* Returns whether the options select the current screen; ignores -e. */
static bool brings_screen(const struct setup *s)
{
	return backend_asked_screen(&s->config, &s->backend) == (int)s->display.view.screen;
}

/* Appends the current screen as an argument of -S: its name, or its number if -S would find another
 * screen by the name. */
static void screen_name(const struct setup *s, struct strbuf *out)
{
	const char *name = s->config.screens.v[s->display.view.screen]->name;

	if (screen_list_find(&s->config.screens, name, NULL) == (int)s->display.view.screen)
		strbuf_addstr(out, name);
	else
		strbuf_addf(out, "%d", s->config.screens.v[s->display.view.screen]->number);
}

static void save_screen(struct setup *s)
{
	struct strbuf name;

	if (brings_screen(s))
		return;
	strbuf_init(&name);
	screen_name(s, &name);
	replace(&s->config.options.screen, name.text);
	strbuf_done(&name);
}

static void save_sorting(struct setup *s)
{
	const struct screen *screen = s->config.screens.v[s->display.view.screen];
	struct options *o = &s->config.options;
	struct strbuf name;
	int column;
	bool reverse;

	find_sorting(s, NULL, &column, &reverse, NULL);
	if (column == s->display.view.sort && reverse == s->display.view.reverse)
		return;
	o->ascending = s->display.view.reverse && !sort_is_text(screen, s->display.view.sort);
	strbuf_init(&name);
	strbuf_addstr(&name, sort_id(screen, s->display.view.sort));
	strbuf_addstr(&name, s->display.view.reverse && !o->ascending ? ":desc" : "");
	replace(&o->sort_column, name.text);
	strbuf_done(&name);
}

static void save_parts(struct setup *s)
{
	const char *layout = s->config.options.layout;
	unsigned hidden = PARTS_AUTO;
	struct strbuf text;

	if (layout)
		parts_parse(layout, &hidden, NULL);
	if (hidden == s->display.view.hidden)
		return;
	strbuf_init(&text);
	parts_add(&text, s->display.view.hidden);
	replace(&s->config.options.layout, s->display.view.hidden ? text.text : NULL);
	strbuf_done(&text);
}

void state_save(struct setup *s)
{
	struct options *o = &s->config.options;

	copy_to_options(s);
	replace(&o->group, s->display.view.group == GROUP_PROCESS
				   ? NULL
				   : group_key_table[s->display.view.group].name);
	replace(&o->values, s->display.view.values == VALUES_INTERVAL
				    ? NULL
				    : values_name[s->display.view.values]);
	save_parts(s);
	save_screen(s);
	save_sorting(s);
}

void state_save_for_file(struct setup *s)
{
	state_save(s);
	if (s->config.options.command && !s->config.options.batch)
		s->config.options.children = s->config.children_given;
}

/* Returns whether the command is shown, alone or with its descendants. */
static bool shows_command(const struct setup *s)
{
	return s->backend.command && s->display.view.filter.pid == s->backend.command;
}

void state_fit_family(struct setup *s)
{
	s->display.view.filter.family =
		shows_command(s) && s->display.view.children ? s->backend.family : NULL;
	s->display.view.record_children =
		shows_command(s) && s->config.options.record && !s->config.options.no_children;
	s->display.view.with_ended = s->display.view.children && !s->config.options.command;
}

struct filter state_source_filter(const struct setup *s)
{
	struct filter filter = s->display.view.filter;

	if (s->display.view.record_children)
		filter.family = s->backend.family;
	if (filter.pid)
		filter.pid = backend_process_of(&s->backend, filter.pid);
	return filter;
}

void state_keep_counters(struct view *view, const struct view *before)
{
	if (view->screen != before->screen)
		view->idle = before->idle;
	view->screen = before->screen;
	view->sort = before->sort;
	view->threads = before->threads;
	view->group = before->group;
	view->tree = before->tree;
	view->kernel = before->kernel;
}

const char *state_screen_note(const struct display *display, struct err *slow)
{
	if (display->note.code)
		return display->note.text;
	if (display->filter_fault.code)
		return display->filter_fault.text;
	row_filter_timed_out(display->row_filter, slow);
	return slow->text;
}

void state_log_filter(struct setup *setup)
{
	const struct row_filter *f = setup->display.row_filter;
	struct err taken = ERR_INIT;

	if (!f || !row_filter_advice(f))
		return;
	err_set(&taken, EINVAL, "the filter '%s' is %s", row_filter_text(f), row_filter_advice(f));
	log_add(&setup->config.log, LOG_SCREEN, taken.text);
}

/* ---- explain empty ----
 * Explains why no task passes -p and -u. Only for batch mode: on the live screen, users see that
 * the table is empty. */

/* Explains why the status of a task cannot be read. With the mount option hidepid, /proc shows only
 * the user's own tasks; kill(2) still tells whether the task exists. */
static int explain_unseen(int pid, struct err *err)
{
	if (kill(pid, 0) && errno == EPERM)
		return err_set(err, ESRCH,
			       "the task %d (-p) is of another user, and /proc is mounted so that "
			       "those are hidden (hidepid): run tiptop as root",
			       pid);
	return err_set(err, ESRCH, "there is no task with the number %d (-p)", pid);
}

static int explain_pid(const struct view *view, struct err *err)
{
	const int pid = view->filter.pid;
	struct task_status status;

	if (task_status_read(pid, &status))
		return explain_unseen(pid, err);
	if (status.state == 'Z')
		return err_set(err, ESRCH, "the task %d (-p) has ended", pid);
	if (status.process != pid && !view->threads)
		return err_set(err, ESRCH,
			       "%d (-p) is a thread of the process %d: add -H, or give the number "
			       "of the process",
			       pid, status.process);
	if (view->filter.uid < 0 || status.uid == view->filter.uid)
		return 0;
	if (view->uid_name)
		return err_set(err, ESRCH, "the task %d (-p) is not of the user '%s' (-u)", pid,
			       view->uid_name);
	return err_set(err, ESRCH,
		       "the task %d (-p) is of another user: -u with that user shows it", pid);
}

/* Explains that --filter rejects all tasks that pass -p and -u. */
static int explain_row_filter(const struct view *view, struct err *err)
{
	bool others = view->filter.pid || view->filter.text || view->uid_name;

	return err_set(err, ENOENT, "no task%s passes the filter '%s' (--filter)",
		       others ? " that -p or -u lets pass" : "", view->filter_text);
}

int state_explain_empty(const struct view *view, struct err *err)
{
	const struct filter *filter = &view->filter;
	const char *what = view->show_cmdline ? "command line" : "name";
	int ret = filter->pid ? explain_pid(view, err) : 0;

	if (ret || (filter->pid && !view->row_filter))
		return ret;
	if (view->row_filter)
		return explain_row_filter(view, err);
	if (filter->text && view->uid_name)
		return err_set(err, ENOENT, "no task of the user '%s' (-u) has '%s' in its %s (-p)",
			       view->uid_name, filter->text, what);
	if (filter->text && filter->uid >= 0)
		return err_set(err, ENOENT,
			       "no task of your own has '%s' in its %s (-p); -u shows those of "
			       "another user",
			       filter->text, what);
	if (filter->text)
		return err_set(err, ENOENT, "no task has '%s' in its %s (-p)", filter->text, what);
	if (view->uid_name)
		return err_set(err, ENOENT, "the user '%s' (-u) has no task", view->uid_name);
	return 0;
}
