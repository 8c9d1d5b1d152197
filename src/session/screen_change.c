/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/screen_change.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "screen/bind/counters.h"
#include "screen/column.h"
#include "screen/compile.h"
#include "view/evaluate.h"
#include "view/format.h"
#include "view/view.h"

/* ---- screen_order ---- */

/* A name in the option's text. */
struct order_name {
	const char *name;
	size_t len;
	bool without; /* with '-' before it: leave the screen out */
};

/* Parses the next name of the text, which is empty for a lone '-'; false: no more. */
static bool next_wish(const char **text, struct order_name *w)
{
	*text += strspn(*text, ", ");
	*w = (struct order_name){.without = **text == '-'};
	*text += w->without;
	w->name = *text;
	w->len = strcspn(*text, ",");
	*text += w->len;
	while (w->len && w->name[w->len - 1] == ' ')
		w->len--;
	return w->len || w->without;
}

static bool is_called(const struct screen *s, const struct order_name *w)
{
	return strlen(s->name) == w->len && !memcmp(s->name, w->name, w->len);
}

static bool has(const struct screen_list *l, const struct order_name *w)
{
	for (size_t i = 0; i < l->n; i++)
		if (is_called(l->v[i], w))
			return true;
	return false;
}

static void suggest(struct suggestion *near, const struct screen_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		suggestion_offer(near, l->v[i]->name);
}

static int refuse(const struct setup *s, const struct order_name *w, struct err *err)
{
	struct suggestion near;

	suggestion_begin_part(&near, w->name, w->len);
	suggest(&near, &s->config.screens);
	suggest(&near, &s->config.hidden);
	return err_set(err, EINVAL,
		       "there is no screen '%.*s' to be put in order%s: --list-screens names them",
		       (int)w->len, w->name, suggestion_text(&near));
}

int screen_order_check(const struct setup *s, const char *text, struct err *err)
{
	struct order_name w;

	while (text && next_wish(&text, &w))
		if (!has(&s->config.screens, &w) && !has(&s->config.hidden, &w))
			return refuse(s, &w, err);
	return 0;
}

/* A screen with the position of its name in the option's text. */
struct screen_rank {
	struct screen *screen;
	size_t rank; /* SIZE_MAX: not in the text */
	bool without;
};

static void find_rank(struct screen_rank *p, const char *text)
{
	struct order_name w;

	p->rank = SIZE_MAX;
	p->without = false;
	for (size_t i = 0; text && next_wish(&text, &w); i++)
		if (is_called(p->screen, &w)) {
			p->rank = i;
			p->without = w.without;
		}
}

static int compare(const void *a, const void *b)
{
	const struct screen_rank *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->screen->number - y->screen->number;
}

static size_t collect(const struct configuration *config, struct screen_rank *all)
{
	size_t n = 0;

	for (size_t i = 0; i < config->screens.n; i++)
		all[n++].screen = config->screens.v[i];
	for (size_t i = 0; i < config->hidden.n; i++)
		if (config->hidden.v[i]->left_out)
			all[n++].screen = config->hidden.v[i];
	return n;
}

static bool is_recorded(const struct setup *s, const struct screen *screen)
{
	bool used = s->config.options.record_when &&
		    s->config.screens.v[s->display.record_screen] == screen;

	for (size_t i = 0; i < s->display.n_also; i++)
		used = used || s->config.screens.v[s->display.also[i]] == screen;
	return used;
}

static bool is_in_use(const struct setup *s, const struct screen *screen)
{
	return s->config.screens.v[s->display.view.screen] == screen || is_recorded(s, screen);
}

static int check_order(const struct setup *s, const struct screen_rank *all, size_t n, bool started,
		       struct err *err)
{
	size_t shown = 0;

	for (size_t i = 0; i < n; i++) {
		shown += !all[i].without;
		if (started && all[i].without && is_in_use(s, all[i].screen))
			return err_set(err, EINVAL,
				       "the screen '%s' is shown now, or recorded: it cannot be "
				       "left out",
				       all[i].screen->name);
	}
	return shown ? 0 : err_set(err, EINVAL, "one screen must be left to be shown");
}

