/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regions of this program in its own report. The numbers of page faults are known exactly. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault_rig.h"
#include "tap.h"
#include <tiptop.h>

#define PAGES 16

TT_REGION(outer, "outer");
TT_REGION(inner, "in \"ner\"");
TT_REGION(recursive, "recursive");
TT_REGION(left, "left");
TT_REGION(threads, "threads");
TT_REGION(handler, "handler");
TT_REGION(child, "child");

static char report[] = "regions-XXXXXX", mark[sizeof report + 5];

/* Reads the report's line on the region with this label, of this process. */
static void read_report(const char *file, char *line, size_t size, const char *label, pid_t pid)
{
	char own[64], name[64], *found = NULL;
	FILE *f = fopen(file, "r");

	snprintf(own, sizeof own, "\"pid\":%ld,", (long)pid);
	snprintf(name, sizeof name, "\"label\":\"%s\"", label);
	while (f && (found = fgets(line, (int)size, f)) &&
	       !(strstr(line, own) && strstr(line, name)))
		;
	if (!found)
		line[0] = '\0';
	if (f)
		fclose(f);
}

/* Returns a number of the report: `part` of `event`, or of the region itself if event is NULL. */
static double number_in(const char *file, const char *label, const char *event, const char *part,
			pid_t pid)
{
	char line[8192], name[80];
	const char *at = line;

	read_report(file, line, sizeof line, label, pid);
	if (event) {
		snprintf(name, sizeof name, "\"%s\":{", event);
		at = strstr(line, name);
	}
	snprintf(name, sizeof name, "\"%s\":", part);
	at = at ? strstr(at, name) : NULL;
	return at ? strtod(at + strlen(name), NULL) : NAN;
}

/* Returns the difference since the mark. Numbers before it include page faults of code that runs
 * for the first time. */
static double number(const char *label, const char *event, const char *part, pid_t pid)
{
	double n = number_in(report, label, event, part, pid), before;

	if (strcmp(part, "sum") && strcmp(part, "self") && strcmp(part, "calls"))
		return n;
	before = number_in(mark, label, event, part, pid);
	return isnan(before) ? n : n - before;
}

static void empty_report(void)
{
	FILE *f = fopen(report, "w");

	if (f)
		fclose(f);
}

/* Sets the mark for number(). */
static void set_mark(void)
{
	empty_report();
	tt_report();
	rename(report, mark);
}

static double faults(const char *label, const char *part)
{
	return number(label, "page-faults", part, getpid());
}

static void run_nested(void)
{
	for (int i = 0; i < 10; i++) {
		TT_BEGIN(outer);
		fault(PAGES);
		for (int k = 0; k < 2; k++) {
			TT_BEGIN(inner);
			fault(PAGES * (k + 1));
			TT_END(inner);
		}
		TT_END(outer);
	}
}

static void run_recursive(int n)
{
	TT_SCOPE(recursive);

	fault(PAGES);
	if (n > 1)
		run_recursive(n - 1);
}

/* Leaves a region by longjmp(3). The region around it ends normally. */
static void run_left(void)
{
	jmp_buf back;

	TT_BEGIN(outer);
	if (!setjmp(back)) {
		TT_BEGIN(left);
		longjmp(back, 1);
	}
	TT_END(outer);
}

static void *run_thread(void *arg)
{
	(void)arg;
	for (int i = 0; i < 100; i++) {
		TT_BEGIN(threads);
		fault(1);
		TT_END(threads);
	}
	return NULL;
}

static volatile sig_atomic_t n_signals;

static void on_alarm(int signal)
{
	(void)signal;
	TT_BEGIN(handler);
	n_signals++;
	TT_END(handler);
}

/* A timer of CPU time interrupts regions at any instruction. */
static int run_handler(void)
{
	const struct itimerval often = {{0, 200}, {0, 200}}, off = {{0, 0}, {0, 0}};
	int n = 0;

	signal(SIGVTALRM, on_alarm);
	TT_BEGIN(handler);
	TT_END(handler);
	setitimer(ITIMER_VIRTUAL, &often, NULL);
	for (; n_signals < 20; n++) {
		TT_BEGIN(handler);
		TT_END(handler);
	}
	setitimer(ITIMER_VIRTUAL, &off, NULL);
	signal(SIGVTALRM, SIG_IGN);
	return n + 1;
}

