/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "run/progress_terminal.h"
#include "run/wait.h"

#define END_MS 2000 /* A helper that ignores SIGTERM is killed after this time. */

/* Moves the descriptor above those of a helper, as a later dup2() to one of these would close
 * it. */
int helper_new_file(const struct strbuf *text, struct err *err)
{
	const int low = memfd_create("helper", MFD_CLOEXEC);
	const int fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, HELPER_FILES_MAX);
	size_t done = 0;
	ssize_t n = 0;

	if (low >= 0)
		close(low);
	while (fd >= 0 && text && done < text->len && n >= 0) {
		n = write(fd, text->text + done, text->len - done);
		done += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0 && n >= 0 && !lseek(fd, 0, SEEK_SET))
		return fd;
	err_set(err, errno, "cannot make a file in memory: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

ssize_t helper_read_file(int fd, size_t max, struct strbuf *out)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return file_read_all(AT_FDCWD, path, max, out);
}

/* Starts the helper with default signal actions, no signal blocked and a process group of its
 * own. */
static int start(pid_t *pid, char *const argv[], const int *file, int n)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int ret;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
						      POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	for (int i = STDOUT_FILENO; i < n; i++)
		posix_spawn_file_actions_adddup2(&actions, file[i], i);
	ret = posix_spawnp(pid, argv[0], &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return -ret;
}

/* Returns the number of a pending signal that ends tiptop; 0: none. Reads the signals before it,
 * too. */
static int read_end_signal(const struct signals *signals)
{
	struct signal_event taken;

	while ((taken = signals_next(signals)).meaning != SIGNAL_NONE)
		if (taken.meaning == SIGNAL_END)
			return taken.number;
	return 0;
}

/* Waits until the helper has exited, which SIGCHLD announces, or until a signal ends tiptop.
 * Returns as read_end_signal(). */
static int wait_for_end(pid_t pid, const struct signals *signals, struct progress *progress)
{
	struct pollfd fd = {.fd = signals->fd, .events = POLLIN};
	int number = 0;

	for (;;) {
		siginfo_t info = {.si_pid = 0};

		number = read_end_signal(signals);
		if (number || waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) ||
		    info.si_pid)
			return number;
		poll(&fd, 1, wait_ms_until(progress_due_ns(progress)));
		progress_update(progress);
	}
}

/* Shows the progress until the helper exits. Returns at once if there is no terminal, or the kernel
 * has no pidfds. */
static void show_until_end(pid_t pid, struct progress *progress)
{
	struct pollfd fd = {.fd = -1, .events = POLLIN};
	int n = 0;

	if (progress->terminal)
		fd.fd = (int)syscall(SYS_pidfd_open, pid, 0);
	while (fd.fd >= 0 && (n == 0 || (n < 0 && errno == EINTR))) {
		n = poll(&fd, 1, wait_ms_until(progress_due_ns(progress)));
		progress_update(progress);
	}
	if (fd.fd >= 0)
		close(fd.fd);
}

/* Ends the helper and all processes of its group. */
static void end_group(pid_t pid, int *status)
{
	kill(-pid, SIGTERM);
	if (child_await(pid, END_MS, status) != -ETIMEDOUT)
		return;
	kill(-pid, SIGKILL);
	child_await(pid, CHILD_NO_LIMIT, status);
}

int helper_run(char *const argv[], const int *file, int n, const struct signals *signals,
	       const char *what, int *status)
{
	struct progress progress;
	pid_t pid;
	int ret = start(&pid, argv, file, n), number;

	*status = -1;
	if (ret)
		return ret;
	progress_begin(&progress, progress_terminal(false), &(struct progress_task){.what = what});
	number = signals ? wait_for_end(pid, signals, &progress) : 0;
	if (!signals)
		show_until_end(pid, &progress);
	if (number)
		end_group(pid, status);
	else
		child_await(pid, CHILD_NO_LIMIT, status);
	progress_end(&progress);
	if (!number)
		return 0;
	*status = number;
	return -EINTR;
}
