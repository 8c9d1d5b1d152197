/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of futexes from records of the kernel, by program, and in a copy of a table of locks. */
#include "profile/locks/futex_table.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/mem.h"
#include "profile/locks/report.h"
#include "tap.h"

#define PID   40
#define CHILD 60
#define A     0x5000 /* a futex in the data of the program */
#define B     0x9000 /* a futex elsewhere */
#define CODE  0x1010 /* the place of the system call */

static struct futex_table *table;

static struct syscall_record record(enum syscalls_what what, pid_t pid, pid_t task, uint64_t time)
{
	return (struct syscall_record){.what = what, .process = pid, .task = task, .time_ns = time};
}

static void add(enum syscalls_what what, pid_t pid, pid_t task, uint64_t time)
{
	struct syscall_record r = record(what, pid, task, time);

	if (what == SYSCALLS_FORK)
		r.creator_pid = PID;
	if (what == SYSCALLS_EXEC || what == SYSCALLS_NAME)
		memcpy(r.name, "prog", 5);
	futex_table_add(table, &r);
}

static void map_at(pid_t pid, uint64_t time, uint64_t at, const char *path)
{
	struct syscall_record r = record(SYSCALLS_MAP, pid, pid, time);

	r.map.begin = at;
	r.map.size = 0x6000;
	r.map.inode = 3;
	r.map.path = (char *)path;
	futex_table_add(table, &r);
}

static void map(pid_t pid, uint64_t time, const char *path)
{
	map_at(pid, time, 0x1000, path);
}

static void enter(pid_t pid, pid_t task, uint64_t time, uint64_t address, long operation)
{
	struct syscall_record r = record(SYSCALLS_ENTER, pid, task, time);

	r.call.number = SYS_futex;
	r.call.argument[0] = address;
	r.call.argument[1] = (uint64_t)operation;
	r.call.frame[0] = CODE + (uint64_t)operation;
	r.call.frame[1] = 0x2000;
	r.call.n_frames = 2;
	futex_table_add(table, &r);
}

static void leave(pid_t pid, pid_t task, uint64_t time, int64_t result)
{
	struct syscall_record r = record(SYSCALLS_EXIT, pid, task, time);

	r.call.number = SYS_futex;
	r.call.result = result;
	futex_table_add(table, &r);
}

static void begin(bool all, bool stacks)
{
	const struct futex_table_options o = {
		.command = PID, .all = all, .stacks = stacks, .ns_per_tick = 1ull << 31};

	table = futex_table_new(&o);
	add(SYSCALLS_EXEC, PID, PID, 1000);
	map(PID, 1001, "/bin/prog");
}

/* A thread waits for another, twice: ended by a wake, and by a timeout. Ticks are half a ns. */
static void play(void)
{
	add(SYSCALLS_FORK, PID, 41, 1100);
	enter(PID, 41, 1200, A, FUTEX_WAIT);
	enter(PID, PID, 1300, A, FUTEX_WAKE);
	leave(PID, 41, 1310, 0);
	leave(PID, PID, 1320, 1);
	enter(PID, 41, 1400, A, FUTEX_WAIT);
	leave(PID, 41, 1450, -ETIMEDOUT);
	add(SYSCALLS_END, PID, 41, 1500);
}

static const struct locks_row *find_row(const struct locks_copy *c, uint64_t address,
					long operation)
{
	for (size_t i = 0; i < c->n_rows; i++)
		if (c->instance[c->row[i].instance - 1].address == address &&
		    locks_place_address(c->row[i].caller) == CODE + (uint64_t)operation)
			return &c->row[i];
	return NULL;
}

