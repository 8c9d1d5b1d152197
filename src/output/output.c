/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "output/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/suggestion.h"

#define ADDRESS(name) &name,

const struct sink_ops *const sink_table[] = {SINK_FORMATS(ADDRESS) NULL};

int sink_find(const struct sink_ops **out, const char *name, struct err *err)
{
	struct suggestion near;
	struct strbuf names;

	strbuf_init(&names);
	suggestion_begin(&near, name);
	for (size_t i = 0; sink_table[i]; i++) {
		if (!strcmp(sink_table[i]->name, name)) {
			*out = sink_table[i];
			strbuf_done(&names);
			return 0;
		}
		suggestion_offer(&near, sink_table[i]->name);
		strbuf_addf(&names, "%s%s (%s)", i ? ", " : "", sink_table[i]->name,
			    sink_table[i]->help);
	}
	err_set(err, EINVAL, "there is no format '%s'%s: there is %s", name, suggestion_text(&near),
		names.text);
	strbuf_done(&names);
	return -EINVAL;
}

/* ---- lists of sinks ---- */

void outputs_init(struct outputs *o, struct log *log)
{
	*o = (struct outputs){.log = log};
}

/* Stores the first failure only. */
static void keep_first_error(struct err *first, const struct err *fault)
{
	if (first && !first->code)
		*first = *fault;
}

/* Closes a sink and removes it from the list. Returns 0 in place of -EPIPE. */
static int remove_sink(struct outputs *o, struct sink *sink, bool failed, struct err *err)
{
	struct sink **at = &o->first;
	struct err why = ERR_INIT, late = ERR_INIT;
	int ret;

	while (*at != sink)
		at = &(*at)->next;
	*at = sink->next;
	ret = sink->ops->close ? sink->ops->close(sink, &why) : 0;
	if (dest_close(&sink->dest, failed || ret, &late))
		keep_first_error(&why, &late);
	free(sink);
	/* The reader has exited: no failure. */
	if (why.code == EPIPE)
		return 0;
	if (why.code)
		keep_first_error(err, &why);
	return -why.code;
}

int outputs_add(struct outputs *o, struct sink **out, const struct sink_ops *ops,
		const struct dest *dest, struct err *err)
{
	struct sink *sink = xcalloc(1, sizeof *sink);
	int ret;

	sink->ops = ops;
	sink->dest = *dest;
	ret = ops->open ? ops->open(sink, err) : 0;
	if (ret) {
		dest_close(&sink->dest, true, NULL);
		free(sink);
		return ret;
	}
	sink->next = o->first;
	o->first = sink;
	*out = sink;
	return 0;
}

void outputs_set_wake(struct outputs *o, const struct dest_wake *wake)
{
	for (struct sink *sink = o->first; sink; sink = sink->next)
		sink->dest.wake = wake;
}

/* Handles a sink's failure. -ECANCELED ends the loop for all sinks. */
static int handle_failure(struct outputs *o, struct sink *sink, const struct err *why,
			  struct err *err)
{
	struct err late = ERR_INIT;

	if (sink->ends_loop || why->code == ECANCELED) {
		*err = *why;
		return -why->code;
	}
	log_add(o->log, LOG_SCREEN, why->text);
	if (why->code != EPIPE)
		keep_first_error(&o->fault, why);
	/* An error while closing the sink is ignored: its failure is already logged. */
	remove_sink(o, sink, true, &late);
	return 0;
}

static int begin_files(struct outputs *o, struct err *err)
{
	struct sink *next;
	int ret = 0;

	for (struct sink *sink = o->first; sink && !ret; sink = next) {
		struct err why = ERR_INIT;

		next = sink->next;
		if (sink->dest.fd >= 0 && dest_begin(&sink->dest, &why))
			ret = handle_failure(o, sink, &why, err);
	}
	return ret;
}

static int write_sample(struct outputs *o, const struct sample *sample, struct err *err)
{
	struct sink *next;
	int ret = 0;

	for (struct sink *sink = o->first; sink && !ret; sink = next) {
		struct err why = ERR_INIT;

		next = sink->next;
		if (sink->ops->sample && sink->ops->sample(sink, sample, &why))
			ret = handle_failure(o, sink, &why, err);
	}
	return ret;
}

