/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/table_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "inject/lib/container.h"
#include "inject/lib/table.h"
#include "inject/preload/exec.h"
#include "inject/preload/process.h"

/* ---- processes ---- */

static void take_description(void *context, const struct proc_process *p)
{
	struct table_process *out = context;

	*out = (struct table_process){
		.pid = p->pid,
		.uid = p->uid,
		.start_ns = p->facts.start_ns,
		.user = xstrdup(p->user),
		.name = xstrdup(p->facts.name),
		.cmdline = xstrdup_or_null(p->cmdline),
	};
}

bool table_process_read(struct table_process *p, struct proc *proc, int pid)
{
	*p = (struct table_process){.pid = pid};
	proc->walk(proc, &pid, 1, true, take_description, p);
	return p->name != NULL;
}

void table_process_done(struct table_process *p)
{
	free(p->user);
	free(p->name);
	free(p->cmdline);
	*p = (struct table_process){.pid = p->pid};
}

#define STAT_FIELD_THREADS 20

/* Returns whether the process is a zombie. The name before the state may contain parentheses. A
 * leader that has ended before other threads is in state Z, too. */
static bool has_ended(const char *stat)
{
	const char *field = strrchr(stat, ')');
	const bool zombie = field && (!strncmp(field, ") Z", 3) || !strncmp(field, ") X", 3));

	for (int i = 2; i < STAT_FIELD_THREADS && field; i++)
		field = strchr(field + 1, ' ');
	return zombie && !(field && strtol(field + 1, NULL, 10) > 1);
}

/* Returns the start; 0: no such process. */
static uint64_t read_stat(char *stat, size_t size, int pid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	return file_read(AT_FDCWD, path, stat, size) > 0 ? tt_container_start(stat) : 0;
}

uint64_t table_process_start(int pid)
{
	char stat[1024];

	return read_stat(stat, sizeof stat, pid);
}

bool table_process_exists(int pid, uint64_t start_ticks)
{
	const uint64_t start = table_process_start(pid);

	return start && start == start_ticks;
}

bool table_process_lives(int pid, uint64_t start_ticks)
{
	char stat[1024];
	const uint64_t start = read_stat(stat, sizeof stat, pid);

	return start && start == start_ticks && !has_ended(stat);
}

bool table_process_runs(int pid)
{
	char stat[1024];

	return read_stat(stat, sizeof stat, pid) && !has_ended(stat);
}

bool table_process_is_wanted(int pid, const struct filter *f)
{
	struct stat process;
	char path[64];

	if (f->pid && f->pid != pid)
		return false;
	if (f->uid < 0)
		return true;
	snprintf(path, sizeof path, "/proc/%d", pid);
	return !stat(path, &process) && process.st_uid == (unsigned long)f->uid;
}

void tables_begin_sample(struct sample *out, struct proc *proc)
{
	struct proc_clocks clocks;
	int last_pid;

	sample_reset(out);
	proc->host(proc, &out->host, &last_pid);
	proc->clocks(proc, &clocks);
	out->mono_ns = clocks.mono_ns;
	out->boot_ns = clocks.boot_ns;
	out->wall_ns = clocks.wall_ns;
}

struct task *tables_unknown_reading(const struct task *last)
{
	const struct task_texts texts = task_texts(last);
	struct task *t = task_copy(last, last->room, 0, &texts);

	t->known = FACT_NONE;
	t->counting = COUNT_REFUSED;
	return t;
}

/* ---- folders ---- */

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

typedef void (*folder_visit)(void *context, const char *path);

/* Returns whether a folder belongs to this user: root could read those of others, too. */
static bool is_own(const char *path)
{
	struct stat folder;

	return !lstat(path, &folder) && S_ISDIR(folder.st_mode) && folder.st_uid == geteuid();
}

/* Calls visit for each folder of this user in `parent` that is for tables of `what`; visit may
 * remove that folder. */
static void tables_visit_folders(const char *parent, const char *what, folder_visit visit,
				 void *context)
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
		    snprintf(path, sizeof path, "%s/%s", parent, name) < (int)sizeof path &&
		    is_own(path))
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

/* Returns the folder in which programs put their tables first; NULL: none. A tiptop whose file has
 * capabilities uses the variable, too: only files of the user are opened or removed there, and
 * without these capabilities. */
static const char *runtime_folder(void)
{
	const char *path = getenv("XDG_RUNTIME_DIR");

	return path && path[0] == '/' ? path : NULL;
}

