/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "run/helper.h"
#include "run/preloading.h"
#include "session/output.h"
#include "session/replay_session.h"
#include "session/request.h"
#include "session/setup_start.h"
#include "session/view_options.h"
#include "tui/keymap.h"
#include "tui/setup_page.h"
#include "view/view.h"

/* The longest first interval, in s. */
#define LOOP_FIRST_S 0.25

static int loop_refresh(struct loop *loop, struct err *err);
static int loop_show(struct loop *loop, bool refresh, struct err *err);

/* ---- the note above the table ---- */

/* Appends that the samples are recorded. */
static void add_recording(const struct loop *loop, char *text, size_t size)
{
	const size_t len = strlen(text);

	if (loop->live && recording_find(loop->outputs))
		snprintf(text + len, size - len, "%srecording into %s", len ? "; " : "",
			 loop->setup->config.options.record);
}

/* Time after the start of the command in which its table need not exist, in ns. A preloaded object
 * creates the table when the program starts, which takes longer than a short delay on a busy
 * machine. */
#define TABLE_GRACE_NS 1000000000u

/* Returns whether the source's note is premature: the command has just started, or it runs a
 * program linked with libtiptop, which may begin to measure at any time. A premature note is shown,
 * but not logged. */
static bool is_early(const struct loop *loop)
{
	const struct preloading_use *use = loop->setup->config.preload;
	const struct lifecycle *life = loop->life;

	return use && life->spawn.pid && life->state < LIFECYCLE_ZOMBIE &&
	       (use->linked || clock_ns(CLOCK_MONOTONIC) - life->released_ns < TABLE_GRACE_NS);
}

/* Sets the note above the table: the end of the command or of the data; else faults of the screen
 * and of the source; else why a screen without hardware counters was chosen, which is not a fault;
 * else, on the live screen, that tasks without a row used the CPUs. Adds the place in a recording,
 * and into which one is recorded. Prints new faults, and that reason once. */
static int loop_update_note(struct loop *loop, struct err *err)
{
	const struct setup *setup = loop->setup;
	struct err slow = ERR_INIT;
	const char *screen = state_screen_note(&setup->display, &slow);
	const char *source = setup->backend.source->ops->note(setup->backend.source);
	const bool tells = !*screen && !source && setup->display.remark.code && !loop->touched;
	const char *remark = tells ? setup->display.remark.text : "";
	char text[sizeof loop->note];
	int ret = 0;

	/* An empty screen is no fault, and on the live screen its note stays as long as it is
	 * shown. */
	if (*screen && !(loop->live && setup->display.note.code == ENODATA))
		log_add(&loop->setup->config.log, LOG_SCREEN, screen);
	/* The source's note has numbers that change at each refresh, so the note is logged only
	 * when it first appears. */
	if (source && !loop->source_note_logged && !is_early(loop))
		log_add(&loop->setup->config.log, LOG_SCREEN, source);
	loop->source_note_logged = source && !is_early(loop);
	*text = '\0';
	if (*screen || *remark || source)
		snprintf(text, sizeof text, "%s%s%s", *screen ? screen : remark,
			 *screen && source ? "; " : "", source ? source : "");
	/* Recorded screens that need counters make it a fault of the screen, too. */
	if (setup->display.remark.code && !loop->remark_shown && !loop->frozen &&
	    strcmp(screen, setup->display.remark.text) != 0)
		ret = faults_say(loop->faults, setup->display.remark.text, err);
	loop->remark_shown = setup->display.remark.code != 0;
	if (loop->frozen && loop->life->lost)
		snprintf(text, sizeof text, LIFECYCLE_LOST_TEXT "; " KEY_OF("quit") " quits");
	else if (loop->data_ended)
		snprintf(text, sizeof text, "the data has ended; " KEY_OF("quit") " quits");
	else if (loop->frozen)
		snprintf(text, sizeof text,
			 "the command has ended with status %d; " KEY_OF("quit") " quits%s%s",
			 loop->life->status, source ? "; " : "", source ? source : "");
	else if (loop->live && !*text)
		snprintf(
			text, sizeof text, "%s",
			unseen_note_update(&loop->unseen, loop->pipeline,
					   setup->backend.recording
						   ? ""
						   : "; " KEY_OF("delay") " sets a shorter delay"));
	if (setup->backend.recording && loop->live)
		replaying_put_place(setup, loop->pipeline->stage.frame.wall_ns, loop->data_ended,
				    loop->summary->passed_on_ns ? loop->summary->status : -1, text,
				    sizeof text);
	add_recording(loop, text, sizeof text);
	keymap_copy_text(&setup->config.keymap, text, loop->note, sizeof loop->note);
	state_log_filter(loop->setup);
	return ret ? ret : faults_print(loop->faults, &loop->setup->config.log, false, err);
}

