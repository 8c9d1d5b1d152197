/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "output/record_output.h"

#include <stdlib.h>

#include "base/mem.h"

struct recording {
	struct record_writer *writer;
	record_screen_text *screen_text;
	const struct screen *screen; /* the last screen written; NULL: none yet */
	struct record_choice choice;
	struct binding binding; /* of the condition's screen */
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

int record_choose(struct sink *sink, struct record_choice *choice, struct err *err)
{
	struct recording *recording = sink->state;

	recording->choice = *choice;
	if (choice->when)
		binding_init(&recording->binding, choice->screen, &recording->choice.numbers);
	return record_writer_limit(recording->writer, &choice->keep, err);
}

void record_hurry(struct sink *sink)
{
	struct recording *recording = sink->state;

	record_writer_hurry(recording->writer);
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

static int write_screen(struct recording *recording, const struct screen *screen, struct err *err)
{
	struct strbuf xml;
	int ret;

	strbuf_init(&xml);
	recording->screen_text(&xml, screen);
	ret = record_writer_screen(recording->writer, screen->name, xml.text, err);
	strbuf_done(&xml);
	return ret;
}

/* Returns whether the condition is true for a row that ran, independent of what the view shows. */
static bool is_true(struct recording *recording, const struct frame *frame)
{
	const struct delta *d = frame->delta->groups ? frame->delta->threads : frame->delta;
	struct condition *when = recording->choice.when;

	condition_begin(when, &recording->binding, frame->sample, false);
	for (size_t i = 0; i < d->n; i++)
		if (condition_test(when, d->row[i].task, &d->row[i], NULL) == TRI_TRUE)
			return true;
	return false;
}

/* Records only the frame's screen, as a frame can be rebuilt from samples. */
static int record_frame(struct sink *sink, const struct frame *frame, struct err *err)
{
	struct recording *recording = sink->state;
	const struct record_choice *choice = &recording->choice;
	const bool first = !recording->screen;
	int ret = 0;

	if (choice->when && frame->interval_ns && is_true(recording, frame))
		record_writer_mark(recording->writer);
	if (recording->screen != frame->screen)
		ret = write_screen(recording, frame->screen, err);
	recording->screen = frame->screen;
	for (size_t i = 0; first && i < choice->n_also && !ret; i++)
		ret = write_screen(recording, choice->also[i], err);
	return ret;
}

static int record_summary(struct sink *sink, const struct summary *summary, struct err *err)
{
	struct recording *recording = sink->state;

	return record_writer_ending(recording->writer, &summary->how, summary->begin, summary->end,
				    err);
}

/* Records both samples of the run as a run of the file. */
static int record_run(struct sink *sink, const struct summary *summary, struct err *err)
{
	struct recording *recording = sink->state;
	int ret = record_sample(sink, summary->begin, err);

	if (!ret)
		ret = record_sample(sink, summary->end, err);
	if (!ret)
		ret = record_frame(sink, summary->frame, err);
	if (!ret)
		ret = record_summary(sink, summary, err);
	recording->screen = NULL;
	return ret ? ret : record_writer_next_run(recording->writer, err);
}

static int record_close(struct sink *sink, struct err *err)
{
	struct recording *recording = sink->state;
	int ret = recording ? record_writer_close(recording->writer, err) : 0;

	if (recording) {
		condition_free(recording->choice.when);
		binding_done(&recording->binding);
		screen_numbers_done(&recording->choice.numbers);
		free(recording->choice.also);
	}
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
	.summary = record_summary,
	.run = record_run,
	.close = record_close,
};
