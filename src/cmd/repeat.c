/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/repeat.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "model/fact_list.h"
#include "pmu/event/describe.h"
#include "run/command_output.h"
#include "run/helper.h"
#include "session/output.h"
#include "session/setup_start.h"
#include "session/summary_feed.h"

/* ---- repeating ---- */

void repetition_init(struct repetition *r, struct setup *setup, struct signals *signals,
		     const struct repeat_config *how)
{
	struct sample_machine *description = machine_describe(&setup->backend.machine, false);
	struct event_set events;

	memset(r, 0, sizeof *r);
	r->setup = setup;
	r->signals = signals;
	r->how = how;
	r->view = summary_view(&setup->display.view);
	runs_init(&r->runs, how->wanted, how->warmups);
	r->after.timer_fd = -1;
	delta_init(&r->first);
	delta_init(&r->last);
	frame_init(&r->frame);
	run_sum_init(&r->sum);
	setup_make_events(setup, &events, &r->numbers);
	event_set_dedupe(&events);
	binding_init(&r->binding, setup->config.screens.v[setup->display.view.screen], &r->numbers);
	r->whole = command_total_new(&setup->backend.kernel.sys, setup->backend.proc, description,
				     &events, summary_task_name(how->command[0]),
				     COMMAND_TOTAL_ALONE, &r->left_out);
	sample_machine_unref(description);
}

void repetition_done(struct repetition *r)
{
	run_sum_done(&r->sum);
	frame_done(&r->frame);
	delta_done(&r->last);
	delta_done(&r->first);
	sample_unref(r->end);
	sample_unref(r->begin);
	binding_done(&r->binding);
	screen_numbers_done(&r->numbers);
	command_total_free(r->whole);
	runs_done(&r->runs);
	pace_end(&r->after);
}

long repetition_total(const struct repeat_config *how)
{
	return how->warmups + how->wanted;
}

bool repetition_has_next(const struct repetition *r)
{
	return !r->runs.stop && !r->signal && r->begun < repetition_total(r->how);
}

/* --- one process, until it ends --- */

/* Restarts the counts of the run, as summary_feed_mark() does. */
static void mark(void *context)
{
	struct repetition *r = context;

	command_total_sample(r->whole, NULL, r->begin);
	r->marked = true;
}

static int on_start(void *context, int fd, struct err *err)
{
	struct repetition *r = context;
	bool due;
	int ret = pace_read_timer(&r->after, &due, err);

	(void)fd;
	if (!ret && due)
		mark(r);
	return ret;
}

/* Updates the progress before each wait. */
static void add_progress(void *context, struct wait *wait)
{
	struct repetition *r = context;

	progress_update(r->how->progress);
	wait_until(wait, progress_due_ns(r->how->progress), NULL, NULL);
}

static void add_waits(void *context, struct wait *wait)
{
	struct repetition *r = context;

	wait_add(wait, r->after.timer_fd, POLLIN, on_start, r);
	add_progress(r, wait);
}

/* Reads the pending signals; returns whether one of them ends tiptop. Such a signal is not passed
 * on: the process had not started yet, or died of the signal before it was watched. */
static bool take_end_signal(struct repetition *r)
{
	struct signal_event taken;

	while ((taken = signals_next(r->signals)).meaning != SIGNAL_NONE)
		if (taken.meaning == SIGNAL_END)
			r->signal = taken.number;
	return r->signal != 0;
}

/* Runs a process until it ends; does not start it if a signal that ends tiptop is pending. */
static int run_one(struct repetition *r, const struct lifecycle_hooks *hooks, char **words,
		   struct err *err)
{
	struct lifecycle *life = &r->life;
	int ret;

	*life = (struct lifecycle)LIFECYCLE_INIT;
	r->started = words[0];
	life->hooks = hooks;
	life->context = r;
	ret = lifecycle_start(life, words, r->how->files, r->signals, err);
	if (ret)
		return ret;
	if (!take_end_signal(r))
		ret = lifecycle_launch(life, words[0], err);
	if (!ret && !r->signal)
		ret = lifecycle_wait(life, err);
	if (life->end_signal)
		r->signal = life->end_signal;
	lifecycle_done(life);
	return ret;
}

static const struct lifecycle_hooks preparing = {.add_waits = add_progress,
						 .second_ends_wait = true};

/* Runs the command of --prepare. If it fails, the series fails, as the runs would not be
 * comparable. */