void tables_visit_all(const char *what, table_visit visit, void *context)
{
	const char *runtime = runtime_folder();
	struct all all = {visit, context};

	if (runtime)
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

bool table_has_begun(int fd, uint64_t *start)
{
	struct container c;
	const bool begun = !file_read_at(fd, &c, sizeof c, 0, NULL) &&
			   !memcmp(c.magic, CONTAINER_MAGIC, sizeof c.magic);

	*start = begun ? c.start_ticks : 0;
	return begun;
}

/* ---- tables ---- */

/* The kernel grants no lease on a file that a process has open or mapped for writing. */
bool table_is_written(int fd, int pid)
{
	const int error = fcntl(fd, F_SETLEASE, F_RDLCK) ? errno : 0;

	if (!error)
		fcntl(fd, F_SETLEASE, F_UNLCK);
	return error && (error == EAGAIN || table_process_runs(pid));
}

/* Returns whether the name is still that of the open file: another tiptop may have removed it, and
 * another process may have created another file with this name. */
static bool is_named(int fd, const char *path)
{
	struct stat opened, named;

	return !fstat(fd, &opened) && !lstat(path, &named) && opened.st_dev == named.st_dev &&
	       opened.st_ino == named.st_ino;
}

/* Returns whether the error is a lack of descriptors or memory, which says nothing about the file.
 */
static bool is_short(int code)
{
	return code == EMFILE || code == ENFILE || code == ENOMEM;
}

bool stale_tables_remove_file(const struct table_file *file)
{
	struct err ignored = ERR_INIT;
	const int fd = tables_open_file(file->path, file->path, &ignored);
	bool removed;

	if (fd < 0)
		return !is_short(ignored.code) && !unlink(file->path);
	/* While this lock is held, no other tiptop removes the file. */
	removed = !flock(fd, LOCK_EX | LOCK_NB) && !table_is_written(fd, file->pid) &&
		  is_named(fd, file->path) && !unlink(file->path);
	close(fd);
	return removed;
}

/* ---- folders of tables ---- */

static bool is_own_folder(int fd)
{
	struct stat folder;

	return !fstat(fd, &folder) && S_ISDIR(folder.st_mode) && folder.st_uid == geteuid() &&
	       folder.st_nlink;
}

int stale_tables_lock_folder(const char *path, int how)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && (!is_own_folder(fd) || flock(fd, LOCK_EX | how) || !is_own_folder(fd))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void remove_file(void *unused, const struct table_file *file)
{
	(void)unused;
	stale_tables_remove_file(file);
}

static void remove_name(const char *folder, const char *name)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
		unlink(path);
}

static void remove_marks(const char *folder)
{
	remove_name(folder, PROCESS_MARK_FILTERED);
	remove_name(folder, PROCESS_MARK_NO_PROC);
	remove_name(folder, PROCESS_MARK_OTHER_USER);
}

void stale_tables_clear_folder(const char *path)
{
	tables_visit_folder(path, remove_file, NULL);
	remove_marks(path);
}

static void note_table(void *has, const struct table_file *file)
{
	(void)file;
	*(bool *)has = true;
}

void stale_tables_remove_folder(const char *path)
{
	bool has_tables = false;

	remove_marks(path);
	tables_visit_folder(path, note_table, &has_tables);
	if (!has_tables)
		remove_name(path, EXEC_NOTE_FILE);
	rmdir(path);
}

static void clean_folder(void *unused, const char *path)
{
	const int fd = stale_tables_lock_folder(path, LOCK_NB);

	(void)unused;
	if (fd < 0)
		return;
	stale_tables_clear_folder(path);
	stale_tables_remove_folder(path);
	close(fd);
}

/* ---- all tables ---- */

/* Removes a table in a folder that other programs use, too: only a regular file of this user with a
 * name that libtiptop gives. */
static void remove_own_file(void *unused, const struct table_file *file)
{
	const char *name = strrchr(file->path, '/') + 1;
	struct stat s;

	(void)unused;
	if (!strncmp(name, TABLE_FILE_PREFIX, strlen(TABLE_FILE_PREFIX)) &&
	    !lstat(file->path, &s) && S_ISREG(s.st_mode) && s.st_uid == geteuid())
		stale_tables_remove_file(file);
}

void stale_tables_remove_in(const char *path)
{
	static const char *const what[] = {"locks", "calls", "regions"};

	tables_visit_folder(path, remove_own_file, NULL);
	for (size_t i = 0; i < sizeof what / sizeof *what; i++)
		tables_visit_folders(path, what[i], clean_folder, NULL);
}

void stale_tables_remove(void)
{
	const char *runtime = runtime_folder();

	if (runtime)
		stale_tables_remove_in(runtime);
	stale_tables_remove_in("/dev/shm");
}