static void test_rows(void)
{
	const struct locks_row *waits, *wakes;
	struct futex_program *p;
	struct locks_copy c;

	begin(false, false);
	play();
	futex_table_end(table, 2000);
	tap_int((int)futex_table_n(table), 1, "a program");
	p = futex_table_program(table, 0);
	locks_copy_init(&c);
	futex_copy_make(&c, p);
	waits = find_row(&c, A, FUTEX_WAIT);
	wakes = find_row(&c, A, FUTEX_WAKE);
	tap_ok(c.n_rows == 2 && waits && wakes, "a row for each caller");
	tap_ok(c.header.n_instances == 1 && c.instance[0].kind == LOCKS_FUTEX, "of one futex");
	tap_ok(waits->contended == 1 && waits->waited == 220 &&
		       locks_sum(&waits->phase[LOCKS_ACQUIRE]) == 220,
	       "a wait of 110 ns");
	tap_ok(waits->failed == 1 && waits->futex.timeouts == 1 && waits->lost == 100,
	       "a timeout after 50 ns");
	tap_ok(locks_n(wakes, LOCKS_RELEASE) == 1 && wakes->futex.woken == 1 &&
		       !wakes->futex.handed,
	       "a wake, by a thread that never waited");
	tap_ok(c.header.n_waits == 2 && c.wait[1].n == 1 && c.wait[1].ticks == 220 &&
		       c.wait[1].holder == wakes->caller && c.wait[1].n_frames == 1,
	       "the record of the wait names who woke");
	tap_ok(c.header.n_threads == 2 && c.header.n_pasts == 2 && c.past[0].tid == 41 &&
		       c.past[0].ticks[LOCKS_WAITING] == 320 && c.past[0].ticks[LOCKS_FREE] == 480,
	       "the thread waited 160 of its 400 ns");
	tap_ok(!strcmp(c.past[0].name, "prog") && c.kernel.alone, "it has the name of its process");
	tap_ok(c.thread[0].n_futex == 3 && !c.thread[0].n_futex_left_out, "three calls");
	tap_ok(c.header.n_modules == 1 && !strcmp(c.module[0].path, "/bin/prog"), "in one file");
	locks_copy_done(&c);
	futex_table_free(table);
}

/* A lock: threads that wait also wake. */
static void test_handed(void)
{
	const struct locks_row *wakes;
	struct locks_copy c;

	begin(false, true);
	enter(PID, PID, 1300, A, FUTEX_WAIT);
	leave(PID, PID, 1310, 0);
	enter(PID, PID, 1320, A, FUTEX_WAKE);
	leave(PID, PID, 1330, 2);
	enter(PID, PID, 1340, A, FUTEX_WAIT);
	futex_table_end(table, 2000);
	locks_copy_init(&c);
	futex_copy_make(&c, futex_table_program(table, 0));
	wakes = find_row(&c, A, FUTEX_WAKE);
	tap_ok(wakes && wakes->futex.handed == 2 && wakes->futex.use[LOCKS_BROADCASTS] == 1 &&
		       find_row(&c, A, FUTEX_WAIT)->futex.use[LOCKS_BALANCED] == 1,
	       "who has waited hands on");
	tap_int((int)find_row(&c, A, FUTEX_WAIT)->n_under_way, 1, "a wait is under way");
	tap_int((int)c.wait[1].n_frames, 2, "with callers");
	locks_copy_done(&c);
	futex_table_free(table);
}

static void play_child(void)
{
	add(SYSCALLS_FORK, CHILD, CHILD, 1600);
	enter(CHILD, CHILD, 1610, A, FUTEX_WAKE);
	leave(CHILD, CHILD, 1620, 0);
	add(SYSCALLS_EXEC, CHILD, CHILD, 1700);
	enter(CHILD, CHILD, 1710, B, FUTEX_WAKE);
	leave(CHILD, CHILD, 1720, 0);
	add(SYSCALLS_END, CHILD, CHILD, 1800);
}

/* A command that executes another program, which has calls. */
static void test_execution(void)
{
	struct futex_program *p;

	begin(false, false);
	add(SYSCALLS_EXEC, PID, PID, 1050);
	play();
	futex_table_end(table, 2000);
	p = futex_table_program(table, 0);
	tap_ok(futex_table_n(table) == 1 && p->begin_ns == 1050 && p->end_ns == 2000,
	       "a program without calls that executes another is left out");
	tap_ok(!p->has_executed && p->n_before == 1, "the next one is not the first");
	tap_ok(futex_table_execution(table, PID, 1020) == 1050 &&
		       futex_table_execution(table, PID, 1000) == 1050,
	       "the end of a program that was left out is known");
	tap_ok(!futex_table_execution(table, PID, 1050) &&
		       !futex_table_execution(table, PID, 999) &&
		       !futex_table_execution(table, CHILD, 1020),
	       "of this process, at this time only");
	futex_table_free(table);
	begin(false, false);
	play();
	add(SYSCALLS_EXEC, PID, PID, 1700);
	futex_table_end(table, 2000);
	p = futex_table_program(table, 0);
	tap_ok(futex_table_n(table) == 2 && p->has_executed && p->end_ns == 1700 && !p->n_before,
	       "one with calls stays, and ends then");
	futex_table_free(table);
}

