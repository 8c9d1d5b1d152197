/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The descendants of a command, from the kernel's records on two CPUs. */
#include "collect/command/descendants.h"

#include <signal.h>

#include "base/clock.h"
#include "collect/command/command_total.h"
#include "exit_rig.h"
#include "life_rig.h"
#include "tap.h"

static struct descendant_list *begin(struct fake *f)
{
	struct descendant_list *list;

	*f = fake(0);
	list = descendants_open(&f->sys, CPUS, TID);
	tap_ok(list && f->n_open == 2, "a ring for each CPU that is online");
	return list;
}

static void end(struct fake *f, struct descendant_list *list)
{
	descendants_free(list);
	tap_int(f->n_open + f->n_mapped, 0, "nothing stays open or mapped");
}

static void fork_of(struct fake *f, int cpu, uint32_t creator_pid, uint32_t pid, uint64_t time)
{
	put_task(f, cpu, PERF_RECORD_FORK, pid, creator_pid, pid, time);
}

static void exit_of(struct fake *f, int cpu, uint32_t pid, uint32_t tid, uint64_t time)
{
	put_task(f, cpu, PERF_RECORD_EXIT, pid, 1, tid, time);
}

static void test_names(void)
{
	struct fake f;
	struct descendant_list *list = begin(&f);

	tap_ok(!descendants_have_any(list), "nothing was made");
	put_name(&f, 0, TID, TID, "sh", 900);
	fork_of(&f, 0, TID, 50, 1000);
	fork_of(&f, 2, 50, 51, 1010);
	put_name(&f, 0, 50, 50, "make\x1b", 1005);
	fork_of(&f, 0, TID, 52, 1020);
	descendants_read(list);
	tap_ok(descendants_have_any(list), "something was");
	tap_str(descendants_name(list, TID), "sh", "the command");
	tap_str(descendants_name(list, 50), "make?",
		"a child that has executed something, and its name tamed");
	tap_str(descendants_name(list, 51), "make?", "what it made behind that, on another CPU");
	tap_str(descendants_name(list, 52), "sh", "one that has executed nothing");
	tap_str(descendants_name(list, 53), "?", "a stranger");
	tap_int(descendants_find(list, 51)->creator_pid, 50, "who made it");
	tap_int(descendants_find(list, 51)->began_ns, 1010, "and when");
	end(&f, list);
}

/* The final counts of threads arrive after the process has executed another program. */
static void test_name_ended(void)
{
	struct fake f;
	struct descendant_list *list = begin(&f);

	fork_of(&f, 0, TID, 50, 1000);
	put_exec(&f, 0, 50, "old", 1005);
	for (uint32_t i = 0; i < 3; i++)
		put_task(&f, 0, PERF_RECORD_FORK, 50, 50, 60 + i, 1010 + i);
	exit_of(&f, 2, 50, 60, 1020);
	descendants_read(list);
	tap_str(descendants_name_ended(list, 50), "old", "a thread that exits by itself");
	exit_of(&f, 2, 50, 61, 1031);
	exit_of(&f, 0, 50, 62, 1030);
	put_exec(&f, 0, 50, "new", 1040);
	put_name(&f, 0, 50, 50, "renamed", 1050);
	exit_of(&f, 0, 50, 50, 1060);
	descendants_read(list);
	tap_str(descendants_name_ended(list, 50), "old", "one that the execution ends");
	tap_str(descendants_name_ended(list, 50), "old", "and another one");
	tap_str(descendants_name_ended(list, 50), "renamed", "one of the new program");
	tap_str(descendants_name_ended(list, 99), "?", "one of a stranger");
	end(&f, list);
}

static void test_ends(void)
{
	struct fake f;
	struct descendant_list *list = begin(&f);
	struct descendant *kin;

	fork_of(&f, 0, TID, 50, 1000);
	put_task(&f, 0, PERF_RECORD_FORK, 50, 50, 60, 1010);
	fork_of(&f, 0, TID, 51, 1020);
	exit_of(&f, 2, 50, 50, 1100); /* the leader exits before its thread */
	descendants_read(list);
	tap_ok(!descendants_first_ended(list), "while it has a thread, a process lives");
	exit_of(&f, 0, 51, 51, 1200);
	exit_of(&f, 2, 50, 60, 1300);
	exit_of(&f, 0, TID, TID, 1400);
	descendants_read(list);
	kin = descendants_first_ended(list);
	tap_int(kin->process, 51, "the first one that has ended");
	tap_int(kin->ended_ns, 1200, "at");
	tap_int(kin->exits, 1, "with its only thread");
	descendants_drop_first_ended(list);
	kin = descendants_first_ended(list);
	tap_int(kin->process, 50, "the next one");
	tap_int(kin->exits, 2, "with two");
	descendants_drop_first_ended(list);
	tap_ok(!descendants_first_ended(list), "the command itself is none of them");
	tap_int(descendants_thread_exits(list), 3, "three threads have ended");
	end(&f, list);
}

