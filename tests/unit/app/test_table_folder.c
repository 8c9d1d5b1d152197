/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folders of tables: which ones are removed by who makes the next one. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/table_folder.h"
#include "tap.h"

static char parent[] = "/dev/shm/tests.XXXXXX";

static bool is_there(const struct table_folder *f)
{
	return !access(f->path, F_OK);
}

static void make(struct table_folder *f, const char *what)
{
	struct err err = ERR_INIT;

	tap_int(table_folder_make(f, what, &err), 0, "a folder is made%s", err.text);
}

static void add_table(const struct table_folder *f, long pid)
{
	char path[TABLE_FOLDER_MAX + 64];
	int fd;

	snprintf(path, sizeof path, "%s/table.%ld.000", f->path, pid);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
}

/* As the kernel does when its tiptop is killed. */
static void kill_owner(const struct table_folder *f)
{
	close(f->lock_fd);
}

int main(void)
{
	struct table_folder first, used, calls, next, last;

	if (!mkdtemp(parent) || setenv("XDG_RUNTIME_DIR", parent, 1)) {
		printf("1..0 # SKIP there is no /dev/shm\n");
		return 0;
	}
	make(&first, "locks");
	make(&used, "locks");
	make(&calls, "calls");
	tap_ok(is_there(&first), "one that is locked stays");
	/* No process has this number. */
	add_table(&first, 1l << 30);
	add_table(&used, (long)getpid());
	kill_owner(&first);
	kill_owner(&used);
	kill_owner(&calls);
	make(&next, "locks");
	tap_ok(!is_there(&first), "one that nobody has locked goes, with its tables");
	tap_ok(is_there(&used), "but not where a process of a table runs");
	tap_ok(is_there(&calls), "nor one of other tables");
	make(&last, "calls");
	tap_ok(!is_there(&calls), "that is removed by its own");
	table_folder_remove(&next);
	table_folder_remove(&last);
	tap_ok(!is_there(&next) && !next.path[0], "who made it removes it");
	used.lock_fd = -1;
	table_folder_remove(&used);
	tap_int(rmdir(parent), 0, "nothing is left");
	return tap_done();
}