/* Returns the index in `now` of the screen with index i in `before`; if that was removed, 0, the
 * index of the first screen. */
static size_t follow(const struct screen_list *before, const struct screen_list *now, size_t i)
{
	size_t k = 0;

	while (k < now->n && now->v[k] != before->v[i])
		k++;
	return k < now->n ? k : 0;
}

static void follow_all(struct setup *s, const struct screen_list *before)
{
	if (s->display.view.screen < before->n)
		s->display.view.screen = follow(before, &s->config.screens, s->display.view.screen);
	if (s->display.record_screen < before->n)
		s->display.record_screen =
			follow(before, &s->config.screens, s->display.record_screen);
	for (size_t i = 0; i < s->display.n_also; i++)
		s->display.also[i] = follow(before, &s->config.screens, s->display.also[i]);
}

static void split(struct setup *s, const struct screen_rank *all, size_t n)
{
	struct screen_list before = s->config.screens, hidden = s->config.hidden;

	s->config.screens = s->config.hidden = (struct screen_list)SCREEN_LIST_INIT;
	for (size_t i = 0; i < hidden.n; i++)
		if (!hidden.v[i]->left_out)
			screen_list_add(&s->config.hidden, hidden.v[i]);
	for (size_t i = 0; i < n; i++) {
		all[i].screen->left_out = all[i].without;
		screen_list_add(all[i].without ? &s->config.hidden : &s->config.screens,
				all[i].screen);
	}
	follow_all(s, &before);
	free(hidden.v);
	free(before.v);
}

int screen_order_free_number(const struct configuration *config)
{
	return screen_list_free_number(
		(const struct screen_list *const[]){&config->screens, &config->hidden}, 2);
}

/* Inserts a screen in the order of the option; *at: its index. A number below 0 is replaced by the
 * lowest free one. Returns 0, or -EINVAL with a sentence if the option leaves the screen out. */
static int screen_order_add(struct setup *s, struct screen *screen, size_t *at, struct err *err)
{
	struct screen_rank order_name = {.screen = screen};

	find_rank(&order_name, s->config.options.screens);
	if (order_name.without)
		return err_set(err, EINVAL, "the option 'screens' leaves out a screen '%s'",
			       screen->name);
	if (screen->number < 0)
		screen->number = screen_order_free_number(&s->config);
	screen_list_add(&s->config.screens, screen);
	screen_order_apply(s, false, NULL);
	for (*at = 0; s->config.screens.v[*at] != screen;)
		++*at;
	return 0;
}

void screen_order_add_hidden(struct configuration *config, struct screen *screen)
{
	screen->lacking = true;
	screen_list_add(&config->hidden, screen);
}

int screen_order_show_hidden(struct setup *s, int number)
{
	const int i = screen_list_find_number(&s->config.hidden, number);
	struct screen *screen = i < 0 ? NULL : s->config.hidden.v[i];

	if (!screen || !screen_has_tab(screen))
		return -1;
	for (size_t k = (size_t)i + 1; k < s->config.hidden.n; k++)
		s->config.hidden.v[k - 1] = s->config.hidden.v[k];
	s->config.hidden.n--;
	screen_list_add(&s->config.screens, screen);
	screen_order_apply(s, true, NULL);
	return screen_list_find_number(&s->config.screens, number);
}

/* Removes a screen. If it was the current screen, the first screen becomes current. Returns 0, or
 * -EBUSY with a sentence if it is being recorded. */
static int screen_order_remove(struct setup *s, size_t screen, struct err *err)
{
	struct screen_list before = s->config.screens;

	if (is_recorded(s, before.v[screen]))
		return err_set(err, EBUSY, "the screen '%s' is recorded: it cannot be taken away",
			       before.v[screen]->name);
	s->config.screens = (struct screen_list)SCREEN_LIST_INIT;
	for (size_t i = 0; i < before.n; i++)
		if (i != screen)
			screen_list_add(&s->config.screens, before.v[i]);
	follow_all(s, &before);
	free(before.v);
	return 0;
}

