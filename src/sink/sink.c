/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink/sink.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

const struct sink_ops *const sink_table[] = {&sink_text, NULL};

/* Waits until the output takes something; -ECANCELED where tiptop is to stop meanwhile. */
static int wait_writable(struct sink *sink)
{
	struct pollfd fds[] = {{.fd = sink->fd, .events = POLLOUT},
			       {.fd = sink->wake_fd, .events = POLLIN}};

	do {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return -errno;
		if (fds[1].revents && sink->stop(sink->context))
			return -ECANCELED;
	} while (!fds[0].revents);
	return 0;
}

static int write_failed(const struct sink *sink, int error, struct err *err)
{
	if (!sink->path)
		return err_set(err, error, "cannot write to standard output: %s", strerror(error));
	return err_set(err, error, "cannot write '%s': %s", sink->path, strerror(error));
}

int sink_write(struct sink *sink, const char *data, size_t n, struct err *err)
{
	while (n) {
		int ret = wait_writable(sink);
		ssize_t done = ret ? -1 : write(sink->fd, data, n < sink->chunk ? n : sink->chunk);

		if (ret)
			return err_set(err, -ret, "writing was interrupted");
		if (done < 0 && errno != EAGAIN && errno != EINTR)
			return write_failed(sink, errno, err);
		data += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
	return 0;
}
