/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/config_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "conf/xml.h"
#include "model/kinds.h"
#include "pmu/event/perf_name.h"
#include "run/preloading_input.h"
#include "screen/bind/counters.h"
#include "screen/bind/event_screen.h"
#include "screen/column.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "session/replay_session.h"
#include "session/screen_change.h"
#include "session/setup.h"
#include "session/setup_start.h"
#include "session/verdict_engine.h"
#include "view/row_filter.h"
#include "view/view.h"

/* ---- screen merge ----
 * Merges screens of the users' files with the built-in ones.
 *
 * Users select a screen by its number (-S, keys), also in scripts. Each built-in screen declares
 * its number in config/screens/. Screens of the user's own file get the next free numbers, in the
 * order of the file; then screens of additional files do. Screens that this machine cannot show
 * have numbers too.
 *
 * A screen with replace="yes" replaces the screen of the same name, and gets its number. Without
 * replace="yes", a screen whose name is in use already is added if it is in the user's own file, as
 * in tiptop 2.3.1, and left out if it is in an additional file. */

struct screen_merge {
	struct screen_list built_in, own, added;
};

/* Initializes the lists. built_in: adds all built-in screens as declared, not compiled. */
static void screen_merge_init(struct screen_merge *p, bool built_in)
{
	const struct screen_list none = SCREEN_LIST_INIT;

	*p = (struct screen_merge){none, none, none};
	if (built_in)
		screen_list_add_built_in(&p->built_in, 0, screen_built_in_n);
}

static void screen_merge_done(struct screen_merge *p)
{
	screen_list_done(&p->built_in);
	screen_list_done(&p->own);
	screen_list_done(&p->added);
}

/* Returns the list element of the screen with this name; NULL: none. */
static struct screen **find(struct screen_merge *p, const char *name)
{
	struct screen_list *const list[] = {&p->built_in, &p->added, &p->own};

	for (size_t k = 0; k < sizeof list / sizeof *list; k++)
		for (size_t i = 0; i < list[k]->n; i++)
			if (!strcmp(list[k]->v[i]->name, name))
				return &list[k]->v[i];
	return NULL;
}

static void add_place(struct strbuf *out, const struct screen *s)
{
	if (s->file)
		strbuf_addf(out, "that of %s:%d", s->file, s->line);
	else
		strbuf_addstr(out, "a built-in one");
}

static void refuse(const struct screen *s, const struct screen *old, screen_report report,
		   void *context)
{
	struct err err = ERR_INIT;
	struct strbuf place;

	strbuf_init(&place);
	add_place(&place, old);
	err_set(&err, ENOENT,
		"%s:%d: <screen '%s'>: %s has this name: replace=\"yes\" puts this one in its "
		"place: left out",
		s->file, s->line, s->name, place.text);
	report(context, 0, &err);
	strbuf_done(&place);
}

static void place(struct screen_merge *p, struct screen *s, screen_report report, void *context)
{
	struct screen **old = find(p, s->name);

	if (old && s->replace) {
		s->number = (*old)->number;
		screen_free(*old);
		*old = s;
	} else if (old && s->from_folder) {
		refuse(s, *old, report, context);
		screen_free(s);
	} else {
		screen_list_add(s->from_folder ? &p->added : &p->own, s);
	}
}

/* Assigns numbers to the users' screens, after all were added. */
static void screen_merge_number(struct screen_merge *p)
{
	struct screen_list *const all[] = {&p->own, &p->added, &p->built_in};

	screen_lists_number(all, sizeof all / sizeof *all);
}

/* Moves the screens of a list into the merge, in order; empties the list. Reports each screen that
 * is left out; the sentence has the files and lines of both screens, so the reported line is 0. */
static void screen_merge_add(struct screen_merge *p, struct screen_list *from, screen_report report,
			     void *context)
{
	for (size_t i = 0; i < from->n; i++)
		place(p, from->v[i], report, context);
	from->n = 0;
	screen_list_done(from);
}

/* ---- socket rows ----
 * Rows that are sockets instead of CPUs. Two options together select them: -S with the name of a
 * screen that has rows="socket", and --group socket. */

/* Returns the arguments of "tiptop" that show this screen with rows of sockets; the caller frees
 * them. */
