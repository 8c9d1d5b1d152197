/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop follow. */
#include "cmd/choices.h"
#include "cmd/command.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/destination.h"
#include "base/num.h"
#include "cmd/counter_sets.h"
#include "cmd/follow_facts.h"
#include "cmd/follow_keep.h"
#include "cmd/follow_options.h"
#include "collect/command/job.h"
#include "collect/command/job_lines.h"
#include "pmu/check/privilege.h"
#include "pmu/check/refusal.h"
#include "report/format.h"
#include "run/lifecycle.h"
#include "run/pace.h"
#include "run/print_error.h"
#include "run/signals.h"
#include "session/recording.h"

#define DEFAULT_EVENTS "cycles,instructions"

struct following {
	struct follow_options o;
	char **command; /* NULL: a process that runs */
	struct machine machine;
	struct perf_kernel kernel;
	struct counter_sets sets;
	enum report_format_id format;
	struct follow_lines lines;
	struct trace_sys tracer;
	struct follow_facts facts;
	bool by_facts; /* without counters */
	struct trace trace;
	struct job job;
	struct signals signals;
	struct lifecycle life;
	struct pace pace;
	struct dest dest;
	struct strbuf text;
	struct record_writer *recording; /* NULL: none */
	struct err not_recorded;         /* why it is no more; code 0: it is */
	uint64_t begin_ns;
	long ticks;      /* so many were shown */
	bool silent;     /* all that were wanted were shown */
	bool short_said; /* that tasks are not counted, for want of descriptors */
};

/* --- rows --- */

static void tell(void *context, const struct follow_row *row)
{
	struct following *f = context;
	const uint64_t time_ns = clock_ns(CLOCK_MONOTONIC) - f->begin_ns;

	if (f->silent)
		return;
	follow_lines_row(&f->lines, &f->text, (double)time_ns / 1e9, row);
	if (f->recording && !f->not_recorded.code)
		follow_keep_row(f->recording, time_ns, row, f->sets.set, &f->not_recorded);
}

static int flush(struct following *f, struct err *err)
{
	int ret = f->text.len ? dest_write(&f->dest, f->text.text, f->text.len, err) : 0;

	strbuf_reset(&f->text);
	/* The rows go on without it. */
	if (f->not_recorded.code && f->recording) {
		say_fault(&f->not_recorded, 0);
		record_writer_close(f->recording, NULL);
		f->recording = NULL;
	}
	return ret;
}

/* Says why a task is not counted. Want of descriptors, which many may have, is said once. */
static void say_refused(struct following *f, const struct err *why)
{
	const bool is_short = why->code == EMFILE || why->code == ENFILE;

	if (is_short && f->short_said)
		return;
	f->short_said |= is_short;
	if (is_short)
		fprintf(stderr,
			"tiptop: follow: tasks are not counted from task %d on, while there is "
			"%s\n",
			f->job.refused_task, why->text);
	else
		fprintf(stderr, "tiptop: follow: %s\n", why->text);
}

/* The counts of a task that cannot be counted are unknown. */
static int check_counters(struct following *f, struct err *err)
{
	const struct event *first = &f->sets.set[f->job.current].event[0];
	const struct refusal_attempt attempt = {
		.event = first->what ? first->what : first->name,
		.tid = f->job.refused_task,
		.kernel = f->o.kernel,
		.hardware = event_is_hardware(first),
		.absent = first->absent,
		.fewer = f->o.forks ? "leave out -f, or count fewer events with -c"
				    : "count fewer events with -c",
	};
	struct err why = ERR_INIT;

	if (f->job.lost)
		fprintf(stderr,
			"tiptop: follow: process %d is not counted any more: it executes a program "
			"that this user may not read; root may\n",
			f->job.lost);
	f->job.lost = 0;
	if (!f->job.refused)
		return 0;
	refusal_explain(f->job.refused, &attempt, &why);
	f->job.refused = 0;
	if (!f->begin_ns)
		return err_set(err, why.code, "follow: %s", why.text);
	say_refused(f, &why);
	return 0;
}

/* Takes what has happened. Without a task there is nothing to follow. */
static int take_events(void *context, struct err *err)
{
	struct following *f = context;
	struct trace_event event;
	int ret = 0;

	while (!ret && trace_next(&f->trace, &event)) {
		if (!job_take(&f->job, &event))
			trace_leave(&f->trace);
		ret = check_counters(f, err);
		if (!ret && f->begin_ns)
			ret = flush(f, err);
	}
	f->life.done |= !f->trace.tasks.n;
	return ret;
}

