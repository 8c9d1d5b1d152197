/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/socket_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/kinds.h"

char *socket_rows_command(const struct screen *screen)
{
	return xasprintf("system --group %s -S %s", kind_socket.name, screen->name);
}

static const struct screen *find_screen(const struct placing *screens, const char *name)
{
	const struct screen_list *const lists[] = {&screens->own, &screens->added,
						   &screens->built_in};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (size_t k = 0; k < lists[i]->n; k++)
			if (!strcmp(lists[i]->v[k]->name, name))
				return lists[i]->v[k];
	return NULL;
}

static bool is_asked(const struct setup *s, const struct placing *screens)
{
	const struct options *o = &s->options;
	const struct screen *screen = o->screen ? find_screen(screens, o->screen) : NULL;

	return kind_is(setup_kind(s), &kind_cpu) && !s->recording && screen && o->group &&
	       !strcmp(o->group, kind_socket.name) && screen_has_rows(screen, kind_socket.name);
}

int socket_rows_take(struct setup *s, const struct placing *screens, struct err *err)
{
	struct options *o = &s->options;

	if (!is_asked(s, screens))
		return 0;
	if (o->user_only || o->kernel_only || o->cpus || o->cgroup)
		return err_set(err, EINVAL,
			       "-u, -k, --cpus and --cgroup are for CPUs: what is counted of a "
			       "whole socket (-S %s) is told apart neither by modes nor by CPUs",
			       o->screen);
	s->rows = kind_socket.name;
	free(o->group);
	o->group = NULL;
	return 0;
}
