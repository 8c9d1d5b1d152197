/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/repeat.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"
#include "cmd/repeating.h"
#include "run/print_error.h"
#include "run/progress_terminal.h"
#include "session/faults.h"
#include "session/output.h"
#include "session/setup_start.h"

/* Options that are of rows, or of something else that is not there. */
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
		return err_set(err, EINVAL, "--start-after is for a command: put it behind '--'");
	if (o->exact && !o->command)
		return err_set(err, EINVAL,
			       "--exact is for a command: put it behind '--'; 'tiptop follow -p' "
			       "follows a process that runs");
	if (!o->repeat)
		return alone ? err_set(err, EINVAL, "%s is for --repeat: add that", alone) : 0;
	if (!o->command)
		return err_set(err, EINVAL,
			       "--repeat is for a command: put it behind '--', as in tiptop "
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

/* One run, which then goes to those that keep each. */
static int run_once(struct repeating *r, struct outputs *outputs, struct err *err)
{
	struct summary summary;
	int ret = repeating_run(r, err);

	return !ret && repeating_last(r, &summary) ? outputs_run(outputs, &summary, err) : ret;
}

/* All runs, as far as it goes. */
static int run_all(struct repeating *r, struct outputs *outputs, struct faults *faults,
		   struct err *err)
{
	struct log *log = &r->setup->log;
	bool said = false;
	int ret = 0;

	while (!ret && repeating_goes_on(r)) {
		ret = run_once(r, outputs, err);
		if (ret || said || !r->left_out.code)
			continue;
		log_add(log, LOG_SCREEN, r->left_out.text);
		said = true;
		ret = faults_print(faults, log, false, err);
	}
	return ret;
}

static int write_summary(struct repeating *r, struct outputs *outputs, struct err *err)
{
	struct summary summary;

	if (!r->runs.n)
		return 0;
	repeating_summarize(r, &summary);
	return outputs_summary(outputs, &summary, err);
}

static int run_and_write(struct repeating *r, struct faults *faults, struct err *err)
{
	struct err why = ERR_INIT;
	struct outputs outputs;
	struct sink *screen;
	int ret, failed;

	outputs_init(&outputs, &r->setup->log);
	ret = output_open(&outputs, &screen, r->setup, r->signals, NULL, err);
	if (ret)
		return ret;
	ret = outputs_begin(&outputs, err);
	/* What was measured before something failed is written all the same. */
	failed = ret ? ret : run_all(r, &outputs, faults, &why);
	progress_end(r->how->progress);
	if (!ret)
		ret = write_summary(r, &outputs, err);
	ret = output_close(&outputs, screen, false, ret, err);
	if (ret || !failed)
		return ret;
	*err = why;
	return failed;
}

/* Why there are fewer runs than were wanted; returns the status. */
static int say_end(const struct repeating *r)
{
	struct err why = ERR_INIT;
	int status = repeating_explain(r, &why);

	return say_fault(&why, status);
}

/* What the command prints goes to the same terminal. */
static void begin_progress(const struct repeat_how *how)
{
	progress_begin(how->progress, progress_terminal(true),
		       &(struct progress_task){
			       .what = "run",
			       .numbered = true,
			       .track = {{NULL, (double)repeating_wanted(how)}},
		       });
}

static int repeat(struct setup *setup, struct signals *signals, const struct repeat_how *how,
		  int *signal)
{
	struct err err = ERR_INIT, closing = ERR_INIT;
	struct repeating r;
	struct faults faults;
	int ret, status;

	if (faults_open(&faults, setup, &err) || signals_take(signals, SIGNALS_COMMAND, &err))
		return say_fault(&err, EXIT_FAILED);
	begin_progress(how);
	repeating_init(&r, setup, signals, how);
	ret = run_and_write(&r, &faults, &err);
	if (!ret && faults_print(&faults, &setup->log, true, &err))
		ret = -err.code;
	if (faults_close(&faults, &closing) && !ret) {
		ret = -closing.code;
		err = closing;
	}
	*signal = r.signal;
	status = ret ? say_fault(&err, r.status ? r.status : EXIT_FAILED) : say_end(&r);
	repeating_done(&r);
	return status;
}

int repeat_command(struct setup *setup, struct signals *signals)
{
	const struct options *o = &setup->options;
	struct progress progress = {.terminal = NULL};
	struct repeat_how how = {
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
	status = ret ? say_fault(&err, say_is_usage(ret) ? EXIT_USAGE : EXIT_FAILED)
		     : repeat(setup, signals, &how, &signal);
	words_free(how.prepare);
	if (signal)
		signals_die(signal);
	return signal ? 128 + signal : status;
}
