/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/lookup.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"

#define END_MS 2000 /* a process that was killed may be in a read from a slow disk */

/* --- the process --- */

/* Files of the parent would stay open: counters, and what others wait for the end of. */
static int keep_only(int fd)
{
	const int own = dup2(fd, STDERR_FILENO + 1);

	syscall(SYS_close_range, STDERR_FILENO + 2, ~0u, 0);
	return own;
}

/* What comes from a key is for the parent, which ends this one. */
static void become_own(void)
{
	const struct rlimit no_core = {0, 0};
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &no_core);
}

static bool answer(int fd, struct symbols *symbols, const struct lookup_request *request)
{
	struct lookup_answer a = {.number = request->number};
	struct strbuf text;
	size_t len;

	strbuf_init(&text);
	a.known = request->kind == LOOKUP_LINE ? symbols_add_line(symbols, &text, request->place)
					       : symbols_add(symbols, &text, request->place);
	len = text.len < sizeof a.text ? text.len : sizeof a.text;
	memcpy(a.text, text.text, len);
	strbuf_done(&text);
	len += offsetof(struct lookup_answer, text);
	return send(fd, &a, len, MSG_NOSIGNAL) == (ssize_t)len;
}

__attribute__((noreturn)) static void serve(int fd, const struct locks_module *module, size_t n)
{
	struct symbols *symbols = symbols_new(module, n);
	struct lookup_request request[256];
	ssize_t size;
	bool goes_on = true;

	while (goes_on && (size = recv(fd, request, sizeof request, 0)) > 0)
		for (size_t i = 0; i < (size_t)size / sizeof *request && goes_on; i++)
			goes_on = answer(fd, symbols, &request[i]);
	_exit(0);
}

/* --- the parent --- */

int lookup_begin(struct lookup *l, const struct locks_module *module, size_t n, struct err *err)
{
	int pair[2];

	*l = (struct lookup){.fd = -1};
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return err_set(err, errno, "there is no socket: %s", strerror(errno));
	l->pid = fork();
	if (!l->pid) {
		become_own();
		serve(keep_only(pair[1]), module, n);
	}
	close(pair[1]);
	l->fd = pair[0];
	if (l->pid > 0)
		return 0;
	close(l->fd);
	*l = (struct lookup){.fd = -1};
	return err_set(err, errno, "no process can be started: %s", strerror(errno));
}

void lookup_end(struct lookup *l)
{
	if (l->fd >= 0)
		close(l->fd);
	if (l->pid && !kill(l->pid, SIGKILL))
		child_await(l->pid, END_MS, NULL);
	*l = (struct lookup){.fd = -1};
}

int lookup_send(const struct lookup *l, const struct lookup_request *request, size_t n)
{
	const size_t size = n * sizeof *request;

	return send(l->fd, request, size, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size ? 0
											: -errno;
}

int lookup_receive(const struct lookup *l, struct lookup_answer *a)
{
	const size_t head = offsetof(struct lookup_answer, text);
	const ssize_t n = recv(l->fd, a, sizeof *a - 1, MSG_DONTWAIT);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	if ((size_t)n < head)
		return -ECONNRESET;
	a->text[(size_t)n - head] = '\0';
	return 1;
}

void lookup_wait(const struct lookup *l, int timeout_ms)
{
	struct pollfd fd = {.fd = l->fd, .events = POLLIN};

	poll(&fd, 1, timeout_ms);
}

uint64_t lookup_cpu_ns(const struct lookup *l)
{
	return l->pid ? clock_process_ns(l->pid) : 0;
}