static char *socket_rows_command(const struct screen *screen)
{
	return xasprintf("system --group %s -S %s", kind_socket.name, screen->name);
}

static const struct screen *find_screen(const struct screen_merge *screens, const char *name)
{
	const struct screen_list *const lists[] = {&screens->own, &screens->added,
						   &screens->built_in};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (size_t k = 0; k < lists[i]->n; k++)
			if (!strcmp(lists[i]->v[k]->name, name))
				return lists[i]->v[k];
	return NULL;
}

static bool is_asked(const struct setup *s, const struct screen_merge *screens)
{
	const struct options *o = &s->config.options;
	const struct screen *screen = o->screen ? find_screen(screens, o->screen) : NULL;

	return kind_is(configuration_kind(&s->config), &kind_cpu) && !s->backend.recording &&
	       screen && o->group && !strcmp(o->group, kind_socket.name) &&
	       screen_has_rows(screen, kind_socket.name);
}

/* Sets s->config.rows if socket rows were selected. -EINVAL: an option was given that applies to
 * rows of CPUs only. */
static int socket_rows_take(struct setup *s, const struct screen_merge *screens, struct err *err)
{
	struct options *o = &s->config.options;

	if (!is_asked(s, screens))
		return 0;
	if (o->user_only || o->kernel_only || o->cpus || o->cgroup)
		return err_set(err, EINVAL,
			       "-u, -k, --cpus and --cgroup are for CPUs: counts of a whole socket "
			       "(-S %s) cannot be split by mode or CPU",
			       o->screen);
	s->config.rows = kind_socket.name;
	free(o->group);
	o->group = NULL;
	return 0;
}

/* ---- configuration ---- */

/* The setup, and the file that report() names in front of a fault. file NULL: the sentence names
 * the file, or there is none. */
struct place {
	struct setup *setup;
	const char *file;
};

static void report(void *context, int line, const struct err *fault)
{
	struct place *place = context;
	struct err err = *fault;

	if (place->file && line)
		err_prefix(&err, "%s:%d", place->file, line);
	if (log_add(&place->setup->config.log, LOG_CONFIGURATION, err.text))
		fprintf(stderr, "tiptop: %s\n", err.text);
	/* Faults with other codes (an unknown name, an incomplete declaration) are not mistakes:
	 * the configuration may be for another version or machine. */
	if (fault->code == EINVAL || fault->code == ERANGE)
		place->setup->config.n_mistakes++;
}

/* State for reading additional files. */
struct files {
	struct setup *setup;
	struct screen_list added;
};

/* If ret is an error, logs the sentence and counts a mistake; the caller prints the sentence.
 * Returns ret. */
static int note_unreadable(struct configuration *config, int ret, const struct err *err)
{
	if (ret) {
		log_add(&config->log, LOG_CONFIGURATION, err->text);
		config->n_mistakes++;
	}
	return ret;
}

static void add_path(struct configuration *config, const char *path)
{
	config->added_path = xgrow(config->added_path, &config->cap_added, config->n_added + 1,
				   sizeof *config->added_path);
	config->added_path[config->n_added++] = xstrdup(path);
}

static void read_addition(void *context, const char *path, int fd)
{
	struct files *files = context;
	struct setup *s = files->setup;
	const struct conf_into into = {NULL,
				       &files->added,
				       &s->config.added,
				       &s->config.themes,
				       &s->config.filters,
				       &s->config.verdicts};
	struct place place = {s, path};
	struct err err = ERR_INIT;

	add_path(&s->config, path);
	if (note_unreadable(&s->config, conf_read(fd, path, &into, report, &place, &err), &err))
		fprintf(stderr, "tiptop: %s\n", err.text);
}

/* Returns the options that the configuration file sets. */
static struct options *file_options(struct configuration *config)
{
	return config->take_options ? &config->of_file : &config->options;
}

static void take_keys(struct setup *s)
{
	const struct options *o = file_options(&s->config);
	struct place place = {s, s->config.file.path};

	for (size_t i = 0; i < o->n_keys; i++) {
		const struct key_choice *k = &o->keys[i];
		struct err err = ERR_INIT;

		if (k->set ? keymap_use(&s->config.keymap, k->set, &err)
			   : keymap_bind(&s->config.keymap, k->key, k->action, &err)) {
			struct err left_out = {.code = ENOENT}; /* another version may know it */

			snprintf(left_out.text, sizeof left_out.text, "%.480s: left out", err.text);
			report(&place, k->line, &left_out);
		}
	}
}

