/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of sysfs: tracepoints, which are in a file system of their own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "pmu/event/sysfs.h"
#include "pmu/event/sysfs_part.h"

int event_sysfs_tracepoint(struct event *e, const struct event_host *host, const char *name,
			   struct err *err)
{
	size_t colon = strcspn(name, ":");
	char text[32], *system = xstrndup(name, colon);
	bool denied = false;
	ssize_t n = -ENOENT;
	uint64_t id;

	if (name[colon] && sysfs_is_name(system) && sysfs_is_name(name + colon + 1))
		for (int i = 0; i < 2 && n < 0; i++) {
			n = sysfs_read_line(text, sizeof text, "%s/events/%s/%s/id",
					    host->tracing[i], system, name + colon + 1);
			denied = denied || n == -EACCES || n == -EPERM;
		}
	free(system);
	if (n < 0 && denied)
		return err_set(
			err, EACCES,
			"only root may look up the tracepoint '%s' in %s: run tiptop as root", name,
			host->tracing[0]);
	if (n < 0 || num_parse_u64(text, "the id", &id, NULL))
		return err_set(err, ENOENT,
			       "there is no tracepoint '%s' in %s, where tracefs has to be mounted",
			       name, host->tracing[0]);
	e->type = PERF_TYPE_TRACEPOINT;
	e->config = id;
	e->all_modes = true;
	return 0;
}

static void visit_system(const char *tracing, const char *system,
			 event_sysfs_tracepoint_visit visit, void *context)
{
	struct folder f;
	const char *name;

	folder_open(&f, "%s/events/%s", tracing, system);
	while ((name = folder_next(&f))) {
		char *full = xasprintf("%s:%s", system, name);

		visit(context, full);
		free(full);
	}
}

int event_sysfs_each_tracepoint(const struct event_host *host, event_sysfs_tracepoint_visit visit,
				void *context)
{
	bool denied = false;

	for (int i = 0; i < 2; i++) {
		struct folder f;
		const char *system;
		int n = folder_open(&f, "%s/events", host->tracing[i]);

		while ((system = folder_next(&f)))
			visit_system(host->tracing[i], system, visit, context);
		if (n >= 0)
			return 0;
		denied = denied || n == -EACCES || n == -EPERM;
	}
	return denied ? -EACCES : -ENOENT;
}
