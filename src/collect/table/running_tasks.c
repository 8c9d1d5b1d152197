/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/running_tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "inject/preload/futex_operation.h"

/* The most bytes of a file in /proc. */
#define FILE_BYTES_MAX ((size_t)64 << 20)

/* --- the list --- */

static int compare(const void *a, const void *b)
{
	const struct running_task *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

/* Reads a file of a task. Returns the number of bytes, or -errno. */
static ssize_t read_file(const struct running_task *t, const char *name, struct strbuf *out)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task/%d/%s", t->pid, t->tid, name);
	return file_read_lines(AT_FDCWD, path, FILE_BYTES_MAX, out);
}

static bool exists(const struct running_task *t)
{
	struct strbuf text;
	bool is_there;

	strbuf_init(&text);
	is_there = read_file(t, "comm", &text) >= 0;
	strbuf_done(&text);
	return is_there;
}

/* Adds the processes that a task has created. */
static void add_children(struct running_tasks *r, const struct running_task *t)
{
	struct strbuf text;
	char *end;

	strbuf_init(&text);
	r->no_children |= read_file(t, "children", &text) == -ENOENT && exists(t);
	for (const char *at = text.text; *at; at = end) {
		const long child = strtol(at, &end, 10);

		if (end == at)
			break;
		pid_list_add(&r->process, (int)child);
	}
	strbuf_done(&text);
}

void running_tasks_list(struct running_tasks *r, int pid, bool all)
{
	*r = (struct running_tasks){.n = 0};
	pid_list_add(&r->process, pid);
	for (size_t i = 0; i < r->process.n; i++) {
		struct running_task task = {.pid = r->process.v[i]};
		struct folder tasks;
		const char *name;

		if (folder_open(&tasks, "/proc/%d/task", task.pid) < 0)
			continue;
		while ((name = folder_next(&tasks))) {
			task.tid = (int)strtol(name, NULL, 10);
			r->task = xgrow(r->task, &r->cap, r->n + 1, sizeof *r->task);
			r->task[r->n++] = task;
			if (all)
				add_children(r, &task);
		}
	}
	array_sort(r->task, r->n, sizeof *r->task, compare);
}

bool running_tasks_has(const struct running_tasks *r, int tid)
{
	const struct running_task key = {.tid = tid};

	return array_find(&key, r->task, r->n, sizeof *r->task, compare);
}

void running_tasks_done(struct running_tasks *r)
{
	free(r->process.v);
	free(r->task);
	*r = (struct running_tasks){.n = 0};
}

/* --- records --- */

static struct syscall_record record_of(const struct running_task *t, enum syscalls_what what,
				       uint64_t now_ns)
{
	return (struct syscall_record){
		.what = what, .process = t->pid, .task = t->tid, .time_ns = now_ns};
}

static void add_name(const struct running_task *t, struct futex_table *to, uint64_t now_ns)
{
	struct syscall_record r = record_of(t, SYSCALLS_NAME, now_ns);
	struct strbuf text;

	strbuf_init(&text);
	if (read_file(t, "comm", &text) > 0) {
		snprintf(r.name, sizeof r.name, "%.*s", (int)strcspn(text.text, "\n"), text.text);
		futex_table_add(to, &r);
	}
	strbuf_done(&text);
}

/* Adds a line of /proc/PID/maps, which is cut off at its end. Memory with a name in brackets, such
 * as the heap, is of no file. */
static void add_map(const struct running_task *t, char *line, struct futex_table *to,
		    uint64_t now_ns)
{
	struct syscall_record r = record_of(t, SYSCALLS_MAP, now_ns);
	unsigned long begin, end, offset, inode;
	unsigned major, minor;
	char mode[5];
	int n = 0;

	if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &begin, &end, mode, &offset, &major,
		   &minor, &inode, &n) < 7 ||
	    line[n] == '[')
		return;
	r.map.begin = begin;
	r.map.size = end - begin;
	r.map.offset = offset;
	r.map.inode = inode;
	r.map.device = (uint64_t)major << 20 | minor;
	r.map.is_shared = mode[3] == 's';
	r.map.path = line + n;
	futex_table_add(to, &r);
}

static void add_maps(int pid, struct futex_table *to, uint64_t now_ns)
{
	const struct running_task leader = {pid, pid};
	struct strbuf text;

	strbuf_init(&text);
	if (read_file(&leader, "maps", &text) > 0)
		for (char *line = text.text, *next; line && *line; line = next) {
			next = strchr(line, '\n');
			if (next)
				*next++ = '\0';
			add_map(&leader, line, to, now_ns);
		}
	strbuf_done(&text);
}

/* Parses /proc/TID/syscall: the number, six arguments, the stack pointer and the place. Returns
 * false if the task is not in a call of futex(2). */
static bool parse_call(const char *text, struct syscall_record *r)
{
	unsigned long a[SYSCALL_ARGUMENTS], place;
	long number;

	if (sscanf(text, "%ld %lx %lx %lx %lx %lx %lx %*x %lx", &number, &a[0], &a[1], &a[2], &a[3],
		   &a[4], &a[5], &place) < 8 ||
	    !futex_is_call(number))
		return false;
	r->call.number = number;
	for (int i = 0; i < SYSCALL_ARGUMENTS; i++)
		r->call.argument[i] = a[i];
	r->call.frame[0] = place;
	r->call.n_frames = 1;
	r->call.began_before = true;
	return true;
}

static void add_call(const struct running_task *t, struct futex_table *to,
		     struct running_calls *calls)
{
	struct syscall_record r;
	struct strbuf text;
	ssize_t n;

	strbuf_init(&text);
	n = read_file(t, "syscall", &text);
	calls->n_unread += n < 0 && exists(t);
	r = record_of(t, SYSCALLS_ENTER, clock_ns(CLOCK_MONOTONIC));
	if (n > 0 && parse_call(text.text, &r)) {
		calls->n++;
		futex_table_add(to, &r);
	}
	strbuf_done(&text);
}

struct running_calls running_tasks_describe(const struct running_tasks *r, struct futex_table *to,
					    uint64_t now_ns)
{
	struct running_calls calls = {.n = 0};

	for (size_t i = 0; i < r->n; i++)
		add_name(&r->task[i], to, now_ns);
	for (size_t i = 0; i < r->process.n; i++)
		add_maps(r->process.v[i], to, now_ns);
	for (size_t i = 0; i < r->n; i++)
		add_call(&r->task[i], to, &calls);
	return calls;
}
