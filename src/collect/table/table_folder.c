/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/table_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "inject/lib/table.h"
#include "inject/preload/process.h"

static bool is_table(const char *name, struct table_file *file)
{
	int n = 0;

	return (sscanf(name, PROCESS_FILE_PREFIX "%d.%u%n", &file->pid, &file->number, &n) == 2 ||
		sscanf(name, TABLE_FILE_PREFIX "%d.%u%n", &file->pid, &file->number, &n) == 2) &&
	       !name[n] && file->pid > 0;
}

void tables_visit_folder(const char *path, table_visit visit, void *context)
{
	struct folder names;
	const char *name;

	if (folder_open(&names, "%s", path) < 0)
		return;
	while ((name = folder_next(&names))) {
		char file[PATH_MAX];
		struct table_file found = {.path = file};

		if (is_table(name, &found) &&
		    snprintf(file, sizeof file, "%s/%s", path, name) < (int)sizeof file)
			visit(context, &found);
	}
}

void tables_visit_folders(const char *parent, const char *what, folder_visit visit, void *context)
{
	char prefix[64];
	struct folder names;
	const char *name;

	snprintf(prefix, sizeof prefix, "tiptop-%s.", what);
	if (folder_open(&names, "%s", parent) < 0)
		return;
	while ((name = folder_next(&names))) {
		char path[PATH_MAX];

		if (!strncmp(name, prefix, strlen(prefix)) &&
		    snprintf(path, sizeof path, "%s/%s", parent, name) < (int)sizeof path)
			visit(context, path);
	}
}

/* The parameters of tables_visit_all() for each folder. */
struct all {
	table_visit visit;
	void *context;
};

static void visit_tables(void *context, const char *path)
{
	const struct all *all = context;

	tables_visit_folder(path, all->visit, all->context);
}

void tables_visit_all(const char *what, table_visit visit, void *context)
{
	const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
	struct all all = {visit, context};

	if (runtime && runtime[0] == '/')
		tables_visit_folders(runtime, what, visit_tables, &all);
	tables_visit_folders("/dev/shm", what, visit_tables, &all);
}

int tables_open_file(const char *path, const char *name, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
	struct stat file;

	if (fd < 0)
		return err_set(err, errno, "cannot read the table '%s': %s", name, strerror(errno));
	if (!fstat(fd, &file) && S_ISREG(file.st_mode) && file.st_uid == geteuid())
		return fd;
	close(fd);
	return err_set(err, EPERM, "the table '%s' is not a regular file of this user", name);
}
