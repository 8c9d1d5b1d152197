/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of loop: the key O, by which a recording begins and ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conf/xml.h"
#include "output/record_output.h"
#include "session/loop_part.h"
#include "session/recording.h"

/* By the time, so that it is a new one. */
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
	const char *path = loop->setup->options.record;
	struct err why = ERR_INIT;
	char text[ERR_TEXT_MAX];

	record_hurry(sink);
	outputs_end(loop->outputs, sink, &why);
	snprintf(text, sizeof text,
		 "the recording has ended: 'tiptop --replay %s' shows it again, 'tiptop what %s' "
		 "says what happened",
		 path, path);
	live_message(loop->live, why.code ? why.text : text);
}

/* What is shown is its first sample: the next one has an interval. */
static int begin_recording(struct loop *loop, const char *path, struct err *err)
{
	struct pipeline *p = loop->pipeline;
	struct sink *sink;
	int ret = recording_add(loop->outputs, loop->setup, path, err);

	if (ret)
		return ret;
	sink = recording_find(loop->outputs);
	ret = sink->ops->sample(sink, p->sample[p->newest], err);
	if (ret)
		outputs_end(loop->outputs, sink, NULL);
	return ret;
}

static int record_to(struct loop *loop, const char *text, struct err *err)
{
	char *path;
	int ret = conf_expand_path(text, &path, err);

	if (!ret)
		ret = begin_recording(loop, path, err);
	if (ret) {
		free(path);
		return ret;
	}
	free(loop->setup->options.record);
	loop->setup->options.record = path;
	loop_fit_family(loop);
	live_message(loop->live, "what is read is recorded from now on: O ends it");
	return 0;
}

int loop_record(struct loop *loop, const struct request *request, struct err *err)
{
	struct sink *sink = recording_find(loop->outputs);
	struct err why = ERR_INIT;

	if (sink)
		end_recording(loop, sink);
	else if (loop->frozen)
		live_message(loop->live, "nothing is read any more that could be recorded");
	else if (request->kind == REQUEST_RECORD)
		offer_name(loop);
	else if (record_to(loop, request->text, &why))
		live_refuse(loop->live, request, why.text);
	return loop_show(loop, false, err);
}
