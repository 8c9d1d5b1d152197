/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/screen_order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/suggestion.h"

/* A name in the option's text. */
struct order_name {
	const char *name;
	size_t len;
	bool without; /* with '-' before it: leave the screen out */
};

/* Parses the next name of the text; false: no more. */
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
	return w->len;
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

/* Returns the index in `now` of the screen with index i in `before`; 0: removed. */
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

int screen_order_add(struct setup *s, struct screen *screen, size_t *at, struct err *err)
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

int screen_order_remove(struct setup *s, size_t screen, struct err *err)
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

char *screen_order_forget(struct setup *s, const char *name)
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
