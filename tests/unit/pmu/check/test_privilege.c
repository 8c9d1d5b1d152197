/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program whose file has a capability forks a child, which drops the privilege step by step. At
 * each step another process of the same user tries to attach to the child, to read its memory and
 * to take a descriptor from it. Root makes the copy of this test that has the capability.
 */
#include "pmu/check/privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/file.h"
#include "tap.h"

#define NOBODY 65534
/* Descriptors in the child: a counter, a pipe to keep, and a file of the command. */
#define COUNTER_FD 20
#define PIPE_FD    21
#define COMMAND_FD 22

enum step { STEP_FORKED, STEP_CLOSED, STEP_DROPPED, STEP_ADMITTED, N_STEPS };

static const char *const step_name[N_STEPS] = {"forked", "files closed", "capabilities dropped",
					       "user admitted"};

/* --- the program with the capability --- */

static void report(int number)
{
	char go;

	if (write(STDOUT_FILENO, &number, sizeof number) != sizeof number ||
	    read(STDIN_FILENO, &go, 1) != 1)
		_exit(1);
}

/* Does the steps. Reports the result of each, and waits for permission to continue. */
static _Noreturn void run_child(void)
{
	const int keep[] = {PIPE_FD};

	/* With Yama, only ancestors could attach otherwise. */
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	report(getpid());
	report(privilege_allow_trace());
	report(privilege_close_files(keep, 1));
	report(privilege_drop());
	report(privilege_allow_trace());
	_exit(0);
}

static _Noreturn void run_program(void)
{
	struct err err = ERR_INIT;
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	pid_t child;

	if (privilege_begin(&err) || dup3(fd, COUNTER_FD, O_CLOEXEC) < 0 ||
	    dup3(fd, PIPE_FD, O_CLOEXEC) < 0 || dup2(fd, COMMAND_FD) < 0)
		_exit(1);
	report(privilege_from_file());
	child = fork();
	if (!child)
		run_child();
	waitpid(child, NULL, 0);
	_exit(0);
}

/* --- the user's other process --- */

enum try { TRY_ATTACH, TRY_MEMORY, TRY_DESCRIPTOR, N_TRIES };

static const char *const try_name[N_TRIES] = {"ptrace", "/proc/PID/mem", "a descriptor"};

static int become_user(void)
{
	return setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	       setresuid(NOBODY, NOBODY, NOBODY);
}

static int try_access(enum try try, pid_t pid)
{
	char path[64];
	int fd;

	switch (try) {
	case TRY_ATTACH:
		return ptrace(PTRACE_SEIZE, pid, NULL, NULL) ? errno : 0;
	case TRY_MEMORY:
		snprintf(path, sizeof path, "/proc/%d/mem", pid);
		return open(path, O_RDONLY | O_CLOEXEC) < 0 ? errno : 0;
	default:
		fd = (int)syscall(SYS_pidfd_open, pid, 0);
		return fd < 0 || syscall(SYS_pidfd_getfd, fd, COUNTER_FD, 0) < 0 ? errno : 0;
	}
}

/* Returns the errno of an attempt as the user, 0 if it succeeded. A tracer detaches when it
 * ends. */
static int try_as_user(enum try try, pid_t pid)
{
	pid_t child = fork();
	int status = 0;

	if (!child)
		_exit(become_user() ? 255 : try_access(try, pid));
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* --- the test --- */

struct program {
	pid_t pid, child;
	int to, from; /* its standard input and output */
};

static int next_report(const struct program *p)
{
	int number = -1;

	return read(p->from, &number, sizeof number) == sizeof number ? number : -1;
}

static int go_on(const struct program *p)
{
	return write(p->to, "g", 1) == 1 ? next_report(p) : -1;
}

static int start_program(struct program *p, const char *path)
{
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		return -errno;
	p->pid = fork();
	if (!p->pid) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		if (!become_user())
			execl(path, path, "program", (char *)NULL);
		_exit(1);
	}
	close(in[0]), close(out[1]);
	p->to = in[1], p->from = out[0];
	return 0;
}

static bool gives_capability(const char *path)
{
	const struct vfs_cap_data data = {
		.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
		.data = {{.permitted = 1u << CAP_SYS_PTRACE}},
	};

	return !setxattr(path, "security.capability", &data, sizeof data, 0);
}

