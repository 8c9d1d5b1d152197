/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exit statuses of processes, from messages of a fake kernel, and from the running kernel if it
 * sends them. */
#include "collect/command/descendants.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exit_rig.h"
#include "tap.h"

#define WAIT_MOST 60000 /* ms */

static void test_messages(void)
{
	struct fake_exits f = fake_exits(0);
	struct exits *e = exits_open(&f.sys);
	struct exits_end end = {.process = 0};

	tap_ok(e && exits_fd(e) == EXITS_FD, "the kernel tells");
	tap_int((int)exits_read(e), 0, "nothing has come");
	tap_ok(!exits_have_arrived(e) && !exits_next(e, &end), "nothing was heard");
	put_exit(&f, PROC_EVENT_FORK, 49, 49, 0);
	put_exit(&f, PROC_EVENT_EXIT, 50, 51, 3 << 8);
	f.message[f.n++].ret = -ENOBUFS;
	put_exit(&f, PROC_EVENT_EXIT, 52, 52, SIGSEGV | 0x80);
	put_exit(&f, PROC_EVENT_EXIT, 53, 53, 0);
	f.message[f.n - 1].ret--;
	exits_read(e);
	tap_int((int)exits_read(e), 2, "two ends: neither other news, nor the part of a message");
	tap_ok(exits_have_arrived(e) && exits_next(e, &end), "the older one");
	tap_ok(end.process == 50 && end.task == 51 && WEXITSTATUS(end.how) == 3, "of a thread");
	tap_int((int)exits_read(e), 1, "the other one waits");
	tap_ok(exits_next(e, &end) && end.process == 52 && WTERMSIG(end.how) == SIGSEGV,
	       "which came behind others that were lost, by a signal");
	tap_ok(!exits_next(e, &end), "there is no more");
	put_exit(&f, PROC_EVENT_EXIT, 54, 54, 0);
	tap_ok(exits_read(e) == 1 && exits_next(e, &end) && end.process == 54, "and later one");
	exits_close(e);
	tap_int(f.n_open, 0, "nothing stays open");
}

/* One system call reads many messages. */
static void test_many(void)
{
	static struct fake_exits f;
	struct exits *e;
	struct exits_end end = {.process = 0};
	int n = 0;

	f = fake_exits(0);
	e = exits_open(&f.sys);
	for (int i = 0; i < MESSAGES; i++)
		put_exit(&f, PROC_EVENT_EXIT, 100 + i, 100 + i, 0);
	tap_int((int)exits_read(e), MESSAGES, "all of many");
	tap_int(f.calls, MESSAGES / EXITS_AT_ONCE + 1, "in few calls");
	while (exits_next(e, &end))
		n += end.process == 100 + n;
	tap_int(n, MESSAGES, "in their order");
	f.calls = f.n = f.at = 0;
	put_exit(&f, PROC_EVENT_EXIT, 50, 50, 0);
	exits_read(e);
	tap_int(f.calls, 1, "where there are no more, none is asked for");
	exits_close(e);
}

static void test_refused(void)
{
	struct fake_exits f = fake_exits(-EPERM);
	struct exits *e = exits_open(&f.sys);
	struct exits_end end;

	tap_ok(exits_fd(e) == -1 && !exits_read(e) && !exits_next(e, &end) &&
		       !exits_have_arrived(e),
	       "a kernel that refuses tells nothing");
	exits_close(e);
	exits_close(NULL);
}

static void test_held(void)
{
	struct fake_exits f = fake_exits(0);
	struct exits *e = exits_open(&f.sys);
	int how = 0, held[200], n = 0;

	held[0] = exits_open_pidfd(e, 50);
	tap_ok(held[0] >= 0 && !exits_query_pidfd(e, held[0], &how),
	       "one that has not been waited for");
	f.reported = true;
	f.how = 3 << 8;
	tap_ok(exits_query_pidfd(e, held[0], &how) && how == 3 << 8, "until it has");
	for (n = 1; n < 200 && (held[n] = exits_open_pidfd(e, 50 + n)) >= 0; n++)
		;
	tap_int(n, 128, "their number is limited");
	while (n)
		exits_close_pidfd(e, held[--n]);
	tap_int(f.n_held, 0, "all were let go");
	put_exit(&f, PROC_EVENT_EXIT, 60, 60, 0);
	exits_read(e);
	tap_int(exits_open_pidfd(e, 50), -1, "where ends are heard, none is needed");
	exits_close(e);
}

/* Waits for the exit message of this child. Returns false after WAIT_MOST; sets the wait status. */
static bool heard_of(struct exits *e, pid_t pid, int *how)
{
	struct pollfd wait = {.fd = exits_fd(e), .events = POLLIN};
	struct exits_end end;

	while (poll(&wait, 1, WAIT_MOST) > 0) {
		exits_read(e);
		while (exits_next(e, &end))
			if (end.process == pid) {
				*how = end.how;
				return true;
			}
	}
	return false;
}

/* Reads the exit status of a child from the running kernel by a pidfd. */
static void test_kernel_held(struct exits_sys *sys)
{
	int how = 0, status, ret, fd;
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(1);
	}
	fd = sys->hold(sys, pid);
	kill(pid, SIGTERM);
	waitpid(pid, &status, 0);
	ret = fd >= 0 ? sys->ask(sys, fd, &how) : fd;
	if (ret)
		tap_ok(true, "one that was held # SKIP this kernel tells nothing");
	else
		tap_ok(how == status && WTERMSIG(how) == SIGTERM, "one that was held");
	if (fd >= 0)
		sys->close(sys, fd);
}

static void test_kernel(void)
{
	struct exits_sys sys = exits_kernel();
	struct exits *e = exits_open(&sys);
	int how = 0, status = 0;
	pid_t pid;

	pid = fork();
	if (!pid)
		_exit(7);
	waitpid(pid, &status, 0);
	exits_read(e);
	if (!exits_have_arrived(e))
		tap_ok(true, "the ends on this machine # SKIP its kernel does not tell");
	else
		tap_ok(heard_of(e, pid, &how) && how == status, "a child of this machine");
	exits_close(e);
	test_kernel_held(&sys);
}

int main(void)
{
	test_messages();
	test_many();
	test_refused();
	test_held();
	test_kernel();
	return tap_done();
}
