/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks in shared memory, summed over processes. */
#include <stdlib.h>

#include "locks_copy_rig.h"
#include "profile/locks/copy.h"
#include "profile/locks/report.h"
#include "tap.h"

/* How much farther the second process has mapped its program and the shared memory. */
#define FARTHER 0x800000

static struct locks_copy first, second;
static struct locks_report report;

/* Reads the table of locks_rig as that of process `pid`, whose last lock is at this place. */
static void read_table(struct locks_copy *copy, uint32_t pid, uint64_t farther,
		       const struct locks_memory *last)
{
	locks_copy_rig_read(copy, true);
	copy->header.container.pid = pid;
	copy->module[0].begin += farther;
	copy->module[0].end += farther;
	copy->instance[RIG_LOCKS - 1].memory = *last;
	for (uint32_t i = 0; i < RIG_LOCKS; i++) {
		copy->instance[i].address += farther;
		copy->instance[i].first_caller += farther;
	}
	for (size_t i = 0; i < copy->n_rows; i++)
		copy->row[i].caller += farther;
	for (uint32_t i = 1; i < RIG_WAITS; i++) {
		copy->wait[i].holder += farther;
		copy->wait[i].frame[0] += farther;
	}
}

static void add(struct locks_shared *s, struct locks_copy *copy)
{
	struct locks_report r;

	locks_shared_mark(s, copy);
	locks_report_make(&r, copy, 0);
	locks_shared_add(s, copy);
	locks_report_done(&r);
}

/* Sums two processes, with their last locks at these places. The caller frees the sums. */
static struct locks_shared *sum(const struct locks_memory *a, const struct locks_memory *b,
				uint32_t pid)
{
	struct locks_shared *s = locks_shared_new();

	read_table(&first, 4711, 0, a);
	read_table(&second, pid, FARTHER, b);
	locks_shared_note(s, &first);
	locks_shared_note(s, &second);
	add(s, &first);
	add(s, &second);
	return s;
}

static void done(struct locks_shared *s)
{
	locks_shared_free(s);
	locks_copy_done(&first);
	locks_copy_done(&second);
}

/* Returns the line of a caller, as its offset in the module or, without one, its address. */
static const struct locks_line *find(const struct locks_copy *c, uint64_t caller)
{
	for (size_t i = 0; i < report.n; i++)
		if (report.line[i].sum.caller == caller ||
		    report.line[i].sum.caller == c->module[0].begin + caller)
			return &report.line[i];
	return NULL;
}

static void test_sums(void)
{
	const struct locks_memory place = {1, 77, 0x40};
	struct locks_shared *s = sum(&place, &place, 4712);
	const struct locks_copy *c = locks_shared_copy(s);
	const struct locks_line *line;

	tap_int(first.instance[RIG_LOCKS - 1].n_processes, 2, "two processes use the lock");
	tap_int(first.instance[0].n_processes, 0, "one uses a private one");
	tap_int(locks_shared_n_processes(s), 2, "the processes of the sums");
	locks_report_make(&report, c, 0);
	tap_int((long)report.instances, 1, "one lock");
	tap_int((long)locks_n(&report.all, LOCKS_ACQUIRE), 2 * (4 + 5 + 6 + 5 + 6 + 7),
		"all of its acquisitions");
	tap_int((long)c->header.n_modules, 1, "one file, though it is mapped twice");
	line = find(c, 1);
	tap_int(line ? (long)locks_n(&line->sum, LOCKS_ACQUIRE) : -1, 2 * (5 + 6 + 7),
		"a caller in both processes");
	tap_int(line ? (long)line->sum.contended : -1, 6, "its waits");
	tap_int(line ? (long)(line->holder - c->module[0].begin) : -1, 2, "its holder");
	tap_int(line ? (long)line->holder_ticks : -1, 6, "for which both waited");
	tap_int(line ? (long)locks_sum(&line->counts[LOCKS_HOLD]) : -1, 36 * 2 * RIG_COUNT,
		"counts of events");
	tap_int(line ? (long)line->instance->address : -1, 0, "no address is that of both");
	tap_int(line ? (long)(line->instance->first_caller - c->module[0].begin) : -1, 0x11,
		"the first caller");
	/* The call before 0x1000 is not in the module. */
	line = find(c, 0x1000);
	tap_int(line ? (long)locks_n(&line->sum, LOCKS_ACQUIRE) : -1, 4 + 5 + 6,
		"callers without a file have their own lines");
	locks_report_done(&report);
	done(s);
}

static void check_apart(const struct locks_memory *a, const struct locks_memory *b, uint32_t pid,
			const char *what)
{
	struct locks_shared *s = sum(a, b, pid);

	tap_ok(!locks_shared_copy(s) && !first.instance[RIG_LOCKS - 1].n_processes &&
		       !second.instance[RIG_LOCKS - 1].n_processes,
	       "%s", what);
	done(s);
}

static void test_apart(void)
{
	const struct locks_memory place = {1, 77, 0x40}, device = {2, 77, 0x40},
				  inode = {1, 78, 0x40}, offset = {1, 77, 0x41}, none = {0, 0, 0},
				  at_zero = {1, 0, 0x40};
	struct locks_shared *s;

	check_apart(&place, &device, 4712, "another device");
	check_apart(&place, &inode, 4712, "another inode");
	check_apart(&place, &offset, 4712, "another offset");
	check_apart(&none, &none, 4712, "private memory");
	check_apart(&at_zero, &at_zero, 4712, "memory without an inode");
	check_apart(&place, &place, 4711, "two programs that one process executed");
	s = locks_shared_new();
	read_table(&first, 4711, 0, &place);
	read_table(&second, 4712, 0, &place);
	second.instance[RIG_LOCKS - 1].kind = LOCKS_SEMAPHORE;
	locks_shared_note(s, &first);
	locks_shared_note(s, &second);
	locks_shared_mark(s, &first);
	tap_int(first.instance[RIG_LOCKS - 1].n_processes, 0, "another kind of lock");
	done(s);
}

int main(void)
{
	test_sums();
	test_apart();
	return tap_done();
}
