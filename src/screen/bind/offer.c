/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/bind/offer.h"

#include <errno.h>

#include "pmu/event/describe.h"
#include "pmu/event/name.h"

static int live_resolve(const struct offer *o, struct event *e, int core, const struct candidate *c)
{
	return candidate_resolve(e, c, o->machine, core, NULL);
}

static bool live_is_certain(const struct offer *o, const char *name)
{
	return event_name_is_certain(o->machine, name);
}

static bool is_absent(int ret)
{
	return ret == -ENOENT || ret == -EINVAL || ret == -EOPNOTSUPP || ret == -ENODEV ||
	       ret == -EXDEV;
}

static bool live_has(const struct offer *o, struct event_set *set, int i)
{
	int fd;

	/* Where it can be opened, and whether, is found out by who opens it. */
	if (o->sockets)
		return set->event[i].shared;
	fd = event_probe(o->sys, set, i);
	if (fd >= 0)
		o->sys->close(o->sys, fd);
	return !is_absent(fd);
}

static void live_describe(const struct offer *o, struct event_set *set)
{
	event_set_describe(set, o->machine);
}

struct offer offer_live(const struct machine *machine, struct perf_sys *sys, bool kernel)
{
	static const struct offer_ops ops = {
		.resolve = live_resolve,
		.is_certain = live_is_certain,
		.has = live_has,
		.describe = live_describe,
	};

	return (struct offer){.ops = &ops,
			      .machine = machine,
			      .sys = sys,
			      .kernel = kernel,
			      .lack = QUALITY_UNSUPPORTED};
}
