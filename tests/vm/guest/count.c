/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count - what the kernel counts of user instructions, without tiptop: shows that the test bed
 * itself is exact.
 *
 *   count run PROGRAM    counts from the start of the program to its end
 *   count bytes PROGRAM  counts while the program takes two bytes and the end of its input, and
 *                        waits in between
 *
 * Prints one increment a line. Exit status 1, with the reason, if anything fails.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int counter_open(pid_t pid, int on_exec)
{
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.disabled = on_exec,
		.enable_on_exec = on_exec,
	};
	int fd = syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		err(1, "perf_event_open");
	return fd;
}

static void counter_print(int fd, uint64_t *before)
{
	uint64_t now;

	if (read(fd, &now, sizeof now) != sizeof now)
		err(1, "read of the counter");
	printf("%llu\n", (unsigned long long)(now - *before));
	*before = now;
}

static void input_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC))
		err(1, "pipe");
}

/* The child runs the program when it gets a byte from `go`; the program's input is `input`. */
static pid_t child_start(const char *program, int go, int input)
{
	pid_t pid = fork();
	char byte;

	if (pid < 0)
		err(1, "fork");
	if (pid)
		return pid;
	if (read(go, &byte, 1) != 1)
		_exit(126);
	dup2(input, 0);
	execl(program, program, (char *)NULL);
	_exit(127);
}

/* Waits until the child waits: a task that sleeps has counted all that it has to count. */
static void child_settle(pid_t pid)
{
	char path[64], text[256], *state = NULL;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	do {
		FILE *f = fopen(path, "re");

		usleep(10000);
		if (!f || !fgets(text, sizeof text, f) || !(state = strrchr(text, ')')))
			errx(1, "%s cannot be read", path);
		fclose(f);
	} while (state[2] != 'S' && state[2] != 'Z');
}

static void count_run(const char *program)
{
	uint64_t total = 0;
	int go[2], fd;
	pid_t pid;

	input_pipe(go);
	pid = child_start(program, go[0], 0);
	fd = counter_open(pid, 1);
	if (write(go[1], "", 1) != 1 || waitpid(pid, NULL, 0) != pid)
		err(1, "%s", program);
	counter_print(fd, &total);
}

static void count_bytes(const char *program)
{
	uint64_t total = 0;
	int go[2], input[2], fd;
	pid_t pid;

	input_pipe(go);
	input_pipe(input);
	pid = child_start(program, go[0], input[0]);
	if (write(go[1], "", 1) != 1)
		err(1, "%s", program);
	child_settle(pid);
	fd = counter_open(pid, 0);
	for (int i = 0; i < 2; i++) {
		if (write(input[1], "", 1) != 1)
			err(1, "%s", program);
		child_settle(pid);
		counter_print(fd, &total);
	}
	close(input[1]);
	waitpid(pid, NULL, 0);
	counter_print(fd, &total);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "run"))
		count_run(argv[2]);
	else if (argc == 3 && !strcmp(argv[1], "bytes"))
		count_bytes(argv[2]);
	else
		errx(1, "usage: count run|bytes PROGRAM");
	return 0;
}
