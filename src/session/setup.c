/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/setup.h"

#include <errno.h>
#include <string.h>

#include "model/kinds.h"
#include "pmu/event/foreign_cpu.h"
#include "screen/bind/counters.h"
#include "screen/bind/fit.h"

const struct kind *setup_kind(const struct configuration *config)
{
	return config->rows ? kinds_find(config->rows) : &kind_task;
}

bool setup_is_for_rows(const struct configuration *config, const struct backend *backend,
		       const struct screen *screen)
{
	const struct kind *kind = setup_kind(config);

	/* A recorded row of a command may come from --repeat, whose screens are for tasks. */
	if (backend->recording && kind == &kind_command && screen_has_rows(screen, kind_task.name))
		return true;
	return screen_has_rows(screen, kind->like ? kind->like->name : kind->name);
}

bool setup_is_for_all(const struct configuration *config)
{
	return config->options.task == TASK_ENCODINGS && config->options.for_cpu &&
	       !strcmp(config->options.for_cpu, "all");
}

int setup_use_for_cpu(struct setup *s, struct err *err)
{
	if (!s->config.options.for_cpu)
		return 0;
	perf_foreign_init(&s->backend.kernel.sys);
	/* "other:" makes the order of screens independent of this machine's CPU. */
	if (machine_set_foreign(&s->backend.machine,
				setup_is_for_all(&s->config) ? "other:" : s->config.options.for_cpu,
				err))
		return err_prefix(err, "--for-cpu");
	return 0;
}

/* Returns the offer of the running machine. */
static struct offer offer_here(const struct configuration *config, struct backend *backend,
			       bool kernel)
{
	struct offer offer = offer_live(&backend->machine, &backend->kernel.sys, kernel);

	offer.sockets = setup_kind(config) == &kind_socket;
	return offer;
}

struct offer setup_offer(const struct configuration *config, struct backend *backend, bool kernel)
{
	if (backend->recording)
		return offer_recorded(&backend->machine, record_reader_events(backend->recording),
				      kernel);
	return offer_here(config, backend, kernel);
}

struct offer setup_cpu_offer(const struct configuration *config, struct backend *backend)
{
	return offer_here(config, backend, false);
}

void setup_fit(struct setup *s, size_t screen)
{
	const struct offer offer = setup_offer(&s->config, &s->backend, s->display.view.kernel);

	fit_screen(s->config.screens.v[screen], &offer);
}

void setup_fit_all(struct setup *s)
{
	for (size_t i = 0; i < s->config.screens.n; i++)
		setup_fit(s, i);
}

void setup_make_events(struct setup *s, struct event_set *events, struct screen_numbers *numbers)
{
	const struct offer offer = setup_offer(&s->config, &s->backend, s->display.view.kernel);

	counters_make_set(events, s->config.screens.v[s->display.view.screen], &offer);
	events->no_user = s->config.options.kernel_only;
	offer.ops->describe(&offer, events);
	counters_describe(numbers, events);
}

bool setup_keeps_past(const struct configuration *config)
{
	return !config->options.batch || config->options.record;
}

size_t setup_default_screen(const struct configuration *config, const struct backend *backend)
{
	const int own = config->default_screen
				? screen_list_find(&config->screens, config->default_screen, NULL)
				: 0;
	const size_t usual = own < 0 ? 0 : (size_t)own;
	size_t first = config->screens.n;

	if (!backend->hardware.code || !screen_needs_counters(config->screens.v[usual]))
		return usual;
	/* The users' screens come after built-in ones in the list, but are preferred here. */
	for (size_t k = config->screens.n; k-- > 0;)
		if (!screen_needs_counters(config->screens.v[k]) &&
		    (first == config->screens.n || config->screens.v[k]->file ||
		     !config->screens.v[first]->file))
			first = k;
	return first < config->screens.n ? first : usual;
}

int setup_asked_screen(const struct configuration *config, const struct backend *backend)
{
	const char *name = config->options.screen;

	return name ? screen_list_find(&config->screens, name, NULL)
		    : (int)setup_default_screen(config, backend);
}
