/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs without a table, from the kernel's records of exec. */
#include "base/clock.h"
#include "life_rig.h"
#include "run/table_folder.h"
#include "tap.h"

/* ns in a ms; times of the test are in ms from its begin. */
#define MS 1000000ull

static uint64_t begin;

/* A clock at half the speed of the kernel's. */
static uint64_t slow_clock(void)
{
	return clock_ns(CLOCK_BOOTTIME) / 2;
}

static struct process_watch *watch(struct fake *f, bool all)
{
	*f = fake(0);
	begin = clock_ns(CLOCK_BOOTTIME);
	return process_watch_open(&f->sys, CPUS, TID, all, slow_clock);
}

static void execute(struct fake *f, uint32_t pid, const char *name, uint64_t ms)
{
	put_exec(f, 0, pid, name, begin + ms * MS);
}

static void make_table(struct process_watch *w, uint32_t pid, uint64_t ms)
{
	process_watch_note_table(w, pid, (begin + ms * MS) / 2);
}

static size_t unexplained;

/* Ends the watch and checks the programs without a table. After the pause, the readings of both
 * clocks at begin and end differ enough to relate the clocks. */
static void check(struct process_watch *w, size_t n, const char *names, const char *what)
{
	const struct timespec some = {0, 20 * MS};
	struct strbuf text;

	nanosleep(&some, NULL);
	process_watch_end(w);
	strbuf_init(&text);
	tap_int(process_watch_unmeasured(w, &text, &unexplained), n, "%s: the number", what);
	tap_str(text.text ? text.text : "", names, "%s: these", what);
	strbuf_done(&text);
	process_watch_close(w);
}

static void test_command(void)
{
	struct fake f;
	struct process_watch *w = watch(&f, false);

	execute(&f, TID, "one", 1);
	execute(&f, TID, "two", 5);
	execute(&f, TID, "three", 9);
	put_task(&f, 0, PERF_RECORD_FORK, 50, TID, 50, begin + 10 * MS);
	execute(&f, 50, "child", 11);
	put_name(&f, 2, TID, TID, "renamed", begin + 12 * MS);
	process_watch_update(w);
	make_table(w, TID, 11);
	make_table(w, TID, 3);
	check(w, 1, "'two' (process 42)", "between two that have a table");
}

static void test_children(void)
{
	struct fake f;
	struct process_watch *w = watch(&f, true);

	execute(&f, TID, "make", 1);
	for (uint32_t pid = 50; pid < 57; pid++) {
		put_task(&f, 0, PERF_RECORD_FORK, pid, TID, pid, begin + 2 * MS);
		execute(&f, pid, "cc", 3);
	}
	make_table(w, TID, 2);
	make_table(w, 52, 4);
	check(w, 6,
	      "'cc' (process 50), 'cc' (process 51), 'cc' (process 53), 'cc' (process 54) and 2 "
	      "more",
	      "of all descendants");
}

/* A reason applies to the next program that the process executes, not to later ones. */
static void test_reasons(void)
{
	struct fake f;
	struct process_watch *w = watch(&f, true);

	execute(&f, TID, "one", 2);
	execute(&f, TID, "two", 4);
	execute(&f, TID, "three", 6);
	process_watch_note_reason(w, TID, begin + 1 * MS, "not the last one");
	process_watch_note_reason(w, TID, begin + 2 * MS - 1, "static");
	process_watch_note_reason(w, TID + 1, begin + 3 * MS, "of another process");
	process_watch_note_reason(w, TID, begin + 5 * MS, "other");
	process_watch_note_reason(w, TID, begin + 7 * MS, "too late");
	check(w, 3, "'one' (process 42, static), 'two' (process 42), 'three' (process 42, other)",
	      "reasons");
	tap_int(unexplained, 1, "one is unexplained");
}

