/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const struct {
	int number;
	enum signal_meaning meaning;
} table[] = {
	{SIGINT, SIGNAL_END},   {SIGTERM, SIGNAL_END},      {SIGHUP, SIGNAL_END},
	{SIGQUIT, SIGNAL_END},  {SIGCHLD, SIGNAL_CHILD},    {SIGWINCH, SIGNAL_RESIZE},
	{SIGTSTP, SIGNAL_STOP}, {SIGCONT, SIGNAL_CONTINUE}, {SIGUSR2, SIGNAL_MARK},
};

#define TABLE_N (sizeof table / sizeof *table)

/* Signals that tiptop ignores, since a write that fails returns an error as well. The command gets
 * their actions as they were at the start. */
static const int not_for_command[] = {SIGPIPE, SIGXFSZ};

#define NOT_FOR_COMMAND_N (sizeof not_for_command / sizeof *not_for_command)

/* Returns whether the signal is ignored. An ignored signal must not be blocked: the kernel queues a
 * blocked signal even if it is ignored. */
static bool is_ignored(int number)
{
	struct sigaction action;

	return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

void signals_begin(struct signals *s)
{
	s->fd = -1;
	sigprocmask(SIG_SETMASK, NULL, &s->mask);
	sigemptyset(&s->ignored);
	for (size_t i = 0; i < NOT_FOR_COMMAND_N; i++)
		if (is_ignored(not_for_command[i]))
			sigaddset(&s->ignored, not_for_command[i]);
	signal(SIGCHLD, SIG_DFL);
	signal(SIGXFSZ, SIG_IGN);
}

void signals_restore(const struct signals *s)
{
	for (size_t i = 0; i < NOT_FOR_COMMAND_N; i++) {
		int number = not_for_command[i];

		signal(number, sigismember(&s->ignored, number) ? SIG_IGN : SIG_DFL);
	}
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

static bool is_wanted(size_t row, unsigned uses)
{
	switch (table[row].meaning) {
	case SIGNAL_END:
		return !is_ignored(table[row].number);
	case SIGNAL_STOP:
	case SIGNAL_CONTINUE:
		/* Without a screen, nothing has to be restored: the default actions suffice. */
		return uses & SIGNALS_SCREEN && !is_ignored(table[row].number);
	case SIGNAL_MARK:
		return uses & SIGNALS_COMMAND;
	default:
		return true;
	}
}

int signals_block(struct signals *s, unsigned uses, struct err *err)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < TABLE_N; i++)
		if (is_wanted(i, uses))
			sigaddset(&set, table[i].number);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigprocmask(SIG_SETMASK, NULL, &s->taken);
	signal(SIGPIPE, SIG_IGN);
	s->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->fd < 0 ? err_set(err, errno, "cannot take signals: %s", strerror(errno)) : 0;
}

void signals_unblock(const struct signals *s, bool through)
{
	sigprocmask(SIG_SETMASK, through ? &s->mask : &s->taken, NULL);
}

struct signal_event signals_next(const struct signals *s)
{
	struct signal_event taken = {.meaning = SIGNAL_NONE};
	struct signalfd_siginfo info;

	if (read(s->fd, &info, sizeof info) != sizeof info)
		return taken;
	taken.number = (int)info.ssi_signo;
	/* The terminal sends the signal of a key to all processes in its foreground, but SIGHUP
	 * only to the session leader. */
	taken.by_terminal = info.ssi_code == SI_KERNEL && taken.number != SIGHUP;
	for (size_t i = 0; i < TABLE_N; i++)
		if (table[i].number == taken.number)
			taken.meaning = table[i].meaning;
	return taken;
}

bool signals_end_pending(void)
{
	sigset_t set;

	sigpending(&set);
	for (size_t i = 0; i < TABLE_N; i++)
		if (table[i].meaning == SIGNAL_END && sigismember(&set, table[i].number) == 1)
			return true;
	return false;
}

void signals_stop(void)
{
	const struct timespec at_once = {0, 0};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGCONT);
	sigtimedwait(&set, NULL, &at_once);
}

void signals_die(int number)
{
	sigset_t set;

	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void signals_done(struct signals *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}
