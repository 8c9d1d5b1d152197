/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/lifecycle.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "pmu/check/privilege.h"
#include "run/command_output.h"

/* ---- spawn ---- */

/* Returns the exit status that shells use where a command cannot be executed: 127 not found, 126
 * not executable. */
static int spawn_status_of(int error)
{
	return error == ENOENT ? 127 : 126;
}

/* Drops all rights of the program's file in the child, and lets the user attach to it. Returns 0 or
 * -errno. */
static int give_up_rights(int go_fd, int failed_fd, int null_fd)
{
	const int keep[] = {go_fd, failed_fd, null_fd};
	int ret = privilege_close_files(keep, sizeof keep / sizeof *keep);

	if (!ret)
		ret = privilege_drop();
	if (!ret)
		ret = privilege_allow_trace();
	/* If the user may not read the program's file, /proc denies the environment: the command
	 * then runs without the removed variables. */
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
	signals_restore(signals);
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

/* Reads the number that the child writes. Returns false at end of file: the child was killed, or
 * its execve(2) succeeded. */
static bool read_error(const struct spawn *s, int *error)
{
	ssize_t n;

	do
		n = read(s->failed_fd, error, sizeof *error);
	while (n < 0 && errno == EINTR);
	return n == sizeof *error;
}

/* Forks the child. null_fd: a descriptor of /dev/null if `files` needs it, else -1. */
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
	/* If the child was killed meanwhile, lifecycle_advance() finds its end. */
	if (!read_error(s, &error) || !error)
		return 0;
	return err_set(err, error,
		       "cannot start '%s': the capabilities of the program's file cannot be given "
		       "up: %s",
		       argv[0], strerror(error));
}

/* Starts the child, with the signals as they were at the start of tiptop. Call it before tiptop
 * changes its own resource limits, as the child inherits them. Returns 0, or -errno with a
 * sentence. After an error, s->pid may be a child that exits: the caller has to reap it. */
static int spawn_start(struct spawn *s, char **argv, enum spawn_files files,
		       const struct signals *signals, struct err *err)
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

/* Lets the child execute the command. *error: the errno of its execve(2); 0: it succeeded, or the
 * child was killed. Returns 0, or -errno with a sentence: the child still waits. */
static int spawn_release(struct spawn *s, const char *command, int *error, struct err *err)
{
	/* EPIPE: the child was killed while it waited. This is not an error here:
	 * lifecycle_advance() finds its end. */
	*error = 0;
	if (write(s->go_fd, "g", 1) != 1 && errno != EPIPE)
		return err_set(err, errno, "cannot start '%s': %s", command, strerror(errno));
	/* The read returns the errno of a failed execve(2); or end of file, when execve(2) or the
	 * end of a killed child closes the child's end of the pipe. */
	if (!read_error(s, error))
		*error = 0;
	return 0;
}

static void spawn_close(struct spawn *s)
{
	if (s->go_fd >= 0)
		close(s->go_fd);
	if (s->failed_fd >= 0)
		close(s->failed_fd);
	s->go_fd = s->failed_fd = -1;
}

/* ---- environment ---- */

/* In bytes: more than the kernel accepts as an environment. */
#define ENVIRONMENT_MAX (64u << 20)

static int append(const char *name, const char *list, const char *more)
{
	struct strbuf text;
	int ret;

	strbuf_init(&text);
	strbuf_addf(&text, "%s:%s", list, more);
	ret = setenv(name, text.text, 1);
	strbuf_done(&text);
	return ret;
}

static int add(const char *name, const char *value)
{
	const char *present = getenv(name);

	if (present && !strcmp(name, "LD_PRELOAD") && *value)
		return append(name, present, value);
	return setenv(name, value, 0);
}

int environment_add(const char *text, size_t len)
{
	int ret = 0;

	for (const char *entry = text; !ret && entry < text + len; entry += strlen(entry) + 1) {
		const char *equals = strchr(entry, '=');
		char *name;

		if (!equals || equals == entry || !strncmp(entry, "TIPTOP_", strlen("TIPTOP_")))
			continue;
		name = xstrndup(entry, (size_t)(equals - entry));
		ret = add(name, equals + 1) ? -errno : 0;
		free(name);
	}
	return ret;
}

