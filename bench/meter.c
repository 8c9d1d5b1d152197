/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meter [-l] -d DELAY_MS [-s SKIP] [-k COUNT] [-w MS:KEYS] [-t | -p KEYS] COMMAND... - measures the
 * refreshes of a monitor.
 *
 * Runs the command with its standard output on a pipe, or with -l on a terminal of 50 lines and 160
 * columns, and reads its output. A refresh ends when the command has written something and has then
 * been silent for a part of its delay: at that moment its CPU clock (user and system) is read.
 * After SKIP refreshes and COUNT more it is killed, and lines of a name and a number are printed:
 *
 *   start_us               CPU time up to the end of the first refresh; left out on a terminal,
 *                          where that may be an empty screen, and with -t
 *   refresh_us             CPU time of one refresh: the mean of the COUNT refreshes
 *   rss_kib, private_kib   memory of the command after these refreshes
 *   fds                    open file descriptors of the command at that time
 *
 * With -t, the command is stopped after these lines, and a line "turn" is printed. At each line
 * that meter reads, the command goes on, and COUNT refreshes are measured again, after the first
 * three. So several monitors can be measured in turn, without a start and a first phase for each
 * turn.
 *
 * With -w, on a terminal, the command runs for MS first, at a delay of its own; then KEYS are
 * typed, which set the delay.
 *
 * With -p, keys are pressed instead, after SKIP refreshes and before the next one, and this is
 * printed:
 *
 *   key_us                 CPU time from a key to the end of its painting: the maximum of all keys
 *   key_KEY_us             the same time for this key
 *   sign_us                CPU time from a key to the first output: the maximum of all keys
 *
 * Exit status: 0; 1 if the command did not work as expected; 3 if the time between its refreshes
 * was not its delay, since the machine was too busy (with -t, in three successive attempts): try
 * again.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LINES        50
#define COLUMNS      160
#define PATIENCE_MS  60000 /* beyond the delays */
#define SILENCE_PCT  30    /* of the delay */
#define SHORTEST     0.7   /* mean time between two refreshes, in delays */
#define LONGEST      2.0
#define KEY_QUIET_MS 200 /* after such a silence, the painting for a key has ended */
#define AFTER_STOP   3   /* refreshes that are not measured after the command was stopped */
#define ATTEMPTS     3

struct meter {
	bool live, in_turns;
	int delay_ms, skip, count;
	const char *keys; /* NULL: none is pressed */
	int settle_ms;
	const char *settle_keys; /* NULL: it is measured from its start */
	pid_t pid;
	int fd; /* reads the output of the command */
	clockid_t clock;
	double deadline_us;
};

static _Noreturn void fail(const char *what, const char *why)
{
	fprintf(stderr, "meter: %s: %s\n", what, why);
	exit(1); /* this ends the command, too: PR_SET_PDEATHSIG */
}

