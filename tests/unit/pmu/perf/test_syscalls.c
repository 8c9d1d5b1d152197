/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls of tasks, from the kernel's records in the ring buffers of two CPUs. */
#include "syscalls_rig.h"
#include "tap.h"

static const struct syscalls_choice both = {of, 2, 2, true}, threads = {of, 2, 2, false},
				    first = {of, 2, 1, true};

static struct syscalls *open_all(struct fake *f)
{
	struct syscalls *s = NULL;

	tap_int(syscalls_open(&s, &f->sys, CPUS, TID, &both), 0, "a ring for each CPU");
	return s;
}

static void test_open(void)
{
	struct fake f = fake();
	struct syscalls *s = open_all(&f);

	tap_int(f.n_open[0] == 5 && f.n_open[2] == 5 && f.n_redirected == 8, 1,
		"with two tracepoints of each call, which write to it");
	tap_int(f.n_mapped, 2, "one ring for each that is online");
	tap_ok(f.right, "by these attributes");
	tap_int((int)syscalls_n_fds(s), 2, "two descriptors to wait for");
	tap_int(syscalls_fd(s, 1), 2 * FDS, "those of the rings");
	syscalls_close(s);
	tap_int((int)(f.mapped >> 20), 4, "rings of 4 MB");
	tap_int(syscalls_open(&s, &f.sys, 1 << 20, TID, &both), 0, "on a machine with many CPUs");
	tap_int((int)(f.mapped / (size_t)sysconf(_SC_PAGESIZE)), 9, "they are smaller");
	syscalls_close(s);
	tap_int(n_left(&f), 0, "nothing stays open or mapped");
	syscalls_close(NULL);
}

static void test_add_task(void)
{
	struct fake f = fake();
	struct syscalls *s = open_all(&f);

	f.more = 43;
	tap_int(syscalls_add_task(s, 43), 0, "another task");
	tap_ok(f.n_open[0] == 10 && f.n_open[2] == 10 && f.n_mapped == 2 && f.n_redirected == 18,
	       "writes to the same rings");
	tap_ok(f.right, "by the same attributes");
	f.lost = 1;
	tap_int((int)syscalls_losses(s).records, 20, "its losses count, too");
	f.refuse_id = ENTER_WAKE;
	tap_int(syscalls_add_task(s, 43), -EACCES, "a tracepoint is refused");
	syscalls_close(s);
	tap_int(n_left(&f), 0, "nothing stays open or mapped");
}

/* Calls that are only counted: those that were not chosen, or not used before. */
static void test_counted(void)
{
	struct fake f = fake();
	struct syscalls *s = NULL;
	struct syscall_record r;

	tap_int(syscalls_open(&s, &f.sys, CPUS, TID, &first), 0, "one call of two is recorded");
	tap_ok(f.n_open[0] == 3 && f.n_counters == 1 && f.counts_right, "the other is counted");
	f.counted = 7;
	f.more = 43;
	syscalls_add_task(s, 43);
	tap_int((int)syscalls_n_unrecorded(s), 14, "of all tasks");
	syscalls_close(s);
	s = open_all(&f);
	tap_int((int)syscalls_n_unrecorded(s), 0, "a call that is recorded is not unrecorded");
	put_enter(&f, 0, 50, 10, 0x7000);
	syscalls_update(s, 20, true);
	syscalls_stop_unused(s);
	tap_ok(f.n_open[0] == 3 && f.n_open[2] == 3, "the second one was not used");
	tap_int((int)syscalls_n_unrecorded(s), 7, "it is counted");
	tap_ok(syscalls_next(s, &r) && r.time_ns == 10, "records stay");
	syscalls_close(s);
	s = open_all(&f);
	put_enter_wake(&f, 0, 50, 10);
	syscalls_update(s, 20, true);
	syscalls_stop_unused(s);
	tap_ok(f.n_open[0] == 5 && !syscalls_n_unrecorded(s), "one that was used stays recorded");
	syscalls_close(s);
	tap_int(n_left(&f), 0, "nothing stays open or mapped");
}

static void test_threads(void)
{
	struct fake f = fake();
	struct syscalls *s = NULL;

	tap_int(syscalls_open(&s, &f.sys, CPUS, TID, &threads), 0, "without children");
	tap_int(f.n_thread, 10, "only threads inherit the events");
	syscalls_close(s);
	f.old = true;
	tap_int(syscalls_open(&s, &f.sys, CPUS, TID, &threads), 0, "a kernel without that");
	tap_int(f.n_thread, 10, "all tasks inherit them");
	syscalls_close(s);
	tap_int(n_left(&f), 0, "nothing stays open or mapped");
}

