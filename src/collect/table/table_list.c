/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/table_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "collect/table/table_folder.h"
#include "inject/lib/container.h"

#define NS_PER_S 1000000000l

/* --- the list --- */

static int compare_found(const void *x, const void *y)
{
	const struct found *a = x, *b = y;

	return strcmp(a->path, b->path);
}

static void note_file(void *context, const struct table_file *file)
{
	struct found_list *list = context;
	const struct found key = {.path = (char *)(uintptr_t)file->path};
	struct found *f =
		list->known ? bsearch(&key, list->v, list->known, sizeof *list->v, compare_found)
			    : NULL;

	if (f) {
		f->met = true;
		return;
	}
	list->v = xgrow(list->v, &list->cap, list->n + 1, sizeof *list->v);
	list->v[list->n++] = (struct found){
		.path = xstrdup(file->path),
		.pid = file->pid,
		.number = file->number,
		.met = true,
		.is_new = true,
		.fd = -1,
	};
}

static void drop_gone(struct found_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].met || list->v[i].fd >= 0)
			list->v[n++] = list->v[i];
		else
			free(list->v[i].path);
	list->n = n;
}

void found_update(struct found_list *list, const char *folder, const char *what)
{
	for (size_t i = 0; i < list->n; i++)
		list->v[i].met = false;
	list->known = list->n;
	if (folder)
		tables_visit_folder(folder, note_file, list);
	else
		tables_visit_all(what, note_file, list);
	drop_gone(list);
	if (list->n)
		qsort(list->v, list->n, sizeof *list->v, compare_found);
}

void found_done(struct found_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		found_close(&list->v[i]);
		free(list->v[i].path);
	}
	free(list->v);
	*list = (struct found_list){.n = 0};
}

/* --- one of them --- */

/* The version of a table is the business of who reads it. */
static bool has_begun(struct found *f)
{
	struct err ignored = ERR_INIT;
	struct container c;

	if (file_read_at(f->fd, &c, sizeof c, 0, &ignored) || !c.magic[0])
		return false;
	f->start_ticks = memcmp(c.magic, CONTAINER_MAGIC, sizeof c.magic) == 0
				 ? c.start_ticks
				 : table_process_start(f->pid);
	return true;
}

static void describe(struct found *f, struct proc *proc)
{
	if (table_process_exists(f->pid, f->start_ticks) &&
	    table_process_read(&f->process, proc, f->pid))
		return;
	f->process = (struct table_process){
		.pid = f->pid,
		.uid = geteuid(),
		.start_ns = f->start_ticks * (uint64_t)(NS_PER_S / sysconf(_SC_CLK_TCK)),
		.user = xasprintf("%u", geteuid()),
		.name = xstrdup("?"),
	};
}

bool found_open(struct found *f, struct proc *proc, struct log *log)
{
	struct err err = ERR_INIT;

	f->fd = tables_open_file(f->path, f->path, &err);
	/* It may have been removed just now. */
	if (err.code && err.code != ENOENT && !f->said && log) {
		log_add_task(log, f->pid, err.text);
		f->said = true;
	}
	if (f->fd < 0)
		return false;
	if (!has_begun(f)) {
		found_close(f);
		return false;
	}
	describe(f, proc);
	return true;
}

void found_close(struct found *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	table_process_done(&f->process);
}

bool found_has_ended(const struct found_list *list, const struct found *f)
{
	const struct found *next = f + 1;

	return (next < list->v + list->n && next->pid == f->pid) ||
	       !table_process_lives(f->pid, f->start_ticks);
}
