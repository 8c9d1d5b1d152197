/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hold - takes counters from everybody else, as the NMI watchdog does: events pinned on the CPU.
 *
 *   hold N             holds N counters of the PMU until it is ended
 *   hold N PID         the same while this task runs: events pinned on it
 *
 * Prints "held" once it has them. Exit status 1, with the reason, if anything fails.
 */
#include <err.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void hold_one(pid_t pid, int cpu)
{
	/* Cycles have a counter of their own on Arm; instructions take one that any
	 * event could have. */
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.pinned = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, pid, cpu, -1, 0);
	uint64_t value;

	if (fd < 0)
		err(1, "perf_event_open");
	if (pid < 0 && read(fd, &value, sizeof value) != sizeof value)
		errx(1, "there is no counter left to hold");
}

int main(int argc, char **argv)
{
	if (argc < 2 || argc > 3)
		errx(1, "usage: hold N [PID]");
	for (int i = atoi(argv[1]); i > 0; i--)
		hold_one(argc > 2 ? atoi(argv[2]) : -1, argc > 2 ? -1 : 0);
	puts("held");
	fflush(stdout);
	for (;;)
		pause();
}
