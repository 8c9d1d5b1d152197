/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signal handlers that begin regions and write the report, at any instruction. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include <tiptop.h>

#define LABELS   2500 /* enough for several blocks of the table */
#define REPORTS  50
#define THREADS  40
#define CHILDREN 60

TT_REGION(work, "work");
TT_REGION(first, "first");
static struct tt_region label[LABELS];
static char name[LABELS][16];
static volatile sig_atomic_t n_labels, n_reports, n_waits;
static int n_first; /* first calls in several threads */

static void begin_next_label(int signal)
{
	(void)signal;
	for (int i = 0; i < 10 && n_labels < LABELS; i++) {
		TT_BEGIN(label[n_labels]);
		TT_END(label[n_labels]);
		n_labels++;
	}
}

static void write_report(int signal)
{
	(void)signal;
	n_reports++;
	tt_report();
}

static void begin_first(int signal)
{
	(void)signal;
	TT_BEGIN(first);
	TT_END(first);
	__atomic_fetch_add(&n_first, 1, __ATOMIC_RELAXED);
}

static void set_timer(void (*handler)(int), long us)
{
	const struct itimerval often = {{0, us}, {0, us}};

	signal(SIGVTALRM, handler);
	setitimer(ITIMER_VIRTUAL, &often, NULL);
}

/* The thread and its handlers begin regions for the first time, with labels that must be looked
 * up. */
static void check_labels(void)
{
	for (int i = 0; i < LABELS; i++) {
		snprintf(name[i], sizeof name[i], "label %d", i);
		label[i].label = name[i];
	}
	set_timer(begin_next_label, 100);
	for (int i = 0; n_labels < LABELS; i++) {
		struct tt_region *r = &label[i % LABELS];

		TT_BEGIN(*r);
		TT_END(*r);
	}
	set_timer(SIG_IGN, 0);
	tap_int(n_labels, LABELS, "new regions in a handler, whose slots and hashes grow");
}

/* Returns the calls of the region in a line of a report, -1 if the line is of another region. */
static long calls_in(const char *line)
{
	const char *at = strstr(line, "\"label\":\"work\",\"calls\":");

	return at ? strtol(at + strlen("\"label\":\"work\",\"calls\":"), NULL, 10) : -1;
}

/* Number of lines of the region in the report file. */
struct lines {
	long n, n_less; /* n_less: lines with fewer calls than the line before */
};

static struct lines read_lines(void)
{
	FILE *f = fopen(getenv("TIPTOP_REPORT"), "r");
	struct lines lines = {0, 0};
	char line[4096];
	long last = 0;

	while (f && fgets(line, sizeof line, f)) {
		const long calls = calls_in(line);

		lines.n += calls >= 0;
		lines.n_less += calls >= 0 && calls < last;
		last = calls >= 0 ? calls : last;
	}
	if (f)
		fclose(f);
	return lines;
}

static void check_reports(void)
{
	struct lines lines;

	set_timer(write_report, 1000);
	while (n_reports < REPORTS) {
		TT_BEGIN(work);
		TT_END(work);
	}
	set_timer(SIG_IGN, 0);
	lines = read_lines();
	tap_int(lines.n, n_reports, "each report of a handler has the region");
	tap_int(lines.n_less, 0, "with no fewer calls than the one before");
}

/* A report that waits for a lock sleeps many times, which its context switches show. */
static void write_amid(int signal)
{
	struct rusage before, after;

	(void)signal;
	if (n_reports >= REPORTS)
		return;
	getrusage(RUSAGE_THREAD, &before);
	tt_report();
	getrusage(RUSAGE_THREAD, &after);
	n_waits += after.ru_nvcsw - before.ru_nvcsw > 50;
	n_reports++;
}

/* Most handlers interrupt a report of their own thread. */
static void check_reports_amid(void)
{
	const struct itimerval often = {{0, 3000}, {0, 3000}}, never = {{0, 0}, {0, 0}};
	const long before = read_lines().n;
	struct lines lines;
	long n = 0;

	n_reports = 0;
	signal(SIGPROF, write_amid);
	setitimer(ITIMER_PROF, &often, NULL);
	for (; n_reports < REPORTS; n++) {
		TT_BEGIN(work);
		TT_END(work);
		tt_report();
	}
	setitimer(ITIMER_PROF, &never, NULL);
	lines = read_lines();
	tap_int(n_waits, 0, "a report of a handler does not wait for that of its own thread");
	tap_int(lines.n, before + n + n_reports, "it is written behind that");
	tap_int(lines.n_less, 0, "with no fewer calls");
}

static void end_process(int signal)
{
	(void)signal;
	exit(0);
}

/* Children exit from a handler that interrupts a region, sometimes while its row is written. */
static void check_ends(void)
{
	const long before = read_lines().n;

	fflush(stdout);
	for (int i = 0; i < CHILDREN; i++) {
		const pid_t pid = fork();

		if (!pid) {
			TT_BEGIN(work);
			TT_END(work);
			set_timer(end_process, 2000);
			for (;;) {
				TT_BEGIN(work);
				TT_END(work);
			}
		}
		waitpid(pid, NULL, 0);
	}
	tap_int(read_lines().n - before, CHILDREN, "a process that a handler ends has its report");
}

/* The report's file is locked, so attempts to lock it fail: errno of the program must not
 * change. */
static void check_errno(void)
{
	const int fd = open(getenv("TIPTOP_REPORT"), O_RDWR | O_CLOEXEC);

	flock(fd, LOCK_EX);
	errno = 99;
	tt_report();
	tap_int(errno, 99, "a report leaves errno alone");
	close(fd);
}

static int count_first(void)
{
	return __atomic_load_n(&n_first, __ATOMIC_RELAXED);
}

/* Allocates memory until one more handler has run. The pointer is volatile, so that the compiler
 * cannot remove the allocation. */
static void *take_memory(void *before)
{
	void *volatile piece;

	for (int i = 0; count_first() == *(const int *)before; i++) {
		piece = malloc((size_t)i % 5000 + 1);
		free(piece);
	}
	return NULL;
}

/* The handler most likely interrupts malloc(3). */
static void check_first(void)
{
	signal(SIGUSR1, begin_first);
	for (int i = 0; i < THREADS; i++) {
		int before = count_first();
		pthread_t thread;

		pthread_create(&thread, NULL, take_memory, &before);
		usleep(1000);
		while (count_first() == before) {
			pthread_kill(thread, SIGUSR1);
			usleep(1000);
		}
		pthread_join(thread, NULL);
	}
	tap_ok(count_first() >= THREADS, "the first region of a thread may be in a handler");
}

/* The library reads the environment before main(), so the program executes itself with another
 * one. */
static int run_again(char **argv)
{
	static char report[] = "handler-XXXXXX";

	close(mkstemp(report));
	setenv("TIPTOP_REGIONS", "", 1);
	setenv("TIPTOP_REPORT", report, 1);
	setenv("TIPTOP_FORMAT", "json", 1);
	execv("/proc/self/exe", argv);
	return 1;
}

int main(int argc, char **argv)
{
	int status;

	(void)argc;
	if (!getenv("TIPTOP_REGIONS"))
		return run_again(argv);
	alarm(120);
	check_reports();
	check_reports_amid();
	check_errno();
	check_ends();
	check_labels();
	check_first();
	unlink(getenv("TIPTOP_REPORT"));
	status = tap_done();
	fflush(stdout);
	/* _exit(2): a report at exit would create the removed file again. */
	_exit(status);
}
