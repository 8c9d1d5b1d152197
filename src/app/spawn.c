/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void use_null(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int i = 0; fd >= 0 && i <= 2; i++)
		dup2(fd, i);
}

static _Noreturn void run_child(int go_fd, int failed_fd, char **argv, bool quiet)
{
	ssize_t n;
	int error;
	char go;

	do
		n = read(go_fd, &go, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(127);
	if (quiet)
		use_null();
	execvp(argv[0], argv);
	error = errno;
	/* As shells have it: not found, or not to be executed. */
	_exit(write(failed_fd, &error, sizeof error) == sizeof error && error == ENOENT ? 127 : 126);
}

int spawn_start(struct spawn *s, char **argv, bool quiet, struct err *err)
{
	int go[2], failed[2], error;

	*s = (struct spawn){.go_fd = -1, .failed_fd = -1};
	if (pipe2(go, O_CLOEXEC))
		return err_set(err, errno, "cannot start '%s': %s", argv[0], strerror(errno));
	if (pipe2(failed, O_CLOEXEC)) {
		close(go[0]), close(go[1]);
		return err_set(err, errno, "cannot start '%s': %s", argv[0], strerror(errno));
	}
	s->pid = fork();
	error = errno;
	if (s->pid == 0) {
		close(go[1]);
		run_child(go[0], failed[1], argv, quiet);
	}
	close(go[0]);
	close(failed[1]);
	s->go_fd = go[1];
	s->failed_fd = failed[0];
	if (s->pid < 0) {
		s->pid = 0;
		spawn_done(s);
		return err_set(err, error, "cannot start '%s': %s", argv[0], strerror(error));
	}
	return 0;
}

int spawn_release(struct spawn *s, const char *command, struct err *err)
{
	int error = 0;
	ssize_t n;

	if (write(s->go_fd, "g", 1) != 1)
		return err_set(err, errno, "cannot start '%s': %s", command, strerror(errno));
	s->released = true;
	/* Ends when execve(2) closes the other end, or with the reason why it did not. */
	do
		n = read(s->failed_fd, &error, sizeof error);
	while (n < 0 && errno == EINTR);
	if (n != sizeof error)
		return 0;
	waitpid(s->pid, &s->status, 0);
	s->ended = s->failed = true;
	return err_set(err, error, "cannot run '%s': %s", command, strerror(error));
}

bool spawn_has_ended(const struct spawn *s)
{
	siginfo_t info = {.si_pid = 0};

	return s->pid && !s->ended && !waitid(P_PID, (id_t)s->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid;
}

void spawn_reap(struct spawn *s)
{
	if (s->pid && !s->ended && waitpid(s->pid, &s->status, WNOHANG) == s->pid)
		s->ended = true;
}

int spawn_exit_status(const struct spawn *s)
{
	return WIFSIGNALED(s->status) ? 128 + WTERMSIG(s->status) : WEXITSTATUS(s->status);
}

void spawn_done(struct spawn *s)
{
	if (s->go_fd >= 0)
		close(s->go_fd);
	/* A child that was not released reads the end of its pipe and exits. */
	if (s->pid && !s->released)
		waitpid(s->pid, &s->status, 0);
	if (s->failed_fd >= 0)
		close(s->failed_fd);
	s->go_fd = s->failed_fd = -1;
}