/* A table that could not be read stands for one execution of its process without a table. */
static void test_unread(void)
{
	struct fake f;
	struct process_watch *w = watch(&f, true);

	execute(&f, TID, "one", 1);
	execute(&f, TID, "two", 5);
	execute(&f, TID, "three", 9);
	process_watch_note_unread(w, TID + 1);
	process_watch_note_unread(w, TID);
	make_table(w, TID, 2);
	check(w, 1, "'three' (process 42)", "a table that could not be read");
}

/* Checks when the program ended whose table began at `ms`. end_ms: 0: unknown. */
static void check_end(const struct process_watch *w, uint32_t pid, uint64_t ms, bool executes,
		      uint64_t end_ms, const char *what)
{
	bool executed;
	const uint64_t end =
		process_watch_program_end(w, pid, (begin + ms * MS) / 2, &executed) * 2;

	tap_ok(executed == executes && (end_ms ? end > begin + end_ms * MS - MS / 2 &&
							 end < begin + end_ms * MS + MS / 2
					       : !end),
	       "the end of a program: %s", what);
}

static void test_ends(void)
{
	const struct timespec some = {0, 20 * MS};
	struct fake f;
	struct process_watch *w = watch(&f, true);

	execute(&f, TID, "one", 1);
	execute(&f, TID, "two", 5);
	put_task(&f, 0, PERF_RECORD_FORK, 50, TID, 50, begin + 6 * MS);
	put_task(&f, 0, PERF_RECORD_EXIT, 50, TID, 51, begin + 7 * MS);
	put_task(&f, 0, PERF_RECORD_EXIT, 50, TID, 50, begin + 8 * MS);
	put_task(&f, 0, PERF_RECORD_EXIT, 50, TID, 52, begin + 10 * MS);
	put_task(&f, 0, PERF_RECORD_FORK, 50, TID, 50, begin + 12 * MS);
	put_task(&f, 0, PERF_RECORD_EXIT, 50, TID, 50, begin + 14 * MS);
	put_task(&f, 0, PERF_RECORD_EXIT, 60, TID, 61, begin + 9 * MS);
	nanosleep(&some, NULL);
	process_watch_end(w);
	check_end(w, TID, 2, true, 5, "it executes another one");
	check_end(w, TID, 6, false, 0, "it runs");
	check_end(w, 50, 7, false, 10, "that of its last thread");
	check_end(w, 50, 13, false, 14, "of another process with this pid");
	check_end(w, 60, 2, false, 0, "a thread that was not the first one has ended");
	process_watch_close(w);
}

static void test_unknown(void)
{
	const struct perf_event_header lost = {.type = PERF_RECORD_LOST, .size = 24};
	struct fake f;
	struct process_watch *w = watch(&f, true);

	execute(&f, TID, "one", 1);
	make_table(w, 1, 2);
	check(w, 0, "", "tables of another PID namespace");
	w = watch(&f, true);
	execute(&f, TID, "one", 1);
	put(&f, 0, &lost, sizeof lost);
	put(&f, 0, (uint64_t[2]){1, 3}, 16);
	check(w, 0, "", "some records were lost");
	f = fake(0);
	f.refused = -EPERM;
	tap_ok(!process_watch_open(&f.sys, CPUS, TID, true, slow_clock), "the kernel refuses");
}

static void test_running(void)
{
	struct fake f;
	struct process_watch *w = watch(&f, true);
	int pid = 0;
	size_t n_static;

	put_task(&f, 0, PERF_RECORD_FORK, 1u << 21, TID, 1u << 21, begin);
	/* This process began after the time of the record, which is of an earlier process with its
	 * pid. */
	put_task(&f, 0, PERF_RECORD_FORK, (uint32_t)getpid(), TID, (uint32_t)getpid(), 1);
	process_watch_end(w);
	tap_int(process_watch_running(w, &pid, &n_static), 0, "neither of them runs");
	process_watch_close(w);
}

int main(void)
{
	test_command();
	test_children();
	test_reasons();
	test_unread();
	test_ends();
	test_unknown();
	test_running();
	return tap_done();
}
