/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

/* Interval between checks for new samples in a file that is still being written. */
#define RECHECK_NS 200000000u

struct replay {
	struct source source;
	struct record_reader *reader;
	const struct kind *kind; /* kind of the recorded rows */
	struct replay_pace pace;
	bool begun;           /* at least one sample was returned */
	uint64_t returned_ns; /* when the last sample was returned, on CLOCK_MONOTONIC */
	int64_t at_ns;        /* recorded time of the last returned sample */
	bool threads;         /* the rows of the last returned sample are threads */
	bool want_threads;
	char note[ERR_TEXT_MAX];
};

static struct replay *self_of(struct source *source)
{
	return (struct replay *)source;
}

struct replay_pace *source_replay_pace(struct source *source)
{
	return &self_of(source)->pace;
}

static const struct sample_events *replay_events(const struct source *source)
{
	return record_reader_events(((const struct replay *)source)->reader);
}

/* Accepts each `want`: a screen looks up its events in the readings, and shows missing events as
 * unknown. */
static bool replay_go_on(struct source *source, struct want *want)
{
	self_of(source)->want_threads = want->threads;
	event_set_done(&want->events);
	return true;
}

/* Returns what replay_next() would return, and sets *at_ns to the recorded time of the sample, but
 * leaves the sample unread. */
static int peek_sample(struct replay *r, int64_t *at_ns, struct err *err)
{
	int ret = record_reader_peek(r->reader, at_ns, err);

	if (ret == RECORD_END)
		return !r->pace.at_once && record_reader_is_open(r->reader) ? SOURCE_NOT_YET
									    : SOURCE_END;
	if (!ret && *at_ns > r->pace.to_ns)
		return SOURCE_END;
	return ret;
}

/* Returns whether the kind of the rows has parts, as processes have threads; CPUs have none. */
static bool has_parts(const struct sample *s)
{
	const struct kind *kind = s->n ? s->task[0]->kind : NULL;

	return !kind || !kind->part || strcmp(kind->name, kind->part) != 0;
}

static int replay_next(struct source *source, struct sample *out, struct err *err)
{
	struct replay *r = self_of(source);
	int64_t at_ns;
	int ret = peek_sample(r, &at_ns, err);

	if (!ret)
		ret = record_reader_next(r->reader, out, err);
	if (ret)
		return ret;
	out->kind = r->kind;
	r->begun = true;
	r->returned_ns = clock_ns(CLOCK_MONOTONIC);
	r->at_ns = at_ns;
	if (r->pace.pause_after && !--r->pace.pause_after)
		r->pace.paused = true;
	r->threads = has_parts(out) ? out->threads : r->want_threads;
	return 0;
}

static uint64_t wait_ns(const struct replay *r, int64_t at_ns)
{
	double ns = at_ns > r->at_ns ? (double)(at_ns - r->at_ns) / r->pace.speed : 0;

	return ns < REPLAY_WAIT_MAX_NS ? (uint64_t)ns : REPLAY_WAIT_MAX_NS;
}

static void replay_due(const struct source *source, struct source_due *out)
{
	struct replay *r = (struct replay *)source;
	int64_t at_ns;

	*out = (struct source_due){.fd = -1, .mono_ns = 0};
	if (r->pace.at_once || !r->begun)
		return;
	if (r->pace.paused) {
		out->mono_ns = UINT64_MAX;
		return;
	}
	switch (peek_sample(r, &at_ns, NULL)) {
	case 0:
		out->mono_ns = r->returned_ns + wait_ns(r, at_ns);
		break;
	case SOURCE_NOT_YET:
		out->mono_ns = clock_ns(CLOCK_MONOTONIC) + RECHECK_NS;
		break;
	default: /* replay_next() then returns the end or the error */
		break;
	}
}

/* Returns false: samples of a recording have all recorded tasks, so no filter adds tasks. */
static bool replay_filter(struct source *source, const struct filter *filter)
{
	(void)source, (void)filter;
	return false;
}

static const char *replay_note(const struct source *source)
{
	struct replay *r = (struct replay *)source;

	if (record_reader_fault(r->reader))
		return record_reader_fault(r->reader);
	if (!r->begun || r->threads == r->want_threads)
		return NULL;
	snprintf(r->note, sizeof r->note,
		 "the recording has a row for each %s: %s were not recorded one by one",
		 r->threads ? "thread" : "process", r->threads ? "processes" : "threads");
	return r->note;
}

static void replay_cost(const struct source *source, struct source_cost *out)
{
	(void)source;
	memset(out, 0, sizeof *out);
}

static void replay_free(struct source *source)
{
	free(source);
}

struct source *source_replay_new(struct record_reader *reader, const struct replay_pace *pace)
{
	static const struct source_ops ops = {
		.events = replay_events,
		.go_on = replay_go_on,
		.next = replay_next,
		.due = replay_due,
		.filter = replay_filter,
		.note = replay_note,
		.cost = replay_cost,
		.free = replay_free,
	};
	struct replay *r = xcalloc(1, sizeof *r);

	r->source.ops = &ops;
	r->reader = reader;
	r->kind = record_reader_kind(reader);
	r->pace = *pace;
	return &r->source;
}
