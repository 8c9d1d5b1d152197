/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts from the kernel about tasks of this test.
 */
#include "pmu/check/refusal.h"

#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

static void *look_at_thread(void *context)
{
	struct task_status *s = context;

	tap_int(task_status_read(gettid(), s), 0, "a thread");
	return NULL;
}

/* The line of groups alone is longer than a page. */
static void test_many_groups(void)
{
	gid_t groups[2000];
	struct task_status s = {0};
	int made[2];
	char byte;
	pid_t child;

	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		groups[i] = (gid_t)(100000 + i);
	if (pipe(made))
		return;
	child = fork();
	if (!child) {
		byte = (char)setgroups(sizeof groups / sizeof *groups, groups);
		_exit(write(made[1], &byte, 1) == 1 ? pause() : 1);
	}
	if (child > 0 && read(made[0], &byte, 1) == 1 && byte)
		tap_skip("no groups may be set", "a process of a user with many groups");
	else
		tap_ok(child > 0 && !task_status_read(child, &s) && !s.kernel,
		       "a process of a user with many groups is no thread of the kernel");
	if (child > 0)
		kill(child, SIGKILL);
	close(made[0]);
	close(made[1]);
	waitpid(child, NULL, 0);
}

int main(void)
{
	struct task_status s = {0}, thread = {0};
	siginfo_t info;
	pthread_t t;
	pid_t child;

	tap_int(task_status_read(getpid(), &s), 0, "a process");
	tap_int(s.process, getpid(), "it belongs to itself");
	tap_int(s.parent, getppid(), "its parent");
	tap_int(s.state, 'R', "it runs");
	tap_int(s.uid, geteuid(), "its user");
	tap_ok(!s.kernel && !s.tracer, "it is no thread of the kernel, and is not followed");
	if (!pthread_create(&t, NULL, look_at_thread, &thread))
		pthread_join(t, NULL);
	tap_int(thread.process, getpid(), "which belongs to its process");
	child = fork();
	if (!child)
		_exit(geteuid() ? 0 : seteuid(65534));
	waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
	tap_int(task_status_read(child, &s), 0, "a zombie");
	tap_int(s.state, 'Z', "it has ended");
	tap_int(s.uid, geteuid() ? geteuid() : 65534, "the user who counts is the effective one");
	waitpid(child, NULL, 0);
	tap_int(task_status_read(child, &s), -ENOENT, "nothing is left of it");
	test_many_groups();
	return tap_done();
}