/* In batch mode with a filter: reports once that no task passes it, and keeps the reason in
 * loop->none_passed until one does. Ends the loop when the only task of -p has exited. */
static int loop_check_filter(struct loop *loop, struct err *err)
{
	const struct frame *frame = &loop->pipeline->stage.frame;
	const struct view *view = &loop->setup->display.view;
	struct err why = ERR_INIT;
	int ret;

	/* With a command or a recording, tasks may appear later. On the live screen, the user sees
	 * that the table is empty. */
	if (loop->live || loop->life->spawn.pid || loop->setup->backend.recording)
		return 0;
	if (view->filter.pid && !view->sticky && frame->n_tasks && !frame->n_alive)
		loop->done = true;
	/* With --children, the process of --kernel may have ended while others run. */
	loop->done |= backend_recorded_has_ended(&loop->setup->backend) && !frame->n_alive;
	if (frame->n_tasks)
		loop->none_passed = (struct err)ERR_INIT;
	if (loop->shown || frame->n_tasks)
		return 0;
	ret = state_explain_empty(view, &why);
	if (ret == -ESRCH && !view->sticky)
		return err_set(err, ESRCH, "%s", why.text);
	if (!ret)
		return 0;
	if (!view->row_filter)
		loop->none_passed = why;
	log_add(&loop->setup->config.log, LOG_SCREEN, why.text);
	return faults_print(loop->faults, &loop->setup->config.log, false, err);
}

/* ---- the command that is followed, and questions to the user ---- */

/* Reports what --exact restricts; called before the command executes its program. */
static void say_exact(struct loop *loop)
{
	static const char text[] = "--exact: set-user-ID programs that the command executes get no "
				   "rights by it unless root runs it, debuggers cannot attach to "
				   "the processes that it "
				   "creates, and LeakSanitizer cannot search them for leaks";

	if (loop->live)
		log_add(&loop->setup->config.log, LOG_SCREEN, text);
	else
		fprintf(stderr, "tiptop: %s\n", text);
}

/* Sets the source's filter to those descendants of the command that the source has to read. */
static void loop_fit_family(struct loop *loop)
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