static int prepare(struct repetition *r, struct err *err)
{
	char **words = r->how->prepare;
	int ret = run_one(r, &preparing, words, err);

	if (!ret && !r->signal && (r->life.lost || r->life.status))
		ret = err_set(err, ECHILD, "--prepare: '%s' ended with status %d before a run",
			      words[0], r->life.status);
	return ret && take_end_signal(r) ? 0 : ret;
}

/* --- runs --- */

/* Replaces a sample, as run_sum_add() and outputs may hold references to the old one. */
static void replace_sample(struct sample **s)
{
	sample_unref(*s);
	*s = sample_new();
}

static int begin_run(void *context, struct err *err)
{
	struct repetition *r = context;
	int ret;

	r->begun++;
	replace_sample(&r->begin);
	replace_sample(&r->end);
	ret = command_total_follow(r->whole, r->life.spawn.pid, &r->left_out, err);
	if (ret)
		return ret;
	getrusage(RUSAGE_CHILDREN, &r->used);
	command_total_sample(r->whole, &r->used, r->begin);
	r->marked = false;
	r->start_ns = r->begin->mono_ns;
	if (r->how->start_after_s <= 0)
		return 0;
	pace_end(&r->after);
	ret = pace_begin(&r->after, NULL, err);
	return ret ? ret
		   : pace_at(&r->after, r->begin->mono_ns + (uint64_t)(r->how->start_after_s * 1e9),
			     err);
}

/* Truncates the old files of the outputs. */
static int begin_outputs(void *context, struct err *err)
{
	const struct repetition *r = context;

	return r->outputs && r->begun == 1 ? outputs_begin(r->outputs, err) : 0;
}

static void build_frame(struct repetition *r, const struct sample *begin, const struct sample *end)
{
	delta_compute(&r->first, NULL, NULL, begin);
	delta_compute(&r->last, &r->first, begin, end);
	frame_build(&r->frame, &r->binding, &r->view, &r->last, NULL, 0);
}

static struct value seconds(struct value ns)
{
	ns.number /= 1e9;
	ns.rest = 0;
	return ns;
}

/* Puts user or system time. The kernel may estimate both in clock ticks, so outliers mean nothing.
 */
static void put_ticks(struct repetition *r, const char *name, struct value ns)
{
	runs_put(&r->runs, name, UNIT_S, seconds(ns))->coarse = true;
}

static void add_run(struct repetition *r, const struct run_end *how)
{
	const struct summary s = {.frame = &r->frame};

	r->kept = true;
	build_frame(r, r->begin, r->end);
	run_sum_add(&r->sum, r->begin, r->end);
	runs_begin(&r->runs, how);
	runs_put(&r->runs, "wall", UNIT_S, seconds(value_exact((double)r->frame.interval_ns)));
	runs_put(&r->runs, "CPU", UNIT_S, seconds(summary_cpu(&s)));
	put_ticks(r, "user", summary_fact(&s, FACT_UTIME_NS));
	put_ticks(r, "system", summary_fact(&s, FACT_STIME_NS));
	for (int i = summary_next_event(&s, 0); i >= 0; i = summary_next_event(&s, i + 1))
		runs_put(&r->runs, summary_event_name(&s, i), summary_event_unit(&s, i),
			 summary_event(&s, i));
}

/* Ends a run. A run ended by a signal to tiptop does not count; a failed run ends the series,
 * unless failures are ignored. */
static int end_run(void *context, struct err *err)
{
	struct repetition *r = context;
	const struct lifecycle *life = &r->life;
	const struct run_end how = {life->status, life->signal, life->lost};
	struct rusage used;

	getrusage(RUSAGE_CHILDREN, &used);
	command_total_sample(r->whole, life->lost ? NULL : &used, r->end);
	if (life->end_signal)
		return 0;
	if (run_failed(&how) && !r->how->ignore_failure)
		runs_stop(&r->runs, r->begun, &how);
	else if (r->how->start_after_s > 0 && !r->marked)
		return err_set(err, ECANCELED,
			       "'%s' ended before --start-after %g, so that it was "
			       "not counted",
			       r->how->command[0], r->how->start_after_s);
	else if (r->begun > r->how->warmups)
		add_run(r, &how);
	return 0;
}

static const struct lifecycle_hooks running = {.started = begin_run,
					       .executed = begin_outputs,
					       .reaped = end_run,
					       .add_waits = add_waits,
					       .mark = mark,
					       .second_ends_wait = true};

