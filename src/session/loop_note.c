/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of loop: the note above the table. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/err.h"
#include "run/preloading.h"
#include "session/loop_part.h"
#include "session/output.h"
#include "session/replay_session.h"
#include "session/view_options.h"
#include "view/view.h"

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

int loop_update_note(struct loop *loop, struct err *err)
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
	if (setup->display.remark.code && !loop->remark_shown && !loop->frozen)
		ret = faults_say(loop->faults, setup->display.remark.text, err);
	loop->remark_shown = setup->display.remark.code != 0;
	if (loop->frozen && loop->life->lost)
		snprintf(text, sizeof text, LIFECYCLE_LOST_TEXT "; q quits");
	else if (loop->data_ended)
		snprintf(text, sizeof text, "the data has ended; q quits");
	else if (loop->frozen)
		snprintf(text, sizeof text, "the command has ended with status %d; q quits%s%s",
			 loop->life->status, source ? "; " : "", source ? source : "");
	else if (loop->live && !*text)
		snprintf(text, sizeof text, "%s",
			 unseen_note_update(&loop->unseen, loop->pipeline,
					    setup->backend.recording ? ""
								     : "; d sets a shorter delay"));
	if (setup->backend.recording && loop->live)
		replaying_put_place(setup, loop->pipeline->stage.frame.wall_ns, loop->data_ended,
				    loop->summary->passed_on_ns ? loop->summary->status : -1, text,
				    sizeof text);
	add_recording(loop, text, sizeof text);
	memcpy(loop->note, text, sizeof text);
	state_log_filter(loop->setup);
	return ret ? ret : faults_print(loop->faults, &loop->setup->config.log, false, err);
}

int loop_check_filter(struct loop *loop, struct err *err)
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