/* Callbacks for the start and the end of the command. */
static const struct lifecycle_hooks loop_hooks = {
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

/* Quits; asks first if a command is running. */
static void loop_quit(struct loop *loop)
{
	if (lifecycle_runs(loop->life))
		loop_ask_about_command(loop);
	else
		loop->done = true;
}

/* Sends SIGTERM to the command, after the user was asked and chose to end it; tiptop ends when the
 * command has exited. */
static void loop_end_command(struct loop *loop)
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

/* On the live screen, says that the command's input and output are /dev/null. */
static void loop_say_where_output_is(struct loop *loop)
{
	char text[ERR_TEXT_MAX];

	snprintf(text, sizeof text,
		 "the input and output of '%s' are /dev/null: the screen is tiptop's",
		 loop->setup->config.options.command[0]);
	live_message(loop->live, text);
}

/* ---- page ----
 * Updates the page of a row, and opens the page of --page. */

static void open_page(struct loop *loop, const struct frame *frame)
{
	const long wanted = loop->setup->config.options.page;
	char text[128];

	if (paging_find(frame, (uint64_t)wanted, &loop->setup->display.view.page)) {
		loop->page_opened = true;
		loop->setup->display.view.page_requests++;
		if (loop->live)
			live_open_page(loop->live);
	} else if (loop->live && !loop->shown) {
		snprintf(text, sizeof text,
			 "there is no row with the id %ld: its page opens when there is one",
			 wanted);
		live_message(loop->live, text);
	}
}

/* Updates the page of a row; opens the page of --page once its task exists. */
static void loop_update_page(struct loop *loop, const struct frame *frame)
{
	if (loop->setup->config.options.page && !loop->page_opened)
		open_page(loop, frame);
	loop->info.page = paging_update(&loop->paging, loop->setup, frame);
	loop->info.curves = paging_curves(&loop->paging, frame);
	loop->info.what = story_feed_update(&loop->story_feed, loop->setup, frame, loop->life);
	if (loop->live)
		live_set_info(loop->live, &loop->info);
}

/* Returns -ESRCH if the picture of --screenshot should have shown the page of --page, but that task
 * never appeared. */
static int loop_check_page(const struct loop *loop, struct err *err)
{
	const struct options *options = &loop->setup->config.options;

	if (!options->screenshot || !options->page || loop->page_opened)
		return 0;
	return err_set(err, ESRCH,
		       "--page: no row with the id %ld appeared, so there is no page to show",
		       options->page);
}

/* ---- progress ----
 * Shows progress if all output goes to files. */

/* A pipe may lead to a pager, which uses the terminal on which progress would be shown. */
static bool writes_files_only(const struct outputs *outputs)
{
	struct stat file;

	for (const struct sink *sink = outputs->first; sink; sink = sink->next)
		if (sink->dest.fd >= 0 && (fstat(sink->dest.fd, &file) || !S_ISREG(file.st_mode)))
			return false;
	return true;
}

static long loop_wanted(const struct loop *loop);

/* Begins progress on the terminal if all outputs are regular files and nothing else is shown. */
static void loop_begin_progress(struct loop *loop)
{
	const struct setup *s = loop->setup;
	const long wanted = loop_wanted(loop);
	const bool is_said = !options_are_live(&s->config.options) && !loop->life->spawn.pid &&
			     (wanted || s->backend.recording) && writes_files_only(loop->outputs);
	const struct progress_terminal *terminal = is_said ? progress_terminal(false) : NULL;

	loop->faults->progress = &loop->reading.progress;
	if (!wanted && s->backend.recording)
		reading_begin(&loop->reading, s, terminal);
	else
		reading_begin_refreshes(&loop->reading, wanted, terminal);
}

static void loop_end_progress(struct loop *loop)
{
	loop->faults->progress = NULL;
	reading_end(&loop->reading);
}

/* ---- record ----
 * The key O, which begins and ends a recording. */

/* Opens the prompt for a file, with a name made from the current time. */
static void offer_name(struct loop *loop)
{
	const time_t now = time(NULL);
	char name[REQUEST_TEXT_MAX] = "tiptop.db";
	struct tm tm;

	if (localtime_r(&now, &tm))
		strftime(name, sizeof name, "tiptop-%Y%m%d-%H%M%S.db", &tm);
	live_offer(loop->live, REQUEST_RECORD_TO, name);
}

static void end_recording(struct loop *loop, struct sink *sink)
{
	struct err text = ERR_INIT;

	recording_end(loop->outputs, sink, loop->setup->config.options.record,
		      configuration_kind(&loop->setup->config), &text);
	live_message(loop->live, text.text);
}

static int record_to(struct loop *loop, const char *path, struct err *err)
{
	int ret = recording_start(loop->outputs, loop->setup, loop->pipeline, path, err);

	if (ret)
		return ret;
	loop_fit_family(loop);
	live_message(loop->live, "all samples are recorded from now on: " KEY_OF(
					 "record") " ends the recording");
	return 0;
}

/* ---- replay ----
 * Navigation in a recording. */

/* Resumes a replay that has reached the end of the data. */
static void resume_replay(struct loop *loop)
{
	loop->frozen = loop->data_ended = false;
	loop->pace.source = loop->setup->backend.source;
}

/* Shows the interval that begins at the next sample. Also reads the interval before, if there is
 * one: a task that ends in the shown interval has the facts of that earlier interval. */
static int show_next_interval(struct loop *loop, struct err *err)
{
	int more = record_reader_step_back(loop->setup->backend.recording, err),
	    ret = more < 0 ? more : 0;

	pipeline_restart(loop->pipeline);
	for (; more >= 0 && !ret; more--)
		ret = pipeline_step(loop->pipeline, &loop->setup->display.view, err);
	return ret < 0 ? ret : loop_refresh(loop, err);
}

/* Handles a key that navigates in the recording. */
static int loop_replay(struct loop *loop, const struct request *request, struct err *err)
{
	const struct sample *shown = loop->pipeline->stage.frame.sample;
	struct err why = ERR_INIT;
	enum replaying_effect effect;

	if (replaying_handle(&loop->setup->backend, request, shown ? shown->mono_ns : 0, &effect,
			     &why)) {
		/* Only a jump has a prompt in which the error can be shown. */
		if (request->kind == REQUEST_JUMP)
			live_refuse(loop->live, request, why.text);
		else
			live_message(loop->live, why.text);
		return 0;
	}
	if (effect == REPLAYING_PACE) {
		int ret = pace_next(&loop->pace, err);

		return ret ? ret : loop_show(loop, false, err);
	}
	resume_replay(loop);
	return effect == REPLAYING_JUMP ? show_next_interval(loop, err) : loop_refresh(loop, err);
}

/* ---- loop ---- */

/* Writes a refresh while the screen is paused: the screen does not change, the other outputs get
 * the current frame. */
static int show_ahead(struct loop *loop, struct err *err)
{
	return outputs_frame_unseen(loop->outputs,
				    pipeline_show_ahead(loop->pipeline,
							&loop->setup->display.binding,
							&loop->setup->display.view),
				    err);
}

/* Builds the frame of the current delta and writes it. refresh: the delta is new; batch mode writes
 * no other frames. */
static int loop_show(struct loop *loop, bool refresh, struct err *err)
{
	const struct frame *frame = pipeline_show(loop->pipeline, &loop->setup->display.binding,
						  &loop->setup->display.view);
	int ret = loop_update_note(loop, err);

	if (ret)
		return ret;
	loop->info.theme = loop->setup->config.theme;
	recording_tell(loop->setup, frame);
	loop->info.note = *loop->note ? loop->note : NULL;
	if (!loop->setup->config.options.batch)
		loop_update_page(loop, frame);
	return outputs_frame(loop->outputs, frame, refresh, err);
}

static int step(struct loop *loop, struct err *err)
{
	return pipeline_step(loop->pipeline, &loop->setup->display.view, err);
}

/* Ends the output after the refreshes of -n. If a command is still running, tiptop only waits until
 * it has exited. */
static void end_output(struct loop *loop)
{
	struct err note = ERR_INIT;

	if (!lifecycle_runs(loop->life)) {
		loop->done = true;
		return;
	}
	loop->silent = true;
	if (!loop->live)
		return;
	outputs_end(loop->outputs, loop->screen, &note);
	loop->screen = NULL;
	loop->live = NULL;
	/* The command may have exited already: this refresh may show its last counts. */
	if (lifecycle_has_ended(loop->life))
		return;
	err_set(&note, ECANCELED, "'%s' goes on, and tiptop ends with it",
		loop->setup->config.options.command[0]);
	fprintf(stderr, "tiptop: %s\n", note.text);
}

/* Returns the number of refreshes wanted; 0: unlimited. */
static long loop_wanted(const struct loop *loop)
{
	const struct options *o = &loop->setup->config.options;

	return o->screenshot && !o->batch && !o->iterations ? 1 : o->iterations;
}

/* Counts a refresh; ends the output after the last one wanted. */
static void count_refresh(struct loop *loop)
{
	const long wanted = loop_wanted(loop);

	loop->shown++;
	if (wanted && loop->shown >= wanted)
		end_output(loop);
}

/* Starts the timer with the user's delay. first_s: maximum length of the first interval, in s. */
static int start_timer(struct loop *loop, double first_s, struct err *err)
{
	return pace_start(&loop->pace, loop->setup->display.view.delay_s, first_s, err);
}

/* Handles the end of the data: batch mode ends; the live screen keeps the last numbers. */
static int end_data(struct loop *loop, struct err *err)
{
	int ret;

	summary_feed_end_replay(loop->summary, &loop->setup->config, &loop->setup->backend);
	if (!loop->live) {
		loop->done = true;
		return 0;
	}
	loop->frozen = loop->data_ended = true;
	loop->pace.source = NULL;
	ret = start_timer(loop, LOOP_FIRST_S, err);
	return ret ? ret : loop_show(loop, false, err);
}

/* Takes the next sample and shows it. */
static int loop_refresh(struct loop *loop, struct err *err)
{
	int ret = summary_feed_replay(loop->summary, &loop->setup->backend, loop->outputs, err);

	if (!ret)
		ret = step(loop, err);
	if (ret == SOURCE_END)
		return end_data(loop, err);
	if (ret == SOURCE_NOT_YET)
		return pace_next(&loop->pace, err);
	if (loop->live || loop->setup->display.view.verbose)
		pipeline_measure(loop->pipeline);
	if (!ret)
		ret = loop->pipeline->paused ? show_ahead(loop, err) : loop_show(loop, true, err);
	if (!ret)
		ret = loop_check_filter(loop, err);
	loop->pipeline->number++;
	count_refresh(loop);
	reading_note(&loop->reading, &loop->setup->backend, loop->pipeline);
	return ret ? ret : pace_next(&loop->pace, err);
}

/* Takes the first sample after counters changed, and starts a short first interval. */
static int begin_counting(struct loop *loop, struct err *err)
{
	int ret;

	pipeline_end_pause(loop->pipeline, &loop->setup->display.view);
	ret = step(loop, err);
	if (ret == SOURCE_END)
		return end_data(loop, err);
	if (!ret)
		ret = start_timer(loop, LOOP_FIRST_S, err);
	return ret ? ret : loop_show(loop, false, err);
}

/* Refreshes now; the next refresh follows after a full delay. */
static int refresh_now(struct loop *loop, struct err *err)
{
	int ret = start_timer(loop, loop->setup->display.view.delay_s, err);

	pipeline_end_pause(loop->pipeline, &loop->setup->display.view);
	return ret ? ret : loop_refresh(loop, err);
}

/* Refreshes after a key. A paused screen shows the new sample and stays paused. */
static int refresh_by_key(struct loop *loop, struct err *err)
{
	bool paused = loop->setup->display.view.paused;
	int ret = refresh_now(loop, err);

	if (ret || !paused)
		return ret;
	loop->setup->display.view.paused = true;
	return loop_show(loop, false, err);
}

/* From this number of tasks on, opening other counters or reading more facts takes noticeably
 * long. */
#define MANY_TASKS 1000

static void acknowledge(struct loop *loop)
{
	if (loop->live && loop->pipeline->stage.frame.n_all >= MANY_TASKS)
		live_acknowledge(loop->live, "one moment: with this many tasks it takes a while");
}

/* Changes the counters, or selects others among the open ones. */
static int reconfigure(struct loop *loop, struct err *err)
{
	acknowledge(loop);
	/* 0: the command has executed its program already, so its counters are enabled at once. */
	if (setup_want(loop->setup, 0))
		return begin_counting(loop, err);
	/* New facts are read at once, by a refresh. Not from a recording, whose next sample is of a
	 * later moment. */
	return loop->setup->backend.more_facts && !loop->setup->backend.recording
		       ? refresh_now(loop, err)
		       : loop_show(loop, false, err);
}

/* Handles the key O: begins or ends a recording. */
static int loop_record(struct loop *loop, const struct request *request, struct err *err)
{
	struct sink *sink = recording_find(loop->outputs);
	const struct setup *setup = loop->setup;
	struct err why = ERR_INIT;

	if (sink)
		end_recording(loop, sink);
	else if (loop->frozen)
		live_message(loop->live, "nothing is read any more that could be recorded");
	else if (request->kind == REQUEST_RECORD)
		offer_name(loop);
	else if (record_to(loop, request->text, &why))
		live_refuse(loop->live, request, why.text);
	else if (!fact_within(recording_facts(setup), setup->backend.facts))
		return reconfigure(loop, err);
	return loop_show(loop, false, err);
}

static int on_timer(void *context, int fd, struct err *err)
{
	struct loop *loop = context;
	bool due;
	int ret = pace_read_timer(&loop->pace, &due, err);

	(void)fd;
	/* No sample is due if a key has restarted the timer since poll(2) returned. */
	if (ret || !due)
		return ret;
	if (!loop->frozen)
		return loop_refresh(loop, err);
	/* The last numbers stay on the screen until the remaining refreshes of -n have passed. */
	count_refresh(loop);
	return 0;
}

static int on_source(void *context, int fd, struct err *err)
{
	struct loop *loop = context;

	(void)fd;
	return loop->frozen ? 0 : loop_refresh(loop, err);
}

/* Handles a signal that ends tiptop, and passes it to a running command. The live screen ends at
 * once. Batch mode waits until the command has exited; a second signal, or failure to pass the
 * signal, ends batch mode at once. */
static void on_end_signal(struct loop *loop, const struct signal_event *taken)
{
	struct err err = ERR_INIT;
	bool runs = lifecycle_runs(loop->life);

	if (runs && lifecycle_signal(loop->life, taken, &err)) {
		log_add(&loop->setup->config.log, LOG_SCREEN, err.text);
	} else if (runs && !loop->live && !loop->end_requested) {
		loop->end_requested = true;
		return;
	}
	/* On the live screen without a running command, SIGINT (Ctrl-C) is a normal way to quit:
	 * tiptop does not end itself by the signal. */
	if (!loop->live || taken->number != SIGINT || runs)
		loop->quit_signal = taken->number;
	loop->done = loop->at_once = true;
}

static int on_request(struct loop *loop, struct err *err)
{
	const struct view before = loop->setup->display.view;
	struct request request = live_take_request(loop->live);
	int ret = 0;

	if (request.kind == REQUEST_CHANGE && !live_setup(loop->live)->wanted.option &&
	    loop->frozen && !loop->setup->backend.recording) {
		setup_page_changed(live_setup(loop->live), false);
		live_message(loop->live, "the command has ended: its screens stay as they are");
		return 0;
	}
	if (request.kind == REQUEST_QUIT) {
		loop_quit(loop);
		return 0;
	}
	if (request.kind == REQUEST_REPLAY || request.kind == REQUEST_JUMP)
		return loop_replay(loop, &request, err);
	if (request.kind == REQUEST_RECORD || request.kind == REQUEST_RECORD_TO)
		return loop_record(loop, &request, err);
	switch (request_handle(loop->setup, loop->live, &loop->targets, &request)) {
	case EFFECT_NONE:
		/* Shows the prompt that the key has opened. */
		live_repaint(loop->live, false);
		return 0;
	case EFFECT_SHOW:
		break;
	case EFFECT_SCREEN:
		if (!loop->frozen || loop->setup->backend.recording)
			return reconfigure(loop, err);
		state_keep_counters(&loop->setup->display.view, &before);
		break;
	case EFFECT_COUNT:
		if (!loop->frozen)
			return begin_counting(loop, err);
		break;
	case EFFECT_DELAY:
		ret = start_timer(loop, loop->setup->display.view.delay_s, err);
		break;
	case EFFECT_QUIT:
		loop->done = true;
		return 0;
	case EFFECT_ASK_QUIT:
		loop_quit(loop);
		return 0;
	case EFFECT_END_COMMAND:
		loop_end_command(loop);
		return 0;
	}
	return ret ? ret : loop_show(loop, false, err);
}

/* After the end, no other counters can be opened: undoes the changes of the view since `before`
 * that need others. For a recording none need be opened, as the counts of other screens come from
 * the same samples. Returns the remaining reactions. */
static unsigned keep_counters(struct loop *loop, const struct view *before, unsigned reaction)
{
	if (!loop->frozen || loop->setup->backend.recording || !(reaction & REACT_RECONFIGURE))
		return reaction;
	state_keep_counters(&loop->setup->display.view, before);
	return (reaction & ~(unsigned)REACT_RECONFIGURE) | REACT_REBUILD;
}

/* Handles keys; fd -1: the time for a second digit is over. */
static int on_key(void *context, int fd, struct err *err)
{
	struct loop *loop = context;
	const struct view before = loop->setup->display.view;
	unsigned reaction;
	int ret = 0;

	/* An earlier handler may have closed the screen. */
	if (!loop->live)
		return 0;
	reaction = (fd < 0 ? live_time_out : live_keys)(loop->live, &loop->setup->display.view,
							&loop->setup->config.screens);
	/* The first key removes the remark, which the user has seen by then. */
	if (!loop->touched && loop->setup->display.remark.code)
		reaction |= REACT_REBUILD;
	loop->touched = true;
	reaction = keep_counters(loop, &before, reaction);

	if (reaction & REACT_LOST)
		on_end_signal(loop,
			      &(struct signal_event){.meaning = SIGNAL_END, .number = SIGHUP});
	else if (reaction & REACT_QUIT)
		loop_quit(loop);
	if (reaction & (REACT_LOST | REACT_QUIT))
		return 0;
	/* Counters are changed first, as a screen can be shown only if its events are in the
	 * sample. A request comes after all other reactions, as live_keys() reads no further keys
	 * after it. */
	if (reaction & REACT_RECONFIGURE)
		ret = reconfigure(loop, err);
	if (!ret && reaction & REACT_REQUEST)
		return on_request(loop, err);
	if (!ret && !(reaction & REACT_RECONFIGURE) && reaction & REACT_REFRESH && !loop->frozen)
		ret = refresh_by_key(loop, err);
	else if (!ret && !(reaction & REACT_RECONFIGURE) &&
		 reaction & (REACT_REBUILD | REACT_REFRESH))
		ret = loop_show(loop, false, err);
	else if (!ret && reaction & REACT_PAINT)
		live_repaint(loop->live, false);
	return ret;
}

/* Releases the terminal and takes it again. stop: tiptop stops in between, until SIGCONT. */
static void retake_terminal(struct loop *loop, bool stop)
{
	if (loop->live)
		live_suspend(loop->live);
	if (stop)
		signals_stop();
	if (loop->live)
		live_resume(loop->live);
}

static int on_signal(void *context, int fd, struct err *err)
{
	struct loop *loop = context;
	const struct signal_event taken = signals_next(loop->signals);

	(void)fd;
	switch (taken.meaning) {
	case SIGNAL_NONE:
		break;
	case SIGNAL_END:
		on_end_signal(loop, &taken);
		break;
	case SIGNAL_CHILD:
		return lifecycle_advance(loop->life, err);
	case SIGNAL_RESIZE:
		if (loop->live)
			live_repaint(loop->live, true);
		break;
	case SIGNAL_MARK:
		summary_feed_mark(loop->summary);
		break;
	case SIGNAL_STOP:
	case SIGNAL_CONTINUE:
		retake_terminal(loop, taken.meaning == SIGNAL_STOP);
		break;
	}
	return 0;
}

/* Called for each signal while an output blocks. Handles the signal, but leaves the exit of the
 * command to the loop. Returns true if the output must not wait any longer for its reader: a signal
 * ends the loop, or the command was asked to end and has exited. */
static bool stop_writing(void *context)
{
	struct loop *loop = context;
	const struct signal_event taken = signals_next(loop->signals);

	if (taken.meaning == SIGNAL_CHILD) {
		loop->child_pending = true;
		summary_feed_on_child(loop->summary);
	} else if (taken.meaning == SIGNAL_END) {
		on_end_signal(loop, &taken);
	}
	if (loop->end_requested && !loop->done && lifecycle_has_ended(loop->life)) {
		lifecycle_reap(loop->life);
		loop->done = loop->at_once = true;
	}
	return loop->done;
}

static int on_reader_gone(void *context, int fd, struct err *err)
{
	struct loop *loop = context;

	return outputs_lose(loop->outputs, fd, err);
}

/* Lets the source take in what would be lost until the next sample. */
static int on_collect(void *context, int fd, struct err *err)
{
	struct loop *loop = context;

	(void)fd;
	(void)err;
	loop->collect_ns = pipeline_collect(loop->pipeline);
	return 0;
}

/* Returns whether the replay waits while the user types or reads something else. */
static bool is_held(const struct loop *loop)
{
	return loop->setup->backend.recording && loop->live && live_is_away(loop->live);
}

/* Collects the descriptors for poll(2). The signalfd is the first, as signals may end the loop. */
static void fill_wait(struct loop *loop)
{
	struct wait *wait = &loop->wait;

	wait_reset(wait);
	wait_add(wait, loop->signals->fd, POLLIN, on_signal, loop);
	if (!loop->frozen)
		summary_feed_wait(loop->summary, wait);
	if (loop->silent)
		return;
	if (!is_held(loop)) {
		wait_add(wait, loop->pace.timer_fd, POLLIN, on_timer, loop);
		wait_add(wait, pace_source_fd(&loop->pace), POLLIN, on_source, loop);
	}
	wait_until(wait, loop->collect_ns, on_collect, loop);
	wait_add(wait, loop->live ? live_fd(loop->live) : -1, POLLIN, on_key, loop);
	wait_until(wait, loop->live ? live_deadline_ns(loop->live) : 0, on_key, loop);
	for (const struct sink *sink = loop->outputs->first; sink; sink = sink->next)
		wait_add(wait, sink->dest.fd, 0, on_reader_gone, loop);
}

static int wait_and_handle(struct loop *loop, struct err *err)
{
	if (loop->child_pending) {
		loop->child_pending = false;
		return lifecycle_advance(loop->life, err);
	}
	fill_wait(loop);
	wait_until(&loop->wait, progress_due_ns(&loop->reading.progress), NULL, NULL);
	progress_update(&loop->reading.progress);
	return wait_run(&loop->wait, &loop->done, err);
}

static int begin(struct loop *loop, struct err *err)
{
	int ret = pace_begin(&loop->pace, loop->setup->backend.source, err);

	if (!ret)
		ret = step(loop, err);
	if (!ret)
		summary_feed_begin_replay(loop->summary, loop->setup);
	if (ret == SOURCE_END)
		return recorded_explain_empty(&loop->setup->config.options,
					      loop->setup->backend.recording, err);
	if (!ret && loop->life->spawn.pid)
		ret = lifecycle_launch(loop->life, loop->setup->config.options.command[0], err);
	if (ret)
		return ret;
	/* The command may have exited before SIGCHLD was blocked. */
	loop->child_pending = loop->life->spawn.pid;
	ret = start_timer(loop, LOOP_FIRST_S, err);
	/* Old output files are truncated only here, when everything that can fail before the first
	 * output has succeeded. */
	if (!ret)
		ret = outputs_begin(loop->outputs, err);
	if (!ret)
		ret = loop_show(loop, false, err);
	if (!ret && loop->live && loop->life->spawn.pid)
		loop_say_where_output_is(loop);
	return ret;
}

int loop_run(struct loop *loop, struct err *err)
{
	int ret;

	loop->pace.timer_fd = -1;
	loop->collect_ns = pipeline_collect(loop->pipeline);
	loop->wake =
		(struct dest_wake){.fd = loop->signals->fd, .stop = stop_writing, .context = loop};
	outputs_set_wake(loop->outputs, &loop->wake);
	loop->live = live_of(loop->screen);
	loop->life->hooks = &loop_hooks;
	loop->life->context = loop;
	if (!loop->setup->config.options.batch)
		pipeline_keep_past(loop->pipeline, LOOP_HISTORY_BYTES);
	loop_begin_progress(loop);
	ret = begin(loop, err);
	while (!ret && !loop->done)
		ret = wait_and_handle(loop, err);
	loop_end_progress(loop);
	pace_end(&loop->pace);
	wait_done(&loop->wait);
	targets_release(&loop->targets);
	if (!ret)
		ret = loop_check_page(loop, err);
	if (!ret && !loop->live && !loop->shown && loop->setup->backend.recording && !loop->at_once)
		ret = recorded_explain_none(&loop->setup->config.options,
					    loop->setup->backend.recording, "--from or --to", err);
	if (!ret && loop->none_passed.code) {
		*err = loop->none_passed;
		ret = -loop->none_passed.code;
	}
	return ret == -EPIPE || ret == -ECANCELED ? 0 : ret;
}