static void check_nested(void)
{
	run_nested();
	set_mark();
	run_nested();
	fault(1);
	tt_report();
	tap_num(number("outer", NULL, "calls", getpid()), 10, "each call is counted");
	tap_num(number("in \\\"ner\\\"", NULL, "calls", getpid()), 20,
		"those of the region in it, too");
	tap_num(faults("in \\\"ner\\\"", "sum"), 10 * 3 * PAGES, "faults of the inner region");
	tap_num(faults("in \\\"ner\\\"", "max"), 2 * PAGES, "the most of a call");
	tap_num(faults("outer", "self"), 10 * PAGES, "those of the outer one alone");
	tap_num(faults("outer", "sum"), 10 * 4 * PAGES, "and with what is in it");
	empty_report();
}

static void check_recursive(void)
{
	run_recursive(5);
	tt_reset("recursive");
	set_mark();
	run_recursive(5);
	run_recursive(5);
	tt_report();
	tap_num(number("recursive", NULL, "calls", getpid()), 10,
		"a region in itself: each call counts");
	tap_num(faults("recursive", "sum"), 10 * PAGES, "but nothing is counted twice");
	tap_num(faults("recursive", "self"), 10 * PAGES, "nor by its calls alone");
	tap_num(faults("recursive", "max"), 5 * PAGES, "the longest call has all five");
	empty_report();
}

static void check_left(void)
{
	run_left();
	run_nested();
	set_mark();
	run_left();
	run_nested();
	tt_report();
	tap_num(number("outer", NULL, "calls", getpid()), 11,
		"the region around one that was left ends");
	tap_num(number("left", NULL, "calls", getpid()), NAN, "the one that was left has no call");
	tap_num(faults("outer", "self"), 10 * PAGES, "and those after it are right");
	empty_report();
}

static void check_threads(void)
{
	enum { N = 8 };
	pthread_t thread[N];

	run_thread(NULL);
	set_mark();
	for (int i = 0; i < N; i++)
		pthread_create(&thread[i], NULL, run_thread, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], NULL);
	run_thread(NULL);
	tt_report();
	tap_num(number("threads", NULL, "calls", getpid()), (N + 1) * 100,
		"threads that ended, and this one");
	tap_num(faults("threads", "sum"), (N + 1) * 100, "their faults");
	tap_num(faults("threads", "stddev"), 0, "one a call");
	empty_report();
}

static void check_handler(void)
{
	int n;

	set_mark();
	n = run_handler();
	tt_report();
	tap_num(number("handler", NULL, "calls", getpid()), n + n_signals,
		"a signal handler measures the region that it interrupts: %d + %d", n,
		(int)n_signals);
	empty_report();
}

static void run_child(int n)
{
	for (int i = 0; i < n; i++) {
		TT_BEGIN(child);
		fault(PAGES);
		TT_END(child);
	}
}

static void check_children(void)
{
	char left_file[64];
	pid_t pid;

	run_child(3);
	unlink(mark);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		run_child(5);
		exit(0);
	}
	waitpid(pid, NULL, 0);
	tap_num(number("child", NULL, "calls", pid), 5,
		"a child has its own numbers, and its own report");
	tap_num(number("child", "page-faults", "sum", pid), 5 * PAGES, "and counts its own faults");
	empty_report();
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0ul);
	if (!pid) {
		run_child(7);
		tt_report();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	/* The process ended without exit handlers, so the file of its table remains. */
	snprintf(left_file, sizeof left_file, "/dev/shm/tiptop-regions.%ld.0", (long)pid);
	unlink(left_file);
	tap_num(number("child", "page-faults", "sum", pid), 7 * PAGES,
		"so has one that no handler prepared");
	empty_report();
	tt_report();
	tap_num(number("child", NULL, "calls", getpid()), 3, "their parent has its own");
}

/* The library reads the environment before main(), so the program executes itself with another one.
 * The report is removed after that, since it is written once more at exit. */
static int run_again(char **argv)
{
	int status = 1;
	pid_t pid;

	close(mkstemp(report));
	snprintf(mark, sizeof mark, "%s.mark", report);
	unsetenv("XDG_RUNTIME_DIR");
	setenv("TIPTOP_REGIONS", "page-faults,task-clock", 1);
	setenv("TIPTOP_REPORT", report, 1);
	setenv("TIPTOP_FORMAT", "json", 1);
	pid = fork();
	if (!pid) {
		execv("/proc/self/exe", argv);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	unlink(report);
	unlink(mark);
	return status != 0;
}

int main(int argc, char **argv)
{
	(void)argc;
	if (!getenv("TIPTOP_REGIONS"))
		return run_again(argv);
	snprintf(report, sizeof report, "%s", getenv("TIPTOP_REPORT"));
	snprintf(mark, sizeof mark, "%s.mark", report);
	check_nested();
	check_recursive();
	check_left();
	check_threads();
	check_handler();
	check_children();
	return tap_done();
}