/* Copies this program to a file that any user may execute. */
static int copy_program(const char *path)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC),
	    to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	char buf[65536];
	ssize_t n = -1;

	while (from >= 0 && to >= 0 && (n = read(from, buf, sizeof buf)) > 0)
		if (write(to, buf, (size_t)n) != n)
			return -1;
	close(from), close(to);
	return n || chmod(path, 0755) ? -1 : 0;
}

static bool has_open(pid_t pid, int fd)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
	return !lstat(path, &st);
}

/* Checks the result of each attempt at a step. A closed descriptor cannot be taken (EBADF). */
static void test_step(const struct program *p, enum step step)
{
	const bool admitted = step == STEP_ADMITTED;
	const int refused[N_TRIES] = {EPERM, EACCES, EPERM};
	const int allowed[N_TRIES] = {0, 0, EBADF};

	for (enum try t = 0; t < N_TRIES; t++) {
		const int error = try_as_user(t, p->child);

		if (t == TRY_DESCRIPTOR && error == ENOSYS)
			tap_ok(true, "%s # SKIP this kernel has no pidfd_getfd", try_name[t]);
		else
			tap_int(error, admitted ? allowed[t] : refused[t], "%s: %s",
				step_name[step], try_name[t]);
	}
}

static unsigned long long permitted_of(pid_t pid)
{
	unsigned long long sum = ~0ull;
	char path[64], status[4096];
	const char *line;

	snprintf(path, sizeof path, "/proc/%d/status", pid);
	line = file_read(AT_FDCWD, path, status, sizeof status) > 0 ? strstr(status, "\nCapPrm:")
								    : NULL;
	if (line)
		sscanf(line, "\nCapPrm: %llx", &sum);
	return sum;
}

static void test_steps(const struct program *p)
{
	tap_int(try_as_user(TRY_ATTACH, p->pid), EPERM, "the program itself: ptrace");
	tap_int(try_as_user(TRY_MEMORY, p->pid), EACCES, "the program itself: /proc/PID/mem");
	tap_int(go_on(p), -EPERM, "with a capability, no other user is admitted");
	test_step(p, STEP_FORKED);
	tap_ok(has_open(p->child, COUNTER_FD), "the child has the counter");
	for (enum step step = STEP_CLOSED; step < N_STEPS; step++) {
		tap_int(go_on(p), 0, "%s", step_name[step]);
		tap_ok(!permitted_of(p->child) == (step >= STEP_DROPPED), "%s: what it may do",
		       step_name[step]);
		tap_ok(!has_open(p->child, COUNTER_FD), "%s: the counter", step_name[step]);
		test_step(p, step);
	}
	tap_ok(has_open(p->child, PIPE_FD), "what the child needs is open");
	tap_ok(has_open(p->child, COMMAND_FD), "and what the command was given");
	tap_int(try_as_user(TRY_MEMORY, p->pid), EACCES, "the program stays protected");
}

/* Returns whether Yama permits processes of a user to attach to each other (level 0 or 1). */
static bool may_attach(void)
{
	char scope[16] = "0";

	return file_read(AT_FDCWD, "/proc/sys/kernel/yama/ptrace_scope", scope, sizeof scope) <=
		       0 ||
	       scope[0] < '2';
}

static void test_program(const char *path)
{
	struct program p;

	if (copy_program(path) || !gives_capability(path)) {
		tap_ok(true, "steps # SKIP files get no capabilities here: %s", strerror(errno));
		return;
	}
	if (!tap_ok(!start_program(&p, path), "the program starts"))
		return;
	if (next_report(&p) == 1) {
		p.child = go_on(&p);
		test_steps(&p);
	} else {
		tap_ok(true, "steps # SKIP files give no capabilities here, as with nosuid");
	}
	close(p.to);
	close(p.from);
	waitpid(p.pid, NULL, 0);
}

static void test_in_folder(void)
{
	char folder[64], path[96];

	snprintf(folder, sizeof folder, "%s/privilege.XXXXXX", P_tmpdir);
	if (!tap_ok(mkdtemp(folder) && !chmod(folder, 0755), "a folder"))
		return;
	snprintf(path, sizeof path, "%s/program", folder);
	signal(SIGPIPE, SIG_IGN);
	test_program(path);
	unlink(path);
	rmdir(folder);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "program"))
		run_program();
	if (geteuid() || !may_attach())
		tap_ok(true, "steps # SKIP needs root, and kernel.yama.ptrace_scope below 2");
	else
		test_in_folder();
	return tap_done();
}
