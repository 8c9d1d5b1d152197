/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signal handlers that begin regions, and write the report, wherever they come. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "tap.h"
#include <tiptop.h>

#define LABELS  2500 /* of several blocks */
#define REPORTS 50
#define THREADS 40

TT_REGION(work, "work");
TT_REGION(first, "first");
static struct tt_region label[LABELS];
static char name[LABELS][16];
static volatile sig_atomic_t n_labels, n_reports, n_first;

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
	n_first++;
}

static void set_timer(void (*handler)(int), long us)
{
	const struct itimerval often = {{0, us}, {0, us}};

	signal(SIGVTALRM, handler);
	setitimer(ITIMER_VIRTUAL, &often, NULL);
}

/* Both sides begin regions for the first time; and again, which had to look each label up. */
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

/* Calls of the region in a line of a report; -1: it is of another one. */
static long calls_in(const char *line)
{
	const char *at = strstr(line, "\"label\":\"work\",\"calls\":");

	return at ? strtol(at + strlen("\"label\":\"work\",\"calls\":"), NULL, 10) : -1;
}

static void check_reports(void)
{
	FILE *f;
	char line[4096];
	long last = 0, n = 0, n_less = 0;

	set_timer(write_report, 1000);
	while (n_reports < REPORTS) {
		TT_BEGIN(work);
		TT_END(work);
	}
	set_timer(SIG_IGN, 0);
	f = fopen(getenv("TIPTOP_REPORT"), "r");
	while (f && fgets(line, sizeof line, f)) {
		const long calls = calls_in(line);

		n += calls >= 0;
		n_less += calls >= 0 && calls < last;
		last = calls >= 0 ? calls : last;
	}
	if (f)
		fclose(f);
	tap_int(n, n_reports, "each report of a handler has the region");
	tap_int(n_less, 0, "with no fewer calls than the one before");
}

/* Until the handler has come once more than that. */
static void *take_memory(void *before)
{
	for (int i = 0; n_first == *(const int *)before; i++)
		free(malloc((size_t)i % 5000 + 1));
	return NULL;
}

/* The handler comes amid malloc(3), most likely. */
static void check_first(void)
{
	signal(SIGUSR1, begin_first);
	for (int i = 0; i < THREADS; i++) {
		int before = n_first;
		pthread_t thread;

		pthread_create(&thread, NULL, take_memory, &before);
		usleep(1000);
		while (n_first == before) {
			pthread_kill(thread, SIGUSR1);
			usleep(1000);
		}
		pthread_join(thread, NULL);
	}
	tap_ok(n_first >= THREADS, "the first region of a thread may be in a handler");
}

/* The environment is read before main(): the program runs once more with one. */
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
	check_labels();
	check_first();
	unlink(getenv("TIPTOP_REPORT"));
	status = tap_done();
	fflush(stdout);
	/* Without a report at the end, which would make the file again. */
	_exit(status);
}
