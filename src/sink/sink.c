/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink/sink.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

const struct sink_ops *const sink_table[] = {&sink_text, NULL};

int sink_write(struct sink *sink, const char *data, size_t n, struct err *err)
{
	while (n) {
		ssize_t done = write(sink->fd, data, n);

		if (done > 0) {
			data += done;
			n -= (size_t)done;
		} else if (done < 0 && errno == EAGAIN) {
			poll(&(struct pollfd){.fd = sink->fd, .events = POLLOUT}, 1, -1);
		} else if (done < 0 && errno != EINTR) {
			return err_set(err, errno, "cannot write the output: %s", strerror(errno));
		}
	}
	return 0;
}