static void test_programs(void)
{
	struct futex_program *p;
	struct locks_copy c;

	begin(false, false);
	play_child();
	futex_table_end(table, 2000);
	tap_ok(futex_table_n(table) == 1 && futex_table_program(table, 0)->pid == PID,
	       "the command alone, which made no call");
	futex_table_free(table);
	begin(true, false);
	play_child();
	futex_table_end(table, 2000);
	tap_int((int)futex_table_n(table), 3, "with its child, which has executed another program");
	p = futex_table_find(table, CHILD, 1650);
	tap_ok(p && p->begin_ns == 1600 && p->end_ns == 1700, "the child until then");
	tap_ok(p && p->maps.n == 1 && p->maps.map[0].noted, "has the files of its creator");
	tap_ok(futex_table_find(table, CHILD, 1700) == futex_table_program(table, 1),
	       "then the other one");
	tap_ok(!futex_table_find(table, CHILD, 1900), "then none");
	locks_copy_init(&c);
	futex_copy_make(&c, futex_table_find(table, CHILD, 1750));
	tap_ok(find_row(&c, B, FUTEX_WAKE) && !c.header.n_modules, "without its files");
	locks_copy_done(&c);
	futex_table_free(table);
}

/* A wait for several futexes. */
static void wait_for_several(uint64_t time, uint64_t caller)
{
	struct syscall_record r = record(SYSCALLS_ENTER, PID, PID, time);

	r.call.number = FUTEX_CALL_WAITV;
	r.call.argument[0] = A;
	r.call.frame[0] = caller;
	r.call.n_frames = 1;
	futex_table_add(table, &r);
	r.what = SYSCALLS_EXIT;
	r.time_ns = time + 100;
	r.call.result = 1;
	futex_table_add(table, &r);
}

/* Futexes whose memory would have to be read, and calls that are neither waits nor wakes. */
static void test_left_out(void)
{
	struct locks_copy c;

	begin(false, false);
	wait_for_several(1300, CODE);
	enter(PID, PID, 1500, A, FUTEX_FD);
	leave(PID, PID, 1510, 0);
	futex_table_end(table, 2000);
	locks_copy_init(&c);
	futex_copy_make(&c, futex_table_program(table, 0));
	tap_ok(c.n_rows == 1 && c.instance[0].several && !c.instance[0].address &&
		       c.row[0].contended == 1,
	       "a wait for several futexes");
	tap_ok(c.thread[0].n_futex == 2 && c.thread[0].n_futex_left_out == 1,
	       "another call is in no row");
	locks_copy_done(&c);
	futex_table_free(table);
}

/* The table of an object with a mutex, in which a futex lies, and a thread that ran on. */
static void make_table(struct locks_copy *c)
{
	locks_copy_init(c);
	c->header.ns_per_tick = 1ull << 31;
	c->header.n_instances = 1;
	c->header.n_modules = 1;
	c->header.n_pasts = 1;
	c->header.n_ended = c->header.n_threads = 1;
	c->header.end = 4000;
	c->instance = xcalloc(1, sizeof *c->instance);
	c->instance[0] = (struct locks_instance){.address = B - 8, .generation = 1};
	c->module = xcalloc(1, sizeof *c->module);
	c->module[0] = (struct locks_module){
		.begin = 0x1000, .end = 0x7000, .inode = 2, .path = "/bin/before"};
	c->past = xcalloc(1, sizeof *c->past);
	c->past[0] = (struct locks_past){.tid = 41, .number = 1, .end = 800};
	c->past[0].ticks[LOCKS_FREE] = 800;
	c->thread = xcalloc(2, sizeof *c->thread);
	c->n_threads = 2;
	c->thread[0].ticks[LOCKS_FREE] = 800;
	c->thread[1] = (struct locks_thread){
		.tid = PID, .slot = 1, .state = LOCKS_FREE, .begin = 2000, .since = 2000};
}

