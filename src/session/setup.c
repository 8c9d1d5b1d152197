/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/setup.h"

#include <errno.h>
#include <string.h>

#include "model/kinds.h"
#include "pmu/event/foreign_cpu.h"
#include "screen/bind/counters.h"

void setup_fit(struct setup *s, size_t screen)
{
	const struct offer offer = backend_offer(&s->config, &s->backend, s->display.view.kernel);

	fit_screen(s->config.screens.v[screen], &offer);
}

void setup_fit_all(struct setup *s)
{
	for (size_t i = 0; i < s->config.screens.n; i++)
		setup_fit(s, i);
}

void setup_make_events(struct setup *s, struct event_set *events, struct screen_numbers *numbers)
{
	const struct offer offer = backend_offer(&s->config, &s->backend, s->display.view.kernel);

	counters_make_set(events, s->config.screens.v[s->display.view.screen], &offer);
	events->no_user = s->config.options.kernel_only;
	offer.ops->describe(&offer, events);
	counters_describe(numbers, events);
}