/* Reads the user's own file, and keeps its text: the key W makes the new file from it. */
static int load_file(struct setup *s, int fd, struct place *place, struct err *err)
{
	const struct conf_into into = {file_options(&s->config), &s->config.own_screens,
				       &s->config.own,           &s->config.themes,
				       &s->config.filters,       &s->config.verdicts};
	int ret;

	if (file_is(STDOUT_FILENO, s->config.file.path))
		return err_set(
			err, EINVAL,
			"standard output is the configuration file '%s' itself, which '>' has "
			"emptied: write to another file, and put that in its place",
			s->config.file.path);
	place->file = s->config.file.path;
	ret = conf_load(fd, s->config.file.path, &s->config.file.text, err);
	return ret ? ret
		   : conf_parse(&s->config.file.text, s->config.file.path, &into, report, place,
				err);
}

static int read_file(struct setup *s, const char *given, struct err *err)
{
	struct place place = {s, NULL};
	int fd = -1, ret = conf_find(given, &s->config.file.path, &fd, report, &place, err);

	if (!ret && fd >= 0)
		ret = load_file(s, fd, &place, err);
	if (fd >= 0)
		close(fd);
	take_keys(s);
	return note_unreadable(&s->config, ret, err);
}

/* Reads the additional files, then the user's own file. given: the file named by the user, which
 * alone is read; NULL: none. */
static int read_files(struct files *files, const char *given, struct err *err)
{
	struct place place = {files->setup, NULL};

	if (!given)
		conf_each_file(read_addition, files, report, &place);
	for (size_t i = 0; i < files->added.n; i++)
		files->added.v[i]->from_folder = true;
	return read_file(files->setup, given, err);
}

static char *choose_event(void *context, const char *names)
{
	struct setup *s = context;
	const struct offer offer = backend_offer(&s->config, &s->backend, false);

	return counters_choice(names, &offer);
}

/* Replaces the column %CPU: rows of tables have the columns of the screen for their kind instead.
 * Columns of numbers are inserted before the events, columns of texts after the events. */
static void take_row_columns(const struct setup *s, struct screen *screen)
{
	const int n = screen_list_find(&s->config.screens, s->config.preload->name, NULL);
	const struct screen *from = n < 0 ? NULL : s->config.screens.v[n];
	size_t at = 0;

	screen_drop_column(screen, 0);
	for (size_t i = 0; from && i < from->n_columns; i++) {
		const struct column *c = &from->column[i];

		compose_copy(screen, c->shape.conversion == 's' ? screen->n_columns : at++, from, i,
			     NULL);
	}
}

/* Logs and prints the parts of a perf event list that count nothing. */
static void log_ignored(struct setup *s, const struct strbuf *ignored)
{
	char *text;

	if (!ignored->len)
		return;
	text = xasprintf("-e: " EVENT_SPELLING_IGNORED "%s", ignored->text);
	if (log_add(&s->config.log, LOG_SCREEN, text))
		fprintf(stderr, "tiptop: %s\n", text);
	free(text);
}

/* Builds the screen of -e for rows of tables. The events are counted by the processes that write
 * the tables, not by tiptop. */
static int make_table_screen(struct setup *s, struct screen **out, struct err *err)
{
	const char *list = s->config.options.events;
	struct strbuf handed, ignored;
	char *names;
	int ret;

	strbuf_init(&handed);
	ret = preloading_events_add(&handed, list, s->config.preload->modes, NULL, err);
	strbuf_done(&handed);
	if (ret)
		return ret;
	names = preloading_events_of_rows(list, s->config.preload->modes);
	strbuf_init(&ignored);
	ret = event_screen_new(out, names, choose_event, s, &ignored, err);
	if (!ret)
		log_ignored(s, &ignored);
	strbuf_done(&ignored);
	free(names);
	if (ret)
		return err_prefix(err, "-e");
	take_row_columns(s, *out);
	return 0;
}

