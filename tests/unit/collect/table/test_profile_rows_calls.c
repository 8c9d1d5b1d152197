/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of library calls, from made-up tables. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "calls_rig.h"
#include "collect/table/profile_rows.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "tap.h"

static const struct table_process process = {
	.pid = 4711, .user = (char[]){"alice"}, .name = (char[]){"prog"}};
static struct machine machine;
static void *table;
static int fd;

static int read_now(bool ended)
{
	struct err err = ERR_INIT;

	return call_tables.read(table, fd, ended, &err);
}

static void begin(void)
{
	fd = memfd_create("table", MFD_CLOEXEC);
	rig_write(fd);
	table = call_tables.make(&machine);
}

static void end(void)
{
	call_tables.free(table);
	close(fd);
}

/* Returns the reading of the row with this name. */
static struct task *find(const char *name)
{
	for (size_t i = 0; i < call_tables.n(table); i++) {
		struct task *t = call_tables.row(table, i, &process);

		if (!strcmp(t->name, name))
			return t;
		task_unref(t);
	}
	abort();
}

/* Returns a fact of the row with this name, -1 if it is unknown. */
static long long number(const char *name, int fact)
{
	struct task *t = find(name);
	long long n = fact_in(t->known, fact) ? (long long)task_fact(t, fact) : -1;

	task_unref(t);
	return n;
}

static void check_facts(void)
{
	struct task *t;

	begin();
	/* Read as the table of a dead process: calls that still run since tick 2000 would otherwise
	 * get the long time until now. */
	tap_int(read_now(true), 0, "a table is read");
	tap_int(call_tables.n(table), 3, "rows: the program, and functions that were called");
	t = find("malloc");
	tap_ok(t->kind == &kind_call && !strcmp(t->process, "prog"), "of a program");
	tap_str(task_text(t, FACT_KIND), "memory", "and a group");
	task_unref(t);
	tap_int(number("malloc", FACT_CALLS), 66,
		"calls of all threads, those without a time, too");
	tap_int(number("malloc", FACT_SELF_NS), 2 * 1200, "the time in it, in ns");
	tap_int(number("malloc", FACT_MAX_NS), 2 * 60, "the longest of all");
	tap_int(number("(program)", FACT_SELF_NS), 2 * 3000, "the time in none of them");
	tap_int(number("(program)", FACT_CALLS), -1, "which is not a function");
	end();
}

/* Two threads are alive, one of them in read(): time since the call is added at each reading, until
 * the process is dead. */
static void check_living(void)
{
	long long was, self;

	begin();
	read_now(false);
	was = number("read", FACT_SELF_NS);
	tap_ok(was > 2 * 1800, "who is in a function adds to its time");
	read_now(false);
	tap_ok(!call_tables.is_idle(table, 0), "so does who is in the program");
	self = number("read", FACT_SELF_NS);
	tap_ok(self > was, "more and more");
	read_now(true);
	tap_int(number("read", FACT_SELF_NS), self, "up to the last reading of one that is killed");
	number("malloc", FACT_CALLS);
	read_now(true);
	for (size_t i = 0; i < call_tables.n(table); i++)
		tap_ok(call_tables.is_idle(table, i), "then nothing happens any more");
	end();
}

static void check_changes(void)
{
	const struct calls_row begun = {.calls = 1, .depth = 1};
	const struct calls_row row = {.calls = 1, .self = 5, .total = 5, .max = 5};
	const size_t at = calls_slot_offset(RIG_FUNCTIONS, 1) + sizeof(struct calls_thread);
	struct calls_header h = rig_header();

	begin();
	read_now(true);
	rig_put(fd, &begun, sizeof begun, at + RIG_FREE * sizeof begun);
	tap_int(read_now(true), 0, "what has changed is read");
	tap_int(call_tables.n(table), 4, "a function that was called for the first time is new");
	tap_int(number("fr?e", FACT_CALLS), 1, "with its calls, and a harmless name");
	tap_int(number("fr?e", FACT_MAX_NS), -1, "until a call returns, it has no longest one");
	rig_put(fd, &row, sizeof row, at + RIG_FREE * sizeof row);
	tap_int(read_now(true), 0, "the call returns");
	tap_int(number("fr?e", FACT_MAX_NS), 2 * 5, "and is the longest one");
	h.n_functions = RIG_FUNCTIONS - 1;
	rig_put(fd, &h, sizeof h, 0);
	tap_int(read_now(true), -EBADMSG, "another list of functions is damage");
	tap_int(number("fr?e", FACT_CALLS), 1, "and the rows of the last reading are there still");
	end();
}

int main(void)
{
	check_facts();
	check_living();
	check_changes();
	return tap_done();
}