/* Removes a name from the option. Returns the previous text, owned by the caller; NULL: the option
 * does not have the name. */
static char *screen_order_forget(struct setup *s, const char *name)
{
	const struct screen gone = {.name = (char *)name};
	char *before = s->config.options.screens;
	const char *text = before;
	struct strbuf rest;
	bool had = false;
	struct order_name w;

	strbuf_init(&rest);
	while (text && next_wish(&text, &w)) {
		if (is_called(&gone, &w))
			had = true;
		else
			strbuf_addf(&rest, "%s%s%.*s", rest.len ? "," : "", w.without ? "-" : "",
				    (int)w.len, w.name);
	}
	if (had)
		s->config.options.screens = rest.len ? xstrdup(rest.text) : NULL;
	strbuf_done(&rest);
	return had ? before : NULL;
}

int screen_order_apply(struct setup *s, bool started, struct err *err)
{
	struct screen_rank *all = xcalloc(s->config.screens.n + s->config.hidden.n, sizeof *all);
	size_t n;
	int ret;

	n = collect(&s->config, all);
	for (size_t i = 0; i < n; i++)
		find_rank(&all[i], s->config.options.screens);
	array_sort(all, n, sizeof *all, compare);
	ret = n ? check_order(s, all, n, started, err) : 0;
	if (!ret)
		split(s, all, n);
	free(all);
	return ret;
}

/* ---- screen_change ---- */

/* Collects the faults of a changed screen that the screen did not have before the change. */
struct faults {
	struct strbuf known; /* sentences, one per line */
	struct err *err;     /* the first new fault; NULL: all faults become known */
};

static void take_fault(void *context, int line, const struct err *fault)
{
	struct faults *f = context;

	(void)line;
	if (!f->err)
		strbuf_addf(&f->known, "%s\n", fault->text);
	else if (!f->err->code && !strstr(f->known.text, fault->text))
		*f->err = *fault;
}

/* Returns a compiled copy of the screen. *lost: number of columns that failed to compile. */
static struct screen *compile(const struct screen *declared, size_t *lost, struct faults *faults)
{
	struct screen *s = screen_copy(declared);
	struct err whole = ERR_INIT;

	if (screen_compile(s, take_fault, faults, &whole) && faults->err && !faults->err->code)
		*faults->err = whole;
	*lost = declared->n_columns - s->n_columns;
	return s;
}

/* Collects the faults of an existing screen; returns the number of columns that fail to compile. */
static size_t collect_faults(struct faults *faults, const struct screen *s)
{
	size_t lost;

	strbuf_init(&faults->known);
	faults->err = NULL;
	screen_free(compile(s->declared ? s->declared : s, &lost, faults));
	return lost;
}

/* Returns a compiled copy that loses no more columns than the existing screen; else NULL. */
static struct screen *compile_whole(const struct screen *declared, const struct screen *old,
				    struct err *err)
{
	struct faults faults;
	const size_t before = collect_faults(&faults, old);
	struct screen *s;
	size_t lost;

	faults.err = err;
	s = compile(declared, &lost, &faults);
	strbuf_done(&faults.known);
	if (lost <= before && s->n_columns)
		return s;
	screen_free(s);
	return NULL;
}

/* Returns the index of the user's own screen from which this one was made; own_screens.n: none. */
static size_t find_own(const struct configuration *config, const struct screen *screen)
{
	size_t i = 0;

	if (!screen->file || screen->from_folder)
		return config->own_screens.n;
	while (i < config->own_screens.n &&
	       (strcmp(config->own_screens.v[i]->name, screen->name) != 0 ||
		config->own_screens.v[i]->line != screen->line))
		i++;
	return i;
}

/* Makes the screen one of the user's own file, without element numbers, as it is not written yet.
 * replace: it replaces the screen of the same name. */
