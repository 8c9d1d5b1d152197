/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/counter_sets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "pmu/perf/plan.h"
#include "screen/bind/counters.h"
#include "screen/bind/event_screen.h"
#include "screen/compile.h"
#include "screen/screen.h"

/* Ignores faults of columns: the columns of this screen are not shown. */
static void ignore_fault(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

static char *choose(void *context, const char *names)
{
	return counters_choice(names, context);
}

/* One list of -c, parsed. */
struct list {
	struct strbuf events; /* in the syntax of -e */
	int n;
	bool no_user, kernel;
};

/* Returns the end of an item: the next ',' outside of '/.../'. */
static const char *item_end(const char *at)
{
	bool inside = false;

	for (; *at && (inside || *at != ','); at++)
		inside ^= *at == '/';
	return at;
}

/* Returns the length of "picN=" and sets *n to the number; 0: the item has no such prefix. */
static size_t pic_length(const char *item, unsigned long *n)
{
	char *end;

	if (strncmp(item, "pic", 3) || item[3] < '0' || item[3] > '9')
		return 0;
	*n = strtoul(item + 3, &end, 10);
	return *end == '=' ? (size_t)(end + 1 - item) : 0;
}

static int parse_item(struct list *l, const char *item, size_t len, struct err *err)
{
	unsigned long pic;
	size_t skip = pic_length(item, &pic);

	if (len == 6 && !strncmp(item, "nouser", len)) {
		l->no_user = true;
		return 0;
	}
	if (len == 3 && !strncmp(item, "sys", len)) {
		l->kernel = true;
		return 0;
	}
	if (skip && pic != (unsigned long)l->n)
		return err_set(err, EINVAL,
			       "'%.*s' stands where pic%d is expected: counters of a set have the "
			       "numbers 0, 1, ... in their order",
			       (int)len, item, l->n);
	strbuf_addf(&l->events, "%s%.*s", l->n ? "," : "", (int)(len - skip), item + skip);
	l->n++;
	return 0;
}

static int parse_list(struct list *l, const char *text, struct err *err)
{
	const char *end;
	int ret;

	do {
		end = item_end(text);
		ret = parse_item(l, text, (size_t)(end - text), err);
		text = end + 1;
	} while (!ret && *end);
	if (!ret && l->no_user && !l->kernel)
		ret = err_set(err, EINVAL,
			      "with nouser and without sys, there is nothing to count in");
	return ret;
}

/* Gives events the names that the user wrote, not those of a table or a PMU. In a list of
 * alternatives ("a;b"), the event that was used keeps its own name. */
static void name_events(struct event_set *set, const struct screen *screen)
{
	for (int i = 0; i < set->n; i++) {
		struct event *e = &set->event[i];

		for (size_t k = 0; k < screen->n_counters; k++) {
			const struct counter_decl *decl = &screen->counter[k];

			if (!e->what || strcmp(decl->alias, e->name) != 0 ||
			    strchr(decl->event, ';'))
				continue;
			free(e->what);
			e->what = xstrdup(decl->event);
		}
	}
}

static int make_set(struct event_set *set, const struct list *list, struct offer *offer,
		    struct err *err)
{
	struct screen *screen;
	struct trial trial;
	int ret = event_screen_new(&screen, list->events.text, choose, offer, NULL, err);

	if (ret)
		return ret;
	ret = counters_check_events(screen, offer, err);
	if (!ret)
		ret = screen_compile(screen, ignore_fault, NULL, err);
	if (!ret) {
		counters_make_set(set, screen, offer);
		name_events(set, screen);
		set->no_user = list->no_user;
		event_set_join(set, UINT64_MAX >> (64 - set->n_counters));
		trial_init(&trial, offer->sys);
		plan_make(set, &trial);
		trial_done(&trial);
	}
	screen_free(screen);
	return ret;
}

static int make_one(struct event_set *set, const char *text, const char *first, bool kernel,
		    const struct machine *machine, struct perf_sys *sys, struct err *err)
{
	struct list list = {.kernel = kernel};
	struct offer offer;
	int ret;

	strbuf_init(&list.events);
	ret = parse_list(&list, text, err);
	if (!ret && first) {
		char *all = xasprintf("%s,%s", first, list.events.text);

		strbuf_reset(&list.events);
		strbuf_addstr(&list.events, all);
		free(all);
	}
	offer = offer_live(machine, sys, list.kernel);
	if (!ret)
		ret = make_set(set, &list, &offer, err);
	strbuf_done(&list.events);
	return ret;
}

int counter_sets_make(struct counter_sets *sets, const char *lists, const char *first, bool kernel,
		      const struct machine *machine, struct perf_sys *sys, struct err *err)
{
	char *all = xstrdup(lists), *rest = all, *list;
	int ret = 0;

	sets->n = 0;
	while (!ret && (list = strsep(&rest, "\n"))) {
		if (sets->n == COUNTER_SETS_MAX)
			ret = err_set(err, E2BIG, "there are more than %d sets", COUNTER_SETS_MAX);
		else
			ret = make_one(&sets->set[sets->n], list, first, kernel, machine, sys, err);
		if (!ret)
			sets->n++;
	}
	free(all);
	if (!ret)
		return 0;
	counter_sets_done(sets);
	return err_prefix(err, "-c");
}

void counter_sets_done(struct counter_sets *sets)
{
	while (sets->n)
		event_set_done(&sets->set[--sets->n]);
}
