/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Removal of stale tables, which no process uses any more: those of libtiptop in a shared folder,
 * and those in the folders of commands.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/table/table_folder.h"
#include "inject/lib/table.h"
#include "inject/preload/exec.h"
#include "inject/preload/process.h"
#include "tap.h"

#define SIZE 4096
/* No process has this pid. */
#define NO_PID (1L << 30)

static char parent[] = "/dev/shm/tests.XXXXXX";

/* The folder and the file names of tables. */
static struct place {
	const char *name, *prefix, *folder;
	char path[64];
} places[] = {
	{"beside files of others", TABLE_FILE_PREFIX, "", ""},
	{"of regions", TABLE_FILE_PREFIX, "/tiptop-regions.abcdef", ""},
	{"of locks", PROCESS_FILE_PREFIX, "/tiptop-locks.abcdef", ""},
	{"of calls", PROCESS_FILE_PREFIX, "/tiptop-calls.abcdef", ""},
};

#define PLACES (sizeof places / sizeof *places)

/* The state of a table: left by a process, left empty, open for reading, mapped, or just
 * created. */
enum use { LEFT, EMPTY, READ, MAPPED, MADE };

/* Creates a table with this pid in its name. Returns the open descriptor (READ, MADE), else -1. */
static int make_table(const struct place *p, char path[128], long pid, enum use use, void **mapped)
{
	static const char text[] = "damaged";
	int fd;

	snprintf(path, 128, "%s/%s%ld.0", p->path, p->prefix, pid);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (use != EMPTY && use != MADE && write(fd, text, sizeof text) < 0)
		perror(path);
	if (use == MAPPED && !ftruncate(fd, SIZE))
		*mapped = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (use == MADE)
		return fd;
	close(fd);
	return use == READ ? open(path, O_RDONLY | O_CLOEXEC) : -1;
}

/* Creates a table with this pid, used as `use` says, and removes stale tables. Returns whether the
 * created table was removed. */
static bool is_removed(const struct place *p, long pid, enum use use)
{
	char path[128];
	void *mapped = NULL;
	int fd;
	bool removed;

	mkdir(p->path, 0700);
	fd = make_table(p, path, pid, use, &mapped);
	stale_tables_remove_in(parent);
	removed = access(path, F_OK);
	if (fd >= 0)
		close(fd);
	if (mapped)
		munmap(mapped, SIZE);
	unlink(path);
	return removed;
}

static void test_tables(const struct place *p)
{
	const long own = (long)getpid();

	tap_ok(is_removed(p, NO_PID, LEFT), "%s: that of a dead process is removed", p->name);
	tap_ok(is_removed(p, own, LEFT), "%s: so is that of an earlier program", p->name);
	tap_ok(is_removed(p, NO_PID, EMPTY), "%s: and an empty one", p->name);
	tap_ok(is_removed(p, NO_PID, READ), "%s: also while it is read", p->name);
	tap_ok(!is_removed(p, own, MAPPED), "%s: one that is mapped stays", p->name);
	tap_ok(!is_removed(p, NO_PID, MAPPED), "%s: also of a process in a container", p->name);
	tap_ok(!is_removed(p, own, MADE), "%s: and one that is being made", p->name);
}

/* Files with other names, links, FIFOs and tables of other users stay. */
static void test_others(void)
{
	static const char *const others[] = {"table.1073741824.0", TABLE_FILE_PREFIX "1073741824",
					     TABLE_FILE_PREFIX "1073741824.0.txt"};
	char path[128], aside[128];

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		snprintf(path, sizeof path, "%s/%s", parent, others[i]);
		close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
		stale_tables_remove_in(parent);
		tap_int(unlink(path), 0, "%s is no table", others[i]);
	}
	snprintf(path, sizeof path, "%s/" TABLE_FILE_PREFIX "%ld.0", parent, NO_PID);
	snprintf(aside, sizeof aside, "%s/aside", parent);
	tap_int(symlink(aside, path), 0, "a link");
	stale_tables_remove_in(parent);
	tap_int(unlink(path), 0, "stays");
	tap_int(mkfifo(path, 0600), 0, "a FIFO");
	stale_tables_remove_in(parent);
	tap_int(unlink(path), 0, "stays");
	close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	if (chown(path, 65534, 65534)) {
		tap_ok(true, "the table of another user # SKIP only root can make one");
	} else {
		stale_tables_remove_in(parent);
		tap_ok(!access(path, F_OK), "the table of another user stays");
	}
	unlink(path);
}

static void make_file(const struct place *p, const char *name)
{
	char path[128];

	snprintf(path, sizeof path, "%s/%s", p->path, name);
	close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

/* A folder is removed with its last table, unless a running tiptop has locked it. */
static void test_folder(const struct place *p)
{
	char path[128];
	void *mapped = NULL;
	int lock;

	mkdir(p->path, 0700);
	make_file(p, EXEC_NOTE_FILE);
	make_file(p, PROCESS_MARK_FILTERED);
	make_file(p, PROCESS_MARK_NO_PROC);
	make_table(p, path, NO_PID, LEFT, &mapped);
	lock = stale_tables_lock_folder(p->path, 0);
	stale_tables_remove_in(parent);
	tap_ok(!access(path, F_OK), "%s: a folder that is locked stays as it is", p->name);
	close(lock);
	unlink(path);
	make_table(p, path, NO_PID, MAPPED, &mapped);
	stale_tables_remove_in(parent);
	tap_ok(!access(path, F_OK), "%s: so does one of a process that goes on", p->name);
	munmap(mapped, SIZE);
	stale_tables_remove_in(parent);
	tap_ok(access(p->path, F_OK), "%s: it goes with its last table", p->name);
}

/* Without free descriptors, it cannot be checked whether a table is in use. */
static void test_short(void)
{
	char path[128];
	struct table_file file = {.path = path, .pid = getpid()};
	struct rlimit limit, none;
	void *mapped = NULL;
	bool removed;

	make_table(&places[0], path, file.pid, MAPPED, &mapped);
	getrlimit(RLIMIT_NOFILE, &limit);
	none = (struct rlimit){.rlim_max = limit.rlim_max};
	setrlimit(RLIMIT_NOFILE, &none);
	removed = stale_tables_remove_file(&file);
	setrlimit(RLIMIT_NOFILE, &limit);
	tap_ok(!removed && !access(path, F_OK), "without descriptors, a table stays");
	munmap(mapped, SIZE);
	tap_ok(stale_tables_remove_file(&file), "it goes when it can be checked");
}

int main(void)
{
	if (!mkdtemp(parent)) {
		printf("1..0 # SKIP there is no /dev/shm\n");
		return 0;
	}
	for (size_t i = 0; i < PLACES; i++) {
		snprintf(places[i].path, sizeof places[i].path, "%s%s", parent, places[i].folder);
		test_tables(&places[i]);
		if (i)
			test_folder(&places[i]);
	}
	test_others();
	test_short();
	tap_int(rmdir(parent), 0, "nothing is left");
	return tap_done();
}