static void make_own(const struct configuration *config, struct screen *screen, bool replace)
{
	free(screen->file);
	screen->file = xstrdup(config->file.path ? config->file.path : "tiptoprc");
	screen->from_folder = false;
	screen->replace = replace;
	screen->line = screen->element = 0;
	for (size_t i = 0; i < screen->n_counters; i++)
		screen->counter[i].element = 0;
	for (size_t i = 0; i < screen->n_columns; i++)
		screen->column[i].element = 0;
}

/* Inserts a screen in the order of the file; at the end if the screen is not in the file yet. */
static void add_own(struct screen_list *own, const struct screen *screen)
{
	size_t i = own->n;

	screen_list_add(own, screen_copy(screen));
	for (; screen->line && i && (!own->v[i - 1]->line || own->v[i - 1]->line > screen->line);
	     i--) {
		struct screen *later = own->v[i - 1];

		own->v[i - 1] = own->v[i];
		own->v[i] = later;
	}
}

static void drop_own(struct screen_list *own, size_t i)
{
	screen_free(own->v[i]);
	memmove(&own->v[i], &own->v[i + 1], (--own->n - i) * sizeof *own->v);
}

/* Updates the screens that the key W writes. */
static void put_own(struct configuration *config, const struct screen *old,
		    const struct screen *new)
{
	const size_t i = find_own(config, old);
	struct screen_list *own = &config->own_screens;

	if (i == own->n) {
		screen_list_add(own, screen_copy(new));
		return;
	}
	if (new->file && !new->from_folder) {
		screen_free(own->v[i]);
		own->v[i] = screen_copy(new);
		return;
	}
	/* The change undoes the user's own screen, so the file must not have one any more. */
	drop_own(own, i);
}

/* Keeps sorting by the same column id after columns have moved. */
static void keep_sorting(struct display *display, const struct screen *old,
			 const struct screen *new)
{
	struct view *view = &display->view;
	const char *id = sort_id(old, view->sort);

	if (view->sort < 0)
		return;
	if (sort_parse(new, id, &view->sort, &(bool){false}, NULL))
		view->sort = sort_first(new);
}

static int put_screen(struct setup *s, struct setup_change *change, struct err *err)
{
	struct screen **place = &s->config.screens.v[change->index], *old = *place, *new;
	struct screen *before = screen_copy(old->declared ? old->declared : old);

	/* If undo returns to a built-in screen, that screen stays as it was. */
	if (change->screen->file == NULL && old->file)
		change->screen->replace = false;
	else if (find_own(&s->config, old) == s->config.own_screens.n)
		make_own(&s->config, change->screen, true);
	new = compile_whole(change->screen, old, err);
	if (!new) {
		screen_free(before);
		return -EINVAL;
	}
	new->declared = screen_copy(change->screen);
	new->number = old->number;
	put_own(&s->config, old, change->screen);
	screen_list_add(&s->config.gone, old);
	*place = new;
	setup_fit(s, change->index);
	if (change->index == s->display.view.screen)
		keep_sorting(&s->display, old, new);
	screen_free(change->screen);
	change->screen = before;
	return 0;
}

static void show(struct setup *s, size_t i)
{
	setup_fit(s, i);
	view_show_screen(&s->display.view, &s->config.screens, i);
}

static int add_screen(struct setup *s, struct setup_change *change, struct err *err)
{
	struct screen *new;
	int ret;

	/* If undo returns a removed screen, the screen keeps its element numbers. */
	if (!change->screen->file)
		make_own(&s->config, change->screen, false);
	new = compile_whole(change->screen, change->screen, err);
	if (!new)
		return -EINVAL;
	new->number = change->screen->number;
	if (change->value) {
		free(s->config.options.screens);
		s->config.options.screens = change->value;
		change->value = NULL;
	}
	ret = screen_order_add(s, new, &change->index, err);
	if (ret) {
		screen_free(new);
		return ret;
	}
	new->declared = screen_copy(change->screen);
	add_own(&s->config.own_screens, change->screen);
	show(s, change->index);
	change->deed = SETUP_TAKE_AWAY;
	return 0;
}

/* Returns the index of the screen with this name; 0: none. */
static size_t find_name(const struct screen_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->v[i]->name, name))
			return i;
	return 0;
}

