/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define LOCK_TRIES 100
#define LOCK_NAP   10000000 /* ns */

static bool lock(int fd)
{
	const struct timespec nap = {.tv_nsec = LOCK_NAP};
	struct stat s;
	bool locked = false;

	if (fstat(fd, &s) || !S_ISREG(s.st_mode))
		return false;
	for (int try = 0; try < LOCK_TRIES && !(locked = !flock(fd, LOCK_EX | LOCK_NB)); try++) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return false;
		nanosleep(&nap, NULL);
	}
	return locked;
}

void tt_output_begin(struct tt_output *o, const struct table_header *of, int fd,
		     ssize_t (*write)(struct tt_output *o, const char *text, size_t size))
{
	o->of = of;
	o->wall_ns = clock_ns(CLOCK_REALTIME);
	o->fd = fd;
	o->write = write;
	o->failed = o->held = false;
	o->n = o->lines = 0;
	o->locked = lock(fd);
}

/* Writes the first `size` bytes of the text. */
static void flush(struct tt_output *o, size_t size)
{
	for (size_t at = 0; at < size && !o->failed;) {
		ssize_t n = o->write(o, o->text + at, size - at);

		if (n < 0 && errno != EINTR)
			o->failed = true;
		at += n > 0 ? (size_t)n : 0;
	}
	memmove(o->text, o->text + size, o->n - size);
	o->n -= size;
	o->lines = 0;
}

/* Appends a formatted text; returns false, and appends nothing, if it does not fit. */
__attribute__((format(printf, 2, 0))) static bool append(struct tt_output *o, const char *format,
							 va_list arguments)
{
	const size_t room = sizeof o->text - o->n;
	const int n = vsnprintf(o->text + o->n, room, format, arguments);

	if (n < 0 || (size_t)n >= room)
		return false;
	o->n += (size_t)n;
	if (n && o->text[o->n - 1] == '\n')
		o->lines = o->n;
	return true;
}

void tt_output_put(struct tt_output *o, const char *format, ...)
{
	va_list arguments, again;

	va_start(arguments, format);
	va_copy(again, arguments);
	if (!append(o, format, arguments)) {
		flush(o, o->lines ? o->lines : o->n);
		append(o, format, again);
	}
	if (!o->locked && !o->held && o->lines == o->n)
		flush(o, o->n);
	va_end(again);
	va_end(arguments);
}

void tt_output_drop(struct tt_output *o)
{
	o->n = o->lines = 0;
}

void tt_output_end(struct tt_output *o)
{
	flush(o, o->n);
	if (o->locked)
		flock(o->fd, LOCK_UN);
}
