/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of trace: waiting until something is told of a task. */
#include <errno.h>
#include <sys/wait.h>

#include "collect/command/trace.h"

void trace_wait(struct trace *t)
{
	siginfo_t info;

	while (t->sys->wait(t->sys, -1, &info, WEXITED | WSTOPPED | WNOWAIT) == -EINTR)
		;
}

bool trace_await_birth(struct trace *t, struct trace_event *out)
{
	while (!trace_next(t, out)) {
		if (t->kept_ended)
			return false;
		trace_wait(t);
	}
	return out->kind == TRACE_BORN;
}