int environment_restore(void)
{
	struct strbuf text;
	ssize_t n;
	int ret;

	if (!privilege_from_file())
		return 0;
	strbuf_init(&text);
	n = file_read_all(AT_FDCWD, "/proc/self/environ", ENVIRONMENT_MAX, &text);
	ret = n < 0 ? (int)n : environment_add(text.text, text.len);
	strbuf_done(&text);
	return ret;
}

/* ---- lifecycle ---- */

/* Returns whether execvp(3) will find no file of this name. */
static bool is_missing(const char *command)
{
	/* Without PATH, the C library chooses the folders. */
	const char *path = strchr(command, '/') ? "" : getenv("PATH");
	bool missing = path != NULL;

	while (path && missing) {
		const size_t n = strcspn(path, ":");
		char *at = xasprintf("%.*s%s%s", (int)n, path, n ? "/" : "", command);

		missing = access(at, F_OK) && (errno == ENOENT || errno == ENOTDIR);
		free(at);
		path = path[n] ? path + n + 1 : NULL;
	}
	return missing;
}

static int refuse(struct lifecycle *l, const char *command, int error, struct err *err)
{
	l->state = LIFECYCLE_REAPED;
	l->status = spawn_status_of(error);
	l->failed = true;
	return err_set(err, error, "cannot run '%s': %s", command, strerror(error));
}

int lifecycle_find(struct lifecycle *l, const char *command, struct err *err)
{
	return is_missing(command) ? refuse(l, command, ENOENT, err) : 0;
}

int lifecycle_start(struct lifecycle *l, char **argv, enum spawn_files files,
		    const struct signals *signals, struct err *err)
{
	const int ret = spawn_start(&l->spawn, argv, files, signals, err);

	l->signals = signals;
	if (l->spawn.pid)
		l->state = LIFECYCLE_WAITING;
	if (ret)
		lifecycle_done(l);
	return ret;
}

/* Returns whether the child has ended, and sets its status. WNOWAIT in options leaves the zombie.
 * Only this function calls waitid(2) for the child. */
static bool check_end(struct lifecycle *l, int options)
{
	siginfo_t info = {.si_pid = 0};
	int ret;

	if (l->lost)
		return true;
	do
		ret = l->wait(P_PID, (id_t)l->spawn.pid, &info, WEXITED | options);
	while (ret < 0 && errno == EINTR);
	if (ret < 0) {
		/* ECHILD: other code has reaped it. */
		l->lost = true;
		l->status = LIFECYCLE_LOST_STATUS;
		return true;
	}
	/* Even without WSTOPPED, waitid(2) reports the stops of a child that is traced by
	 * ptrace(2). */
	if (!info.si_pid || info.si_code == CLD_TRAPPED || info.si_code == CLD_STOPPED)
		return false;
	l->signal = info.si_code == CLD_EXITED ? 0 : info.si_status;
	l->status = l->signal ? 128 + l->signal : info.si_status;
	return true;
}

int lifecycle_release(struct lifecycle *l, const char *command, struct err *err)
{
	int error, ret = spawn_release(&l->spawn, command, &error, err);

	if (ret)
		return ret;
	l->state = LIFECYCLE_RUNNING;
	l->released_ns = clock_ns(CLOCK_MONOTONIC);
	if (!error)
		return 0;
	check_end(l, 0);
	l->lost = false; /* the status of the failed execve(2) is known all the same */
	return refuse(l, command, error, err);
}

static int call(int (*hook)(void *context, struct err *err), const struct lifecycle *l,
		struct err *err)
{
	return hook ? hook(l->context, err) : 0;
}

int lifecycle_launch(struct lifecycle *l, const char *command, struct err *err)
{
	int ret = call(l->hooks->started, l, err);

	if (!ret)
		ret = lifecycle_release(l, command, err);
	return ret ? ret : call(l->hooks->executed, l, err);
}

static bool was_released(const struct lifecycle *l)
{
	return l->state == LIFECYCLE_RUNNING || l->state == LIFECYCLE_ZOMBIE;
}

