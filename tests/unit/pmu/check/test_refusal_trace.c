/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a task cannot be traced: each cause has a message; of several causes, the first is reported.
 */
#include "pmu/check/refusal.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

/* clang-format off */
static const struct {
	const char *name;
	struct trace_facts facts;
	const char *cause; /* beginning of the text after "cannot be followed: " */
} rows[] = {
	{"it has ended", {.ended = true, .tracer = 5}, "it has ended"},
	{"of the kernel", {.kernel = true, .uid = 0, .user = 1}, "it is a thread of the kernel"},
	{"traced", {.tracer = 5, .tracer_name = "gdb", .scope = 3}, "process 5 (gdb) traces it, "},
	{"of another user", {.uid = 7, .user = 8, .scope = 1}, "it belongs to user 7: "},
	{"root: not for the user", {.uid = 7, .root = true}, "it has more rights than tiptop "},
	{"Yama 1", {.scope = 1}, "kernel.yama.ptrace_scope is 1, "},
	{"Yama 1, a command", {.scope = 1, .command = true}, "the kernel protects tiptop, "},
	{"a file that may be read", {.scope = 1, .command = true, .readable = true}, "a security module "},
	{"Yama 1, root", {.scope = 1, .root = true}, "it has more rights than tiptop "},
	{"Yama 2, a command", {.scope = 2, .command = true}, "kernel.yama.ptrace_scope is 2, "},
	{"Yama 2, root", {.scope = 2, .root = true}, "it has more rights than tiptop "},
	{"Yama 3, root", {.scope = 3, .root = true}, "kernel.yama.ptrace_scope is 3, "},
};
/* clang-format on */

static void test_causes(void)
{
	static const char said[] = "cannot be followed: ";

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err err = ERR_INIT;
		const char *text;

		tap_int(trace_refusal_explain(&rows[i].facts, &err), -EPERM, "%s: refused",
			rows[i].name);
		text = strstr(err.text, said);
		if (tap_ok(text && !strncmp(text + strlen(said), rows[i].cause,
					    strlen(rows[i].cause)),
			   "%s: the sentence", rows[i].name))
			continue;
		printf("# %s\n", err.text);
	}
}

/* A child that this process traces, while it runs and after its end. */
static void test_facts(void)
{
	struct trace_facts f = {0};
	siginfo_t info;
	pid_t child = fork();

	if (!child)
		for (;;)
			pause();
	f.task = child;
	trace_facts_read(&f);
	tap_ok(!f.ended && !f.kernel && !f.tracer && f.readable, "a process of one's own");
	tap_ok(f.uid == f.user && f.root == (f.user == 0), "its user");
	if (ptrace(PTRACE_SEIZE, child, NULL, NULL)) {
		tap_ok(true, "a tracer # SKIP ptrace(2) is refused: %s", strerror(errno));
	} else {
		trace_facts_read(&f);
		tap_int(f.tracer, getpid(), "its tracer");
		tap_str(f.tracer_name, "test_refusal_tr", "as /proc/PID/comm calls it");
	}
	kill(child, SIGKILL);
	waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
	trace_facts_read(&f);
	tap_ok(f.ended && !f.kernel, "a zombie has ended");
	waitpid(child, NULL, 0);
	trace_facts_read(&f);
	tap_ok(f.ended, "so has one that is not there");
}

int main(void)
{
	test_causes();
	test_facts();
	return tap_done();
}