static double clock_us(clockid_t id)
{
	struct timespec t;

	if (clock_gettime(id, &t))
		fail("clock_gettime", strerror(errno));
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static _Noreturn void run_command(char **argv)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execvp(argv[0], argv);
	fprintf(stderr, "meter: %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static void start_on_pipe(struct meter *m, char **argv)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		fail("pipe", strerror(errno));
	m->pid = fork();
	if (m->pid == 0) {
		int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

		dup2(null, STDIN_FILENO);
		dup2(fds[1], STDOUT_FILENO);
		run_command(argv);
	}
	close(fds[1]);
	m->fd = fds[0];
}

static void start_on_terminal(struct meter *m, char **argv)
{
	const struct winsize size = {.ws_row = LINES, .ws_col = COLUMNS};

	m->pid = forkpty(&m->fd, NULL, NULL, &size);
	if (m->pid == 0)
		run_command(argv);
}

/* Sets the time at which the next refreshes have taken too long. */
static void set_deadline(struct meter *m)
{
	m->deadline_us =
		clock_us(CLOCK_MONOTONIC) +
		((m->skip + m->count) * m->delay_ms * LONGEST + m->settle_ms + PATIENCE_MS) * 1e3;
}

static void start(struct meter *m, char **argv)
{
	set_deadline(m);
	if (m->live)
		start_on_terminal(m, argv);
	else
		start_on_pipe(m, argv);
	if (m->pid < 0)
		fail("fork", strerror(errno));
	if (clock_getcpuclockid(m->pid, &m->clock))
		fail(argv[0], "it has no CPU clock");
}

/* Reads the next output. Returns false after a timeout. */
static bool take(const struct meter *m, int timeout_ms)
{
	struct pollfd p = {.fd = m->fd, .events = POLLIN};
	static char buf[65536];
	int ready = poll(&p, 1, timeout_ms);

	if (ready < 0)
		fail("poll", strerror(errno));
	if (clock_us(CLOCK_MONOTONIC) > m->deadline_us)
		fail("the command", "it takes too long");
	if (ready == 0)
		return false;
	if (read(m->fd, buf, sizeof buf) <= 0)
		fail("the command", "it ended before its refreshes were counted");
	return true;
}

/* Presses a key. Returns the CPU time that the command uses until it is silent again; *sign_us: the
 * CPU time until it begins to write. */
static double press_us(const struct meter *m, char key, double *sign_us)
{
	const double from_us = clock_us(m->clock);

	if (write(m->fd, &key, 1) != 1)
		fail("write", strerror(errno));
	if (!take(m, PATIENCE_MS))
		fail("the command", "a key changes nothing");
	*sign_us = clock_us(m->clock) - from_us;
	while (take(m, KEY_QUIET_MS))
		;
	return clock_us(m->clock) - from_us;
}

/* Lets the command run for a while, and types the keys. */
static void settle(const struct meter *m)
{
	const double end_us = clock_us(CLOCK_MONOTONIC) + m->settle_ms * 1e3;
	const size_t n = strlen(m->settle_keys);

	for (double us = 0; us < end_us; us = clock_us(CLOCK_MONOTONIC))
		take(m, (int)((end_us - us) / 1e3 < m->settle_ms ? (end_us - us) / 1e3 + 1
								 : m->settle_ms));
	for (size_t i = 0; i < n; i++) {
		if (write(m->fd, &m->settle_keys[i], 1) != 1)
			fail("write", strerror(errno));
		while (take(m, KEY_QUIET_MS / 4))
			;
	}
}

/* Waits for the end of a refresh. Returns the command's CPU time at this moment; *began_us: when
 * the command began to write, on CLOCK_MONOTONIC. */
static double next_refresh_us(const struct meter *m, double *began_us)
{
	if (!take(m, PATIENCE_MS))
		fail("the command", "it writes nothing");
	*began_us = clock_us(CLOCK_MONOTONIC);
	while (take(m, m->delay_ms * SILENCE_PCT / 100))
		;
	return clock_us(m->clock);
}

/* Returns the sum of the lines of smaps_rollup whose name has this prefix, in KiB. */
static long memory_kib(pid_t pid, const char *prefix)
{
	char path[64], line[256];
	long sum = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
	f = fopen(path, "re");
	if (!f)
		fail(path, strerror(errno));
	while (fgets(line, sizeof line, f))
		if (!strncmp(line, prefix, strlen(prefix)))
			sum += strtol(strchr(line, ':') + 1, NULL, 10);
	fclose(f);
	return sum;
}

static long count_fds(pid_t pid)
{
	char path[64];
	long n = 0;
	DIR *d;

	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	d = opendir(path);
	if (!d)
		fail(path, strerror(errno));
	for (const struct dirent *e = readdir(d); e; e = readdir(d))
		n += e->d_name[0] != '.';
	closedir(d);
	return n;
}

/* Returns whether the time between refreshes was the delay. */
static bool measure(const struct meter *m)
{
	double began_us, first_us, ignored, from_us,
		to_us = 0, start_us = next_refresh_us(m, &began_us), delays;

	from_us = start_us;
	for (int i = 1; i < m->skip; i++)
		from_us = next_refresh_us(m, &began_us);
	first_us = began_us;
	for (int i = 0; i < m->count; i++)
		to_us = next_refresh_us(m, i + 1 < m->count ? &ignored : &began_us);
	delays = (began_us - first_us) / 1e3 / m->delay_ms / m->count;
	if (delays < SHORTEST || delays > LONGEST) {
		fprintf(stderr, "meter: a refresh took %.2f delays\n", delays);
		return false;
	}
	if (!m->live && !m->in_turns)
		printf("start_us %.1f\n", start_us);
	printf("refresh_us %.1f\n", (to_us - from_us) / m->count);
	printf("rss_kib %ld\n", memory_kib(m->pid, "Rss:"));
	printf("private_kib %ld\n", memory_kib(m->pid, "Private_Dirty:"));
	printf("fds %ld\n", count_fds(m->pid));
	return true;
}

/* Stops the command until a line is read. Returns false at the end of standard input. */
static bool await_turn(struct meter *m)
{
	int c;

	kill(m->pid, SIGSTOP);
	puts("turn");
	fflush(stdout);
	do
		c = getchar();
	while (c != '\n' && c != EOF);
	kill(m->pid, SIGCONT);
	return c == '\n';
}

/* Returns false if the machine was too busy. */
static bool measure_turns(struct meter *m)
{
	int attempts = 0;

	while (true) {
		attempts = measure(m) ? 0 : attempts + 1;
		if (attempts == ATTEMPTS)
			return false;
		if (attempts == 0 && !await_turn(m))
			return true;
		m->skip = AFTER_STOP;
		set_deadline(m);
	}
}

/* Presses the keys. Returns false if a refresh came between them. */
static bool measure_keys(const struct meter *m)
{
	double began_us, sign_us, most_us = 0, latest_us = 0;

	for (int i = 0; i < m->skip; i++)
		next_refresh_us(m, &began_us);
	for (const char *key = m->keys; *key; key++) {
		const double us = press_us(m, *key, &sign_us);

		printf("key_%c_us %.1f\n", *key, us);
		most_us = us > most_us ? us : most_us;
		latest_us = sign_us > latest_us ? sign_us : latest_us;
	}
	printf("key_us %.1f\n", most_us);
	printf("sign_us %.1f\n", latest_us);
	if (clock_us(CLOCK_MONOTONIC) - began_us < m->delay_ms * 1e3)
		return true;
	fprintf(stderr, "meter: a refresh came between the keys\n");
	return false;
}

int main(int argc, char **argv)
{
	struct meter m = {.skip = 3, .count = 10};
	char *end;
	int option;
	bool ok;

	/* +: options after the command belong to the command. */
	while ((option = getopt(argc, argv, "+ltd:s:k:p:w:")) != -1) {
		if (option == 'l')
			m.live = true;
		else if (option == 't')
			m.in_turns = true;
		else if (option == 'd')
			m.delay_ms = (int)strtol(optarg, NULL, 10);
		else if (option == 's')
			m.skip = (int)strtol(optarg, NULL, 10);
		else if (option == 'p')
			m.keys = optarg;
		else if (option == 'w') {
			m.settle_ms = (int)strtol(optarg, &end, 10);
			m.settle_keys = *end == ':' ? end + 1 : NULL;
		} else if (option == 'k')
			m.count = (int)strtol(optarg, NULL, 10);
		else
			return 2;
	}
	if (optind == argc || m.delay_ms < 1 || m.skip < 1 || m.count < 1) {
		fprintf(stderr, "usage: meter [-l] -d DELAY_MS [-s SKIP] [-k COUNT] [-w MS:KEYS] "
				"[-t | -p KEYS] COMMAND...\n");
		return 2;
	}
	start(&m, argv + optind);
	if (m.settle_keys)
		settle(&m);
	ok = m.keys ? measure_keys(&m) : m.in_turns ? measure_turns(&m) : measure(&m);
	/* Kill the command at once: closing its counters would take time and slow down the
	 * tasks. */
	kill(m.pid, SIGKILL);
	waitpid(m.pid, NULL, 0);
	return ok ? 0 : 3;
}
