/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay - samples out of a recording.
 *
 * Nothing can be opened any more: what was counted then is what there is (source_ops.configure is
 * NULL). Samples come at once, or in the time in which they were taken, faster or slower; from a
 * file that somebody still writes, as they come.
 */
#ifndef COLLECT_REPLAY_H
#define COLLECT_REPLAY_H

#include "collect/source.h"
#include "record/reader.h"

/* The longest time without a sample that is waited for, by the clock of who looks on. */
#define REPLAY_WAIT_MAX_NS 5000000000u

#define REPLAY_SPEED_MAX 1024

struct replay_pace {
	bool at_once;    /* do not wait, and end where the file ends at present */
	bool paused;     /* nothing is due */
	int pause_after; /* it pauses behind so many samples; 0: it goes on */
	double speed;    /* 1: as then */
	int64_t to_ns;   /* the last recorded time that is wanted */
};

/* The reader is borrowed, and stands where the first sample is to be read. */
struct source *source_replay_new(struct record_reader *reader, const struct replay_pace *pace);

/* What it goes by; may be changed at any time. */
struct replay_pace *source_replay_pace(struct source *source);

#endif