static void test_merge(void)
{
	const struct locks_row *waits;
	struct locks_report report;
	struct locks_copy c;

	begin(false, false);
	play();
	enter(PID, PID, 1600, B, FUTEX_WAIT);
	leave(PID, PID, 1610, 0);
	enter(PID, PID, 1700, A, FUTEX_WAIT);
	leave(PID, PID, 1800, 0);
	map_at(PID, 1801, 0x20000, "/lib/libc.so.6");
	wait_for_several(1810, 0x20100);
	futex_table_end(table, 2000);
	make_table(&c);
	futex_copy_merge(&c, futex_table_program(table, 0), 5000);
	waits = find_row(&c, A, FUTEX_WAIT);
	tap_ok(c.n_rows == 2 && c.header.n_instances == 2 && waits && waits->contended == 2,
	       "the waits that the object did not see, not those by syscall(2)");
	tap_ok(!find_row(&c, B, FUTEX_WAIT), "not those in a mutex, which has rows");
	tap_ok(c.header.n_modules == 3 && c.module[1].layer == 1 &&
		       locks_place_layer(waits->caller) == 1,
	       "a file that comes after another one is in the next layer");
	tap_ok(c.past[0].ticks[LOCKS_WAITING] == 320 && c.past[0].ticks[LOCKS_FREE] == 480 &&
		       c.thread[0].ticks[LOCKS_WAITING] == 320,
	       "an exited thread waited, and was not free");
	tap_ok(c.thread[1].ticks[LOCKS_WAITING] == 200 && c.thread[1].ticks[LOCKS_FREE] == 1800,
	       "so did a living one, but for the mutex");
	tap_ok(c.thread[1].sched.waited[LOCKS_FUTEX] == 200 && !c.kernel.alone && c.kernel.used,
	       "as a wait for a futex");
	locks_report_make(&report, &c, 5000);
	tap_ok(report.n == 2 && report.ticks[LOCKS_WAITING] == 520, "the report adds them up");
	locks_report_done(&report);
	locks_copy_done(&c);
	futex_table_free(table);
}

/* A thread is seen in a call that had begun before the records. */
static void see(pid_t pid, pid_t task, uint64_t time, uint64_t address)
{
	struct syscall_record r = record(SYSCALLS_ENTER, pid, task, time);

	r.call.number = SYS_futex;
	r.call.argument[0] = address;
	r.call.argument[1] = FUTEX_WAIT;
	r.call.frame[0] = CODE + FUTEX_WAIT;
	r.call.n_frames = 1;
	r.call.began_before = true;
	futex_table_add(table, &r);
}

/* Returns the row of a running program. */
static struct locks_row live_row(uint64_t now, uint64_t address, long operation)
{
	const struct locks_row *found;
	struct locks_row row = {.instance = 0};
	struct futex_program *p;
	struct locks_copy c;
	size_t pos = 0;

	locks_copy_init(&c);
	p = futex_table_next_running(table, &pos);
	p = p ? p : futex_table_program(table, 0);
	futex_copy_make_live(&c, table, p, now);
	found = find_row(&c, address, operation);
	if (found)
		row = *found;
	locks_copy_done(&c);
	return row;
}

static void test_live(void)
{
	const struct futex_table_options o = {
		.command = PID, .live = true, .ns_per_tick = 1ull << 32};
	struct locks_row row;
	const struct futex_program *p;
	size_t pos = 0;

	table = futex_table_new(&o);
	add(SYSCALLS_NAME, PID, PID, 1000);
	map(PID, 1001, "/bin/prog");
	add(SYSCALLS_NAME, PID, 50, 1002);
	see(PID, 50, 1050, B);
	play();
	row = live_row(1500, B, FUTEX_WAIT);
	tap_ok(row.lost == 450 && !row.n_under_way && !row.contended,
	       "a wait that had begun before: the time since then");
	leave(PID, 50, 1550, 0);
	row = live_row(1600, B, FUTEX_WAIT);
	tap_ok(row.lost == 500 && !row.failed && !row.contended, "it is no acquisition");
	row = live_row(1600, A, FUTEX_WAIT);
	tap_ok(row.contended == 1 && row.waited == 110 && row.failed == 1,
	       "the rows of an exited thread are kept");
	enter(PID, PID, 1700, A, FUTEX_WAIT);
	row = live_row(1750, A, FUTEX_WAIT);
	tap_ok(row.contended == 1 && row.n_under_way == 1 && row.under_way == 50,
	       "a wait is under way");
	leave(PID, PID, 1800, 0);
	row = live_row(1850, A, FUTEX_WAIT);
	tap_ok(row.contended == 2 && row.waited == 210 && !row.n_under_way, "until it ends");
	p = futex_table_next_running(table, &pos);
	tap_ok(!p->n_pasts && !p->n_shares && p->n_waits == 1, "nothing else is kept");
	add(SYSCALLS_EXEC, PID, PID, 1900);
	tap_int((int)futex_table_n(table), 1, "its program has ended");
	add(SYSCALLS_EXEC, PID, PID, 1950);
	tap_int((int)futex_table_n(table), 2, "one without calls is kept, too");
	futex_table_forget_ended(table);
	tap_int((int)futex_table_n(table), 0, "until they are forgotten");
	futex_table_free(table);
}

int main(void)
{
	test_rows();
	test_live();
	test_handed();
	test_execution();
	test_programs();
	test_left_out();
	test_merge();
	futex_table_free(NULL);
	return tap_done();
}
