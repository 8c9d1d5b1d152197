/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/pace.h"

#include <errno.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

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
