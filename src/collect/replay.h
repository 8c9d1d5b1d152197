/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay - a source whose samples come from a recording.
 *
 * No counters can be opened: only recorded events have numbers (source_ops.configure is NULL).
 * Samples are returned without delay, or at the recorded pace multiplied by a speed. If the file is
 * still being written, each new sample is returned after it was written.
 */
#ifndef COLLECT_REPLAY_H
#define COLLECT_REPLAY_H

#include "collect/source.h"
#include "record/reader.h"

/* A replay waits for the next sample at most this long, in real time. */
#define REPLAY_WAIT_MAX_NS 5000000000u

#define REPLAY_SPEED_MAX 1024

struct replay_pace {
	bool at_once;    /* do not wait for samples, and end at the present end of the file */
	bool paused;     /* while set, no sample is due */
	int pause_after; /* pause after this many samples; 0: do not pause */
	double speed;    /* factor of the recorded speed; 1: as recorded */
	int64_t to_ns;   /* recorded time of the last sample to replay, since the epoch */
};

/* Creates the source. The reader is borrowed; it must be positioned at the first sample. */
struct source *source_replay_new(struct record_reader *reader, const struct replay_pace *pace);

/* Returns the pace of the source; the caller may change it at any time. */
struct replay_pace *source_replay_pace(struct source *source);

#endif
