/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source of tables, with table files that this program writes for child processes, which it
 * starts and kills. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "collect/table/tables.h"
#include "collect/task/procfs.h"
#include "inject/lib/table.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "tap.h"

/* --- tables of numbers --- */

#define ROWS 4

struct mini {
	struct container container;
	uint64_t n, value[ROWS];
};

struct copy {
	struct mini now, reported;
};

static void *make(const struct machine *machine)
{
	(void)machine;
	return xcalloc(1, sizeof(struct copy));
}

static int read_mini(void *table, int fd, bool ended, struct err *err)
{
	struct mini m;
	int ret = file_read_at(fd, &m, sizeof m, 0, err);

	(void)ended;
	if (!ret && memcmp(m.container.magic, CONTAINER_MAGIC, sizeof m.container.magic) != 0)
		ret = err_set(err, EBADMSG, "is of another version");
	if (!ret && m.n > ROWS)
		ret = err_set(err, EBADMSG, "is damaged");
	if (!ret)
		((struct copy *)table)->now = m;
	return ret;
}

static size_t n_of(const void *table)
{
	return ((const struct copy *)table)->now.n;
}

static bool is_idle(const void *table, size_t i)
{
	const struct copy *c = table;

	return c->now.value[i] == c->reported.value[i];
}

static struct task *row(void *table, size_t i, const struct table_process *process)
{
	const struct task_texts texts = {.user = process->user,
					 .name = "row",
					 .process = process->name,
					 .read = {[FACT_CALLER - FACT_FIRST_READ_TEXT] = "caller"}};
	struct task *t = task_new(&kind_lock, FACT_SET(FACT_ACQUISITIONS, FACT_CALLER), 0, &texts);
	struct copy *c = table;

	c->reported.value[i] = c->now.value[i];
	task_set_fact(t, FACT_ACQUISITIONS, c->now.value[i]);
	return t;
}

static const struct tables_use use = {
	.kind = &kind_lock,
	.what = "test",
	.make = make,
	.free = free,
	.read = read_mini,
	.n = n_of,
	.is_idle = is_idle,
	.row = row,
};

/* --- processes --- */

static char folder[64];

