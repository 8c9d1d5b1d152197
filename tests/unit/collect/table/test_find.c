/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The place of a process's table: this process maps one, and then something else at its address. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>

#include "base/file.h"
#include "collect/table/region_find.h"
#include "collect/table/stale_tables.h"
#include "region_rig.h"
#include "tap.h"

static char folder[] = "/dev/shm/tiptop-find-XXXXXX", path[128], aside[128];
static void *mapped;

static int open_table(void)
{
	return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

static bool lock(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return !fcntl(fd, F_OFD_SETLK, &whole);
}

/* Its table, with the name that libtiptop gives it. */
static int map_table(void)
{
	int fd = open_table();

	rig_write(fd, (uint32_t)getpid());
	mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return fd;
}

static struct region_place place;

static void set_place(int fd)
{
	struct stat s;

	fstat(fd, &s);
	place = (struct region_place){.device = s.st_dev, .inode = s.st_ino};
	snprintf(place.path, sizeof place.path, "%s", path);
}

static void refused(const char *what, const char *why)
{
	struct err err = ERR_INIT;

	tap_ok(regions_open(getpid(), &place, &err) < 0, "%s is refused", what);
	if (!tap_ok(strstr(err.text, path) && strstr(err.text, why), "since it %s", why))
		printf("# %s\n", err.text);
}

/* Between the look at maps and the opening, something else has got the name. */
static void replace(const char *what, int failed, const char *why)
{
	tap_ok(!failed, "made: %s", what);
	refused(what, why);
	unlink(path);
}

static void found(const char *what)
{
	struct err err = ERR_INIT;
	int fd = regions_find(getpid(), &err);

	if (!tap_ok(fd >= 0, "%s", what))
		printf("# %s\n", err.text);
	close(fd);
}

static void check_lock(int fd)
{
	/* The kernel tells of a lock on another opening. */
	int other = open(path, O_RDWR | O_CLOEXEC);

	tap_ok(!regions_is_held(fd), "nobody holds it");
	tap_ok(lock(other) && regions_is_held(fd), "it is held as long as there is a lock");
	close(other);
	tap_ok(!regions_is_held(fd), "which goes with its process");
}

/* What is mapped later stands before it in maps, which then takes more than one reading. */
static void map_more(void)
{
	for (int i = 0; i < 1000; i++)
		mmap(NULL, 4096, i % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void check_places(int fd)
{
	int other;

	map_more();
	found("a table that is mapped is found");
	set_place(fd);
	rename(path, aside);
	replace("a FIFO in its place", mkfifo(path, 0600), "is not a regular file");
	replace("a symbolic link to it", symlink(aside, path), "is not a regular file");
	replace("a folder", mkdir(path, 0700), "is not a regular file");
	rmdir(path);
	other = open_table();
	rig_write(other, (uint32_t)getpid());
	replace("another table", other < 0, "is not the file that the process has mapped");
	close(other);
	refused("none at all", "is no longer at this path");
	rename(aside, path);
	if (!getuid()) {
		tap_ok(!chown(path, 4711, (gid_t)-1), "made: a table of another user");
		refused("a table of another user", "belongs to another user than the process");
		tap_ok(!chown(path, 0, (gid_t)-1), "made: its own again");
	}
	found("the table again");
}

static void check_removed(void)
{
	struct err err = ERR_INIT;

	unlink(path);
	tap_int(regions_find(getpid(), &err), -ESTALE, "a table that was removed");
	tap_ok(strstr(err.text, "was removed: only the report"), "is told from none");
}

/* A disk would be written in the middle of what is measured. */
static void check_disk(void)
{
	char name[] = "find-XXXXXX";
	struct statfs system;
	int fd = mkstemp(name);

	set_place(fd);
	if (!realpath(name, place.path) || fstatfs(fd, &system) || system.f_type == TMPFS_MAGIC) {
		tap_ok(true, "a table on a disk # SKIP there is no disk here");
	} else {
		struct err err = ERR_INIT;

		tap_ok(regions_open(getpid(), &place, &err) < 0 && strstr(err.text, "in memory"),
		       "a table on a disk is refused");
	}
	unlink(name);
	close(fd);
}

/* --- file systems of users --- */

/* A process that has its table where a file system of its own is mounted later, which answers
 * nothing. It tells its number once that is so; 0: it cannot be done here. */
static __attribute__((noreturn)) void run_hostile(int answer)
{
	const int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	char options[64];
	bool mounted;
	int table;

	snprintf(path, sizeof path, "%s/" TABLE_FILE_PREFIX "%d.0", folder, (int)getpid());
	table = map_table();
	snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", fuse);
	mounted = table >= 0 && fuse >= 0 && !unshare(CLONE_NEWNS) &&
		  !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
		  !mount("hostile", folder, "fuse", 0, options);
	rig_put(answer, &(int){mounted ? getpid() : 0}, sizeof(int), 0);
	for (;;)
		pause();
}

/* Who asks that file system waits for ever: the alarm ends this test then. */
static void check_hostile(void)
{
	const int answer = memfd_create("answer", MFD_CLOEXEC);
	struct err err = ERR_INIT;
	const pid_t child = fork();
	int pid = -1, table;

	if (!child)
		run_hostile(answer);
	snprintf(path, sizeof path, "%s/" TABLE_FILE_PREFIX "%d.0", folder, (int)child);
	for (int try = 0; pid < 0 && try < 10000; try++) {
		usleep(1000);
		if (pread(answer, &pid, sizeof pid, 0) != sizeof pid)
			pid = -1;
	}
	if (pid <= 0) {
		tap_ok(true, "a file system that does not answer # SKIP none can be mounted here");
	} else {
		alarm(30);
		tap_ok((table = regions_find(pid, &err)) >= 0,
		       "a file system that does not answer is not asked: the table is here");
		unlink(path);
		tap_int(regions_find(pid, &err), -ESTALE, "nor where it is not");
		set_place(table);
		tap_int(regions_open(pid, &place, &err), -EPERM, "nor where it was a moment ago");
		alarm(0);
		tap_ok(strstr(err.text, "does not have the path in its cache"), "which is said: %s",
		       err.text);
		close(table);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	unlink(path);
	close(answer);
}

static void check_none(void)
{
	struct err err = ERR_INIT;

	munmap(mapped, 4096);
	tap_int(regions_find(getpid(), &err), -ENOENT, "a process that has mapped none has none");
	tap_str(err.text, "", "without a sentence");
	tap_int(regions_find(0x3fffffff, &err), -ESRCH, "of one that is not there, none is known");
}

/* --- what is left over --- */

static void write_header(int fd, uint32_t pid, uint64_t start, bool this_boot)
{
	struct table_header h = rig_header(pid);

	h.container.start_ticks = start;
	if (this_boot)
		file_read(AT_FDCWD, "/proc/sys/kernel/random/boot_id", h.container.boot_id,
			  sizeof h.container.boot_id);
	rig_put(fd, &h, sizeof h, 0);
}

static uint64_t own_start(void)
{
	char stat[1024] = "";

	file_read(AT_FDCWD, "/proc/self/stat", stat, sizeof stat);
	return tt_container_start(stat);
}

/* Whether such a table is removed. */
static bool is_removed(uint32_t pid, uint64_t start, bool this_boot, bool locked)
{
	int fd = open_table(), other = locked ? open(path, O_RDWR | O_CLOEXEC) : -1, n;

	write_header(fd, pid, start, this_boot);
	if (locked)
		lock(other);
	n = regions_remove_stale_in(folder);
	close(fd);
	if (other >= 0)
		close(other);
	return n == 1 && access(path, F_OK);
}

static void check_stale(void)
{
	const uint32_t own = (uint32_t)getpid(), nobody = 0x3fffffff;
	int fd;

	tap_ok(is_removed(nobody, 5, true, false), "the table of a dead process is removed");
	tap_ok(is_removed(own, own_start() + 1, true, false),
	       "also where its number is another process by now");
	tap_ok(is_removed(own, own_start(), false, false), "or the machine was booted since");
	tap_ok(!is_removed(own, own_start(), true, false), "that of a living one is not");
	unlink(path);
	tap_ok(!is_removed(nobody, 5, true, true),
	       "nor one that is held, by a process in a container");
	unlink(path);
	fd = open_table();
	rig_put(fd, "something else, which is as long as a table's header", 40, 0);
	tap_int(regions_remove_stale_in(folder), 0, "what is no table stays");
	close(fd);
	rename(path, aside);
	tap_ok(!symlink(aside, path) && !regions_remove_stale_in(folder), "so does a link");
	unlink(path);
	tap_ok(!mkfifo(path, 0600) && !regions_remove_stale_in(folder), "and a FIFO");
	unlink(path);
	unlink(aside);
}

/* A file of this name and content, written so many seconds ago. */
static bool is_wreck_removed(const char *name, const char *text, int age, bool locked)
{
	const struct timespec then = {.tv_sec = time(NULL) - age}, times[] = {then, then};
	char wreck[128];
	int fd, n;

	snprintf(wreck, sizeof wreck, "%s/%s", folder, name);
	fd = open(wreck, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	rig_put(fd, text, strlen(text), 0);
	futimens(fd, times);
	if (locked)
		lock(fd);
	n = regions_remove_stale_in(folder);
	close(fd);
	unlink(wreck);
	return n == 1;
}

static void check_wrecks(void)
{
	static const char dead[] = TABLE_FILE_PREFIX "1073741823.0";
	char own[64];

	snprintf(own, sizeof own, TABLE_FILE_PREFIX "%d.0", (int)getpid());
	tap_ok(is_wreck_removed(dead, "", 60, false),
	       "an empty table of a dead process is removed");
	tap_ok(is_wreck_removed(dead, "damaged", 60, false), "so is a damaged one");
	tap_ok(!is_wreck_removed(dead, "", 60, true), "but not one that is held");
	tap_ok(!is_wreck_removed(dead, "", 0, false), "nor one that is being made");
	tap_ok(!is_wreck_removed(own, "", 60, false), "nor that of a living process");
	tap_ok(!is_wreck_removed(TABLE_FILE_PREFIX "1073741823.0.txt", "", 60, false),
	       "nor what has another name");
}

static void check_zombie(void)
{
	int fd = open_table();
	char stat[1024] = "", name[64];
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	snprintf(name, sizeof name, "/proc/%d/stat", (int)pid);
	do
		file_read(AT_FDCWD, name, stat, sizeof stat);
	while (!strstr(stat, ") Z"));
	write_header(fd, (uint32_t)pid, tt_container_start(stat), true);
	close(fd);
	tap_int(regions_remove_stale_in(folder), 1, "that of a zombie is removed");
	waitpid(pid, NULL, 0);
}

int main(void)
{
	int fd;

	if (!mkdtemp(folder)) {
		printf("1..0 # SKIP there is no /dev/shm\n");
		return 0;
	}
	snprintf(path, sizeof path, "%s/" TABLE_FILE_PREFIX "%d.0", folder, (int)getpid());
	snprintf(aside, sizeof aside, "%s/aside", folder);
	fd = map_table();
	check_lock(fd);
	check_places(fd);
	check_removed();
	check_none();
	check_disk();
	close(fd);
	check_stale();
	check_wrecks();
	check_zombie();
	check_hostile();
	rmdir(folder);
	return tap_done();
}