static void test_refused(void)
{
	struct syscalls *s = NULL;
	struct fake f = fake();

	f.refuse_id = EXIT_WAKE;
	tap_int(syscalls_open(&s, &f.sys, CPUS, TID, &both), -EACCES, "a tracepoint is refused");
	tap_int(n_left(&f), 0, "nothing stays open or mapped");
	f.refuse_id = 0;
	f.refuse_map = -EPERM;
	tap_int(syscalls_open(&s, &f.sys, CPUS, TID, &both), -ENOBUFS, "no memory may be locked");
	tap_int(n_left(&f), 0, "nothing stays open or mapped");
	f.refuse_map = 0;
	f.most = 9 * (size_t)sysconf(_SC_PAGESIZE);
	f.old = true;
	tap_int(syscalls_open(&s, &f.sys, CPUS, TID, &both), 0,
		"little may be locked, and the kernel does not report losses");
	f.lost = 9;
	tap_int((int)syscalls_losses(s).records, 0, "which are not known then");
	syscalls_close(s);
	tap_int(n_left(&f), 0, "nothing stays open or mapped");
}

/* Returns the time of the next record; 0: there is none. */
static unsigned next(struct syscalls *s, struct syscall_record *r)
{
	return syscalls_next(s, r) ? (unsigned)r->time_ns : 0;
}

static void test_order(void)
{
	struct fake f = fake();
	struct syscalls *s = open_all(&f);
	struct syscall_record r;

	put_enter(&f, 2, 50, 10, 0x1000);
	put_exit(&f, 0, 50, 12, 1);
	syscalls_update(s, 20, false);
	tap_ok(!syscalls_next(s, &r), "of other CPUs older ones may come yet");
	put_enter(&f, 0, 51, 21, 0x1000);
	put_enter(&f, 2, 51, 11, 0x1000);
	syscalls_update(s, 30, false);
	tap_ok(next(s, &r) == 10 && r.what == SYSCALLS_ENTER, "the oldest comes first");
	tap_ok(next(s, &r) == 11 && next(s, &r) == 12, "whatever CPU wrote it, and whenever");
	tap_ok(!syscalls_next(s, &r), "one is younger than the update before");
	syscalls_update(s, 40, false);
	tap_ok(next(s, &r) == 21 && !syscalls_next(s, &r), "it comes after another update");
	put_exit(&f, 0, 51, 45, 1);
	syscalls_update(s, 46, true);
	tap_ok(next(s, &r) == 45 && !syscalls_next(s, &r), "at the end, all come");
	syscalls_close(s);
	tap_int(n_left(&f), 0, "nothing stays open or mapped");
}

static void test_calls(void)
{
	struct fake f = fake();
	struct syscalls *s = open_all(&f);
	struct syscall_record r;

	put_enter(&f, 0, 50, 10, 0x7000);
	put_exit(&f, 0, 50, 12, -110);
	syscalls_update(s, 20, true);
	tap_ok(next(s, &r) == 10 && r.process == TID && r.task == 50, "the beginning of a call");
	tap_ok(r.call.number == SYS_futex && r.call.argument[0] == 0x7000 &&
		       r.call.argument[1] == 128 && r.call.argument[5] == 0xffffffff,
	       "with its arguments");
	tap_ok(r.call.n_frames == 2 && r.call.frame[0] == 0x401000 && r.call.frame[1] == 0x402000,
	       "and callers, without the kernel's mark");
	tap_ok(next(s, &r) == 12 && r.what == SYSCALLS_EXIT && r.call.number == SYS_futex &&
		       r.call.result == -110 && !r.call.n_frames,
	       "its end, with its result");
	syscalls_close(s);
}

static void test_lives(void)
{
	struct fake f = fake();
	struct syscalls *s = open_all(&f);
	struct syscall_record r;

	put_task(&f, 0, PERF_RECORD_FORK, 50, 10);
	put_name(&f, 0, 11, PERF_RECORD_MISC_COMM_EXEC, "sort");
	put_name(&f, 0, 12, 0, "a-name-of-15-ch");
	put_map(&f, 2, 13, "/bin/sort");
	put_task(&f, 0, PERF_RECORD_EXIT, 50, 14);
	put_map(&f, 2, 15, "/lib/left");
	syscalls_update(s, 20, true);
	tap_ok(next(s, &r) == 10 && r.what == SYSCALLS_FORK && r.task == 50 && r.process == TID &&
		       r.creator_pid == TID,
	       "a thread begins");
	tap_ok(next(s, &r) == 11 && r.what == SYSCALLS_EXEC && !strcmp(r.name, "sort"),
	       "a program is executed");
	tap_ok(next(s, &r) == 12 && r.what == SYSCALLS_NAME && !strcmp(r.name, "a-name-of-15-ch"),
	       "a thread gets a name");
	tap_ok(next(s, &r) == 13 && r.what == SYSCALLS_MAP && r.map.begin == 0x400000 &&
		       r.map.size == 0x3000 && r.map.offset == 0x1000 && r.map.inode == 77,
	       "a file is mapped");
	tap_ok(r.map.device == (8 << 20 | 1) && r.map.is_shared, "and shared");
	tap_str(r.map.path, "/bin/sort", "with its path");
	tap_ok(next(s, &r) == 14 && r.what == SYSCALLS_END && r.task == 50, "a thread ends");
	syscalls_close(s);
	tap_int(n_left(&f), 0, "a record that was not read is freed");
}

