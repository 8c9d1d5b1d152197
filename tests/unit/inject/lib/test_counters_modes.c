/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A PMU that cannot exclude modes, like some virtual ones: the counters of regions, locks and
 * library calls then count in all modes and report that. And a kernel that does not permit user
 * space to read counters. The test replaces syscall(2), and page faults take the place of hardware
 * events.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault_rig.h"
#include "inject/lib/counters.h"
#include "inject/preload/events.h"
#include "tap.h"
#include <tiptop.h>

#define N_PAGES 100

/* Replaces that of process.c. */
atomic_bool process_paused;

/* errno for attributes with an exclude bit (0: none), and how many calls got it */
static int refuse_modes, n_refused;
/* only exclude_guest is refused, which is tried first */
static bool guests_only;

static bool leaves_out(const struct perf_event_attr *a)
{
	return a->exclude_guest || (!guests_only && (a->exclude_user || a->exclude_kernel ||
						     a->exclude_hv || a->exclude_host));
}

static long play(long (*real)(long, ...), const struct perf_event_attr *attr, const long at[4])
{
	struct perf_event_attr faults = *attr;

	if (attr->type == PERF_TYPE_HARDWARE) {
		if (refuse_modes && leaves_out(attr)) {
			n_refused++;
			errno = refuse_modes;
			return -1;
		}
		faults.type = PERF_TYPE_SOFTWARE;
		faults.config = PERF_COUNT_SW_PAGE_FAULTS;
		faults.config1 = 0;
	}
	return real(SYS_perf_event_open, &faults, at[0], at[1], at[2], at[3]);
}

/*
 * Replaces syscall(2) of the C library, by which the library opens counters. It passes six
 * arguments on; other calls may have fewer.
 */
__attribute__((no_sanitize("address"))) long syscall(long number, ...)
{
	long (*real)(long, ...), x[6];
	va_list ap;

	*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		x[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open)
		return play(real, (const struct perf_event_attr *)x[0], &x[1]);
	return real(number, x[0], x[1], x[2], x[3], x[4], x[5]);
}

static double count_faults(struct tt *t)
{
	struct tt_value before[TT_MAX_EVENTS], after[TT_MAX_EVENTS];

	tt_read(t, before);
	fault(N_PAGES);
	tt_read(t, after);
	return tt_between(&before[0], &after[0]);
}

/* error: how the PMU refuses; all: whether the event then counts in all modes; counts: whether it
 * is counted at all. */
static void check(int error, bool only, bool all, bool counts)
{
	struct tt *t;
	const char *why;

	refuse_modes = error;
	guests_only = only;
	n_refused = 0;
	t = tt_open("instructions:u");
	if (!tap_ok(t != NULL, "%s: counters are opened", strerror(error)))
		return;
	why = tt_counters_explain(t, 0);
	tap_ok((t->all_modes & 1) == all, "%s: whether it counts in all modes", strerror(error));
	tap_ok(!strstr(why, "in all modes") == !all, "%s: it says so: %s", strerror(error), why);
	tap_ok(!error == !n_refused, "%s: was refused %d times", strerror(error), n_refused);
	if (counts)
		tap_num(count_faults(t), N_PAGES, "%s: it counts", strerror(error));
	else
		tap_ok(t->reason[0] == error, "%s: is the reason why it does not", strerror(error));
	tt_close(t);
}

/* Tables of locks and of library calls have the number of threads that count in all modes. */
static void check_notes(int error, unsigned all)
{
	static struct events thread;
	struct event_note note[EVENT_NOTES_MAX] = {{.error = 0}};

	refuse_modes = error;
	guests_only = false;
	events_open(&thread, 0);
	tap_int(events_note(&thread, note), 0, "%s: all events are counted", strerror(error));
	tap_int(note[0].all_modes, all, "%s: whether in all modes, is noted", strerror(error));
	tap_int(note[1].all_modes, 1, "one that tiptop has found to be so");
	tap_int(note[2].all_modes, 0, "and one that is not");
	events_close(&thread, 0);
}

/* Returns whether the first n events count the faults of fresh pages between two readings, and none
 * while the process is paused. The system may take a page away meanwhile, which then is counted a
 * second time: one of ten attempts without that suffices. wrong: bits of other errors are added. */
static bool faults_are_exact(struct events *thread, int n, int *wrong)
{
	struct moment before, after;
	bool exact = false;

	for (int attempt = 0; !exact && attempt < 10; attempt++) {
		events_read(thread, &before);
		fault(N_PAGES);
		atomic_store(&process_paused, true);
		events_read(thread, &after);
		*wrong |= after.unknown != UINT32_MAX ? 16 : 0;
		atomic_store(&process_paused, false);
		events_read(thread, &after);
		*wrong |= before.unknown || after.unknown ? 4 : 0;
		exact = true;
		for (int i = 0; i < n; i++)
			exact &= after.count[i] - before.count[i] == N_PAGES;
	}
	return exact;
}

/* If user space may not read counters, as on Arm with kernel.perf_user_access 0, system calls must
 * read each of them, with exact counts. Returns 0 if they do, else a bit for each error. */
static int check_calls(int n)
{
	static struct events thread;
	struct event_note note[EVENT_NOTES_MAX] = {{.error = 0}};
	int wrong = 0;

	events_open(&thread, 0);
	wrong |= events_note(&thread, note) ? 1 : 0;
	for (int i = 0; i < n; i++)
		wrong |= note[i].n_threads[EVENT_BY_CALL] != 1 ||
					 note[i].n_threads[EVENT_BY_USER] ||
					 note[i].n_threads[EVENT_REFUSED]
				 ? 2
				 : 0;
	if (!faults_are_exact(&thread, n, &wrong))
		wrong |= 8;
	events_close(&thread, 0);
	return wrong;
}

/* Runs in a child, as the library reads only once which events to count. */
static void check_alone(void)
{
	const pid_t child = fork();
	int status = -1;

	if (!child) {
		setenv(EVENTS_VARIABLE, "0,0,1,0,0,0,ff,instructions;", 1);
		events_begin(false);
		_exit(check_calls(1));
	}
	waitpid(child, &status, 0);
	tap_int(status, 0, "an event that user space may not read is read by system calls");
}

int main(void)
{
	fault(1);
	check_alone();
	setenv(EVENTS_VARIABLE, "0,0,1,0,0,0,ff,instructions;1,1,2,0,0,10,ff,a;2,1,2,0,0,0,ff,b;",
	       1);
	events_begin(false);
	check(0, false, false, true);
	check(EINVAL, false, true, true);
	check(EOPNOTSUPP, false, true, true);
	check(EINVAL, true, false, true);
	check(EACCES, false, false, false);
	check_notes(0, 0);
	check_notes(EINVAL, 1);
	refuse_modes = 0;
	tap_int(check_calls(3), 0, "so are several of them");
	return tap_done();
}