bool lifecycle_has_ended(struct lifecycle *l)
{
	return l->state >= LIFECYCLE_ZOMBIE || (was_released(l) && check_end(l, WNOHANG | WNOWAIT));
}

void lifecycle_reap(struct lifecycle *l)
{
	if (was_released(l) && check_end(l, WNOHANG))
		l->state = LIFECYCLE_REAPED;
}

int lifecycle_advance(struct lifecycle *l, struct err *err)
{
	int ret = call(l->hooks->take, l, err);

	if (ret || l->state != LIFECYCLE_RUNNING || !lifecycle_has_ended(l))
		return ret;
	l->state = LIFECYCLE_ZOMBIE;
	ret = call(l->hooks->zombie, l, err);
	lifecycle_reap(l);
	if (!ret)
		ret = call(l->hooks->reaped, l, err);
	l->done = true;
	return ret;
}

/* Sends the signal to the command. With second_ends_wait, the wait ends at the second signal, or at
 * a signal that cannot be sent. */
static int forward_signal(struct lifecycle *l, const struct signal_event *taken, struct err *err)
{
	const bool again = l->end_signal;
	struct err why = ERR_INIT;

	l->end_signal = taken->number;
	if (!lifecycle_runs(l)) {
		l->done = true;
		return 0;
	}
	if (!l->hooks->second_ends_wait)
		return lifecycle_signal(l, taken, err);
	l->left = l->done = again || lifecycle_signal(l, taken, &why);
	return 0;
}

static int on_signal(void *context, int fd, struct err *err)
{
	struct lifecycle *l = context;
	struct signal_event taken;
	int ret = 0;

	(void)fd;
	while (!ret && !l->done && (taken = signals_next(l->signals)).meaning != SIGNAL_NONE)
		if (taken.meaning == SIGNAL_END)
			ret = forward_signal(l, &taken, err);
		else if (taken.meaning == SIGNAL_MARK && l->hooks->mark)
			l->hooks->mark(l->context);
	return ret || l->left ? ret : lifecycle_advance(l, err);
}

int lifecycle_wait(struct lifecycle *l, struct err *err)
{
	struct wait wait = WAIT_INIT;
	/* Signals may have come, and the command may have ended, before the first wait. */
	int ret = on_signal(l, -1, err);

	while (!ret && !l->done) {
		wait_reset(&wait);
		wait_add(&wait, l->signals->fd, POLLIN, on_signal, l);
		if (l->hooks->add_waits)
			l->hooks->add_waits(l->context, &wait);
		ret = wait_run(&wait, &l->done, err);
	}
	wait_done(&wait);
	return ret;
}

int lifecycle_run(struct lifecycle *l, char **argv, enum spawn_files files,
		  const struct signals *signals, struct err *err)
{
	int ret = lifecycle_start(l, argv, files, signals, err);

	if (!ret)
		ret = lifecycle_launch(l, argv[0], err);
	return ret ? ret : lifecycle_wait(l, err);
}

bool lifecycle_runs(const struct lifecycle *l)
{
	return l->state == LIFECYCLE_WAITING || was_released(l);
}

int lifecycle_signal(const struct lifecycle *l, const struct signal_event *taken, struct err *err)
{
	const pid_t pid = l->spawn.pid;
	const bool sent = taken->by_terminal && getpgid(pid) == getpgrp();

	if ((!sent && kill(pid, taken->number)) || kill(pid, SIGCONT))
		return err_set(err, errno, "cannot send signal %d to the command: %s",
			       taken->number, strerror(errno));
	return 0;
}

int lifecycle_exit_status(const struct lifecycle *l, bool tiptop_failed)
{
	const int status = l->state == LIFECYCLE_REAPED ? l->status : 0;

	return status || !tiptop_failed ? status : EXIT_FAILED;
}

void lifecycle_done(struct lifecycle *l)
{
	spawn_close(&l->spawn);
	/* The closed pipe makes the waiting child exit. */
	if (l->state == LIFECYCLE_WAITING) {
		check_end(l, 0);
		l->state = LIFECYCLE_NONE;
	}
}
