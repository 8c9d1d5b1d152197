/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink/record.h"

#include <stdlib.h>

#include "base/mem.h"

struct recording {
	struct record_writer *writer;
	record_screen_text *screen_text;
	const struct screen *screen; /* that was written last; NULL: none yet */
};

int record_begin(struct sink *sink, const char *path, const struct record_about *about,
		 record_screen_text *screen_text, struct err *err)
{
	struct recording *recording;
	struct record_writer *writer;
	int ret = record_writer_new(&writer, path, about, err);

	if (ret)
		return ret;
	recording = xcalloc(1, sizeof *recording);
	recording->writer = writer;
	recording->screen_text = screen_text;
	sink->state = recording;
	return 0;
}

const char *record_note(const struct sink *sink)
{
	const struct recording *recording = sink->state;

	return record_writer_note(recording->writer);
}

static int record_sample(struct sink *sink, const struct sample *sample, struct err *err)
{
	struct recording *recording = sink->state;

	return record_writer_sample(recording->writer, sample, err);
}

/* Of a frame only its screen is kept: the rest can be made again. */
static int record_frame(struct sink *sink, const struct frame *frame, struct err *err)
{
	struct recording *recording = sink->state;
	struct strbuf xml;
	int ret;

	if (recording->screen == frame->screen)
		return 0;
	strbuf_init(&xml);
	recording->screen_text(&xml, frame->screen);
	ret = record_writer_screen(recording->writer, frame->screen->name, xml.text, err);
	strbuf_done(&xml);
	recording->screen = frame->screen;
	return ret;
}

static int record_close(struct sink *sink, struct err *err)
{
	struct recording *recording = sink->state;
	int ret = recording ? record_writer_close(recording->writer, err) : 0;

	free(recording);
	sink->state = NULL;
	return ret;
}

const struct sink_ops sink_record = {
	.name = "record",
	.help = "what is read, into a database",
	.machine_use = true,
	.sample = record_sample,
	.frame = record_frame,
	.close = record_close,
};