/* --- the loop --- */

static int on_tick(void *context, int fd, struct err *err)
{
	struct following *f = context;
	bool due;
	int ret = pace_take(&f->pace, &due, err);

	(void)fd;
	if (ret || !due || f->silent)
		return ret;
	job_tick(&f->job);
	f->silent = f->o.ticks && ++f->ticks >= f->o.ticks;
	/* A process that runs anyway is let go; a command is waited for. */
	f->life.done |= f->silent && !f->command;
	return flush(f, err);
}

static void add_waits(void *context, struct wait *wait)
{
	struct following *f = context;

	wait_add(wait, f->pace.timer_fd, POLLIN, on_tick, f);
}

/* --- the start --- */

static int begin_ticks(struct following *f, struct err *err)
{
	const double s = f->o.interval_s;
	const int ret = s > 0 ? pace_begin(&f->pace, NULL, err) : 0;

	return ret || s <= 0 ? ret : pace_start(&f->pace, s, s, err);
}

/* The counters are opened while the command is at its first stop. One that was killed before has
 * done nothing, and its end says how. */
static int start_command(void *context, struct err *err)
{
	struct following *f = context;
	struct trace_event event;
	int ret;

	f->job.command = true;
	f->trace.kept = f->life.spawn.pid;
	ret = trace_command(&f->trace, f->life.spawn.pid, err);
	if (!ret && trace_await_birth(&f->trace, &event)) {
		job_take(&f->job, &event);
		ret = check_counters(f, err);
		trace_go_on(&f->trace);
	}
	f->begin_ns = clock_ns(CLOCK_MONOTONIC);
	return ret ? ret : begin_ticks(f, err);
}

static int follow_process(struct following *f, struct err *err)
{
	int ret;

	f->begin_ns = clock_ns(CLOCK_MONOTONIC);
	ret = trace_process(&f->trace, (pid_t)f->o.pid, err);
	if (!ret)
		ret = begin_ticks(f, err);
	return ret ? ret : lifecycle_attend(&f->life, err);
}

static const struct lifecycle_hooks hooks = {
	.started = start_command, .take = take_events, .add_waits = add_waits};

static int begin_output(struct following *f, struct err *err)
{
	const int ret = dest_open_or_append(&f->dest, f->o.output, f->o.append, err);

	if (!f->o.no_header)
		follow_lines_header(&f->lines, &f->text);
	return ret ? ret : command_begin_output(&f->dest, f->format, "follow", &f->text, err);
}

static int follow(struct following *f, struct err *err)
{
	int ret = f->o.record
			  ? follow_keep_begin(&f->recording, f->o.record, f->command, &f->sets, err)
			  : 0;

	if (!ret)
		ret = begin_output(f, err);
	if (!ret)
		ret = signals_take(&f->signals, SIGNALS_PLAIN, err);
	if (!ret)
		ret = f->command ? lifecycle_run(&f->life, f->command, SPAWN_OURS, &f->signals, err)
				 : follow_process(f, err);
	return ret;
}

/* Tasks that outlive the command are not waited for. */
static void say_left(const struct following *f)
{
	if (f->command && f->trace.tasks.n)
		fprintf(stderr,
			"tiptop: follow: the command has ended; %zu task%s that it made go%s on, "
			"and what %s count%s is not in these rows\n",
			f->trace.tasks.n, f->trace.tasks.n == 1 ? "" : "s",
			f->trace.tasks.n == 1 ? "es" : "", f->trace.tasks.n == 1 ? "it" : "they",
			f->trace.tasks.n == 1 ? "s" : "");
}

/* Without counters, what /proc says of each task, unless events are asked for. */
static int choose_counts(struct following *f, struct err *err)
{
	const bool asked = f->o.events || f->o.cycles;
	struct err why = ERR_INIT;

	if (asked || !refusal_try_hardware(&f->kernel.sys, false, NULL, &why))
		return counter_sets_make(&f->sets, f->o.events ? f->o.events : DEFAULT_EVENTS,
					 f->o.cycles ? "cycles" : NULL, f->o.kernel, &f->machine,
					 &f->kernel.sys, err);
	fprintf(stderr,
		"tiptop: follow: %s: what /proc says of each task in place of '-c " DEFAULT_EVENTS
		"'\n",
		why.text);
	f->by_facts = true;
	follow_facts_init(&f->facts);
	follow_facts_set(&f->sets.set[0]);
	f->sets.n = 1;
	return 0;
}

