/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of region_rows: the tables of a command, which its processes leave in a folder. */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "collect/table/region_find.h"
#include "collect/table/region_rows_part.h"
#include "collect/table/table_folder.h"

static struct watched *find_kept(const struct regions *r, const struct table_file *file)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i]->pid == file->pid && r->v[i]->number == file->number)
			return r->v[i];
	return NULL;
}

/* The program may be another one by now, and the process may have gone. A process may have made the
 * table long after it began: what is in it is of the time since then. */
static void describe(const struct regions *r, struct watched *w)
{
	const struct table_header *h = &w->copy.header;
	struct table_process *p = &w->process;

	if (!table_process_read(p, r->proc, w->pid)) {
		table_process_read(p, r->proc, getpid());
		free(p->cmdline);
		p->cmdline = NULL;
		p->pid = w->pid;
	}
	free(p->name);
	p->name = xasprintf("%.15s", h->program);
	p->start_ns = clock_ns(CLOCK_BOOTTIME) - (clock_ns(CLOCK_REALTIME) - h->wall_begin);
}

/* NULL: there is nothing in it yet. */
static struct watched *add_kept(struct regions *r, const struct table_file *file)
{
	struct err err = ERR_INIT;
	struct watched *w;
	char magic = 0;
	const int fd = tables_open_file(file->path, file->path, &err);

	if (fd < 0 || pread(fd, &magic, 1, 0) <= 0 || !magic) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	w = regions_watch(r, file->pid);
	w->number = file->number;
	w->path = xstrdup(file->path);
	w->fd = fd;
	table_copy_read(&w->copy, fd, true, &err);
	describe(r, w);
	return w;
}

static void visit(void *context, const struct table_file *file)
{
	struct regions *r = context;
	struct watched *w = find_kept(r, file);

	r->cost.reads++;
	if (!w)
		w = add_kept(r, file);
	if (w)
		w->met = regions_is_held(w->fd);
}

void regions_update_kept(struct regions *r)
{
	tables_visit_folder(r->folder, visit, r);
}