int repetition_run(struct repetition *r, struct err *err)
{
	int ret;

	progress_begin_unit(r->how->progress, r->how->track);
	ret = r->how->prepare ? prepare(r, err) : 0;
	r->kept = false;
	if (ret || r->signal)
		return ret;
	ret = run_one(r, &running, r->how->command, err);
	r->status = r->life.failed ? r->life.status : 0;
	progress_end_unit(r->how->progress);
	return ret && take_end_signal(r) ? 0 : ret;
}

static struct summary summarize(struct repetition *r, const struct sample *begin,
				const struct sample *end)
{
	build_frame(r, begin, end);
	return (struct summary){
		.how = {.command = r->how->command,
			.alone = true,
			.left_out = r->left_out.code == ENOSPC ? r->left_out.text : NULL},
		.begin = begin,
		.end = end,
		.frame = &r->frame,
	};
}

/* Summarizes the last run; returns false if the run is not among the results. *out is valid until
 * the next run. */
static bool repetition_last(struct repetition *r, struct summary *out)
{
	const struct run_end *end = r->kept ? &r->runs.end[r->runs.n - 1] : NULL;

	if (!end)
		return false;
	*out = summarize(r, r->begin, r->end);
	out->how.status = end->status;
	out->how.unknown = end->lost;
	out->how.from_ns = r->begin->mono_ns - r->start_ns;
	return true;
}

/* Summarizes all runs, of which there must be one at least. *out is valid until the next run. */
static void repetition_summarize(struct repetition *r, struct summary *out)
{
	*out = summarize(r, &r->sum.begin, &r->sum.end);
	out->how.status = runs_status(&r->runs);
	out->runs = &r->runs;
}

int repetition_explain(const struct repetition *r, struct err *why)
{
	struct strbuf text;

	if (r->life.left) {
		err_set(why, ECANCELED, "'%s' is still running, without tiptop", r->started);
		return EXIT_FAILED;
	}
	if (!r->runs.stop)
		return 0;
	strbuf_init(&text);
	runs_add_stop(&text, &r->runs);
	err_set(why, ECHILD, "'%s': %s (--ignore-failure goes on)", r->how->command[0], text.text);
	strbuf_done(&text);
	return r->runs.stop_end.lost ? EXIT_FAILED : r->runs.stop_end.status;
}

/* ---- repeat ---- */

/* Returns the name of a given option that has no meaning with --repeat; NULL: none is given. */
static const char *option_without_use(const struct options *o)
{
	return o->record_screens    ? "--record-screens"
	       : o->metrics         ? "--metrics"
	       : o->screenshot      ? "--screenshot"
	       : o->replay          ? "--replay"
	       : o->exact           ? "--exact"
	       : o->explain_verdict ? "--explain-verdict"
				    : NULL;
}

int repeat_check(const struct options *o, struct err *err)
{
	const char *alone = o->warmups          ? "--warmup"
			    : o->prepare        ? "--prepare"
			    : o->ignore_failure ? "--ignore-failure"
						: NULL;
	const struct sink_ops *format = sink_table[0];

	if (o->start_after_s > 0 && !o->command)
		return err_set(err, EINVAL, "--start-after is for a command: put it after '--'");
	if (o->exact && !o->command)
		return err_set(err, EINVAL,
			       "--exact is for a command: put it after '--'; 'tiptop follow -p' "
			       "follows a process that runs");
	if (!o->repeat)
		return alone ? err_set(err, EINVAL, "%s is for --repeat: add that", alone) : 0;
	if (!o->command)
		return err_set(err, EINVAL,
			       "--repeat is for a command: put it after '--', as in tiptop "
			       "--repeat 10 -- make");
	if (option_without_use(o))
		return err_set(err, EINVAL,
			       "--repeat shows the summary of a command, and no rows: %s does not "
			       "go with it",
			       option_without_use(o));
	if (o->format && sink_find(&format, o->format, err))
		return -EINVAL;
	return format->summary ? 0
			       : err_set(err, EINVAL,
					 "--repeat: the format %s has no summary: text or json",
					 format->name);
}

/* Does one run and passes its summary to the outputs that record each run. */
static int run_once(struct repetition *r, struct outputs *outputs, struct err *err)
{
	struct summary summary;
	int ret = repetition_run(r, err);

	return !ret && repetition_last(r, &summary) ? outputs_run(outputs, &summary, err) : ret;
}