/* The command starts threads one after the other. One of them executes a program, and so gets the
 * pid of the leader. */
static void test_command(void)
{
	struct fake_exits says = fake_exits(0);
	struct fake f;
	struct descendant_list *list = begin(&f);

	descendants_set_exits(list, exits_open(&says.sys));
	put_name(&f, 0, TID, TID, "python3", 900);
	for (uint32_t i = 0; i < 5; i++) {
		put_task(&f, 0, PERF_RECORD_FORK, TID, TID, 60 + i, 1000 + 10 * i);
		exit_of(&f, 0, TID, 60 + i, 1005 + 10 * i);
		put_exit(&says, PROC_EVENT_EXIT, TID, (int)(60 + i), 0);
		descendants_read(list);
	}
	tap_ok(!descendants_first_ended(list), "its threads end no process");
	tap_ok(!descendants_nth_with_status(list, 0), "nor is it told how it ended");
	tap_int(descendants_thread_exits(list), 5, "they are counted");
	put_task(&f, 0, PERF_RECORD_FORK, TID, TID, 70, 1100);
	exit_of(&f, 2, TID, TID, 1110); /* the leader's exit; the executing thread gets its tid */
	descendants_read(list);
	tap_int(descendants_thread_exits(list), 5, "its first task has no counts at its end");
	exit_of(&f, 2, TID, TID, 1200);
	descendants_read(list);
	tap_int(descendants_thread_exits(list), 6, "the one that took its number has");
	tap_int(descendants_command_ended_ns(list), 1200, "the command ends with it");
	tap_ok(!descendants_first_ended(list), "and is none of those that it made");
	fork_of(&f, 0, 50, TID, 1300);
	exit_of(&f, 0, TID, TID, 1400);
	descendants_read(list);
	tap_ok(descendants_first_ended(list) && descendants_first_ended(list)->process == TID,
	       "but one that gets its number is");
	end(&f, list);
}

/* Although records were lost, each process is reported as exited at most once. */
static void test_lost(void)
{
	struct fake f;
	struct descendant_list *list = begin(&f);

	put_name(&f, 0, 50, 50, "named", 1000); /* the record of its start was lost */
	put_task(&f, 0, PERF_RECORD_FORK, 50, 50, 60, 1010);
	exit_of(&f, 0, 50, 60, 1020);
	exit_of(&f, 0, 50, 50, 1030);
	fork_of(&f, 0, TID, 51, 1040); /* the record of its thread's start was lost */
	exit_of(&f, 0, 51, 51, 1050);
	put_task(&f, 0, PERF_RECORD_FORK, 51, 51, 62, 1060);
	exit_of(&f, 0, 51, 62, 1070);
	exit_of(&f, 0, 51, 61, 1080);
	descendants_read(list);
	tap_int(descendants_find(list, 50)->state, DESCENDANT_NAMED,
		"without a start there is no end");
	tap_int(descendants_find(list, 51)->state, DESCENDANT_ENDED, "with one, there is");
	tap_int(descendants_find(list, 51)->ended_ns, 1050, "once");
	tap_int(descendants_find(list, 51)->exits, 3, "all its threads are counted");
	tap_ok(descendants_first_ended(list) == descendants_find(list, 51) &&
		       !descendants_nth_ended(list, 1),
	       "its end is reported once");
	put_name(&f, 0, 51, 51, "other", 1090); /* the record of its start was lost */
	descendants_read(list);
	tap_str(descendants_first_ended(list)->name, "?",
		"a name is not that of one that has ended");
	tap_int(descendants_find(list, 51)->state, DESCENDANT_NAMED, "but of another one");
	end(&f, list);
}

