/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "pmu/check/privilege.h"
#include "run/environment.h"

int spawn_status_of(int error)
{
	return error == ENOENT ? 127 : 126;
}

/* The child becomes a process that its user may attach to, without any right of the program. */
static int give_up_rights(int go_fd, int failed_fd, int null_fd)
{
	const int keep[] = {go_fd, failed_fd, null_fd};
	int ret = privilege_close_files(keep, sizeof keep / sizeof *keep);

	if (!ret)
		ret = privilege_drop();
	if (!ret)
		ret = privilege_admit_user();
	/* /proc shows none to a user who may not read the program: the command goes without. */
	if (!ret)
		environment_restore();
	return ret;
}

static _Noreturn void fail_child(int failed_fd, int error)
{
	ssize_t n = write(failed_fd, &error, sizeof error);

	_exit(n == sizeof error ? spawn_status_of(error) : 126);
}

static _Noreturn void run_child(int go_fd, int failed_fd, int null_fd, enum spawn_files files,
				char **argv, const struct signals *signals)
{
	int ready = -give_up_rights(go_fd, failed_fd, null_fd);
	ssize_t n;
	char go;

	if (ready)
		fail_child(failed_fd, ready);
	signals_give_back(signals);
	if (write(failed_fd, &ready, sizeof ready) != sizeof ready)
		_exit(127);
	do
		n = read(go_fd, &go, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(127);
	for (int fd = 0; fd <= (int)files; fd++)
		dup2(null_fd, fd);
	execvp(argv[0], argv);
	fail_child(failed_fd, errno);
}

/* Takes the number that the child writes. False: there is none, as it was killed, or execve(2) has
 * closed the pipe. */
static bool read_error(const struct spawn *s, int *error)
{
	ssize_t n;

	do
		n = read(s->failed_fd, error, sizeof *error);
	while (n < 0 && errno == EINTR);
	return n == sizeof *error;
}

/* Forks the child. null_fd: /dev/null, where files of the command are that. */
static int start_child(struct spawn *s, char **argv, int null_fd, enum spawn_files files,
		       const struct signals *signals, struct err *err)
{
	int go[2], failed[2], error;

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
		run_child(go[0], failed[1], null_fd, files, argv, signals);
	}
	close(go[0]);
	close(failed[1]);
	s->go_fd = go[1];
	s->failed_fd = failed[0];
	if (s->pid < 0) {
		s->pid = 0;
		return err_set(err, error, "cannot start '%s': %s", argv[0], strerror(error));
	}
	/* Of one that was killed meanwhile, its end tells. */
	if (!read_error(s, &error) || !error)
		return 0;
	return err_set(err, error,
		       "cannot start '%s': the capabilities of the program's file cannot be given "
		       "up: %s",
		       argv[0], strerror(error));
}

int spawn_start(struct spawn *s, char **argv, enum spawn_files files, const struct signals *signals,
		struct err *err)
{
	const bool needs_null = files != SPAWN_OURS;
	int null_fd = needs_null ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1, ret;

	*s = (struct spawn)SPAWN_INIT;
	if (needs_null && null_fd < 0)
		return err_set(err, errno, "cannot open /dev/null for '%s': %s", argv[0],
			       strerror(errno));
	ret = start_child(s, argv, null_fd, files, signals, err);
	if (null_fd >= 0)
		close(null_fd);
	return ret;
}

int spawn_release(struct spawn *s, const char *command, int *error, struct err *err)
{
	/* EPIPE: another has ended the child meanwhile. That is no fault of its start, and its end
	 * tells it. */
	*error = 0;
	if (write(s->go_fd, "g", 1) != 1 && errno != EPIPE)
		return err_set(err, errno, "cannot start '%s': %s", command, strerror(errno));
	/* The read ends when execve(2) closes the other end, or with the reason why it failed. */
	if (!read_error(s, error))
		*error = 0;
	return 0;
}

void spawn_close(struct spawn *s)
{
	if (s->go_fd >= 0)
		close(s->go_fd);
	if (s->failed_fd >= 0)
		close(s->failed_fd);
	s->go_fd = s->failed_fd = -1;
}
