#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The control page of a software event of another process, on Linux 6.18 (mmap(2) of a descriptor of perf_event_open(2)).
#
# perf_event_open(2) explains the page for a thread that reads its own hardware counter: with `index` and the rdpmc
# instruction, between two readings of the sequence number `lock`. A software event has no index, so one expects that its
# page tells nothing, or that `offset` is its count. Neither is so:
#
# - `lock` grows whenever the kernel gives the thread a CPU, and stands still while the thread sleeps. So one memory access
#   tells whether a thread has run, without a system call and without a ring buffer.
# - `offset` is the count at the moment when the thread was last given a CPU: less than what read(2) returns, which has the
#   time since then.
# - an event that new threads inherit cannot be mapped at all (EINVAL).
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cat >"$dir/page.c" <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int open_on(pid_t pid, int inherit)
{
	struct perf_event_attr attr = {.size = sizeof attr, .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK,
				       .exclude_kernel = 1, .exclude_hv = 1, .inherit = inherit};

	return (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, 0);
}

int main(void)
{
	const volatile struct perf_event_mmap_page *page;
	unsigned long long count = 0, least;
	int to[2], from[2], fd;
	unsigned before;
	char byte = 'x';
	pid_t child;

	if (pipe(to) || pipe(from))
		return 1;
	child = fork();
	if (!child) {
		close(to[1]);
		while (read(to[0], &byte, 1) == 1) {
			for (volatile long i = 0; i < 30000000; i++)
				;
			if (write(from[1], &byte, 1) != 1)
				return 1;
		}
		return 0;
	}
	close(to[0]);
	usleep(100000);
	fd = open_on(child, 0);
	page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	if (fd < 0 || page == MAP_FAILED)
		return 1;
	before = page->lock;
	usleep(200000);
	printf("asleep: lock %s\n", page->lock == before ? "stands still" : "grows");
	if (write(to[1], &byte, 1) != 1 || read(from[0], &byte, 1) != 1)
		return 1;
	usleep(100000);
	printf("after it ran: lock %s, index %u\n", page->lock == before ? "stands still" : "grows", page->index);
	least = page->offset;
	if (read(fd, &count, sizeof count) != sizeof count)
		return 1;
	printf("offset is %s\n", least < count ? "less than the count" : "the count");
	fd = open_on(child, 1);
	printf("inherited: %s\n", mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0) != MAP_FAILED ? "mapped"
				  : errno == EINVAL ? "EINVAL" : "another error");
	close(to[1]);
	return waitpid(child, NULL, 0) < 0;
}
C
cc -o "$dir/page" "$dir/page.c" || exit 1
"$dir/page" >"$dir/out" || { echo "the kernel opens or maps no event of a child here" >&2 && exit 1; }
seen "lock stands still while the thread sleeps" "$(sed -n 1p "$dir/out")" "asleep: lock stands still"
seen "it grows when the thread runs, though the event has no index" "$(sed -n 2p "$dir/out")" "after it ran: lock grows, index 0"
seen "offset lags behind what read(2) returns" "$(sed -n 3p "$dir/out")" "offset is less than the count"
seen "an inherited event cannot be mapped" "$(sed -n 4p "$dir/out")" "inherited: EINVAL"