/* The exit status of a process is that of its last task. */
static void test_how(void)
{
	struct fake_exits says = fake_exits(0);
	struct fake f;
	struct descendant_list *list = begin(&f);

	descendants_set_exits(list, exits_open(&says.sys));
	fork_of(&f, 0, TID, 50, 1000);
	put_task(&f, 0, PERF_RECORD_FORK, 50, 50, 60, 1010);
	fork_of(&f, 0, TID, 51, 1020);
	exit_of(&f, 2, 50, 50, 1100);
	put_exit(&says, PROC_EVENT_EXIT, 50, 50, 9 << 8);
	put_exit(&says, PROC_EVENT_EXIT, 99, 99, 5 << 8);
	descendants_read(list);
	tap_ok(!descendants_find(list, 50)->how_known, "a leader that is not alone ends nothing");
	exit_of(&f, 2, 50, 60, 1200);
	exit_of(&f, 0, 51, 51, 1300);
	put_exit(&says, PROC_EVENT_EXIT, 50, 60, 3 << 8);
	descendants_read(list);
	tap_ok(descendants_find(list, 50)->how_known && descendants_find(list, 50)->how == 3 << 8,
	       "its last thread does");
	tap_ok(descendants_nth_with_status(list, 0) == descendants_find(list, 50) &&
		       !descendants_nth_with_status(list, 1),
	       "that is reported");
	tap_ok(!descendants_find(list, 51)->how_known, "of another one nothing was heard");
	put_exit(&says, PROC_EVENT_EXIT, 51, 51, SIGKILL);
	descendants_read(list);
	tap_ok(descendants_find(list, 51)->how_known && descendants_find(list, 51)->how == SIGKILL,
	       "until it was");
	tap_ok(descendants_nth_with_status(list, 0) == descendants_find(list, 51) &&
		       !descendants_nth_with_status(list, 1),
	       "of each once");
	descendants_read(list);
	tap_ok(!descendants_nth_with_status(list, 0), "and not again");
	tap_ok(!descendants_find(list, 99), "a stranger is none of them");
	end(&f, list);
	tap_int(says.n_open, 0, "and no socket is open any more");
}

/* One thread calls exit_group() with a status while the leader exits with 0. Either may be the last
 * to exit; the status of exit_group() is reported. */
static void test_race(void)
{
	struct fake_exits says = fake_exits(0);
	struct fake f;
	struct descendant_list *list = begin(&f);

	descendants_set_exits(list, exits_open(&says.sys));
	for (uint32_t pid = 50; pid <= 52; pid += 2) {
		fork_of(&f, 0, TID, pid, 1000 + pid);
		put_task(&f, 0, PERF_RECORD_FORK, pid, pid, pid + 1, 1010 + pid);
		exit_of(&f, 0, pid, pid + 1, 1100 + pid);
		exit_of(&f, 0, pid, pid, 1200 + pid);
	}
	put_exit(&says, PROC_EVENT_EXIT, 50, 51, 4 << 8);
	put_exit(&says, PROC_EVENT_EXIT, 50, 50, 0);
	put_exit(&says, PROC_EVENT_EXIT, 52, 52, 0);
	descendants_read(list);
	tap_ok(descendants_find(list, 50)->how_known && descendants_find(list, 50)->how == 4 << 8,
	       "the status is that of the process");
	tap_ok(!descendants_find(list, 52)->how_known, "which waits for that of all threads");
	put_exit(&says, PROC_EVENT_EXIT, 52, 53, 4 << 8);
	descendants_read(list);
	tap_ok(descendants_find(list, 52)->how_known && descendants_find(list, 52)->how == 4 << 8,
	       "in whatever order they come");
	end(&f, list);
}

/* If exit messages are refused, a pidfd is held for each living process. */
static void test_held(void)
{
	struct fake_exits says = fake_exits(-EPERM);
	struct fake f;
	struct descendant_list *list = begin(&f);

	descendants_set_exits(list, exits_open(&says.sys));
	says.reported = true;
	says.how = 6 << 8;
	fork_of(&f, 0, TID, 50, 1000);
	fork_of(&f, 0, TID, 51, 1010);
	fork_of(&f, 0, TID, 52, 1020);
	exit_of(&f, 0, 52, 52, 1030);
	descendants_read(list);
	tap_int(says.n_held, 2, "those that live");
	exit_of(&f, 0, 51, 51, 1040);
	descendants_read(list);
	tap_ok(!descendants_find(list, 51)->how_known,
	       "one that had ended by then may be another process");
	descendants_find(list, 50)->held_ns = 1050;
	exit_of(&f, 0, 50, 50, 1060);
	descendants_read(list);
	tap_ok(descendants_find(list, 50)->how_known && descendants_find(list, 50)->how == 6 << 8,
	       "one that lived tells it");
	tap_ok(descendants_nth_with_status(list, 0) == descendants_find(list, 50),
	       "that is reported");
	descendants_drop_first_ended(list), descendants_drop_first_ended(list),
		descendants_drop_first_ended(list);
	tap_int(says.n_held, 0, "then all are let go");
	fork_of(&f, 0, TID, 53, 1070);
	descendants_read(list);
	end(&f, list);
	tap_int(says.n_held, 0, "and those that live on, at the end");
}