static pid_t start_child(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		for (;;)
			pause();
	return pid;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static uint64_t start_of(pid_t pid)
{
	char path[64], stat[1024];

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	return file_read(AT_FDCWD, path, stat, sizeof stat) > 0 ? tt_container_start(stat) : 1;
}

static const char *path_of(pid_t pid, int number)
{
	static char path[128];

	snprintf(path, sizeof path, "%s/table.%d.%03d", folder, (int)pid, number);
	return path;
}

/* Writes a table of two rows with the values 7 and b, or of three if c is not 0. */
static void put(pid_t pid, int number, uint64_t start, uint64_t b, uint64_t c)
{
	const struct mini m = {
		{.magic = CONTAINER_MAGIC, .start_ticks = start}, c ? 3 : 2, {7, b, c}};
	int fd = open(path_of(pid, number), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || pwrite(fd, &m, sizeof m, 0) != (ssize_t)sizeof m)
		abort();
	close(fd);
}

/* --- the source --- */

static struct proc *proc;
static struct source *source;
static struct sample sample;
static struct log faults;

static void begin(const char *where)
{
	struct want want = {.filter = FILTER_ALL, .log = &faults};

	event_set_init(&want.events);
	source = source_tables_new(&use, proc, NULL, NULL, where);
	tap_ok(source->ops->go_on(source, &want), "any screen may be shown");
	sample_init(&sample);
}

static void end(void)
{
	source->ops->free(source);
	sample_done(&sample);
}

static void next(void)
{
	struct err err = ERR_INIT;

	if (source->ops->next(source, &sample, &err))
		tap_ok(false, "%s", err.text);
}

static const struct task *at(pid_t pid, unsigned number, size_t i)
{
	for (size_t k = 0; k < sample.n; k++)
		if (sample.task[k]->id == kind_table_id(pid, number, i))
			return sample.task[k];
	return NULL;
}

static long value(pid_t pid, unsigned number, size_t i)
{
	const struct task *t = at(pid, number, i);

	return t && fact_in(t->known, FACT_ACQUISITIONS) ? (long)task_fact(t, FACT_ACQUISITIONS)
							 : -1;
}

static void check_living(pid_t child)
{
	const struct task *idle;

	next();
	tap_ok(!source->ops->note(source), "a command that has not begun has no table yet");
	next();
	tap_ok(!sample.n && source->ops->note(source), "nothing is there, which is said");
	put(child, 0, start_of(child), 5, 0);
	next();
	tap_int(sample.n, 2, "the rows of a table that is new");
	tap_ok(!source->ops->note(source) && sample.kind == &kind_lock, "of this kind");
	tap_ok(at(child, 0, 0)->counting == COUNT_WHOLE, "all of them is of this interval");
	tap_int(task_number(at(child, 0, 1)), child, "the process has a number");
	tap_str(task_text(at(child, 0, 1), FACT_PROGRAM), "test_tables", "and a name");
	idle = task_ref(at(child, 0, 0));
	put(child, 0, start_of(child), 9, 2);
	next();
	tap_ok(at(child, 0, 0) == idle, "of a row that did nothing, nothing new is read");
	tap_ok(value(child, 0, 1) == 9 && at(child, 0, 1)->counting == COUNT_NONE,
	       "another one has grown");
	tap_ok(value(child, 0, 2) == 2 && at(child, 0, 2)->counting == COUNT_WHOLE,
	       "a third one is new, and all of it is of this interval");
	task_unref(idle);
}

static void check_damage(pid_t child)
{
	const uint64_t many = ROWS + 1;
	int fd = open(path_of(child, 0), O_WRONLY | O_CLOEXEC);

	if (pwrite(fd, &many, sizeof many, offsetof(struct mini, n)) != sizeof many)
		abort();
	next();
	tap_ok(sample.n == 3 && value(child, 0, 1) == -1, "of a damaged table, nothing is known");
	tap_str(task_text(at(child, 0, 1), FACT_CALLER), "caller", "but what its rows are");
	tap_ok(faults.n == 1 && strstr(faults.line[0].text, "the table of test of the process") &&
		       strstr(faults.line[0].text, "is damaged"),
	       "and it is said why");
	put(child, 0, start_of(child), 9, 2);
	next();
	tap_ok(value(child, 0, 0) == 7 && value(child, 0, 1) == 9, "it is mended, and read again");
	close(fd);
}

/* A table ends when its process executes another program, and when it is killed. */
static void check_ends(pid_t child)
{
	put(child, 0, start_of(child), 11, 2);
	put(child, 1, start_of(child), 4, 0);
	next();
	tap_ok(sample.n == 5 && at(child, 0, 1)->dead && value(child, 0, 1) == 11,
	       "another program ends the rows of the one before");
	tap_ok(!at(child, 1, 1)->dead, "and has its own");
	next();
	tap_int(sample.n, 2, "which then are alone");
	tap_ok(!access(path_of(child, 0), F_OK), "as long as the process lives, both tables stay");
	put(child, 1, start_of(child), 6, 0);
	end_child(child);
	unlink(path_of(child, 1));
	next();
	tap_ok(sample.n == 2 && at(child, 1, 1)->dead && value(child, 1, 1) == 6,
	       "the last numbers of who was killed are shown, though the file has gone");
	next();
	tap_ok(!sample.n && !source->ops->note(source), "once, and it is not missed afterwards");
	tap_ok(access(path_of(child, 0), F_OK), "then the other table is removed, too");
}

/* Tables are ordered by their numbers, not by the names of the files. */
static void check_many(pid_t child)
{
	begin(folder);
	put(child, 999, start_of(child), 1, 0);
	put(child, 1000, start_of(child), 2, 0);
	next();
	next();
	tap_ok(sample.n == 2 && at(child, 1000, 1) && !at(child, 1000, 1)->dead,
	       "the thousandth program has the last table");
	end();
	unlink(path_of(child, 999));
	unlink(path_of(child, 1000));
}

static void *wait_for_ever(void *unused)
{
	(void)unused;
	for (;;)
		pause();
	return NULL;
}

/* Starts a process whose first thread ends, and waits for that. Another thread goes on. */
static pid_t start_leaderless(void)
{
	char path[64], stat[1024] = "";
	pthread_t other;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (!pthread_create(&other, NULL, wait_for_ever, NULL))
			pthread_exit(NULL);
		_exit(1);
	}
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	while (file_read(AT_FDCWD, path, stat, sizeof stat) > 0 && !strstr(stat, ") Z"))
		sched_yield();
	return pid;
}

/* A process lives as long as one of its threads. */
static void check_leaderless(void)
{
	const pid_t child = start_leaderless();

	tap_ok(table_process_runs(child) && table_process_lives(child, start_of(child)),
	       "a process whose first thread has ended lives");
	kill(child, SIGKILL);
	waitid(P_PID, (id_t)child, NULL, WEXITED | WNOWAIT);
	tap_ok(!table_process_runs(child), "a zombie does not");
	waitpid(child, NULL, 0);
}

static void check_short(void)
{
	pid_t child = start_child();
	const uint64_t start = start_of(child);
	siginfo_t info;

	put(child, 1, start, 5, 0);
	kill(child, SIGKILL);
	waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
	next();
	tap_ok(sample.n == 2 && at(child, 1, 1)->dead &&
		       !strcmp(at(child, 1, 1)->process, "test_tables"),
	       "who has ended, and was not waited for, has a name");
	tap_ok(access(path_of(child, 1), F_OK), "its table is removed");

	end_child(child);
	put(child, 0, start, 5, 0);
	next();
	tap_ok(sample.n == 2 && at(child, 0, 1)->dead && value(child, 0, 1) == 5 &&
		       at(child, 0, 1)->counting == COUNT_WHOLE,
	       "who lived for less than an interval is shown, too");
	tap_str(at(child, 0, 1)->process, "?", "without a name");
	next();
	tap_int(sample.n, 0, "once");
	put(child, 0, start + 1, 6, 0);
	next();
	tap_ok(sample.n == 2 && value(child, 0, 1) == 6, "a later process may have its name");
}