static int make_event_screen(struct setup *s, struct screen **out, struct err *err)
{
	struct strbuf ignored;
	int ret;

	strbuf_init(&ignored);
	ret = event_screen_new(out, s->config.options.events, choose_event, s, &ignored, err);
	if (!ret)
		log_ignored(s, &ignored);
	strbuf_done(&ignored);
	return ret;
}

/* Adds the screen of -e. A mistake in -e is a usage error. */
static int add_event_screen(struct setup *s, struct err *err)
{
	const struct offer offer = backend_offer(&s->config, &s->backend, false);
	struct place place = {s, NULL};
	struct screen *screen;
	/* Rows of programs linked with libtiptop show the events of -e as given. */
	const bool of_tables = s->config.preload && !s->config.preload->linked;
	int ret =
		of_tables ? make_table_screen(s, &screen, err) : make_event_screen(s, &screen, err);

	if (ret)
		return of_tables ? ret : err_prefix(err, "-e");
	ret = counters_check_events(screen, &offer, err);
	if (!ret) {
		screen_list_add(&s->config.own_screens, screen_copy(screen));
		ret = screen_compile(screen, report, &place, err);
	}
	if (ret) {
		const struct err why = *err;

		screen_free(screen);
		return err_set(err, EINVAL, "-e: %s", why.text);
	}
	screen->rows = xstrdup_or_null(configuration_kind(&s->config)->like
					       ? configuration_kind(&s->config)->like->name
					       : s->config.rows);
	screen->fitted = true; /* show all columns that were requested */
	screen->number = screen_order_free_number(&s->config);
	screen_list_add(&s->config.screens, screen);
	return 0;
}

