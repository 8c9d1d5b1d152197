/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of output: writes, in sentences, why each row is no faster.
 *
 *   Sat Nov 21 02:03:18 2026
 *
 *   4711 simulate
 *   memory          In 60.2 % of the cycles nothing was done, while ...
 *     numbers       stalls while a load waits for memory 60.2 % of the cycles
 *     certainty     sure
 *     rule          memory-stalls: memory_stalls >= 20 (Intel perfmon, ...)
 *     next          perf record -e ... -p 4711 - the instructions whose data is missing
 *
 * Rows are in the order of the frame. The verdicts come from view.judged, which is called for each
 * row.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "base/text.h"
#include "output/output.h"
#include "view/condition.h"

static int verdicts_open(struct sink *sink, struct err *err)
{
	struct strbuf *text = xcalloc(1, sizeof *text);

	(void)err;
	strbuf_init(text);
	sink->state = text;
	return 0;
}

static void add_time(struct strbuf *out, uint64_t wall_ns)
{
	const time_t t = (time_t)(wall_ns / 1000000000u);
	char date[64] = "?";
	struct tm tm;

	if (localtime_r(&t, &tm))
		strftime(date, sizeof date, "%a %b %e %H:%M:%S %Y", &tm);
	strbuf_addf(out, "%s\n\n", date);
}

static void add_verdict_row(struct strbuf *out, const struct frame *frame,
			    const struct frame_row *row)
{
	const struct judged *judged = frame->view->judged;

	if (!row->task->kind->id_is_text)
		strbuf_addf(out, "%" PRIu64 " ", task_number(row->task));
	text_add(out, row->label);
	if (!judged || !judged->explain(judged->context, frame->sample, row->from, out))
		strbuf_addstr(out, ": nothing can be said of it\n");
	strbuf_addch(out, '\n');
}

static int verdicts_frame(struct sink *sink, const struct frame *frame, struct err *err)
{
	struct strbuf *text = sink->state;
	size_t n = sink->rows && sink->rows < frame->n ? sink->rows : frame->n;

	if (!frame->interval_ns)
		return 0;
	strbuf_reset(text);
	add_time(text, frame->wall_ns);
	for (size_t i = 0; i < n; i++)
		add_verdict_row(text, frame, &frame->row[i]);
	return dest_write(&sink->dest, text->text, text->len, err);
}

static int verdicts_close(struct sink *sink, struct err *err)
{
	(void)err;
	strbuf_done(sink->state);
	free(sink->state);
	return 0;
}

const struct sink_ops sink_verdicts = {
	.name = "verdicts",
	.help = "why each row is no faster, in sentences",
	.open = verdicts_open,
	.frame = verdicts_frame,
	.close = verdicts_close,
};