/* What has to be right before anything is started. */
static int prepare(struct following *f, const struct option_list *arguments, struct err *err)
{
	int ret = option_apply(arguments, &f->o, err);

	if (!ret)
		ret = option_check_append(f->o.append, f->o.output, err);
	if (!ret)
		ret = follow_keep_check(f->o.record, f->o.output, err);
	if (ret)
		return ret;
	ret = report_find_format(&f->format, f->o.format, REPORT_ALL_FORMATS, err);
	if (ret)
		return ret;
	f->command = option_command(arguments);
	if (f->o.replay)
		return follow_options_check_replay(&f->o, f->command, err);
	if (!f->command == !f->o.pid)
		return err_set(err, EINVAL,
			       "follow: %s: 'tiptop follow -- command' or 'tiptop follow -p pid'",
			       f->command ? "a command and -p do not go together"
					  : "there is nothing to follow");
	machine_init_here(&f->machine);
	perf_kernel_init(&f->kernel, f->machine.core, f->machine.n_cores);
	privilege_wrap(&f->kernel);
	ret = choose_counts(f, err);
	if (!ret)
		follow_lines_init(&f->lines, f->format, f->sets.set, f->sets.n);
	return ret ? ret : follow_lines_choose(&f->lines, f->o.fields, err);
}

static int run(const struct option_list *arguments)
{
	struct following f = {.o = FOLLOW_OPTIONS_INIT, .dest = DEST_NONE, .life = LIFECYCLE_INIT};
	struct err err = ERR_INIT, closing = ERR_INIT;
	int ret = prepare(&f, arguments, &err), status;

	if (ret) {
		follow_lines_done(&f.lines);
		counter_sets_done(&f.sets);
		option_clear(&follow_options, &f.o);
		return say_fault(&err, EXIT_USAGE);
	}
	if (f.o.replay) {
		ret = follow_keep_replay(&(struct follow_replay){.path = f.o.replay,
								 .format = f.format,
								 .fields = f.o.fields,
								 .header = !f.o.no_header,
								 .output = f.o.output},
					 &err);
		option_clear(&follow_options, &f.o);
		return ret ? say_fault(&err, EXIT_FAILED) : 0;
	}
	signals_begin(&f.signals);
	f.life.hooks = &hooks;
	f.life.context = &f;
	f.life.signals = &f.signals;
	strbuf_init(&f.text);
	f.tracer = trace_kernel();
	trace_init(&f.trace, f.by_facts ? &f.facts.sys : &f.tracer, f.o.forks);
	f.pace.timer_fd = -1;
	job_init(&f.job, &f.kernel.sys, f.sets.set, f.sets.n);
	if (f.by_facts)
		job_set_read(&f.job, follow_facts_read, &f.facts);
	f.job.follows_exec = f.o.execs;
	f.job.verbose = f.o.verbose;
	f.job.tell = tell;
	f.job.context = &f;
	ret = follow(&f, &err);
	if (!ret)
		say_left(&f);
	trace_done(&f.trace);
	lifecycle_done(&f.life);
	job_done(&f.job);
	if (dest_close(&f.dest, ret, &closing) && !ret)
		ret = err_set(&err, closing.code, "%s", closing.text);
	if (record_writer_close(f.recording, &closing) && !ret)
		ret = err_set(&err, closing.code, "%s", closing.text);
	if (!ret && f.o.record && !f.not_recorded.code)
		recording_say_use(f.o.record, NULL);
	pace_end(&f.pace);
	signals_done(&f.signals);
	strbuf_done(&f.text);
	follow_lines_done(&f.lines);
	counter_sets_done(&f.sets);
	option_clear(&follow_options, &f.o);
	if (!f.command && f.life.end_signal)
		signals_die(f.life.end_signal);
	status = lifecycle_exit_status(&f.life, ret || f.not_recorded.code);
	return ret ? say_fault(&err, status) : status;
}

const struct command command_follow = {
	.name = "follow",
	.words = "-- command",
	.help = "count a command through fork, exec and exit",
	.text = "Follows a command, or with -p a process that runs, by ptrace(2): prints a row\n"
		"with exact counts when a task begins, makes another one, executes, ends.\n",
	.options = &follow_options,
	.choices = choices_rows,
	.run = run,
};