static void pass_over(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

static void read_tables(void *context, const char *path, int fd)
{
	struct screen_list ignored = SCREEN_LIST_INIT;
	struct own_table *own = context;

	conf_read(fd, path, &(struct conf_into){.screens = &ignored, .own = own}, pass_over, NULL,
		  NULL);
	screen_list_done(&ignored);
}

static void read_added_tables(void *context, const char *path, int fd)
{
	struct configuration *config = context;

	add_path(config, path);
	read_tables(&config->added, path, fd);
}

int setup_tables(struct configuration *config, struct backend *backend,
		 const struct option_list *arguments, struct err *err)
{
	const char *given = option_given(arguments, "config");
	int fd = -1, ret;

	if (!given)
		conf_each_file(read_added_tables, config, pass_over, NULL);
	ret = conf_find(given, &config->file.path, &fd, pass_over, NULL, err);
	if (!ret && fd >= 0)
		read_tables(&config->own, config->file.path, fd);
	if (fd >= 0)
		close(fd);
	backend_identify(config, backend, NULL);
	return ret;
}

/* Returns -EBADMSG if the configuration has mistakes. If several messages were printed, the
 * sentence refers to them; else the sentence is empty. */
static int end_mistakes(const struct setup *s, struct err *err)
{
	if (!s->config.n_mistakes)
		return 0;
	return err_set(err, EBADMSG, "%s",
		       s->config.log.n > 1 ? "the configuration has mistakes that must be mended "
					     "first: see above"
					   : "");
}

int setup_tables_report(struct setup *s, const struct option_list *arguments, struct err *err)
{
	struct files files = {s, SCREEN_LIST_INIT};
	const int ret = read_files(&files, option_given(arguments, "config"), err);

	screen_list_done(&files.added);
	backend_identify(&s->config, &s->backend, NULL);
	return ret ? -EBADMSG : end_mistakes(s, err);
}

/* Hides a screen whose rows are of another kind; sets screen->needs to the command that shows
 * it. */
static void hide(struct setup *s, struct screen *screen)
{
	const struct kind *kind = screen->rows ? kinds_find(screen->rows) : NULL;
	char *how = screen_has_rows(screen, kind_socket.name) ? socket_rows_command(screen) : NULL;
	const char *words = how ? how : kind && kind->command ? kind->command : "";

	free(screen->needs);
	screen->other_rows = true;
	screen->needs = screen->rows && !*words
				? xasprintf("nothing has rows of the kind '%s'", screen->rows)
				: xasprintf("its rows are of another kind: 'tiptop%s%s' has them",
					    *words ? " " : "", words);
	free(how);
	screen_list_add(&s->config.hidden, screen);
}

/* Keeps a copy of the complete declaration, for --show-screen and for changes of the screen, unless
 * no column can be left out on this machine. whole: the screen is for the current kind of rows. */
static void keep_declared(struct screen *screen, bool whole)
{
	whole = whole && !screen->needs && !screen->file;

	for (size_t i = 0; i < screen->n_columns; i++)
		whole = whole && !screen->column[i].optional;
	if (!whole)
		screen->declared = screen_copy(screen);
}

static void compile_list(struct setup *s, struct screen_list *from)
{
	const struct offer offer = backend_cpu_offer(&s->config, &s->backend);

	for (size_t i = 0; i < from->n; i++) {
		struct screen *screen = from->v[i];
		struct place place = {s, screen->file};
		struct err err = ERR_INIT;

		keep_declared(screen, backend_is_for_rows(&s->config, &s->backend, screen));
		/* Built-in screens are not checked, as they need not support all CPUs. */
		if (screen->file && !s->backend.recording)
			counters_check(screen, &offer, report, &place);
		if (screen_compile(screen, report, &place, &err) && err.code != ECANCELED)
			report(&place, screen->line, &err);
		if (err.code)
			screen_free(screen);
		else if (!backend_is_for_rows(&s->config, &s->backend, screen))
			hide(s, screen);
		else if (fit_may_show(screen, &offer))
			screen_list_add(&s->config.screens, screen);
		else
			screen_order_add_hidden(&s->config, screen);
	}
	free(from->v);
	*from = (struct screen_list)SCREEN_LIST_INIT;
}

static void copy_screens(struct screen_list *out, const struct screen_list *from)
{
	for (size_t i = 0; i < from->n; i++)
		screen_list_add(out, screen_copy(from->v[i]));
}

static int make_screens(struct setup *s, struct files *files, struct err *err)
{
	struct screen_list own = SCREEN_LIST_INIT;
	struct place nowhere = {s, NULL};
	struct screen_merge merge;
	int ret;

	screen_merge_init(&merge, !s->config.options.only_conf);
	screen_merge_add(&merge, &files->added, report, &nowhere);
	copy_screens(&own, &s->config.own_screens);
	screen_merge_add(&merge, &own, report, &nowhere);
	ret = socket_rows_take(s, &merge, err);
	screen_merge_number(&merge);
	compile_list(s, &merge.built_in);
	compile_list(s, &merge.own);
	compile_list(s, &merge.added);
	screen_merge_done(&merge);
	return ret;
}

/* Reports filters of the configuration that are valid for no screen: they are mistakes, or written
 * for another machine. */
static void check_filters(struct setup *s)
{
	for (size_t i = 0; i < s->config.filters.n; i++) {
		const struct named_filter *f = &s->config.filters.v[i];
		struct row_filter *made = NULL;
		struct err err = ERR_INIT;

		for (size_t k = s->config.screens.n; k-- > 0 && !made;)
			row_filter_make(&made, f->text, s->config.screens.v[k], &s->config.filters,
					&err);
		if (!made && s->config.screens.n) {
			err_prefix(&err, "<filter '%s'> is for no screen", f->name);
			report(&(struct place){s, f->file}, f->line, &err);
		}
		row_filter_free(made);
	}
}

/* Reports the option "filter" if it can be parsed for no screen, as an invalid regular expression.
 * A name that no screen has is no mistake: the filter may be written for another machine. Named
 * filters are checked where they are defined. */
static void check_filter_option(struct setup *s)
{
	const char *text = s->config.options.filter;
	const int line = options_line(&s->config.options, "filter");
	struct row_filter *made = NULL;
	struct err err = ERR_INIT;

	for (size_t k = s->config.screens.n; line && *text != '@' && k-- > 0 && !made;)
		row_filter_make(&made, text, s->config.screens.v[k], &s->config.filters, &err);
	if (!made && (err.code == EINVAL || err.code == ERANGE)) {
		err_prefix(&err, "option 'filter'");
		report(&(struct place){s, s->config.file.path}, line, &err);
	}
	row_filter_free(made);
}

/* Returns whether a screen has a column of this name. */
static bool has_sort_column(const struct screen_list *screens, const char *name)
{
	bool reverse, found = false;
	int column;

	for (size_t i = 0; i < screens->n && !found; i++)
		found = !sort_parse(screens->v[i], name, &column, &reverse, NULL);
	return found;
}

/* Reports the option "sort_column" if no screen has the column. If only the first screen lacks it,
 * this is no mistake: the column is for another screen. */
static void check_sort_column(struct setup *s)
{
	const char *name = s->config.options.sort_column;
	struct place place = {s, NULL};
	struct err err = ERR_INIT;

	if (!name || s->config.options.sort || has_sort_column(&s->config.screens, name) ||
	    has_sort_column(&s->config.hidden, name))
		return;
	err_set(&err, ENOENT, "no screen can be sorted by '%s': the first column sorts", name);
	configuration_name_file(&s->config, "sort_column", &err);
	report(&place, 0, &err);
}

static void report_rule(void *context, const struct err *err)
{
	report(context, 0, err);
}

/* Checks the user's rules; built-in rules need no check. */
static void check_verdicts(struct setup *s)
{
	struct place nowhere = {s, NULL};

	if (s->config.verdicts.table.n_metrics || s->config.verdicts.table.n_verdicts)
		verdict_engine_check_rules(s->display.verdict_engine, report_rule, &nowhere);
}

/* Applies the option "screens". asked: it is on the command line, where an unknown name is an
 * error. In the file, an unknown name is only reported, as it may belong to another version or
 * machine. */
static int order_screens(struct setup *s, bool asked, struct err *err)
{
	struct place nowhere = {s, NULL};
	struct err fault = ERR_INIT;

	if (screen_order_check(s, s->config.options.screens, &fault) && asked)
		return err_set(err, EINVAL, "--screens: %s", fault.text);
	if (fault.code) {
		struct err with_file = {.code = ENOENT};

		memcpy(with_file.text, fault.text, sizeof with_file.text);
		configuration_name_file(&s->config, "screens", &with_file);
		report(&nowhere, 0, &with_file);
	}
	return s->config.screens.n ? screen_order_apply(s, false, err) : 0;
}

int setup_configuration(struct setup *s, const struct option_list *arguments, struct err *err)
{
	struct files files = {s, SCREEN_LIST_INIT};
	int ret = read_files(&files, option_given(arguments, "config"), err);

	ret = ret ? -EBADMSG : options_apply(arguments, &s->config.options, err);
	if (!ret && s->config.take_options)
		ret = s->config.take_options(s, arguments, err);
	/* Also identifies the machine after faults, as --check reports the machine together with
	 * them. */
	if (!ret && backend_identify(&s->config, &s->backend, err))
		ret = -EBADMSG;
	else if (ret)
		backend_identify(&s->config, &s->backend, NULL);
	if (ret) {
		screen_list_done(&files.added);
		return ret;
	}
	s->config.filter_asked = option_given(arguments, "filter");
	s->config.screen_asked = s->config.screen_asked || option_given(arguments, "screen");
	/* -e overrides the option "screen" of the configuration file. */
	if (s->config.options.events && !option_given(arguments, "screen")) {
		free(s->config.options.screen);
		s->config.options.screen = NULL;
	}
	if (backend_use_for_cpu(&s->config, &s->backend, err)) {
		screen_list_done(&files.added);
		return -EINVAL;
	}
	if (make_screens(s, &files, err))
		return -EINVAL;
	if (s->backend.recording)
		recorded_add_screens(s);
	s->config.theme = theme_list_find(
		&s->config.themes,
		s->config.options.theme ? s->config.options.theme : THEME_DEFAULT, err);
	if (!s->config.theme) {
		configuration_name_file(&s->config, "theme", err);
		return -EINVAL;
	}
	if (order_screens(s, option_given(arguments, "screens"), err))
		return -EINVAL;
	if (s->config.options.events && add_event_screen(s, err))
		return -EINVAL;
	check_filters(s);
	check_filter_option(s);
	check_sort_column(s);
	check_verdicts(s);
	if (end_mistakes(s, err))
		return -EBADMSG;
	if (!s->config.screens.n)
		return err_set(err, EBADMSG,
			       "only the screens of configuration files are wanted "
			       "(--only-conf), but there are none");
	return 0;
}