/* A table that is not initialized yet is waited for. A symbolic link is not opened. */
static void check_begin(void)
{
	pid_t child = start_child();
	int fd = open(path_of(child, 0), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	const size_t said = faults.n;

	if (ftruncate(fd, sizeof(struct mini)))
		abort();
	close(fd);
	next();
	tap_ok(!sample.n && faults.n == said, "a table that is not begun yet is waited for");
	put(child, 0, start_of(child), 5, 0);
	next();
	tap_int(sample.n, 2, "until it is");
	tap_ok(at(child, 0, 1)->counting == COUNT_WHOLE, "and all of it is of this interval");
	if (symlink("/etc/passwd", path_of(child, 7)))
		abort();
	next();
	next();
	tap_ok(faults.n == said + 1 && strstr(faults.line[said].text, "cannot read the table"),
	       "what is not a file is not read, which is said once");
	unlink(path_of(child, 7));
	end_child(child);
	unlink(path_of(child, 0));
	next();
}

/* All tables in the user's folders, while another source reads one folder. */
static void check_all(pid_t child, const char *parent)
{
	struct filter filter = FILTER_ALL;
	pid_t dead = start_child();

	put(dead, 0, start_of(dead), 5, 0);
	put(child, 0, start_of(child), 5, 0);
	end_child(dead);
	setenv("XDG_RUNTIME_DIR", parent, 1);
	begin(NULL);
	next();
	tap_ok(value(child, 0, 1) == 5 && at(child, 0, 1)->counting == COUNT_NONE,
	       "what was there before the first sample began at some time");
	tap_int(value(dead, 0, 1), -1, "what the dead have left is not shown");
	filter.pid = dead;
	source->ops->filter(source, &filter);
	next();
	tap_int(sample.n, 0, "a filter leaves it out");
	tap_str(source->ops->note(source),
		"no process that passes the filter (-p, -u) has a table of test",
		"which is the reason");
	filter.pid = child;
	source->ops->filter(source, &filter);
	put(child, 0, start_of(child), 6, 0);
	next();
	tap_ok(sample.n == 2 && value(child, 0, 1) == 6 && at(child, 0, 1)->counting == COUNT_NONE,
	       "and brings it back");
	end();
	unlink(path_of(dead, 0));
	unlink(path_of(child, 0));
}

/* A table without rows, and no table. */
static void check_empty(pid_t child)
{
	const struct mini m = {{.magic = CONTAINER_MAGIC, .start_ticks = start_of(child)}, 0, {0}};
	int fd = open(path_of(child, 0), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (pwrite(fd, &m, sizeof m, 0) != (ssize_t)sizeof m)
		abort();
	close(fd);
	begin(NULL);
	next();
	tap_str(source->ops->note(source), "the tables of test have no rows yet",
		"a process has a table without rows");
	end();
	unlink(path_of(child, 0));
	begin(NULL);
	next();
	tap_ok(strstr(source->ops->note(source), "no process of yours has a table of test"),
	       "no process has a table");
	end();
}

/* The process was started with another version of libtiptop. */
static void check_version(pid_t child)
{
	const size_t known = faults.n;
	int fd;

	put(child, 0, 4711, 5, 0);
	fd = open(path_of(child, 0), O_WRONLY | O_CLOEXEC);
	if (pwrite(fd, "tiptopL9", 8, 0) != 8)
		abort();
	close(fd);
	begin(NULL);
	next();
	tap_ok(faults.n == known + 1 && strstr(faults.line[known].text, "of another version"),
	       "the table of another version is named, wherever it has the start of its process");
	tap_str(source->ops->note(source), "the tables of test cannot be read: the errors tell why",
		"and not taken for missing");
	end();
	unlink(path_of(child, 0));
}

int main(void)
{
	char parent[] = P_tmpdir "/test-tables.XXXXXX";
	struct err err = ERR_INIT;
	pid_t child = start_child();

	proc = procfs_new(&err);
	if (!mkdtemp(parent))
		abort();
	snprintf(folder, sizeof folder, "%s/tiptop-test.x", parent);
	mkdir(folder, 0700);
	begin(folder);
	check_living(child);
	check_damage(child);
	check_ends(child);
	unlink(path_of(child, 0));
	check_short();
	check_begin();
	end();
	child = start_child();
	check_many(child);
	check_leaderless();
	check_all(child, parent);
	check_empty(child);
	check_version(child);
	end_child(child);
	rmdir(folder);
	rmdir(parent);
	log_done(&faults);
	procfs_free(proc);
	return tap_done();
}
