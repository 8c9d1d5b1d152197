/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/wait.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

void wait_reset(struct wait *w)
{
	w->n = 0;
	w->until_ns = 0;
	w->late = (struct wait_row){.ready = NULL};
}

void wait_done(struct wait *w)
{
	free(w->fd);
	free(w->row);
	*w = (struct wait)WAIT_INIT;
}

void wait_add(struct wait *w, int fd, short events, wait_function *ready, void *context)
{
	if (fd < 0)
		return;
	w->fd = xgrow(w->fd, &w->cap_fd, w->n + 1, sizeof *w->fd);
	w->row = xgrow(w->row, &w->cap_row, w->n + 1, sizeof *w->row);
	w->fd[w->n] = (struct pollfd){.fd = fd, .events = events};
	w->row[w->n++] = (struct wait_row){ready, context};
}

void wait_until(struct wait *w, uint64_t until_ns, wait_function *late, void *context)
{
	if (!until_ns || (w->until_ns && w->until_ns <= until_ns))
		return;
	w->until_ns = until_ns;
	w->late = (struct wait_row){late, context};
}

int wait_ms_until(uint64_t until_ns)
{
	const uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	uint64_t ms;

	if (!until_ns)
		return -1;
	if (until_ns <= now_ns)
		return 0;
	ms = (until_ns - now_ns - 1) / 1000000 + 1;
	return ms < INT_MAX ? (int)ms : INT_MAX;
}

int wait_run(const struct wait *w, const bool *done, struct err *err)
{
	int ret = 0, n = poll(w->fd, w->n, wait_ms_until(w->until_ns));

	if (n < 0)
		return errno == EINTR ? 0
				      : err_set(err, errno, "cannot wait for the next refresh: %s",
						strerror(errno));
	if (!n && w->late.ready && clock_ns(CLOCK_MONOTONIC) >= w->until_ns)
		return w->late.ready(w->late.context, -1, err);
	for (size_t i = 0; i < w->n && !ret && !*done; i++)
		if (w->fd[i].revents)
			ret = w->row[i].ready(w->row[i].context, w->fd[i].fd, err);
	return ret;
}

/* ---- pace ---- */

#define NS_PER_S 1000000000u

static uint64_t read_clock(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

int pace_begin(struct pace *p, const struct source *source, struct err *err)
{
	p->source = source;
	if (!p->now)
		p->now = read_clock;
	p->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (p->timer_fd < 0)
		return err_set(err, errno, "cannot take the time of refreshes: %s",
			       strerror(errno));
	return 0;
}

void pace_end(struct pace *p)
{
	if (p->timer_fd >= 0)
		close(p->timer_fd);
	p->timer_fd = -1;
}

static struct timespec timespec_of(double s)
{
	return (struct timespec){(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};
}

static int set_timer(struct pace *p, int flags, const struct itimerspec *t, struct err *err)
{
	if (timerfd_settime(p->timer_fd, flags, t, NULL))
		return err_set(err, errno, "cannot set the time of the next refresh: %s",
			       strerror(errno));
	return 0;
}

static bool gives_times(const struct pace *p)
{
	return p->source && p->source->ops->due;
}

int pace_start(struct pace *p, double delay_s, double first_s, struct err *err)
{
	struct itimerspec t = {timespec_of(delay_s),
			       timespec_of(delay_s < first_s ? delay_s : first_s)};

	if (gives_times(p))
		return pace_next(p, err);
	if (!p->whole)
		return set_timer(p, 0, &t, err);
	rotation_begin(&p->rotation, 1, delay_s, 0, p->now());
	return pace_at(p, rotation_end_ns(&p->rotation), err);
}

int pace_at(struct pace *p, uint64_t mono_ns, struct err *err)
{
	struct itimerspec t = {.it_value = {0, 0}};

	/* A time of 0 would disarm the timer, so it is replaced by 1 ns. */
	if (mono_ns != UINT64_MAX)
		t.it_value = (struct timespec){(time_t)(mono_ns / NS_PER_S),
					       (long)(mono_ns % NS_PER_S) + !mono_ns};
	return set_timer(p, TFD_TIMER_ABSTIME, &t, err);
}

int pace_next(struct pace *p, struct err *err)
{
	struct source_due due;

	if (!gives_times(p))
		return 0;
	p->source->ops->due(p->source, &due);
	return pace_at(p, due.mono_ns, err);
}

int pace_source_fd(const struct pace *p)
{
	struct source_due due;

	if (!gives_times(p))
		return -1;
	p->source->ops->due(p->source, &due);
	return due.fd;
}

int pace_read_timer(struct pace *p, bool *due, struct err *err)
{
	uint64_t expirations;

	*due = read(p->timer_fd, &expirations, sizeof expirations) == sizeof expirations;
	if (*due && p->whole && !gives_times(p)) {
		rotation_next(&p->rotation, p->now());
		return pace_at(p, rotation_end_ns(&p->rotation), err);
	}
	if (*due || errno == EAGAIN || errno == EINTR)
		return 0;
	return err_set(err, errno, "cannot read the timer of refreshes: %s", strerror(errno));
}

/* ---- signals ---- */

static const struct {
	int number;
	enum signal_meaning meaning;
} table[] = {
	{SIGINT, SIGNAL_END},   {SIGTERM, SIGNAL_END},      {SIGHUP, SIGNAL_END},
	{SIGQUIT, SIGNAL_END},  {SIGCHLD, SIGNAL_CHILD},    {SIGWINCH, SIGNAL_RESIZE},
	{SIGTSTP, SIGNAL_STOP}, {SIGCONT, SIGNAL_CONTINUE}, {SIGUSR2, SIGNAL_MARK},
};

#define TABLE_N (sizeof table / sizeof *table)

/* Signals that do not end tiptop, since a write that fails returns an error as well. The command
 * gets their actions as they were at the start. */
static const int not_for_command[] = {SIGPIPE, SIGXFSZ};

#define NOT_FOR_COMMAND_N (sizeof not_for_command / sizeof *not_for_command)

/* Returns whether the signal is ignored. An ignored signal must not be blocked: the kernel queues a
 * blocked signal even if it is ignored. */
static bool is_ignored(int number)
{
	struct sigaction action;

	return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

/* Does nothing: unlike SIG_IGN, it is not taken for the action that tiptop was started with when
 * signals_begin() is called again. */
static void on_file_limit(int number)
{
	(void)number;
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
	if (!is_ignored(SIGXFSZ))
		signal(SIGXFSZ, on_file_limit);
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
	signal(SIGXFSZ, SIG_IGN);
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