/* Does all runs, until one fails. */
static int run_all(struct repetition *r, struct outputs *outputs, struct faults *faults,
		   struct err *err)
{
	struct log *log = &r->setup->config.log;
	bool said = false;
	int ret = 0;

	while (!ret && repetition_has_next(r)) {
		ret = run_once(r, outputs, err);
		if (ret || said || !r->left_out.code)
			continue;
		log_add(log, LOG_SCREEN, r->left_out.text);
		said = true;
		ret = faults_print(faults, log, false, err);
	}
	return ret;
}

static int write_summary(struct repetition *r, struct outputs *outputs, struct err *err)
{
	struct summary summary;

	if (!r->runs.n)
		return 0;
	repetition_summarize(r, &summary);
	return outputs_summary(outputs, &summary, err);
}

/* Checks that the command can be found, unless that of --prepare may make it. */
static int find_command(struct repetition *r, struct err *err)
{
	const int ret = r->how->prepare ? 0 : lifecycle_find(&r->life, r->how->command[0], err);

	if (ret)
		r->status = r->life.status;
	return ret;
}

static int run_and_write(struct repetition *r, struct faults *faults, struct err *err)
{
	struct err why = ERR_INIT;
	struct outputs outputs;
	struct sink *screen;
	int ret = find_command(r, err), failed;

	if (ret)
		return ret;
	outputs_init(&outputs, &r->setup->config.log);
	ret = output_open(&outputs, &screen, r->setup, r->signals, NULL, err);
	if (ret)
		return ret;
	r->outputs = &outputs;
	failed = run_all(r, &outputs, faults, &why);
	progress_end(r->how->progress);
	if (failed && !outputs.begun) {
		*err = why;
		ret = failed;
	}
	/* The results of the runs before a failure are written, too. */
	if (!ret)
		ret = write_summary(r, &outputs, err);
	ret = output_close(&outputs, screen, false, ret, err);
	if (ret || !failed)
		return ret;
	*err = why;
	return failed;
}

/* Reports why there are fewer runs than wanted; returns the exit status. */
static int report_end(const struct repetition *r)
{
	struct err why = ERR_INIT;
	int status = repetition_explain(r, &why);

	return print_fault(&why, status);
}

/* Begins the progress line, on a terminal to which the command writes, too. */
static void begin_progress(const struct repeat_config *how)
{
	progress_begin(how->progress, progress_terminal(true),
		       &(struct progress_task){
			       .what = "run",
			       .numbered = true,
			       .track = {{NULL, (double)repetition_total(how)}},
		       });
}

static int repeat(struct setup *setup, struct signals *signals, const struct repeat_config *how,
		  int *signal)
{
	struct err err = ERR_INIT, closing = ERR_INIT;
	struct repetition r;
	struct faults faults;
	int ret, status;

	if (faults_open(&faults, &setup->config, &err) ||
	    signals_block(signals, SIGNALS_COMMAND, &err))
		return print_fault(&err, EXIT_FAILED);
	begin_progress(how);
	repetition_init(&r, setup, signals, how);
	ret = run_and_write(&r, &faults, &err);
	if (!ret && faults_print(&faults, &setup->config.log, true, &err))
		ret = -err.code;
	if (faults_close(&faults, &closing) && !ret) {
		ret = -closing.code;
		err = closing;
	}
	*signal = r.signal;
	status = ret ? print_fault(&err, r.status ? r.status : EXIT_FAILED) : report_end(&r);
	repetition_done(&r);
	return status;
}

int repeat_command(struct setup *setup, struct signals *signals)
{
	const struct options *o = &setup->config.options;
	struct progress progress = {.terminal = NULL};
	struct repeat_config how = {
		.progress = &progress,
		.command = o->command,
		.files = SPAWN_NO_INPUT,
		.wanted = o->repeat,
		.warmups = o->warmups,
		.ignore_failure = o->ignore_failure,
		.start_after_s = o->start_after_s,
	};
	struct err err = ERR_INIT;
	int ret = 0, status, signal = 0;

	if (o->prepare)
		ret = words_split(&how.prepare, o->prepare, "--prepare", &err);
	if (!ret)
		ret = setup_choose(setup, getpid(), &err);
	if (!ret)
		ret = output_check_fields(setup, &err);
	status = ret ? print_fault(&err, is_usage_error(ret) ? EXIT_USAGE : EXIT_FAILED)
		     : repeat(setup, signals, &how, &signal);
	words_free(how.prepare);
	if (signal)
		signals_die(signal);
	return signal ? 128 + signal : status;
}
