/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/regions_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "collect/table/region_find.h"
#include "collect/table/table_folder.h"
#include "run/command_output.h"

void regions_keeper_init(struct regions_keeper *k)
{
	*k = (struct regions_keeper){.n = 0};
	report_own_type_init(&k->known, NULL, 0);
	k->form.known = &k->known;
	table_copy_init(&k->copy);
}

void regions_keeper_done(struct regions_keeper *k)
{
	for (size_t i = 0; i < k->n; i++)
		regions_report_done(&k->report[i]);
	free(k->report);
	report_own_type_done(&k->known);
	table_copy_done(&k->copy);
}

/* State of one collection. */
struct collection {
	struct regions_keeper *keeper;
	bool last;
};

/* Returns whether the process has begun no region: there is no header yet. */
static bool is_empty(int fd)
{
	char magic = 0;

	return pread(fd, &magic, 1, 0) <= 0 || !magic;
}

/* Locks the table against a process that is about to lock it. The lock is released with the
 * descriptor. */
static bool lock_table(int fd)
{
	struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};

	return !fcntl(fd, F_OFD_SETLK, &whole);
}

static void collect_empty(struct regions_keeper *k, const struct table_file *file, int fd)
{
	if (!lock_table(fd) || !is_empty(fd))
		return;
	unlink(file->path);
	k->n_unused++;
}

/* Reads the table; one that changes all the time is read as it is. */
static int read_table(struct regions_keeper *k, int fd, bool ended, struct err *err)
{
	int ret = table_copy_read(&k->copy, fd, ended, err);

	if (ret == -EAGAIN)
		ret = table_copy_read(&k->copy, fd, true, err);
	return ret;
}

static void collect_table(const struct collection *c, const struct table_file *file, int fd,
			  bool runs)
{
	struct regions_keeper *k = c->keeper;
	struct err err = ERR_INIT, why = ERR_INIT;

	if (!read_table(k, fd, !runs, &why) && k->copy.header.is_private) {
		/* Only the process itself can report its private table. */
		k->n_unused++;
	} else if (!why.code) {
		k->report = xgrow(k->report, &k->cap, k->n + 1, sizeof *k->report);
		regions_report_make(&k->report[k->n++], &k->copy, &k->form, runs);
	} else {
		err_set(&err, why.code, "regions: the table of the process %d %s", file->pid,
			why.text);
		print_fault(&err, EXIT_FAILED);
	}
	if (!runs)
		unlink(file->path);
}

static void visit(void *context, const struct table_file *file)
{
	const struct collection *c = context;
	struct err err = ERR_INIT;
	const int fd = tables_open_file(file->path, file->path, &err);
	bool runs;

	if (fd < 0) {
		if (c->last)
			print_fault(&err, EXIT_FAILED);
		return;
	}
	/* Check the lock before the contents: the process may end in between. */
	runs = regions_is_held(fd);
	if (runs && c->last && !c->keeper->n_running++)
		c->keeper->running_pid = file->pid;
	if (is_empty(fd))
		collect_empty(c->keeper, file, fd);
	else if (!runs || c->last)
		collect_table(c, file, fd, runs);
	close(fd);
}

void regions_keeper_collect(struct regions_keeper *k, const char *folder, bool last)
{
	struct collection c = {k, last};

	tables_visit_folder(folder, visit, &c);
}

int regions_keeper_check(const struct regions_keeper *k, const struct dest *behind, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < k->n && !ret; i++)
		ret = dest_check(behind, k->report[i].head.text, err);
	return ret;
}

void regions_keeper_add(struct regions_keeper *k, const struct dest *behind, struct strbuf *out)
{
	regions_reports_add(k->report, k->n, behind, out);
}
