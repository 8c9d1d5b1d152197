/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/lifecycle.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "run/print_error.h"

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

/* Returns whether the child has ended. This is the only place that asks the kernel; with WNOWAIT
 * in options the zombie stays. */
static bool look_for_end(struct lifecycle *l, int options)
{
	siginfo_t info = {.si_pid = 0};
	int ret;

	if (l->lost)
		return true;
	do
		ret = l->wait(P_PID, (id_t)l->spawn.pid, &info, WEXITED | options);
	while (ret < 0 && errno == EINTR);
	if (ret < 0) {
		/* It is no child any more: there is nothing left to wait for. */
		l->lost = true;
		l->status = LIFECYCLE_LOST_STATUS;
		return true;
	}
	/* A stop of one that is followed by ptrace(2) is told whether it was asked for or not. */
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
	if (!error)
		return 0;
	look_for_end(l, 0);
	l->state = LIFECYCLE_REAPED;
	l->status = spawn_status_of(error);
	l->failed = true;
	l->lost = false; /* its end tells nothing new */
	return err_set(err, error, "cannot run '%s': %s", command, strerror(error));
}

static int call(int (*hook)(void *context, struct err *err), const struct lifecycle *l,
		struct err *err)
{
	return hook ? hook(l->context, err) : 0;
}

int lifecycle_let_go(struct lifecycle *l, const char *command, struct err *err)
{
	const int ret = call(l->hooks->started, l, err);

	return ret ? ret : lifecycle_release(l, command, err);
}

static bool was_let_go(const struct lifecycle *l)
{
	return l->state == LIFECYCLE_RUNNING || l->state == LIFECYCLE_ZOMBIE;
}

bool lifecycle_has_ended(struct lifecycle *l)
{
	return l->state >= LIFECYCLE_ZOMBIE ||
	       (was_let_go(l) && look_for_end(l, WNOHANG | WNOWAIT));
}

void lifecycle_reap(struct lifecycle *l)
{
	if (was_let_go(l) && look_for_end(l, WNOHANG))
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

/* What cannot be handed on leaves the command as a second signal does. */
static int hand_on(struct lifecycle *l, const struct signal_taken *taken, struct err *err)
{
	const bool again = l->end_signal;
	struct err why = ERR_INIT;

	l->end_signal = taken->number;
	if (!lifecycle_runs(l)) {
		l->done = true;
		return 0;
	}
	if (!l->hooks->second_leaves)
		return lifecycle_signal(l, taken, err);
	l->left = l->done = again || lifecycle_signal(l, taken, &why);
	return 0;
}

static int on_signal(void *context, int fd, struct err *err)
{
	struct lifecycle *l = context;
	struct signal_taken taken;
	int ret = 0;

	(void)fd;
	while (!ret && !l->done && (taken = signals_next(l->signals)).meaning != SIGNAL_NONE)
		if (taken.meaning == SIGNAL_END)
			ret = hand_on(l, &taken, err);
		else if (taken.meaning == SIGNAL_MARK && l->hooks->mark)
			l->hooks->mark(l->context);
	return ret || l->left ? ret : lifecycle_advance(l, err);
}

int lifecycle_attend(struct lifecycle *l, struct err *err)
{
	struct wait wait = WAIT_INIT;
	/* What came before is there, too. */
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
		ret = lifecycle_let_go(l, argv[0], err);
	return ret ? ret : lifecycle_attend(l, err);
}

bool lifecycle_runs(const struct lifecycle *l)
{
	return l->state == LIFECYCLE_WAITING || was_let_go(l);
}

int lifecycle_signal(const struct lifecycle *l, const struct signal_taken *taken, struct err *err)
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
	/* It reads the end of its pipe and exits. */
	if (l->state == LIFECYCLE_WAITING) {
		look_for_end(l, 0);
		l->state = LIFECYCLE_NONE;
	}
}