static void test_losses(void)
{
	struct fake f = fake();
	struct syscalls *s = open_all(&f);
	struct syscall_record r;

	put_enter(&f, 0, 50, 10, 0x7000);
	put_lost(&f, 0, 5);
	put_exit(&f, 0, 50, 30, 0);
	put_enter(&f, 2, 51, 20, 0x7000);
	syscalls_update(s, 40, true);
	tap_ok(next(s, &r) == 10 && r.what == SYSCALLS_ENTER, "the record before the loss");
	tap_ok(next(s, &r) == 10 && r.what == SYSCALLS_LOST && r.until_ns == 30, "the loss");
	tap_ok(next(s, &r) == 20 && r.what == SYSCALLS_ENTER, "another CPU lost nothing");
	tap_ok(next(s, &r) == 30 && r.what == SYSCALLS_EXIT, "the record after it");
	tap_ok(!syscalls_next(s, &r), "no other loss");
	tap_int((int)syscalls_losses(s).records, 5, "five were lost");
	f.lost = 2;
	tap_int((int)syscalls_losses(s).records, 20, "two of each event, as the kernel counts");
	syscalls_close(s);
}

/* The kernel reports what it has dropped only when it writes the next record. */
static void test_full(void)
{
	struct fake f = fake();
	struct syscalls *s;
	struct syscall_record r, last = {.what = SYSCALLS_END};
	const int n = 8 * (int)sysconf(_SC_PAGESIZE) / 72;

	f.most = 9 * (size_t)sysconf(_SC_PAGESIZE);
	s = open_all(&f);
	for (int i = 0; i < n / 2; i++)
		put_exit(&f, 0, 50, 100 + (uint64_t)i, 0);
	syscalls_update(s, 5000, true);
	while (syscalls_next(s, &r))
		last = r;
	tap_int(last.what, SYSCALLS_EXIT, "a ring with room has lost nothing");
	syscalls_close(s);
	s = open_all(&f);
	for (int i = 0; i < n; i++)
		put_exit(&f, 0, 50, 100 + (uint64_t)i, 0);
	syscalls_update(s, 5000, true);
	while (syscalls_next(s, &r))
		last = r;
	tap_ok(last.what == SYSCALLS_LOST && last.time_ns == 100 + (uint64_t)n - 1 &&
		       last.until_ns == 5000,
	       "a full one may have, from its last record on");
	syscalls_close(s);
}

/* Records of other tracepoints, and with sizes that do not fit. */
static void test_damages(void)
{
	const uint64_t value[6] = {0};
	struct fake f = fake();
	struct syscalls *s = open_all(&f);
	struct syscall_record r;
	struct made m = begin_sample(50, 10);

	add_u64(&m, 0);
	add_raw(&m, 99, SYS_futex, value, 6);
	put(&f, 0, &m);
	m = begin_sample(50, 11);
	add_u64(&m, 1000); /* frames that are not there */
	put(&f, 0, &m);
	m = begin_sample(50, 12);
	add_u64(&m, 0);
	add_u32(&m, 1000); /* data that are not there */
	add_u64(&m, ENTER);
	put(&f, 0, &m);
	m = begin(PERF_RECORD_MMAP2, 0);
	add_u64(&m, 1);
	put(&f, 0, &m);
	m = begin(PERF_RECORD_FORK, 0);
	put(&f, 0, &m);
	m = begin(PERF_RECORD_THROTTLE, 0);
	put(&f, 0, &m);
	put_enter(&f, 0, 50, 20, 0x1000);
	syscalls_update(s, 40, true);
	tap_ok(next(s, &r) == 20 && !syscalls_next(s, &r), "only the good one comes");
	tap_int((int)syscalls_losses(s).damages, 5, "the bad ones are counted");
	syscalls_close(s);
}

/* Records of machines of 32 bits have another layout. */
static void test_narrow(void)
{
	struct syscalls *s = NULL;
	struct fake f = fake();

	tap_int(syscalls_open(&s, &f.sys, CPUS, TID, &both), -ENOTSUP, "refused on 32 bits");
	tap_ok(!s && !n_left(&f), "nothing is opened");
}

int main(void)
{
	if (sizeof(long) != sizeof(uint64_t)) {
		test_narrow();
		return tap_done();
	}
	test_open();
	test_add_task();
	test_threads();
	test_counted();
	test_refused();
	test_order();
	test_calls();
	test_lives();
	test_losses();
	test_full();
	test_damages();
	return tap_done();
}
