/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of loop: the command that is followed, and questions to the user. */
#include <signal.h>
#include <stdio.h>

#include "session/loop_part.h"
#include "session/view_options.h"

/* Reports what --exact restricts; called before the command executes its program. */
static void say_exact(struct loop *loop)
{
	static const char text[] = "--exact: set-user-ID programs that the command executes get no "
				   "rights by it, and debuggers cannot attach to what it makes, "
				   "nor can the search for leaks of LeakSanitizer";

	if (loop->live)
		log_add(&loop->setup->config.log, LOG_SCREEN, text);
	else
		fprintf(stderr, "tiptop: %s\n", text);
}

void loop_fit_family(struct loop *loop)
{
	struct setup *setup = loop->setup;
	struct filter filter;

	state_fit_family(setup);
	filter = state_source_filter(setup);
	if (filter.family)
		setup->backend.source->ops->filter(setup->backend.source, &filter);
}

/* Starts counting the command with all descendants, from its first instruction on. */
static int follow_children(void *context, struct err *err)
{
	struct loop *loop = context;
	struct setup *setup = loop->setup;
	int ret;

	/* No sum is needed if the command's sum is the only row (--only), or if the rows come from
	 * tables that the processes of the command write. */
	if (setup->config.options.only || setup->config.preload)
		return 0;
	if (setup->config.options.exact)
		say_exact(loop);
	ret = summary_feed_begin(loop->summary, setup, loop->life, err);
	if (ret)
		return ret;
	pipeline_follow(loop->pipeline, loop->summary->whole);
	setup->backend.family = &loop->summary->family;
	loop_fit_family(loop);
	return 0;
}

static int take_ends(void *context, struct err *err)
{
	struct loop *loop = context;

	(void)err;
	summary_feed_on_child(loop->summary);
	return 0;
}

/* Takes the command's final counts while it is a zombie, as its facts can still be read. */
static int show_last(void *context, struct err *err)
{
	struct loop *loop = context;

	pipeline_end_pause(loop->pipeline, &loop->setup->display.view);
	summary_feed_end_command(loop->summary, loop->life);
	return loop->silent ? 0 : loop_refresh(loop, err);
}

static int end_command(void *context, struct err *err)
{
	struct loop *loop = context;
	int ret = summary_feed_end(loop->summary, &loop->setup->config, loop->life, loop->outputs,
				   err);

	if (!loop->live || loop->end_requested) {
		loop->done = true;
		return ret;
	}
	loop->frozen = true;
	return ret ? ret : loop_show(loop, false, err);
}

const struct lifecycle_hooks loop_hooks = {
	.started = follow_children, .take = take_ends, .zombie = show_last, .reaped = end_command};

/* When the user quits, asks what to do with the running command. */
static void loop_ask_about_command(struct loop *loop)
{
	const struct request leave = {.kind = REQUEST_LEAVE};
	char question[ERR_TEXT_MAX];

	snprintf(question, sizeof question,
		 "'%s' is still running: end it (e), leave it running (l) or stay (ESC)?",
		 loop->setup->config.options.command[0]);
	live_confirm(loop->live, question, &leave);
}

void loop_quit(struct loop *loop)
{
	if (lifecycle_runs(loop->life))
		loop_ask_about_command(loop);
	else
		loop->done = true;
}

void loop_end_command(struct loop *loop)
{
	const struct signal_event end = {.meaning = SIGNAL_END, .number = SIGTERM};
	struct err err = ERR_INIT;

	/* The command may have exited while the question was shown. */
	if (!lifecycle_runs(loop->life)) {
		loop->done = true;
		return;
	}
	loop->end_requested = !lifecycle_signal(loop->life, &end, &err);
	live_message(loop->live,
		     err.code ? err.text : "SIGTERM was sent to the command; tiptop ends with it");
}

void loop_say_where_output_is(struct loop *loop)
{
	char text[ERR_TEXT_MAX];

	snprintf(text, sizeof text,
		 "the input and output of '%s' are /dev/null: the screen is tiptop's",
		 loop->setup->config.options.command[0]);
	live_message(loop->live, text);
}
