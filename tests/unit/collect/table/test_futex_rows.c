/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of calls of futex(2) from records of a made-up kernel, as samples. */
#include "collect/table/futex_rows.h"

#include "base/clock.h"
#include "base/log.h"
#include "collect/task/procfs.h"
#include "fake_sysfs.h"
#include "model/fact_list.h"
#include "syscalls_rig.h"
#include "tap.h"

static const struct fake_file list[] = {
	{"tracepoints", "syscalls:sys_enter_futex 522\nsyscalls:sys_exit_futex 521\n"},
};

static struct fake kernel;
static struct proc *proc;
static struct machine machine;
static struct source *source;
static struct sample sample;
static struct log faults;

static void begin_source(const struct event_host *host)
{
	const struct futexes_target target = {.pid = TID, .sys = &kernel.sys, .host = host};
	struct want want = {.filter = FILTER_ALL, .log = &faults};
	struct err err = ERR_INIT;

	kernel = fake();
	event_set_init(&want.events);
	tap_int(source_futexes_new(&source, &target, proc, &machine, NULL, &err), 0, "a source");
	source->ops->go_on(source, &want);
}

static void end_source(void)
{
	source->ops->free(source);
	tap_int(n_left(&kernel), 0, "nothing stays open or mapped");
	log_done(&faults);
}

static size_t next(void)
{
	struct err err = ERR_INIT;

	return source->ops->next(source, &sample, &err) ? 99 : sample.n;
}

static uint64_t fact(int which)
{
	return sample.n ? task_fact(sample.task[0], which) : 99;
}

/* Returns whether a line of the log begins so. */
static bool has_logged(const char *text)
{
	for (size_t i = 0; i < faults.n; i++)
		if (!strncmp(faults.line[i].text, text, strlen(text)))
			return true;
	return false;
}

static void test_rows(const struct event_host *host)
{
	begin_source(host);
	tap_int((int)next(), 0, "no call yet");
	tap_ok(strstr(source->ops->note(source), "has not called futex(2)"), "as the note says");
	tap_ok(source->ops->collect(source) > clock_ns(CLOCK_MONOTONIC),
	       "records are read between samples");
	put_enter(&kernel, 0, 50, 10, 0x7000);
	put_exit(&kernel, 0, 50, 12, 0);
	tap_int((int)next(), 1, "a row");
	tap_ok(fact(FACT_ACQUISITIONS) == 1 && fact(FACT_ACQUIRE_NS) == 2 &&
		       fact(FACT_TRYING_NS) == 2,
	       "a wait of 2 ns");
	tap_ok(sample.task[0]->counting == COUNT_WHOLE && !source->ops->note(source),
	       "all of it in this interval");
	put_enter(&kernel, 0, 50, 20, 0x7000);
	next();
	tap_ok(fact(FACT_ACQUISITIONS) == 1 && fact(FACT_TRYING_NS) > 1000000,
	       "a wait that goes on is one of trying");
	kernel.lost = 3;
	next();
	tap_ok(has_logged("the kernel lost "), "losses are logged");
	put_task(&kernel, 0, PERF_RECORD_EXIT, 50, 30);
	tap_ok(next() == 1 && sample.task[0]->dead, "the program has ended: its final numbers");
	tap_int((int)next(), 0, "which come once");
	tap_ok(strstr(source->ops->note(source), "has ended"), "as the note says");
	tap_int((int)source->ops->collect(source), 0, "nothing more is read");
	end_source();
}

/* Records that come without the beginning of the call; and a filter. */
static void test_gaps(const struct event_host *host)
{
	struct filter filter = FILTER_ALL;

	begin_source(host);
	put_exit(&kernel, 0, 50, 12, 0);
	put_enter(&kernel, 0, 51, 20, 0x7000);
	tap_int((int)next(), 1, "a row");
	tap_ok(sample.task[0]->counting != COUNT_WHOLE, "of the first sample");
	tap_ok(has_logged("1 call of futex(2) is in no row"), "a beginning is missing");
	filter.pid = TID + 1;
	source->ops->filter(source, &filter);
	tap_int((int)next(), 0, "another process was asked for");
	tap_ok(strstr(source->ops->note(source), "no process that passes the filter"),
	       "the note does not say that there was no call");
	filter.pid = TID;
	source->ops->filter(source, &filter);
	tap_int((int)next(), 1, "its row comes again");
	end_source();
}

static void test_narrow(const struct event_host *host)
{
	const struct futexes_target target = {.pid = TID, .sys = &kernel.sys, .host = host};
	struct err err = ERR_INIT;

	kernel = fake();
	tap_int(source_futexes_new(&source, &target, proc, &machine, NULL, &err), -ENOTSUP,
		"refused on machines of 32 bits");
}

int main(void)
{
	struct fake_sysfs sysfs;
	struct err err = ERR_INIT;

	proc = procfs_new(&err);
	fake_sysfs_make(&sysfs, list, sizeof list / sizeof *list);
	sample_init(&sample);
	if (sizeof(long) == sizeof(uint64_t)) {
		test_rows(&sysfs.host);
		test_gaps(&sysfs.host);
	} else {
		test_narrow(&sysfs.host);
	}
	sample_done(&sample);
	procfs_free(proc);
	fake_sysfs_remove(&sysfs);
	return tap_done();
}
