/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A new task whose creator was killed in fork(2), before the tracer has handled its event.
 */
#include "collect/command/trace.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#define STATUS 7

/* Starts a process that forks a child when a byte is written to *go. */
static pid_t start_creator(int *go)
{
	char byte;
	int fds[2];
	pid_t pid;

	if (pipe(fds))
		abort();
	pid = fork();
	if (!pid) {
		close(fds[1]);
		if (read(fds[0], &byte, 1) == 1 && !fork())
			_exit(STATUS);
		pause();
		_exit(0);
	}
	close(fds[0]);
	*go = fds[1];
	return pid;
}

static struct trace_event next(struct trace *t)
{
	struct trace_event event;

	while (!trace_next(t, &event))
		trace_wait(t);
	return event;
}

/* Kills the creator while it is stopped inside fork(2). */
static bool kill_amid_fork(pid_t creator)
{
	siginfo_t info = {.si_pid = 0};

	if (waitid(P_PID, (id_t)creator, &info, WSTOPPED | WNOWAIT | __WALL) ||
	    info.si_status != (SIGTRAP | PTRACE_EVENT_FORK << 8))
		return false;
	kill(creator, SIGKILL);
	return !waitid(P_PID, (id_t)creator, &info, WEXITED | WNOWAIT | __WALL);
}

static void test_orphan(struct trace *t, pid_t creator, int go)
{
	struct trace_event event = next(t);
	pid_t orphan;

	tap_ok(event.kind == TRACE_BORN && event.task == creator, "the creator");
	trace_continue(t);
	tap_ok(write(go, "", 1) == 1 && kill_amid_fork(creator), "is killed amid fork(2)");
	event = next(t);
	tap_ok(event.kind == TRACE_ENDED && event.task == creator, "its end");
	event = next(t);
	orphan = event.task;
	tap_ok(event.kind == TRACE_BORN && orphan != creator && event.creator,
	       "what it made is there");
	event = next(t);
	tap_ok(event.kind == TRACE_ENDED && event.task == orphan && event.process == orphan &&
		       event.status == W_EXITCODE(STATUS, 0),
	       "and goes on to its end");
}

/* Statuses have the form that waitpid(2) gives them, with the mark of a core dump. */
static void test_status(void)
{
	siginfo_t info = {.si_code = CLD_EXITED};

	info.si_status = STATUS;
	tap_int(trace_status(&info), W_EXITCODE(STATUS, 0), "an exit");
	info.si_status = SIGSEGV;
	info.si_code = CLD_KILLED;
	tap_int(trace_status(&info), SIGSEGV, "a signal");
	info.si_code = CLD_DUMPED;
	tap_ok(WCOREDUMP(trace_status(&info)) && WTERMSIG(trace_status(&info)) == SIGSEGV,
	       "one with a core dump");
	info.si_code = CLD_TRAPPED;
	info.si_status = SIGTRAP | PTRACE_EVENT_FORK << 8;
	tap_int(trace_status(&info) >> 16, PTRACE_EVENT_FORK, "a stop, with its event");
}

int main(void)
{
	struct err err = ERR_INIT;
	struct trace_sys kernel = trace_kernel();
	struct trace t;
	int go;
	const pid_t creator = start_creator(&go);

	test_status();
	/* Ends the test if a task waits for ever. */
	alarm(60);
	trace_init(&t, &kernel, true);
	if (trace_command(&t, creator, &err)) {
		kill(creator, SIGKILL);
		tap_ok(true, "what is left behind # SKIP %s", err.text);
	} else {
		test_orphan(&t, creator, go);
	}
	trace_done(&t);
	close(go);
	return tap_done();
}
