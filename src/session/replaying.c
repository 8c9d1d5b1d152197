/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/replaying.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "collect/replay.h"
#include "session/recorded.h"

#define NS_PER_S  1000000000u
#define MINUTE_NS (60ll * NS_PER_S)

/* The previous interval begins two samples before the last one read. */
#define BACK (-2)

/* Moves the reader so that the last interval that ends at or before this time is read next; before
 * the end of the first interval, the first one. */
static int seek(struct backend *backend, int64_t at_ns, enum replaying_effect *effect,
		struct err *err)
{
	int ret = record_reader_seek(backend->recording, at_ns, err);

	*effect = REPLAYING_JUMP;
	if (!ret)
		ret = record_reader_step_back(backend->recording, err);
	return ret < 0 ? ret : 0;
}

static int jump(struct backend *backend, const char *text, enum replaying_effect *effect,
		struct err *err)
{
	int64_t to_ns;
	int ret = recorded_find_time(backend, text, 0, SECOND_END, &to_ns, err);

	return ret ? ret : seek(backend, to_ns, effect, err);
}

static void change_speed(struct replay_pace *pace, double factor)
{
	const double speed = pace->speed * factor;

	/* During a pause, a key for speed only ends the pause. */
	if (!pace->paused && speed <= REPLAY_SPEED_MAX && speed * REPLAY_SPEED_MAX >= 1)
		pace->speed = speed;
	pace->paused = false;
}

int replaying_handle(struct backend *backend, const struct request *request, uint64_t mono_ns,
		     enum replaying_effect *effect, struct err *err)
{
	struct replay_pace *pace = source_replay_pace(backend->source);

	*effect = REPLAYING_PACE;
	if (request->kind == REQUEST_JUMP)
		return jump(backend, request->text, effect, err);
	switch ((enum replay_key)request->signal) {
	case REPLAY_BACK:
		pace->paused = true;
		*effect = REPLAYING_JUMP;
		return record_reader_skip(backend->recording, BACK, err);
	case REPLAY_ON:
		pace->paused = true;
		*effect = REPLAYING_STEP;
		break;
	case REPLAY_MINUTE_BACK:
		return seek(backend, record_reader_at(backend->recording, mono_ns) - MINUTE_NS,
			    effect, err);
	case REPLAY_MINUTE_ON:
		return seek(backend, record_reader_at(backend->recording, mono_ns) + MINUTE_NS,
			    effect, err);
	case REPLAY_SLOWER:
		change_speed(pace, 0.5);
		break;
	case REPLAY_FASTER:
		change_speed(pace, 2);
		break;
	case REPLAY_PAUSE:
		pace->paused = !pace->paused;
		break;
	}
	return 0;
}

static void add_pause_key(const struct setup *s, const char *does, struct strbuf *out)
{
	struct strbuf key;

	strbuf_init(&key);
	keymap_add_key_of(&s->config.keymap, "pause", &key);
	if (key.len)
		strbuf_addf(out, ": %s %s", key.text, does);
	strbuf_done(&key);
}

/* Appends the position in the recording, and the key that pauses or plays, unless the replay has
 * reached the end: "replay of r.db: 2026-11-22 14:03:20, paused: Z plays". */
static void add_place(const struct setup *s, uint64_t wall_ns, bool at_end, struct strbuf *out)
{
	const struct replay_pace *pace = source_replay_pace(s->backend.source);

	strbuf_addstr(out, "replay of ");
	text_add(out, basename(s->config.options.replay));
	strbuf_addstr(out, ": ");
	clock_add_date(out, wall_ns);
	if (pace->paused)
		strbuf_addstr(out, ", paused");
	else if (pace->speed != 1)
		strbuf_addf(out, ", speed %g", pace->speed);
	else if (!at_end)
		strbuf_addstr(out, ", playing");
	if (!at_end)
		add_pause_key(s, pace->paused ? "plays" : "pauses", out);
}

void replaying_put_place(const struct setup *s, uint64_t wall_ns, bool at_end, int status,
			 char *note, size_t size)
{
	struct strbuf whole;

	strbuf_init(&whole);
	add_place(s, wall_ns, at_end, &whole);
	if (at_end && status >= 0)
		strbuf_addf(&whole, ", the command has ended with status %d", status);
	if (at_end)
		strbuf_addstr(&whole, ", the end: , and { go back");
	else
		strbuf_addf(&whole, "%s%s", *note ? "; " : "", note);
	snprintf(note, size, "%s", whole.text);
	strbuf_done(&whole);
}