static int remove_screen(struct setup *s, struct setup_change *change, struct err *err)
{
	struct screen *old = s->config.screens.v[change->index];
	const bool shown = s->display.view.screen == change->index;
	int ret = screen_order_remove(s, change->index, err);

	if (ret)
		return ret;
	drop_own(&s->config.own_screens, find_own(&s->config, old));
	screen_list_add(&s->config.gone, old);
	change->screen->number = old->number;
	change->value = screen_order_forget(s, old->name);
	if (shown)
		show(s, find_name(&s->config.screens, change->shown));
	change->deed = SETUP_ADD;
	return 0;
}

int change_screen(struct setup *s, struct setup_change *change, struct err *err)
{
	static int (*const deed[])(struct setup *, struct setup_change *, struct err *) = {
		[SETUP_PUT] = put_screen,
		[SETUP_ADD] = add_screen,
		[SETUP_TAKE_AWAY] = remove_screen,
	};

	return deed[change->deed](s, change, err);
}

void change_follow_file(struct configuration *config)
{
	for (size_t i = 0; i < config->screens.n; i++) {
		const size_t own = find_own(config, config->screens.v[i]);

		if (own == config->own_screens.n)
			continue;
		screen_free(config->screens.v[i]->declared);
		config->screens.v[i]->declared = screen_copy(config->own_screens.v[own]);
	}
}

/* Returns the format for a number of this unit. */
static const char *format_of(enum unit unit)
{
	if (unit == UNIT_TEXT)
		return "%-12s";
	return unit_table[unit].add ? "%8h" : "%10.1f";
}

static struct screen *variables(void)
{
	struct screen *s = screen_new("facts", NULL);

	for (int v = 0; v < n_variables; v++) {
		const struct variable_row row = variable_at(v);

		screen_add_column(s, row.name, format_of(row.unit), row.help, row.name);
	}
	return s;
}

/* Adds a column for an event of a table. The alias of the event is its name with '_' for '-', as
 * expressions need; the description says why if the event is not available here. */
static void add_event(struct screen *s, const struct event_def *e, const struct offer *offer)
{
	char *alias = xstrdup(e->name), *desc, *text;
	struct err why = ERR_INIT;

	for (char *at = alias; *at; at++)
		*at = *at == '-' ? '_' : *at;
	if (counters_check_event(e->name, offer, &why))
		desc = xasprintf("%s; not here: %s", e->desc, why.text);
	else
		desc = xstrdup(e->desc);
	text = xasprintf("delta(%s)", alias);
	screen_add_counter(s, alias, "", NULL)->event = xstrdup(e->name);
	screen_add_column(s, e->name, "%11.0f", desc, text);
	free(text);
	free(desc);
	free(alias);
}

static struct screen *events(struct setup *s)
{
	const struct offer offer = backend_offer(&s->config, &s->backend, s->display.view.kernel);
	struct screen *out = screen_new("events", "events that have a name here");

	for (const struct event_table *t = &s->config.own.table; t; t = t->below)
		for (size_t i = 0; i < t->n_events; i++)
			if (event_table_find(&s->config.own.table, t->event[i].name,
					     strlen(t->event[i].name)) == &t->event[i])
				add_event(out, &t->event[i], &offer);
	return out;
}

