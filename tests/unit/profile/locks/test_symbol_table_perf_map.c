/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of generated code in this process's /tmp/perf-PID.map: entries that replace others, damaged
 * lines, a file that grows, and files that must not be read. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inject/lib/container.h"
#include "profile/locks/symbol_table.h"
#include "tap.h"

static char path[40];
static struct perf_map_process self;

static void write_text(const char *text, int flags)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	close(fd);
}

static const char *name_in(struct perf_map *m, const struct perf_map_process *process,
			   uint64_t address)
{
	const struct symbol *symbol = perf_map_find(m, process, address);

	return symbol ? symbol->name : "?";
}

/* Returns the name of an address, after reading the file again. */
static const char *name_of(const struct perf_map_process *process, uint64_t address)
{
	static struct perf_map m;

	perf_map_done(&m);
	return name_in(&m, process, address);
}

static void check_entries(void)
{
	struct perf_map m = {.n = 0};

	write_text("1000 20 first\n0x1020 0x10 of Java(int, long)\n"
		   "1000 8 replaced\nffffffffffffff00 ff last\n"
		   "nothing\n2000 no size\n2000 0 empty\n2000 10\n2000 10 \n3000 10 cut",
		   O_TRUNC);
	tap_str(name_in(&m, &self, 0x101f), "first", "the last byte");
	tap_str(name_in(&m, &self, 0x1020), "of Java(int, long)", "a name with blanks");
	tap_str(name_in(&m, &self, 0x1007), "replaced", "code that has replaced other code");
	tap_str(name_in(&m, &self, 0x1008), "first", "behind it");
	tap_str(name_in(&m, &self, 0xfff), "?", "before all");
	tap_str(name_in(&m, &self, 0xffffffffffffff10), "last", "at the end of all addresses");
	tap_str(name_in(&m, &self, 0x2000), "?", "damaged lines");
	tap_str(name_in(&m, &self, 0x3000), "?", "a line that is not complete");
	write_text(" now complete\n", O_APPEND);
	tap_str(name_in(&m, &self, 0x3000), "cut now complete", "is when the file has grown");
	perf_map_done(&m);
	tap_str(name_of(&(struct perf_map_process){.pid = 0}, 0x1000), "?", "no process");
}

static void check_owner(void)
{
	const struct timespec old[] = {{.tv_sec = 1}, {.tv_sec = 1}};
	char other[] = "perf-map-XXXXXX", link_to[PATH_MAX], folder[PATH_MAX - 40];
	int fd = mkstemp(other);

	tap_str(name_of(&self, 0x1010), "first", "a file of this user");
	chmod(path, 0666);
	tap_str(name_of(&self, 0x1010), "?", "which everyone can write");
	chmod(path, 0664);
	if (chown(path, (uid_t)-1, getuid() + 1))
		tap_skip("which another group can write", "root alone can give files to a group");
	else
		tap_str(name_of(&self, 0x1010), "?", "which another group can write");
	tap_ok(!chown(path, (uid_t)-1, getgid()), "the file has its group again");
	chmod(path, 0644);
	utimensat(AT_FDCWD, path, old, 0);
	tap_str(name_of(&self, 0x1010), "?", "which is older than the process");
	write_text("1000 20 new\n", O_TRUNC);
	tap_str(name_of(&self, 0x1010), "new", "which was written again");
	tap_str(name_of(&(struct perf_map_process){.pid = self.pid}, 0x1010), "?",
		"the start of the process is unknown");
	if (!geteuid() && !chown(path, 12345, 12345))
		tap_str(name_of(&self, 0x1010), "?", "a file of another user");
	else
		tap_ok(true, "a file of another user # SKIP only root can make it");
	unlink(path);
	if (fd < 0 || write(fd, "1000 20 linked\n", 15) != 15)
		abort();
	close(fd);
	snprintf(link_to, sizeof link_to, "%s/%s", getcwd(folder, sizeof folder), other);
	tap_ok(!symlink(link_to, path), "a symbolic link");
	tap_str(name_of(&self, 0x1010), "?", "is not followed");
	unlink(path);
	unlink(other);
	tap_ok(!mkfifo(path, 0644), "a pipe");
	tap_str(name_of(&self, 0x1010), "?", "is not waited for");
	unlink(path);
	write_text("1000 20 huge\n", O_TRUNC);
	tap_ok(!truncate(path, 65 << 20), "a file of 65 MiB");
	tap_str(name_of(&self, 0x1010), "?", "is not read");
	unlink(path);
}

int main(void)
{
	char stat[2048] = "";
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, stat, sizeof stat - 1) <= 0)
		abort();
	close(fd);
	self = (struct perf_map_process){getpid(), tt_container_start(stat)};
	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)self.pid);
	unlink(path);
	check_entries();
	check_owner();
	return tap_done();
}