/* The number of failed processes is partial as long as the status of some is unknown. */
static void test_programs(void)
{
	struct programs p = {.n = 0};
	const struct program *list;
	size_t n;

	for (int i = 0; i < 3; i++)
		programs_add(&p, "cc1", true, 100);
	programs_add(&p, "as", true, 50);
	programs_add(&p, "as", true, 50);
	programs_add_end(&p, "cc1", 0);
	programs_add_end(&p, "cc1", 1 << 8);
	programs_add_end(&p, "cc1", SIGSEGV | 0x80);
	list = programs_list(&p, &n);
	tap_ok(n == 2 && list[0].processes == 3 && program_failed(&list[0]).number == 2 &&
		       program_failed(&list[0]).quality == QUALITY_EXACT,
	       "by a status that is not 0, and by a signal");
	tap_int(program_failed(&list[1]).quality, QUALITY_NOT_READ, "of none it is known");
	programs_add_end(&p, "as", 0);
	list = programs_list(&p, &n);
	tap_int(program_failed(&list[1]).quality, QUALITY_NOT_READ, "of one that has not failed");
	programs_add(&p, "as", true, 0);
	programs_add_end(&p, "as", 1);
	list = programs_list(&p, &n);
	tap_ok(program_failed(&list[1]).quality == QUALITY_PARTIAL &&
		       program_failed(&list[1]).number == 1,
	       "of one that has: at least that");
	programs_done(&p);
}

/* A pid is reused, by another child of the command or by an unrelated process. */
static void test_again(void)
{
	struct fake f;
	struct descendant_list *list = begin(&f);
	const uint64_t second = 1000000000;
	struct task t = {.id = 50, .owner = 50, .start_ns = second};

	fork_of(&f, 0, TID, 50, second);
	descendants_read(list);
	tap_ok(descendants_have(list, &t), "a child");
	exit_of(&f, 0, 50, 50, 3 * second);
	descendants_read(list);
	tap_ok(descendants_have(list, &t), "once it has ended, too");
	t.start_ns = 3 * second + second / 200;
	tap_ok(!descendants_have(list, &t), "a stranger who has its pid, even half a tick later");
	fork_of(&f, 0, TID, 50, 5 * second);
	put_name(&f, 0, 50, 50, "second", 5 * second + 1);
	descendants_read(list);
	t.start_ns = 5 * second;
	tap_ok(descendants_have(list, &t), "another child");
	tap_str(descendants_first_ended(list)->name, "?", "the first one is told all the same");
	descendants_drop_first_ended(list);
	exit_of(&f, 0, 50, 50, 6 * second);
	descendants_read(list);
	tap_str(descendants_first_ended(list)->name, "second", "and then the other");
	t.id = t.owner = TID;
	tap_ok(!descendants_have(list, &t), "the command has not made itself");
	end(&f, list);
}

/* CPU 2's ring has a record that is later than one still to be read from CPU 0's: both are sorted
 * by time. Returns false if this test was preempted for too long. */
static bool try_order(void)
{
	struct fake f;
	struct descendant_list *list = begin(&f);
	const uint64_t later = clock_ns(CLOCK_BOOTTIME) + 50000000;
	bool in_time;

	exit_of(&f, 2, 50, 50, later);
	descendants_read(list);
	in_time = clock_ns(CLOCK_BOOTTIME) < later;
	fork_of(&f, 0, TID, 50, later - 1);
	while (clock_ns(CLOCK_BOOTTIME) <= later)
		descendants_read(list);
	descendants_read(list);
	if (in_time)
		tap_ok(descendants_first_ended(list) &&
			       descendants_first_ended(list)->began_ns == later - 1,
		       "an end that was there before its beginning is taken after it");
	end(&f, list);
	return in_time;
}

static void test_order(void)
{
	while (!try_order())
		;
}

static void test_refused(void)
{
	struct fake f = fake(-EPERM);

	tap_ok(!descendants_open(&f.sys, CPUS, TID), "memory is short");
	tap_int(f.n_open + f.n_mapped, 0, "nothing stays open or mapped");
	descendants_free(NULL);
}

int main(void)
{
	test_names();
	test_name_ended();
	test_ends();
	test_command();
	test_lost();
	test_how();
	test_race();
	test_held();
	test_programs();
	test_again();
	test_order();
	test_refused();
	return tap_done();
}
