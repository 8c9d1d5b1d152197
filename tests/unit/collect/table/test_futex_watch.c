/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The futex calls of a command, from a kernel that is made up to the table of its programs. */
#include "collect/table/futex_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "base/clock.h"
#include "base/file.h"

#include "fake_sysfs.h"
#include "syscalls_rig.h"
#include "tap.h"

static const struct futex_table_options options = {.command = TID, .ns_per_tick = 1ull << 32};

/* A kernel without futex_wait and its like, which root has listed. */
static const struct fake_file list[] = {
	{"tracepoints", "syscalls:sys_enter_futex 522\nsyscalls:sys_exit_futex 521\n"},
};

static void test_calls(const struct event_host *host)
{
	struct fake f = fake();
	struct futex_watch *w = NULL;
	struct err err = ERR_INIT;
	const struct futex_program *p;

	tap_int(futex_watch_open(&w, &f.sys, host, &options, &err), 0, "the list has the ids");
	tap_ok(f.n_redirected && f.n_redirected == 2 * f.n_mapped, "of one call, for each CPU");
	put_enter(&f, 0, 50, 10, 0x7000);
	put_exit(&f, 0, 50, 12, -11);
	futex_watch_update(w);
	tap_int((int)futex_table_n(futex_watch_table(w)), 0, "no program has ended yet");
	put_enter(&f, 0, 51, 20, 0x7000);
	f.lost = 4;
	futex_watch_end(w);
	p = futex_table_n(futex_watch_table(w)) ? futex_table_program(futex_watch_table(w), 0)
						: NULL;
	tap_ok(p && p->pid == TID && p->n_calls == 2 && p->n_pasts == 2,
	       "the calls of both threads");
	tap_ok(futex_watch_lost(w) >= 4, "losses are known at the end");
	futex_watch_close(w);
	tap_int(n_left(&f), 0, "nothing stays open or mapped");
}

/* --- running processes --- */

static sem_t never;
static atomic_int waiter;
static bool seen; /* /proc shows the call: it does not if an emulator runs the program */

static void *wait_for_ever(void *unused)
{
	atomic_store(&waiter, (int)gettid());
	while (sem_wait(&never))
		;
	return unused;
}

/* Starts a thread, and returns once it is in a call of futex(2). */
static pthread_t start_waiter(void)
{
	char path[64], text[256], number[16];
	pthread_t thread;

	pthread_create(&thread, NULL, wait_for_ever, NULL);
	while (!atomic_load(&waiter))
		sched_yield();
	snprintf(path, sizeof path, "/proc/self/task/%d/syscall", atomic_load(&waiter));
	snprintf(number, sizeof number, "%d ", SYS_futex);
	for (int i = 0; i < 100000 && !seen; i++) {
		seen = file_read(AT_FDCWD, path, text, sizeof text) > 0 &&
		       !strncmp(text, number, strlen(number));
		sched_yield();
	}
	return thread;
}

/* Returns the number of threads: the two of the test, and those of an emulator that runs it. */
static int count_threads(void)
{
	DIR *d = opendir("/proc/self/task");
	int n = 0;

	for (const struct dirent *e; d && (e = readdir(d));)
		n += e->d_name[0] != '.';
	if (d)
		closedir(d);
	return n;
}

/* Returns the time of the wait in the rows of the running program, in ns; 0: none. */
static uint64_t waited(struct futex_watch *w, uint64_t now_ns)
{
	struct futex_table *t = futex_watch_table(w);
	struct futex_program *p;
	struct locks_copy c;
	uint64_t ns = 0;
	size_t pos = 0;
	char comm[32];

	locks_copy_init(&c);
	p = futex_table_next_running(t, &pos);
	if (p)
		futex_copy_make_live(&c, t, p, now_ns);
	for (size_t i = 0; i < c.n_rows; i++)
		if (c.instance[c.row[i].instance - 1].address == (uint64_t)(uintptr_t)&never)
			ns = c.row[i].lost;
	file_read(AT_FDCWD, "/proc/self/comm", comm, sizeof comm);
	comm[strcspn(comm, "\n")] = '\0';
	tap_ok(p && p->pid == getpid() && !strcmp(p->name, comm),
	       "a program with the name of the process");
	tap_ok(p && map_records_find(&p->maps, (uint64_t)(uintptr_t)&waited), "and with its files");
	locks_copy_done(&c);
	return ns;
}

