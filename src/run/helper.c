/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "run/wait.h"
#include "tui/canvas.h"

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

/* Ends the helper, and asks the other processes of its group to end. */
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

/* ---- the terminal of progress ---- */

/* How long to wait until the terminal accepts output, before the line is erased: there is no later
 * chance to erase it. */
#define ERASE_WAIT_MS 200

#define ERASE_LINE "\r\033[K"

/* The width if the terminal does not report one. */
#define USUAL_WIDTH 80

static uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* --- whether to write --- */

/* Returns whether tiptop is in the foreground. Also true if the terminal is not the controlling
 * terminal: it then has no foreground. */
static bool is_in_foreground(void)
{
	const pid_t group = tcgetpgrp(STDERR_FILENO);

	return group < 0 || group == getpgrp();
}

/* Returns whether the terminal accepts output: false while another process is writing, or while the
 * user has frozen the terminal (Ctrl-S). */
static bool takes_output(int wait_ms)
{
	struct pollfd fd = {.fd = STDERR_FILENO, .events = POLLOUT};

	return poll(&fd, 1, wait_ms) == 1 && fd.revents == POLLOUT;
}

static int width(void)
{
	int columns, lines;

	if (!is_in_foreground() || !takes_output(0))
		return 0;
	return winsize_ask(STDERR_FILENO, &columns, &lines) ? columns : USUAL_WIDTH;
}

/* Writes with SIGTTOU blocked, so that a program that has just gone to the background is not
 * stopped. */
static void write_text(const char *text, size_t n)
{
	sigset_t ttou, before;
	ssize_t written;

	sigemptyset(&ttou);
	sigaddset(&ttou, SIGTTOU);
	sigprocmask(SIG_BLOCK, &ttou, &before);
	written = write(STDERR_FILENO, text, n);
	(void)written;
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void erase_line(void)
{
	if (is_in_foreground() && takes_output(ERASE_WAIT_MS))
		write_text(ERASE_LINE, sizeof ERASE_LINE - 1);
}

/* --- signals while the line is shown --- */

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

/* Erases the line and raises the signal again: SA_RESETHAND has restored its default action. */
static void remove_line(int number)
{
	const int error = errno;

	erase_line();
	raise(number);
	errno = error;
}

/* Sets the handler `to` for those of the signals whose handler is `from`; other handlers, and
 * ignored signals, stay. */
static void replace_handlers(void (*from)(int), void (*to)(int))
{
	const struct sigaction action = {.sa_handler = to,
					 .sa_flags = (int)SA_RESETHAND | SA_RESTART};
	struct sigaction now;

	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		if (!sigaction(ending[i], NULL, &now) && now.sa_handler == from)
			sigaction(ending[i], &action, NULL);
}

/* --- output --- */

static void show(const char *line)
{
	struct strbuf text;

	if (!line) {
		erase_line();
		replace_handlers(remove_line, SIG_DFL);
		return;
	}
	replace_handlers(SIG_DFL, remove_line);
	strbuf_init(&text);
	strbuf_addf(&text, "\r%s\033[K", line);
	write_text(text.text, text.len);
	strbuf_done(&text);
}

static void add(const char *line)
{
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addf(&text, "%s\n", line);
	write_text(text.text, text.len);
	strbuf_done(&text);
}

const struct progress_terminal *progress_terminal(bool shared)
{
	static const struct progress_terminal of[] = {
		{.shared = false, .now_ns = now_ns, .width = width, .show = show, .add = add},
		{.shared = true, .now_ns = now_ns, .width = width, .show = show, .add = add},
	};
	const char *type = getenv("TERM");

	if (!type || !*type || !strcmp(type, "dumb") || !isatty(STDERR_FILENO))
		return NULL;
	return &of[shared];
}

/* ---- lookups of names ---- */

#define LOOK_MS 200

static void check_signals(struct resolving *r)
{
	struct signal_event taken;

	while ((taken = signals_next(r->signals)).meaning != SIGNAL_NONE)
		r->ended |= taken.meaning == SIGNAL_END;
}

static void wait_for(const struct resolving *r, const struct resolver *names)
{
	struct pollfd fd[] = {{.fd = resolver_fd(names), .events = POLLIN},
			      {.fd = r->signals->fd, .events = POLLIN}};

	poll(fd, sizeof fd / sizeof *fd, LOOK_MS);
}

/* --- progress: names and lines have a track each, as a line takes much longer than a name --- */

_Static_assert((int)LOOKUP_KINDS <= PROGRESS_TRACKS, "each kind has a track");

struct lookup_progress {
	struct progress progress;
	const struct resolver *names;
	size_t before[LOOKUP_KINDS]; /* lookups that were answered for earlier reports */
};

static void begin(struct lookup_progress *l, const struct resolver *names)
{
	struct progress_task task = {.what = "looking up names and lines",
				     .hint = "Ctrl-C leaves out the rest"};

	l->names = names;
	for (int k = 0; k < LOOKUP_KINDS; k++) {
		l->before[k] = resolver_n_answered(names, k);
		task.track[k].total = (double)(resolver_n_wanted(names, k) - l->before[k]);
	}
	progress_begin(&l->progress, progress_terminal(false), &task);
}

static void note(struct lookup_progress *l)
{
	for (int k = 0; k < LOOKUP_KINDS; k++)
		progress_set(&l->progress, k,
			     (double)(resolver_n_answered(l->names, k) - l->before[k]));
}

void resolving_run(struct resolving *r, struct resolver *names)
{
	struct lookup_progress l;

	begin(&l, names);
	check_signals(r);
	while (!r->ended && resolver_step(names) && resolver_n_missing(names)) {
		note(&l);
		wait_for(r, names);
		check_signals(r);
	}
	if (r->ended)
		resolver_give_up(names, "a signal ended that");
	progress_end(&l.progress);
}
