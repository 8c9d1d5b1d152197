/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load P T BUSY - P processes of T threads; BUSY of the processes use 2 ms in every 20 ms, all else sleeps.
 *
 * Prints "ready" once all exist, and ends them when it ends itself.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define DUTY_NS   2000000
#define PERIOD_NS 20000000

static long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void *sleep_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void work_for_ever(void)
{
	const struct timespec rest = {0, PERIOD_NS - DUTY_NS};

	for (;;) {
		long end = now_ns() + DUTY_NS;

		while (now_ns() < end)
			;
		nanosleep(&rest, NULL);
	}
}

static void run_child(int threads, int busy, int ready_fd)
{
	pthread_attr_t small;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 16384);
	for (int i = 1; i < threads; i++) {
		pthread_t id;

		if (pthread_create(&id, &small, sleep_for_ever, NULL))
			_exit(1);
	}
	if (write(ready_fd, "r", 1) != 1)
		_exit(1);
	close(ready_fd);
	if (busy)
		work_for_ever();
	sleep_for_ever(NULL);
}

int main(int argc, char **argv)
{
	long processes, threads, busy, ready = 0;
	int fds[2];
	char c;

	if (argc != 4 || pipe(fds)) {
		fprintf(stderr, "usage: load PROCESSES THREADS BUSY\n");
		return 2;
	}
	processes = strtol(argv[1], NULL, 10);
	threads = strtol(argv[2], NULL, 10);
	busy = strtol(argv[3], NULL, 10);
	for (long i = 0; i < processes; i++) {
		pid_t pid = fork();

		if (pid < 0) {
			perror("load: fork");
			return 1;
		}
		if (pid == 0) {
			close(fds[0]);
			run_child((int)threads, i < busy, fds[1]);
		}
	}
	close(fds[1]);
	while (read(fds[0], &c, 1) == 1)
		ready++;
	puts(ready == processes ? "ready" : "failed");
	fflush(stdout);
	sleep_for_ever(NULL);
}
