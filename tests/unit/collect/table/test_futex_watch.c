/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The futex calls of a command, from a kernel that is made up to the table of its programs. */
#include "collect/table/futex_watch.h"

#include <linux/futex.h>

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

/* Checks the error and its sentence. */
static void check(struct fake *f, const struct event_host *host, int ret, const char *text)
{
	struct futex_watch *w = NULL;
	struct err err = ERR_INIT;

	tap_int(futex_watch_open(&w, &f->sys, host, &options, &err), ret, "refused");
	tap_ok(err.text[0] && strstr(err.text, text), "as %s: %s", text, err.text);
	tap_int(n_left(f), 0, "nothing stays open or mapped");
}

int main(void)
{
	struct fake f = fake();
	struct fake_sysfs sysfs, empty;

	fake_sysfs_make(&sysfs, list, sizeof list / sizeof *list);
	fake_sysfs_make(&empty, NULL, 0);
	test_calls(&sysfs.host);
	check(&f, &empty.host, -ENOENT, "no tracepoint 'syscalls:sys_enter_futex'");
	f.refuse_id = ENTER;
	check(&f, &sysfs.host, -EACCES, "");
	f.refuse_id = 0;
	f.refuse_map = -EPERM;
	check(&f, &sysfs.host, -ENOBUFS, "ulimit -l");
	futex_watch_close(NULL);
	fake_sysfs_remove(&sysfs);
	fake_sysfs_remove(&empty);
	return tap_done();
}
