/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/setup.h"

#include <errno.h>
#include <string.h>

#include "model/kinds.h"
#include "pmu/event/foreign_cpu.h"
#include "screen/bind/counters.h"
#include "screen/bind/fit.h"

const struct kind *setup_kind(const struct setup *s)
{
	return s->rows ? kinds_find(s->rows) : &kind_task;
}

bool setup_is_for_rows(const struct setup *s, const struct screen *screen)
{
	const struct kind *kind = setup_kind(s);

	/* A recorded row of a command may come from --repeat, whose screens are for tasks. */
	if (s->recording && kind == &kind_command && screen_has_rows(screen, kind_task.name))
		return true;
	return screen_has_rows(screen, kind->like ? kind->like->name : kind->name);
}

bool setup_is_for_all(const struct setup *s)
{
	return s->options.task == TASK_ENCODINGS && s->options.for_cpu &&
	       !strcmp(s->options.for_cpu, "all");
}

int setup_use_for_cpu(struct setup *s, struct err *err)
{
	if (!s->options.for_cpu)
		return 0;
	perf_foreign_init(&s->kernel.sys);
	/* "other:" makes the order of screens independent of this machine's CPU. */
	if (machine_set_foreign(&s->machine, setup_is_for_all(s) ? "other:" : s->options.for_cpu,
				err))
		return err_prefix(err, "--for-cpu");
	return 0;
}

/* Returns the offer of the running machine. */
static struct offer offer_here(struct setup *s, bool kernel)
{
	struct offer offer = offer_live(&s->machine, &s->kernel.sys, kernel);

	offer.sockets = setup_kind(s) == &kind_socket;
	return offer;
}

struct offer setup_offer(struct setup *s, bool kernel)
{
	if (s->recording)
		return offer_recorded(&s->machine, record_reader_events(s->recording), kernel);
	return offer_here(s, kernel);
}

struct offer setup_cpu_offer(struct setup *s)
{
	return offer_here(s, false);
}

void setup_fit(struct setup *s, size_t screen)
{
	const struct offer offer = setup_offer(s, s->view.kernel);

	fit_screen(s->screens.v[screen], &offer);
}

void setup_fit_all(struct setup *s)
{
	for (size_t i = 0; i < s->screens.n; i++)
		setup_fit(s, i);
}

void setup_make_events(struct setup *s, struct event_set *events, struct screen_numbers *numbers)
{
	const struct offer offer = setup_offer(s, s->view.kernel);

	counters_make_set(events, s->screens.v[s->view.screen], &offer);
	events->no_user = s->options.kernel_only;
	offer.ops->describe(&offer, events);
	counters_describe(numbers, events);
}

bool setup_keeps_past(const struct setup *s)
{
	return !s->options.batch || s->options.record;
}

size_t setup_default_screen(const struct setup *s)
{
	const int own =
		s->default_screen ? screen_list_find(&s->screens, s->default_screen, NULL) : 0;
	const size_t usual = own < 0 ? 0 : (size_t)own;
	size_t first = s->screens.n;

	if (!s->hardware.code || !screen_needs_counters(s->screens.v[usual]))
		return usual;
	/* The users' screens come after built-in ones in the list, but are preferred here. */
	for (size_t k = s->screens.n; k-- > 0;)
		if (!screen_needs_counters(s->screens.v[k]) &&
		    (first == s->screens.n || s->screens.v[k]->file || !s->screens.v[first]->file))
			first = k;
	return first < s->screens.n ? first : usual;
}

int setup_asked_screen(const struct setup *s)
{
	const char *name = s->options.screen;

	return name ? screen_list_find(&s->screens, name, NULL) : (int)setup_default_screen(s);
}