static void test_attach(const struct event_host *host)
{
	const struct futex_table_options o = {
		.command = getpid(), .all = true, .live = true, .ns_per_tick = 1ull << 32};
	const pthread_t thread = start_waiter();
	struct fake f = fake();
	struct futex_watch *w = NULL;
	struct err err = ERR_INIT;
	const char *why = "";
	uint64_t ns;

	tap_int(futex_watch_attach(&w, &f.sys, host, &o, &err), 0, "a process that runs");
	tap_ok(f.n_mapped && f.n_open[0] + f.n_open[2] == 3 * count_threads() * f.n_mapped,
	       "both threads, into the same rings");
	tap_ok((!seen || futex_watch_gaps(w)->n_seen >= 1) && !futex_watch_gaps(w)->n_missed,
	       "one waits");
	ns = waited(w, clock_ns(CLOCK_MONOTONIC) + 1000000000);
	tap_ok(!seen || ns >= 1000000000, "for a futex that has a row");
	futex_watch_close(w);
	tap_int(n_left(&f), 0, "nothing stays open or mapped");
	f.refuse_id = ENTER;
	tap_int(futex_watch_attach(&w, &f.sys, host, &o, &err), -EACCES, "refused");
	tap_int(n_left(&f), 0, "nothing stays open or mapped");
	tap_int(futex_watch_attach(&w, &f.sys, host,
				   &(struct futex_table_options){.command = INT_MAX}, &err),
		-ESRCH, "no such process");
	why = err.text;
	tap_ok(strstr(why, "there is no process"), "%s", why);
	tap_int(futex_watch_attach(&w, &f.sys, host,
				   &(struct futex_table_options){.command = atomic_load(&waiter)},
				   &err),
		-EINVAL, "a thread");
	tap_ok(strstr(err.text, "is a thread of the process"), "%s", err.text);
	sem_post(&never);
	pthread_join(thread, NULL);
}

/* Checks the error and its sentence. */
static void check(struct fake *f, const struct event_host *host, int ret, const char *text)
{
	struct futex_watch *w = NULL;
	struct err err = ERR_INIT;

	tap_int(futex_watch_open(&w, &f->sys, host, &options, &err), ret, "refused");
	tap_ok(err.text[0] && strstr(err.text, text), "as %s: %s", text, err.text);
	tap_int(n_left(f), 0, "nothing stays open or mapped");
}

static void test_refused(const struct event_host *host)
{
	struct fake f = fake();

	f.refuse_id = ENTER;
	check(&f, host, -EACCES, "");
	f.refuse_id = 0;
	f.refuse_map = -EPERM;
	check(&f, host, -ENOBUFS, "ulimit -l");
}

int main(void)
{
	struct fake f = fake();
	struct fake_sysfs sysfs, empty;

	fake_sysfs_make(&sysfs, list, sizeof list / sizeof *list);
	fake_sysfs_make(&empty, NULL, 0);
	if (sizeof(long) == sizeof(uint64_t)) {
		test_calls(&sysfs.host);
		test_attach(&sysfs.host);
		test_refused(&sysfs.host);
	} else {
		check(&f, &sysfs.host, -ENOTSUP, "32 bits");
	}
	check(&f, &empty.host, -ENOENT, "no tracepoint 'syscalls:sys_enter_futex'");
	futex_watch_close(NULL);
	fake_sysfs_remove(&sysfs);
	fake_sysfs_remove(&empty);
	return tap_done();
}
