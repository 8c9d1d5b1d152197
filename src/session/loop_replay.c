/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of loop: going back and forth in a recording. */
#include <errno.h>

#include "record/follow.h"
#include "session/loop_part.h"
#include "session/replaying.h"

int loop_explain_nothing(struct loop *loop, struct err *err)
{
	struct record_reader *recording = loop->setup->recording;
	struct record_follow_row row;

	if (recording && record_reader_next_follow(recording, &row, err) == 1)
		return err_set(err, ENODATA,
			       "the recording has no samples but rows of tiptop follow: 'tiptop "
			       "follow --replay %s' shows them",
			       loop->setup->options.replay);
	return err_set(err, ENODATA, "there is nothing to show: not one sample");
}

/* What was the end of the data is not the end any more. */
static void thaw(struct loop *loop)
{
	loop->frozen = loop->data_ended = false;
	loop->pace.source = loop->setup->source;
}

/* From another sample on: the interval that begins there is shown. What it needs of tasks that end
 * in it is of the interval before. */
static int jump(struct loop *loop, struct err *err)
{
	int more = record_reader_lead(loop->setup->recording, err), ret = more < 0 ? more : 0;

	pipeline_restart(loop->pipeline);
	for (; more >= 0 && !ret; more--)
		ret = pipeline_step(loop->pipeline, &loop->setup->view, err);
	return ret < 0 ? ret : loop_refresh(loop, err);
}

int loop_replay(struct loop *loop, const struct request *request, struct err *err)
{
	const struct sample *shown = loop->pipeline->stage.frame.sample;
	struct err why = ERR_INIT;
	enum replaying_effect effect;

	if (replaying_handle(loop->setup, request, shown ? shown->mono_ns : 0, &effect, &why)) {
		/* What has no prompt cannot be asked again. */
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
	thaw(loop);
	return effect == REPLAYING_JUMP ? jump(loop, err) : loop_refresh(loop, err);
}
