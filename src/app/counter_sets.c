/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/counter_sets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bind/counters.h"
#include "bind/event_screen.h"
#include "perf/plan.h"
#include "screen/screen.h"

/* The columns of the screen are not shown: what they say is of no interest. */
static void pass_over(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

static char *choose(void *context, const char *names)
{
	return counters_taken(names, context);
}

static int make_one(struct event_set *set, const char *list, struct offer *offer, struct err *err)
{
	struct screen *screen;
	struct trial trial;
	int ret = event_screen_new(&screen, list, choose, offer, err);

	if (ret)
		return ret;
	ret = counters_check_events(screen, offer, err);
	if (!ret)
		ret = screen_compile(screen, pass_over, NULL, err);
	if (!ret) {
		counters_make_set(set, screen, offer);
		event_set_join(set, UINT64_MAX >> (64 - set->n_counters));
		trial_init(&trial, offer->sys);
		plan_make(set, &trial);
		trial_done(&trial);
	}
	screen_free(screen);
	return ret;
}

int counter_sets_make(struct counter_sets *sets, const char *lists, const char *first, bool kernel,
		     const struct machine *machine, struct perf_sys *sys, struct err *err)
{
	struct offer offer = offer_live(machine, sys, kernel);
	char *all = xstrdup(lists), *rest = all, *list;
	int ret = 0;

	sets->n = 0;
	while (!ret && (list = strsep(&rest, "\n"))) {
		char *text = first ? xasprintf("%s,%s", first, list) : xstrdup(list);

		if (sets->n == COUNTER_SETS_MAX)
			ret = err_set(err, E2BIG, "there are more than %d sets", COUNTER_SETS_MAX);
		else
			ret = make_one(&sets->set[sets->n], text, &offer, err);
		free(text);
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
