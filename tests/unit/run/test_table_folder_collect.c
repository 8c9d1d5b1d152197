/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables are collected when their processes have ended, and are listed and read as before. No
 * process has the pids from 2^30 on. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/table/table_folder.h"
#include "inject/lib/container.h"
#include "run/table_folder.h"
#include "tap.h"

#define SIZE 8192
static char parent[] = "/dev/shm/tests.XXXXXX";
static struct table_folder f;

struct mini {
	struct container container;
	int number;
};

static void add_path(char path[], const char *name)
{
	snprintf(path, TABLE_FOLDER_MAX + 64, "%s/%s", f.path, name);
}

static void remove_file(const char *name)
{
	char path[TABLE_FOLDER_MAX + 64];

	add_path(path, name);
	unlink(path);
}

/* Makes a table as a process does, that contains this number. start 0: without a header. */
static struct mini *make_table(const char *name, uint64_t start, int number)
{
	char path[TABLE_FOLDER_MAX + 64];
	struct mini *m;
	int fd;

	add_path(path, name);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, SIZE))
		abort();
	m = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	m->number = number;
	m->container.start_ticks = start;
	if (start)
		memcpy(m->container.magic, CONTAINER_MAGIC, sizeof m->container.magic);
	return m;
}

static void end_table(struct mini *m)
{
	munmap(m, SIZE);
}

static bool is_there(const char *name)
{
	char path[TABLE_FOLDER_MAX + 64];

	add_path(path, name);
	return !access(path, F_OK);
}

static int read_number(void *to, int fd, bool ended, struct err *err)
{
	struct mini m;
	const int ret = file_read_at(fd, &m, sizeof m, 0, err);

	(void)ended;
	*(int *)to = m.number;
	return ret;
}

/* Returns "NAME NUMBER" of each table in the list; a collected one has a star. */
static const char *list(void)
{
	static char text[1024];
	struct table_list tables;
	struct strbuf out;

	strbuf_init(&out);
	table_folder_list(&f, &tables);
	for (size_t i = 0; i < tables.n; i++) {
		struct err err = ERR_INIT;
		int number = -1;

		table_folder_read(&f, "locks", &tables.v[i], read_number, &number, &err);
		strbuf_addf(&out, "%s%s%s %d", i ? ", " : "", tables.v[i].text,
			    tables.v[i].kept == TABLE_FOLDER_FILE ? "" : "*", number);
	}
	snprintf(text, sizeof text, "%s", out.len ? out.text : "");
	table_list_done(&tables);
	strbuf_done(&out);
	return text;
}

static void collect(int times)
{
	for (int i = 0; i < times; i++)
		table_folder_collect(&f);
}

static void begin(void)
{
	struct err err = ERR_INIT;

	tap_int(table_folder_make(&f, "locks", &err), 0, "a folder%s", err.text);
	table_folder_watch_ends(&f);
}

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

static void test_ends(void)
{
	struct mini *one, *two;

	begin();
	one = make_table("table.1073741824.000", 7, 1);
	two = make_table("table.1073741825.000", 7, 2);
	collect(1);
	tap_str(list(), "table.1073741824.000 1, table.1073741825.000 2", "mapped tables stay");
	two->number = 3;
	end_table(two);
	collect(1);
	tap_ok(is_there("table.1073741824.000"), "one stays as long as it is mapped");
	tap_ok(!is_there("table.1073741825.000"), "one that no process has mapped is removed");
	tap_str(list(), "table.1073741824.000 1, table.1073741825.000* 3",
		"and its last contents are kept");
	one->number = 4;
	tap_str(list(), "table.1073741824.000 4, table.1073741825.000* 3",
		"the other one is read from its file");
	end_table(one);
	collect(1);
	tap_str(list(), "table.1073741824.000* 4, table.1073741825.000* 3", "until it is unmapped");
	table_folder_remove(&f);
	tap_ok(!f.kept && !f.n_ends, "all is freed");
}

/* A process that has executed another program has the tables of both. Those of an ended process are
 * sorted by their numbers; those of another one, which has its pid, come later. */
static void test_executions(void)
{
	const pid_t pid = start_child();
	const uint64_t start = table_process_start(pid);
	char first[32], second[32], expected[256];
	struct mini *m;

	begin();
	snprintf(first, sizeof first, "table.%d.000", (int)pid);
	snprintf(second, sizeof second, "table.%d.001", (int)pid);
	end_table(make_table(first, start, 1));
	collect(1);
	tap_ok(is_there(first), "a process that lives keeps the table of its last program");
	m = make_table(second, start, 2);
	collect(1);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	end_table(m);
	collect(1);
	tap_ok(is_there(first) && !is_there(second), "its last table may be collected first");
	snprintf(expected, sizeof expected, "%s 1, %s* 2", first, second);
	tap_str(list(), expected, "the order stays");
	collect(20);
	tap_ok(!is_there(first), "all are collected after its end");
	end_table(make_table(first, start + 1, 3));
	collect(1);
	end_table(make_table(first, start + 2, 4));
	snprintf(expected, sizeof expected, "%s* 1, %s* 2, %s* 3, %s 4", first, second, first,
		 first);
	tap_str(list(), expected, "tables of later processes with this pid follow");
	table_folder_remove(&f);
}

/* What is not a table of an ended process. */
static void test_others(void)
{
	struct mini *shared;
	pid_t child;
	int status;

	begin();
	end_table(make_table("table.1073741826.000", 0, 1));
	end_table(make_table("other", 7, 2));
	collect(1);
	tap_str(list(), "other 2, table.1073741826.000 1", "one that was not begun stays");
	shared = make_table("table.1073741827.000", 7, 3);
	child = start_child();
	end_table(shared);
	collect(1);
	tap_ok(is_there("table.1073741827.000"), "one that a forked process has mapped stays");
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	collect(1);
	tap_ok(!is_there("table.1073741827.000"), "until that ends");
	f.missed = true;
	end_table(make_table("table.1073741828.000", 7, 5));
	collect(1);
	tap_ok(!is_there("table.1073741828.000"),
	       "where the kernel lost reports, all are looked at");
	remove_file("other");
	table_folder_remove(&f);
}

/* Without an inotify(7) instance, all is as before. */
static void test_unwatched(void)
{
	begin();
	close(f.mark_fd);
	f.mark_fd = -1;
	kept_tables_free(f.kept);
	table_folder_watch_ends(&f);
	end_table(make_table("table.1073741824.000", 7, 1));
	collect(2);
	tap_str(list(), "table.1073741824.000 1", "without reports of the kernel, tables stay");
	table_folder_remove(&f);
}

int main(void)
{
	if (!mkdtemp(parent) || setenv("XDG_RUNTIME_DIR", parent, 1)) {
		printf("1..0 # SKIP there is no /dev/shm\n");
		return 0;
	}
	test_ends();
	test_executions();
	test_others();
	test_unwatched();
	tap_int(rmdir(parent), 0, "nothing is left");
	return tap_done();
}
