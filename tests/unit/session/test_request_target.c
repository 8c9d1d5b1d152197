/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Actions on tasks (signals, nice values, CPUs), tested on children of this process. */
#include "session/request.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "collect/task/proc_file.h"
#include "tap.h"

#define NOBODY   65534
#define NICE_MAX 19

static void *wait_for_ever(void *arg)
{
	for (;;)
		pause();
	return arg;
}

/* Starts a process of two threads, which is killed when this process ends. */
static struct live_task start_child(void)
{
	const struct proc_units units = {.tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK)};
	struct proc_facts facts = {.start_ns = 0};
	char path[64], text[1024];
	int ready[2];
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC))
		exit(1);
	pid = fork();
	if (!pid) {
		pthread_t thread;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!pthread_create(&thread, NULL, wait_for_ever, NULL) && write(ready[1], "", 1))
			wait_for_ever(NULL);
		_exit(1);
	}
	tap_int(read(ready[0], text, 1), 1, "a child has two threads");
	close(ready[0]);
	close(ready[1]);
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	file_read(AT_FDCWD, path, text, sizeof text);
	tap_int(proc_parse_stat(text, &units, &facts), 0, "its start is known");
	return (struct live_task){.pid = pid, .id = pid, .start_ns = facts.start_ns, .whole = true};
}

static void end_child(const struct live_task *child)
{
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
}

static void test_identity(void)
{
	struct live_task child[2] = {start_child()}, *other = &child[1];
	struct targets t = {.n = 0};
	struct err err = ERR_INIT;
	int status;

	*other = child[0];
	other->start_ns += 10000000;
	targets_take(&t, other, 1);
	tap_int(t.n, 0, "a number that another task has by now is not taken");
	targets_take(&t, child, 2);
	tap_int(t.n, 1, "of two, the one that is who it was is");
	tap_ok(targets_find(&t, child->pid) == t.v && !targets_find(&t, 1),
	       "it is found by its pid");
	tap_int(target_signal(t.v, SIGUSR1, &err), 0, "a signal is sent");
	waitpid(child->pid, &status, 0);
	tap_ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1, "and has come");
	tap_int(target_signal(t.v, SIGUSR1, &err), -ESRCH, "after its end no process can get one");
	tap_ok(strstr(err.text, " has ended"), "a sentence says so: %s", err.text);
	tap_int(target_set_nice(t.v, 5, &err), -ESRCH, "nor a nice value");
	targets_take(&t, child, 1);
	tap_int(t.n, 0, "it is not taken any more");
	targets_release(&t);
}

/* Without a pidfd, only the start time identifies the task. */
static void test_without_pidfd(void)
{
	struct live_task child = start_child();
	struct target t = {child, -1};
	struct err err = ERR_INIT;

	t.task.start_ns++;
	tap_int(target_signal(&t, SIGKILL, &err), -ESRCH, "another start: no signal");
	tap_int(kill(child.pid, 0), 0, "the task with this number lives on");
	t.task.start_ns--;
	tap_int(target_signal(&t, SIGSTOP, &err), 0, "the same start: it is sent");
	end_child(&child);
}

static int count_threads(const struct live_task *child, int nice)
{
	struct folder folder;
	const char *name;
	int n = 0;

	folder_open(&folder, "/proc/%d/task", child->pid);
	while ((name = folder_next(&folder)))
		n += getpriority(PRIO_PROCESS, (id_t)strtol(name, NULL, 10)) == nice;
	return n;
}

/* Returns a nice value `steps` above that of this process, as only higher ones are always
 * permitted; below it if that exceeds the maximum. */
static int nice_by(int steps)
{
	const int now = getpriority(PRIO_PROCESS, 0);

	return now + steps <= NICE_MAX ? now + steps : now - steps;
}

static void test_nice(void)
{
	const int first = nice_by(1), second = nice_by(2);
	struct live_task child = start_child();
	struct targets t = {.n = 0};
	struct err err = ERR_INIT;
	int nice = -99, now = getpriority(PRIO_PROCESS, 0);

	targets_take(&t, &child, 1);
	tap_int(target_nice(t.v, &nice, &err), 0, "the nice value is read");
	tap_int(nice, now, "it is that of who started it");
	tap_int(target_set_nice(t.v, first, &err), 0, "another one is set");
	tap_int(count_threads(&child, first), 2, "for all threads of the process");
	t.v->task.whole = false;
	tap_int(target_set_nice(t.v, second, &err), 0, "another one for one thread");
	tap_int(count_threads(&child, second), 1, "is that of one");
	targets_release(&t);
	end_child(&child);
}

static void test_cpus(void)
{
	static const char *const bad[] = {"", "x", "0-", "0,", "-1", "0--1", "0 1", "8191"};
	struct live_task child = start_child();
	struct targets t = {.n = 0};
	struct err err = ERR_INIT;
	struct strbuf before, after;
	cpu_set_t set;
	char one[16];

	strbuf_init(&before);
	strbuf_init(&after);
	targets_take(&t, &child, 1);
	tap_int(target_cpus(t.v, &before, &err), 0, "the CPUs are read: %s", before.text);
	snprintf(one, sizeof one, "%.*s", (int)strspn(before.text, "0123456789"), before.text);
	tap_int(target_set_cpus(t.v, one, &err), 0, "the first of them is chosen");
	sched_getaffinity(child.pid, sizeof set, &set);
	tap_ok(CPU_COUNT(&set) == 1 && CPU_ISSET(strtoul(one, NULL, 10), &set), "and no other");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		tap_int(target_set_cpus(t.v, bad[i], &err), -EINVAL, "'%s': %s", bad[i], err.text);
	target_cpus(t.v, &after, &err);
	tap_str(after.text, one, "what is no list, or not there, changes nothing");
	tap_int(target_set_cpus(t.v, before.text, &err), 0, "what was read can be set");
	strbuf_done(&before);
	strbuf_done(&after);
	targets_release(&t);
	end_child(&child);
}

/* Without privileges, actions on a task of root fail. */
static void test_denied(void)
{
	struct live_task child;
	struct targets t = {.n = 0};
	struct err err = ERR_INIT;
	char nice[64];

	if (getuid()) {
		tap_ok(true, "what others may not # SKIP this needs root");
		return;
	}
	child = start_child();
	targets_take(&t, &child, 1);
	if (setresuid(NOBODY, NOBODY, 0))
		exit(1);
	tap_int(target_signal(t.v, SIGKILL, &err), -EPERM, "a signal is not allowed");
	tap_ok(strstr(err.text, "it belongs to root") && strstr(err.text, "CAP_KILL"), "%s",
	       err.text);
	snprintf(nice, sizeof nice, "the nice value 19, in place of %d, for",
		 getpriority(PRIO_PROCESS, 0));
	tap_int(target_set_nice(t.v, 19, &err), -EPERM, "nor a nice value");
	tap_ok(strstr(err.text, "CAP_SYS_NICE") && strstr(err.text, nice), "%s", err.text);
	tap_int(target_set_cpus(t.v, "0", &err), -EPERM, "nor other CPUs");
	if (setresuid(0, 0, 0))
		exit(1);
	tap_int(kill(child.pid, 0), 0, "the task lives");
	targets_release(&t);
	end_child(&child);
}

int main(void)
{
	test_identity();
	test_without_pidfd();
	test_nice();
	test_cpus();
	test_denied();
	return tap_done();
}
