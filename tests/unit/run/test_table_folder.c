/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folders of tables: which ones are removed when the next one is created. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inject/preload/exec.h"
#include "run/table_folder.h"
#include "tap.h"

#define SIZE 4096

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

/* Makes a table with this pid in its name. Returns the mapping, as a process would have it. */
static void *add_table(const struct table_folder *f, long pid)
{
	char path[TABLE_FOLDER_MAX + 64];
	void *mapped = MAP_FAILED;
	int fd;

	snprintf(path, sizeof path, "%s/table.%ld.000", f->path, pid);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return NULL;
	if (!ftruncate(fd, SIZE))
		mapped = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return mapped == MAP_FAILED ? NULL : mapped;
}

static bool has_table(const struct table_folder *f, long pid)
{
	char path[TABLE_FOLDER_MAX + 64];

	snprintf(path, sizeof path, "%s/table.%ld.000", f->path, pid);
	return !access(path, F_OK);
}

/* Releases the lock of the folder, as the kernel does when tiptop is killed. */
static void kill_owner(const struct table_folder *f)
{
	close(f->lock_fd);
}

/* No process has this pid. */
#define NO_PID (1l << 30)

static void test_left(void)
{
	struct table_folder first, calls, next;

	make(&first, "locks");
	make(&calls, "calls");
	tap_ok(is_there(&first), "one that is locked stays");
	munmap(add_table(&first, NO_PID), SIZE);
	kill_owner(&first);
	kill_owner(&calls);
	make(&next, "locks");
	tap_ok(!is_there(&first), "one that is not locked goes");
	tap_ok(!is_there(&calls), "so does one of calls");
	table_folder_remove(&next);
	tap_ok(!is_there(&next) && !next.path[0], "its tiptop removes it");
}

static void test_remove(void)
{
	struct table_folder f, next;
	char path[TABLE_FOLDER_MAX];
	void *ours, *other;

	make(&f, "locks");
	snprintf(path, sizeof path, "%s", f.path);
	ours = add_table(&f, (long)getpid());
	/* The table of a process that runs in another PID namespace, or of a parent that has ended
	 * before its child has a table. */
	other = add_table(&f, NO_PID);
	munmap(add_table(&f, NO_PID + 1), SIZE);
	table_folder_remove(&f);
	snprintf(f.path, sizeof f.path, "%s", path);
	tap_ok(has_table(&f, (long)getpid()), "at the end, the table of a process that runs stays");
	tap_ok(has_table(&f, NO_PID), "also if its pid is of another namespace");
	tap_ok(!has_table(&f, NO_PID + 1), "and that of one that has ended goes");
	make(&next, "locks");
	tap_ok(is_there(&f) && has_table(&f, NO_PID), "what is mapped stays at the next start");
	munmap(ours, SIZE);
	munmap(other, SIZE);
	table_folder_leave(&next);
	tap_ok(!next.path[0], "a folder is left");
	make(&next, "locks");
	tap_ok(!is_there(&f), "the next start removes the rest");
	table_folder_remove(&next);
}

static int read_first(void *to, int fd, bool ended, struct err *err)
{
	(void)ended;
	return file_read_at(fd, to, 1, 0, err);
}

/* A process first creates the file, and then sets its size. */
static void test_early(void)
{
	struct table_folder f;
	struct err err = ERR_INIT;
	char path[TABLE_FOLDER_MAX + 64], text[64], c;
	const struct table_name name = {text, 0, TABLE_FOLDER_FILE};
	int fd;

	make(&f, "locks");
	snprintf(text, sizeof text, "table.%ld.000", (long)getpid());
	snprintf(path, sizeof path, "%s/%s", f.path, text);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	tap_int(table_folder_read(&f, "locks", &name, read_first, &c, &err), TABLE_FOLDER_NOT_BEGUN,
		"a table of a process that runs has no size yet");
	close(fd);
	unlink(path);
	snprintf(text, sizeof text, "table.%ld.000", NO_PID);
	snprintf(path, sizeof path, "%s/%s", f.path, text);
	close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	tap_int(table_folder_read(&f, "locks", &name, read_first, &c, &err), -ENODATA,
		"one of a process that has ended is cut off");
	table_folder_remove(&f);
}

/* The file of notes of the preloaded object is not a table, and is removed with the folder. */
static void test_notes(void)
{
	struct table_folder f;
	char path[TABLE_FOLDER_MAX + 64], folder[TABLE_FOLDER_MAX];
	void *ours;

	make(&f, "calls");
	snprintf(folder, sizeof folder, "%s", f.path);
	snprintf(path, sizeof path, "%s/" EXEC_NOTE_FILE, f.path);
	close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	ours = add_table(&f, (long)getpid());
	table_folder_remove(&f);
	tap_ok(!access(path, F_OK), "notes stay beside a table");
	munmap(ours, SIZE);
	make(&f, "calls");
	tap_ok(access(folder, F_OK), "and go with the folder");
	table_folder_remove(&f);
}

int main(void)
{
	if (!mkdtemp(parent) || setenv("XDG_RUNTIME_DIR", parent, 1)) {
		printf("1..0 # SKIP there is no /dev/shm\n");
		return 0;
	}
	test_left();
	test_remove();
	test_early();
	test_notes();
	tap_int(rmdir(parent), 0, "nothing is left");
	return tap_done();
}