static void drop_early(struct outputs *o)
{
	for (size_t i = 0; i < o->n_early; i++)
		sample_unref(o->early[i]);
	free(o->early);
	o->early = NULL;
	o->n_early = o->cap_early = 0;
}

int outputs_begin(struct outputs *o, struct err *err)
{
	int ret = begin_files(o, err);

	o->begun = true;
	for (size_t i = 0; i < o->n_early && !ret; i++)
		ret = write_sample(o, o->early[i], err);
	drop_early(o);
	return ret;
}

bool outputs_want_machine_use(const struct outputs *o)
{
	const struct sink *sink = o->first;

	while (sink && !sink->ops->machine_use)
		sink = sink->next;
	return sink != NULL;
}

int outputs_sample(struct outputs *o, const struct sample *sample, struct err *err)
{
	if (o->begun)
		return write_sample(o, sample, err);
	o->early = xgrow(o->early, &o->cap_early, o->n_early + 1, sizeof(struct sample *));
	o->early[o->n_early++] = sample_ref(sample);
	return 0;
}

/* Writes at most sink->rows rows, the first in sort order. */
static int write_frame(struct sink *sink, const struct frame *frame, struct err *err)
{
	struct frame cut;

	if (!sink->rows || frame->n <= sink->rows)
		return sink->ops->frame(sink, frame, err);
	cut = *frame;
	cut.n = sink->rows;
	return sink->ops->frame(sink, &cut, err);
}

/* Writes a frame. redrawn: to sinks with `redraws`; others: to sinks without. */
static int write_frames(struct outputs *o, const struct frame *frame, bool redrawn, bool others,
			struct err *err)
{
	struct sink *next;
	int ret = 0;

	for (struct sink *sink = o->first; sink && !ret; sink = next) {
		bool wanted = sink->ops->frame && (sink->ops->redraws ? redrawn : others);
		struct err why = ERR_INIT;

		next = sink->next;
		if (wanted && write_frame(sink, frame, &why))
			ret = handle_failure(o, sink, &why, err);
	}
	return ret;
}

int outputs_frame(struct outputs *o, const struct frame *frame, bool refresh, struct err *err)
{
	return write_frames(o, frame, true, refresh, err);
}

int outputs_frame_unseen(struct outputs *o, const struct frame *frame, struct err *err)
{
	return write_frames(o, frame, false, true, err);
}

/* Writes the end of the command, or of one of its runs. */
static int write_end(struct outputs *o, const struct summary *summary, bool run, struct err *err)
{
	struct sink *next;
	int ret = 0;

	for (struct sink *sink = o->first; sink && !ret; sink = next) {
		const struct sink_ops *ops = sink->ops;
		int (*give)(struct sink *, const struct summary *, struct err *) =
			run ? ops->run : ops->summary;
		struct err why = ERR_INIT;

		next = sink->next;
		if (give && give(sink, summary, &why))
			ret = handle_failure(o, sink, &why, err);
	}
	return ret;
}

int outputs_summary(struct outputs *o, const struct summary *summary, struct err *err)
{
	return write_end(o, summary, false, err);
}

int outputs_run(struct outputs *o, const struct summary *summary, struct err *err)
{
	return write_end(o, summary, true, err);
}

int outputs_lose(struct outputs *o, int fd, struct err *err)
{
	struct sink *sink = o->first;
	struct err why = ERR_INIT;

	while (sink && sink->dest.fd != fd)
		sink = sink->next;
	if (!sink)
		return 0;
	err_set(&why, EPIPE, "the reader of '%s' has gone",
		sink->dest.path ? sink->dest.path : "standard output");
	return handle_failure(o, sink, &why, err);
}

void outputs_hurry(struct outputs *o)
{
	for (struct sink *sink = o->first; sink; sink = sink->next)
		sink->dest.impatient = true;
}

int outputs_end(struct outputs *o, struct sink *sink, struct err *err)
{
	return remove_sink(o, sink, false, err);
}

int outputs_close(struct outputs *o, bool failed, struct err *err)
{
	struct err first = o->fault;

	drop_early(o);
	while (o->first)
		remove_sink(o, o->first, failed, &first);
	if (first.code && err)
		*err = first;
	return -first.code;
}
