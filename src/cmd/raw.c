/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/raw.h"

#include <poll.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "cmd/command.h"
#include "run/print_error.h"
#include "run/wait.h"

static int flush(struct raw *r, struct err *err)
{
	int ret = r->text.len ? dest_write(&r->dest, r->text.text, r->text.len, err) : 0;

	strbuf_reset(&r->text);
	return ret;
}

static int begin_turn(struct raw *r, struct err *err)
{
	struct err note = ERR_INIT;
	int ret = ticks_start(&r->ticks, turns_set(&r->turns), &note, err);

	if (ret)
		return ret;
	/* Its column shows '-'; why is said once for each set. */
	if (note.code && r->turns.number < r->turns.n_sets)
		say_fault(&note, 0);
	r->counting = true;
	return pace_at(&r->pace, turns_end_ns(&r->turns), err);
}

/* A line of its own, as the tools of Solaris have it. */
static void add_stamp(struct raw *r)
{
	const time_t at = (time_t)(clock_ns(CLOCK_REALTIME) / 1000000000u);
	struct tm tm;
	char text[64];

	if (!r->stamp)
		return;
	if (r->stamp == 'u')
		strbuf_addf(&r->text, "%lld\n", (long long)at);
	else if (localtime_r(&at, &tm) && strftime(text, sizeof text, "%a %b %e %T %Z %Y", &tm))
		strbuf_addf(&r->text, "%s\n", text);
}

static bool has_all(const struct raw *r)
{
	return r->count && (r->period_s > 0 ? turns_cycle(&r->turns) >= (uint64_t)r->count
					    : r->taken >= r->count);
}

/* Among the rows where these are text, else beside them. */
static void say_late(struct raw *r, uint64_t passed)
{
	const unsigned long long n = passed;
	const char *what = n == 1 ? "turn was" : "turns were";

	if (r->format == REPORT_AS_TEXT)
		strbuf_addf(&r->text, "# late: %llu %s passed over\n", n, what);
	else
		fprintf(stderr, "tiptop: system --raw: late: %llu %s passed over\n", n, what);
}

static int end_turn(struct raw *r, struct err *err)
{
	uint64_t passed;
	int ret;

	add_stamp(r);
	ret = ticks_take(&r->ticks, &r->text, err);
	if (ret)
		return ret;
	r->taken++;
	r->counting = false;
	passed = turns_next(&r->turns, clock_ns(CLOCK_MONOTONIC));
	r->done = has_all(r);
	if (passed && !r->done)
		say_late(r, passed);
	ret = flush(r, err);
	if (ret || r->done)
		return ret;
	if (turns_start_ns(&r->turns) <= clock_ns(CLOCK_MONOTONIC))
		return begin_turn(r, err);
	return pace_at(&r->pace, turns_start_ns(&r->turns), err);
}

static int on_timer(void *context, int fd, struct err *err)
{
	struct raw *r = context;
	bool due;
	int ret = pace_take(&r->pace, &due, err);

	(void)fd;
	if (ret || !due)
		return ret;
	return r->counting ? end_turn(r, err) : begin_turn(r, err);
}

static int on_signal(void *context, int fd, struct err *err)
{
	struct raw *r = context;
	struct signal_taken taken;

	(void)fd, (void)err;
	while ((taken = signals_next(&r->signals)).meaning != SIGNAL_NONE)
		if (taken.meaning == SIGNAL_END) {
			r->signal = taken.number;
			r->done = true;
		}
	return 0;
}

static int on_reader_gone(void *context, int fd, struct err *err)
{
	struct raw *r = context;

	(void)fd, (void)err;
	r->done = true;
	return 0;
}

static int run_turns(struct raw *r, struct err *err)
{
	struct wait wait = WAIT_INIT;
	int ret;

	turns_begin(&r->turns, r->n_sets, r->interval_s, r->period_s, clock_ns(CLOCK_MONOTONIC));
	r->ticks.begin_ns = r->turns.begin_ns;
	ret = begin_turn(r, err);
	while (!ret && !r->done) {
		wait_reset(&wait);
		wait_add(&wait, r->signals.fd, POLLIN, on_signal, r);
		wait_add(&wait, r->pace.timer_fd, POLLIN, on_timer, r);
		wait_add(&wait, r->dest.fd, 0, on_reader_gone, r);
		ret = wait_run(&wait, &r->done, err);
	}
	wait_done(&wait);
	if (ret)
		return ret;
	tick_rows_totals(&r->ticks.rows, &r->text);
	return flush(r, err);
}

int raw_run(struct raw *r, struct err *err)
{
	int ret = pace_begin(&r->pace, NULL, err);

	strbuf_init(&r->text);
	if (!r->no_header)
		tick_rows_header(&r->ticks.rows, &r->text);
	if (!ret)
		ret = command_begin_output(&r->dest, r->format, "raw", &r->text, err);
	if (!ret)
		ret = run_turns(r, err);
	pace_end(&r->pace);
	strbuf_done(&r->text);
	return ret;
}
