/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding the table of a process. This process maps a table, and then replaces the file at its path
 * by other things. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/magic.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>

#include "base/file.h"
#include "collect/table/region_table.h"
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

/* Maps a table of this process, with the file name that libtiptop would use. */
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

/* The path was replaced between reading /proc/PID/maps and opening the file: opening is refused. */
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
	/* An open file description does not see its own lock, so another one takes the lock. */
	int other = open(path, O_RDWR | O_CLOEXEC);

	tap_ok(!regions_is_held(fd), "no process holds it");
	tap_ok(lock(other) && regions_is_held(fd), "it is held as long as there is a lock");
	close(other);
	tap_ok(!regions_is_held(fd), "which goes with its process");
}

/* Adds 1000 mappings before the table's line in maps, so that one read(2) does not reach it. */
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

/* A table on a disk is refused: the measured program would write to the disk. */
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

/* A process that maps its table, and then mounts a FUSE file system over the folder which never
 * answers. Writes its pid to answer when done, 0 if mounting is not possible here. */
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

/* If the file system were accessed, the test would hang; the alarm ends it then. */
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

/* A process with another pid in its own namespace: its status has it after the groups, whose line
 * is longer than a page. */
static void check_namespace(void)
{
	const int answer = memfd_create("answer", MFD_CLOEXEC);
	struct err err = ERR_INIT;
	gid_t groups[2000];
	int pid = -1, table = -1;
	pid_t child;

	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		groups[i] = (gid_t)(100000 + i);
	snprintf(path, sizeof path, "%s/" TABLE_FILE_PREFIX "1.0", folder);
	child = (pid_t)syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);
	if (!child) {
		pid = !setgroups(sizeof groups / sizeof *groups, groups) && map_table() >= 0;
		rig_put(answer, &pid, sizeof pid, 0);
		for (;;)
			pause();
	}
	for (int try = 0; child > 0 && pid < 0 && try < 10000; try++) {
		usleep(1000);
		if (pread(answer, &pid, sizeof pid, 0) != sizeof pid)
			pid = -1;
	}
	if (pid <= 0)
		tap_ok(true, "a table named by another pid # SKIP no namespace can be made here");
	else
		tap_ok((table = regions_find(child, &err)) >= 0, "a table named by another pid");
	close(table);
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
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
	check_hostile();
	check_namespace();
	rmdir(folder);
	return tap_done();
}