/* Faults were reported when the screen was read. */
static void ignore_fault(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

/* Adds a copy of the screen, without columns that an earlier choice has. */
static void add_choices(struct screen_list *choices, const struct screen *declared)
{
	struct screen *copy = screen_copy(declared);

	topic_set(copy);
	column_ids_set(copy, ignore_fault, NULL);
	for (size_t i = 0; i < choices->n; i++)
		for (size_t c = copy->n_columns; c-- > 0;)
			if (compose_has_all(choices->v[i], copy, c))
				screen_drop_column(copy, c);
	/* Columns without a topic are placeholders on CPUs that lack the event. */
	for (size_t c = copy->n_columns; c-- > 0;)
		if (copy->column[c].topic == TOPIC_OTHER)
			screen_drop_column(copy, c);
	screen_list_add(choices, copy);
}

void change_find_choices(struct setup *s)
{
	screen_list_done(&s->config.choices);
	for (size_t i = 0; i < s->config.screens.n; i++) {
		const struct screen *screen = s->config.screens.v[i];

		if (i != s->display.view.screen)
			add_choices(&s->config.choices,
				    screen->declared ? screen->declared : screen);
	}
	screen_list_add(&s->config.choices, variables());
	screen_list_add(&s->config.choices, events(s));
	for (size_t i = s->config.choices.n - 2; i < s->config.choices.n; i++)
		topic_set(s->config.choices.v[i]);
}

/* Returns the index of the compiled column that was declared as `declared`; n_columns: it failed to
 * compile. */
static size_t find_compiled(const struct screen *s, const struct column *declared)
{
	size_t i = s->n_columns;

	while (i-- > 0)
		if (!strcmp(s->column[i].header, declared->header) &&
		    !strcmp(s->column[i].text, declared->text))
			return i;
	return s->n_columns;
}

/* Appends the value of the column for a task, or why there is none. unread: the column needs facts
 * that no column has needed before. */
static void add_value(struct strbuf *out, const struct column *c, const struct task *t,
		      struct value v, bool unread)
{
	struct strbuf cell;

	strbuf_init(&cell);
	if (screen_column_is_text(c) && !screen_column_is_verdict(c) &&
	    task_text(t, screen_column_fact(c)))
		text_add(out, task_text(t, screen_column_fact(c)));
	else if (unread && !value_known(v))
		strbuf_addstr(out, "it is not read so far, as no column needs it");
	else if (screen_column_is_text(c) || !value_known(v))
		strbuf_addstr(out, quality_table[v.quality].text);
	else {
		format_cell(&cell, c, v, false);
		strbuf_addstr(out, format_trim_cell(&cell, c));
	}
	strbuf_done(&cell);
}

/* Appends "IPC of 4711 gcc: 1.23", or the reason why there is no number. */
static void add_try_result(struct setup *s, struct screen *screen, size_t column,
			   const struct frame *frame, const struct frame_row *row,
			   struct strbuf *out)
{
	const struct offer offer = backend_offer(&s->config, &s->backend, s->display.view.kernel);
	const struct column *c = &screen->column[column];
	struct screen_numbers numbers;
	struct binding binding;
	struct event_set set;
	int len;
	const char *name = screen_column_name(c, &len);

	counters_make_set(&set, screen, &offer);
	offer.ops->describe(&offer, &set);
	counters_describe(&numbers, &set);
	binding_init(&binding, screen, &numbers);
	strbuf_addf(out, "%.*s of %" PRIu64 " ", len, name, row->task->id);
	text_add(out, row->label);
	strbuf_addstr(out, ": ");
	add_value(out, c, row->task,
		  evaluate_column(c, view_shown(&s->display.view), row->from, frame->host,
				  binding_column(&binding, row->from->events, column)),
		  !fact_within(screen->facts, s->backend.facts));
	binding_done(&binding);
	screen_numbers_done(&numbers);
	event_set_done(&set);
}

int change_try(void *context, const struct screen *declared, size_t column,
	       const struct frame *frame, const struct frame_row *row, struct strbuf *out,
	       struct err *err)
{
	static const char prefix[] = "expr: ";
	struct setup *s = context;
	struct err fault = ERR_INIT;
	struct faults faults;
	struct screen *screen;
	const char *what;
	size_t lost, i;
	bool found;

	collect_faults(&faults, s->config.screens.v[s->display.view.screen]);
	faults.err = &fault;
	screen = compile(declared, &lost, &faults);
	strbuf_done(&faults.known);
	i = find_compiled(screen, &declared->column[column]);
	found = i < screen->n_columns;
	what = strstr(fault.text, prefix);
	if (found && row)
		add_try_result(s, screen, i, frame, row, out);
	else if (!found)
		err_set(err, EINVAL, "%s", what ? what + strlen(prefix) : fault.text);
	screen_free(screen);
	return found ? 0 : -EINVAL;
}
