/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters whose descriptors the program has closed, and reused for other files. */
#include "inject/lib/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/lib/counters.h"
#include "tap.h"
#include <tiptop.h>

static int open_counter(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_kernel = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t id_of(int fd)
{
	uint64_t id = 0;

	ioctl(fd, PERF_EVENT_IOC_ID, &id);
	return id;
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* Standard error is closed, so its number is the lowest free one. */
static void check_lift(void)
{
	const int saved = dup(STDERR_FILENO);
	struct rlimit before;
	int high, low;

	getrlimit(RLIMIT_NOFILE, &before);
	close(STDERR_FILENO);
	low = open("/dev/null", O_RDONLY);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){64, before.rlim_max});
	high = tt_descriptor_lift(low);
	tap_int(low, STDERR_FILENO, "a file that would be standard error");
	tap_ok(high >= 32 && high < 64, "lies in the upper half of what may be open: %d", high);
	tap_ok(!is_open(low), "and not below it");
	close(high);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){2, before.rlim_max});
	tap_int(tt_descriptor_lift(dup(0)), -EMFILE, "where none is left, that is an error");
	tap_ok(!is_open(STDERR_FILENO), "with nothing left open");
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){before.rlim_max, before.rlim_max});
	high = tt_descriptor_lift(dup(0));
	tap_ok(high > STDERR_FILENO && high < DESCRIPTOR_HIGH + 64, "of many it is not far up: %d",
	       high);
	close(high);
	setrlimit(RLIMIT_NOFILE, &before);
	dup2(saved, STDERR_FILENO);
	close(saved);
}

static void check_foreign(void)
{
	struct descriptor_group group;
	int pipe_end[2], socket_end[2];
	char text[8] = "";

	if (pipe(pipe_end) || socketpair(AF_UNIX, SOCK_STREAM, 0, socket_end) ||
	    write(pipe_end[1], "abcdef", 6) != 6)
		abort();
	errno = EDOM;
	tap_ok(!tt_descriptor_read(pipe_end[0], &group), "a pipe is not a counter");
	tap_int(read(pipe_end[0], text, sizeof text), 6, "and keeps its bytes");
	tap_ok(!tt_descriptor_read(socket_end[0], &group), "nor is a socket, which would block");
	tap_ok(!tt_descriptor_read(-1, &group), "nor nothing");
	tt_descriptor_close(pipe_end[0], 1);
	tap_ok(is_open(pipe_end[0]), "what is not the counter is not closed");
	tap_int(errno, EDOM, "errno is that of the program");
}

static void check_own(void)
{
	struct descriptor_group group;
	const int fd = open_counter(), other = open_counter();
	const uint64_t id = id_of(fd);

	tap_ok(tt_descriptor_read(fd, &group) && group.n == 1 && group.counter[0].id == id,
	       "a counter is read");
	tt_descriptor_close(other, id);
	tap_ok(is_open(other), "another counter is not closed");
	tt_descriptor_close(fd, id);
	tap_ok(!is_open(fd), "the very one is");
	close(other);
}

static int find_counter(int from)
{
	struct descriptor_group group;
	int fd = from;

	while (fd < from + 4096 && !tt_descriptor_read(fd, &group))
		fd++;
	return fd;
}

/* The program has replaced the descriptor of a counter by a pipe. */
static void check_counters(void)
{
	struct tt *t = tt_open("page-faults");
	struct tt_value before, after;
	char text[64] = "";
	int end[2], fd;

	fd = find_counter(3);
	tap_ok(fd > 3, "the descriptor of a counter lies high: %d", fd);
	if (pipe(end) || write(end[1], text, 50) != 50)
		abort();
	tt_read(t, &before);
	dup2(end[0], fd);
	tt_read(t, &after);
	tap_int(after.state, TT_DENIED, "what the program has there is not taken for it");
	tap_num(tt_between(&before, &after), NAN, "so its count is not known");
	tap_str(tt_strerror(),
		"'page-faults' is not counted any more: the program has closed its descriptor",
		"which is said");
	tap_int(read(end[0], text, sizeof text), 50, "no byte of the pipe was taken");
	tt_close(t);
	tap_ok(is_open(fd), "nor is it closed");
}

/* The program closes the descriptors of two counters, one after the other. */
static void check_one_by_one(void)
{
	const int fd[2] = {open_counter(), open_counter()};
	struct tt t = {.n = 2, .n_parts = 2, .clock = -1, .name = {(char *)"one", (char *)"other"}};
	struct tt_value value[TT_MAX_EVENTS];

	for (int i = 0; i < 2; i++)
		t.part[i] = (struct counters_part){
			.fd = fd[i], .id = id_of(fd[i]), .event = i, .leader = fd[i]};
	t.owner = &t.thread;
	t.thread = tt_local.number;
	tt_counters_choose(&t);
	close(fd[1]);
	tt_read(&t, value);
	tap_int(value[0].state, TT_SYSCALL, "one counter is read");
	tap_str(tt_strerror(),
		"'other' is not counted any more: the program has closed its descriptor",
		"the other one is lost");
	close(fd[0]);
	tt_counters_read(&t, value);
	tap_int(t.lost, 1, "then the one is lost, and only this one is new");
	tt_read(&t, value);
	tap_str(tt_strerror(),
		"'one' is not counted any more: the program has closed its descriptor",
		"which is said");
}

int main(void)
{
	const int fd = open_counter();

	alarm(60);
	check_lift();
	check_foreign();
	if (fd < 0) {
		tap_ok(true, "counters # SKIP the kernel gives none of page faults");
		return tap_done();
	}
	close(fd);
	check_own();
	check_counters();
	check_one_by_one();
	return tap_done();
}
