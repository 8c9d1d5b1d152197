/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/check/task_status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "pmu/check/privilege.h"

/* Returns the value of a field: the text after `name` ("\nNAME:") and blanks. "": there is no such
 * field. */
static const char *field(const char *status, const char *name)
{
	const char *p = strstr(status, name);

	return p ? p + strlen(name) + strspn(p + strlen(name), " \t") : "";
}

int task_status_read(int tid, struct task_status *out)
{
	char path[64], status[4096];
	const char *effective;
	ssize_t n;
	bool raised;

	snprintf(path, sizeof path, "/proc/%d/status", tid);
	raised = privilege_raise();
	n = file_read(AT_FDCWD, path, status, sizeof status);
	privilege_lower(raised);
	if (n <= 0)
		return n ? (int)n : -ESRCH;
	/* The real user id precedes the effective one. */
	effective = field(status, "\nUid:");
	effective += strcspn(effective, "\t");
	out->state = field(status, "\nState:")[0];
	out->process = (int)strtol(field(status, "\nTgid:"), NULL, 10);
	out->parent = (int)strtol(field(status, "\nPPid:"), NULL, 10);
	out->uid = strtol(effective, NULL, 10);
	out->tracer = (int)strtol(field(status, "\nTracerPid:"), NULL, 10);
	/* A zombie has no VmSize either. */
	out->kernel = out->state != 'Z' && out->state != 'X' && !*field(status, "\nVmSize:");
	return 0;
}

/* ---- refusals of ptrace(2) ---- */

/* The levels of kernel.yama.ptrace_scope above 0: they allow ptrace(2) of children only, to root
 * only, or not at all. */
enum { SCOPE_CHILDREN = 1, SCOPE_ROOT = 2, SCOPE_NONE = 3 };

static int read_scope(void)
{
	char text[16];

	return file_read(AT_FDCWD, "/proc/sys/kernel/yama/ptrace_scope", text, sizeof text) > 0
		       ? (int)strtol(text, NULL, 10)
		       : 0;
}

void trace_facts_read(struct trace_facts *f)
{
	struct task_status status = {.state = 'Z'};
	char path[64];

	f->ended = task_status_read(f->task, &status) || status.state == 'Z';
	f->kernel = status.kernel;
	f->tracer = status.tracer;
	snprintf(path, sizeof path, "/proc/%d/comm", f->tracer);
	if (f->tracer)
		file_read(AT_FDCWD, path, f->tracer_name, sizeof f->tracer_name);
	f->tracer_name[strcspn(f->tracer_name, "\n")] = '\0';
	f->scope = read_scope();
	f->uid = status.uid;
	f->user = (long)geteuid();
	f->root = f->user == 0;
	f->readable = !access("/proc/self/exe", R_OK);
}

static int refuse_by_yama(const struct trace_facts *f, struct err *err)
{
	if (f->scope >= SCOPE_NONE)
		return err_set(err, EPERM,
			       "task %d cannot be followed: kernel.yama.ptrace_scope is %d, which "
			       "forbids ptrace(2) to all until the next start of the machine",
			       f->task, f->scope);
	if (f->scope == SCOPE_ROOT)
		return err_set(err, EPERM,
			       "task %d cannot be followed: kernel.yama.ptrace_scope is 2, which "
			       "allows ptrace(2) to root only: 'sysctl kernel.yama.ptrace_scope=1' "
			       "allows 'tiptop follow -- command'",
			       f->task);
	return err_set(err, EPERM,
		       "task %d cannot be followed: kernel.yama.ptrace_scope is 1, which allows "
		       "ptrace(2) of children of tiptop only ('tiptop follow -- command'): 'sysctl "
		       "kernel.yama.ptrace_scope=0' allows it of all your processes",
		       f->task);
}

static bool is_refused_by_yama(const struct trace_facts *f)
{
	return f->scope >= SCOPE_NONE ||
	       (!f->root && f->scope >= (f->command ? SCOPE_ROOT : SCOPE_CHILDREN));
}

/* Explains why a command, a child of tiptop, cannot be traced. If the user may not read the
 * program's file, the kernel protects the child as it protects tiptop itself. */
static int refuse_command(const struct trace_facts *f, struct err *err)
{
	char program[128];

	privilege_find_program(program, sizeof program);
	if (!f->readable)
		return err_set(err, EPERM,
			       "the command cannot be followed: the kernel protects tiptop, since "
			       "you may not read its file: 'chmod a+r %s' allows it",
			       program);
	return err_set(err, EPERM,
		       "the command cannot be followed: a security module or the filter of a "
		       "container forbids ptrace(2)");
}

int trace_refusal_explain(const struct trace_facts *f, struct err *err)
{
	if (f->ended)
		return err_set(err, EPERM, "task %d cannot be followed: it has ended", f->task);
	if (f->kernel)
		return err_set(err, EPERM,
			       "task %d cannot be followed: it is a thread of the kernel", f->task);
	if (f->tracer)
		return err_set(err, EPERM,
			       "task %d cannot be followed: process %d (%s) traces it, and a task "
			       "has one tracer: end that one before",
			       f->task, f->tracer, f->tracer_name);
	if (!f->root && f->uid != f->user)
		return err_set(err, EPERM,
			       "task %d cannot be followed: it is of user %ld: root and that user "
			       "can follow it",
			       f->task, f->uid);
	if (is_refused_by_yama(f))
		return refuse_by_yama(f, err);
	if (f->command)
		return refuse_command(f, err);
	return err_set(
		err, EPERM,
		"task %d cannot be followed: it has more rights than tiptop or protects its "
		"memory, or a security module or the filter of a container forbids ptrace(2)",
		f->task);
}
