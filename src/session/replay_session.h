/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay_session - a session from a recording (--replay) in place of the running machine: its
 * setup, times that users write, the keys that control it, and its progress.
 *
 * Functions with an err return -errno with a sentence. Recorded time is in ns and never falls; wall
 * time, which the user types, may be set back within a recording.
 */
#ifndef SESSION_REPLAY_SESSION_H
#define SESSION_REPLAY_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/progress.h"
#include "record/timeline.h"
#include "session/pipeline.h"
#include "session/setup.h"
#include "tui/live.h"

/* ---- times ----
 *
 * A time in a recording, as users write it:
 *
 *   14:03  14:03:20          local time: the first such time in the recording; if none is in it, of
 *                            the day on which it begins
 *   2026-01-31 14:03[:20]    (or with a T in between)
 *   2026-01-31               the begin of this day
 *   +90  -90                 seconds after the begin, or before the end, of the recording
 */

struct time_spec {
	bool is_wall;
	uint64_t wall_ns; /* if is_wall */
	int64_t at_ns;    /* recorded time, unless is_wall */
};

/* Parses a time. span: [n] the spans of the recording, in order of time; a time without a date is
 * searched in them, in this order. -EINVAL: not a time. */
int time_spec_parse(const char *text, const struct record_span *span, size_t n,
		    struct time_spec *out, struct err *err);

/* ---- setup ---- */

/* Opens the recording; sets the machine, the kind of rows and the modes of counting from it. */
int recorded_identify(struct configuration *config, struct backend *backend, struct err *err);
/* Sets the modes of counting (kernel, threads) and the delay from the recording. */
void recorded_take_modes(struct configuration *config, struct backend *backend);
/* Adds the screens of the recording, except those whose names screens of the setup have already. */
void recorded_add_screens(struct setup *s);
/* Returns the index of the first recorded screen that is available here, in the order in which the
 * screens were shown; 0: none is. */
int recorded_screen(const struct configuration *config, const struct backend *backend);
/* Sets the sentence why no interval of a recording is shown. time: the options of another time,
 * "--from or --to". Returns -ENODATA. */
int recorded_explain_none(const struct options *o, struct record_reader *recording,
			  const char *time, struct err *err);
/* Sets the sentence why a source had no sample. recording: NULL: the running machine. Returns
 * -ENODATA. */
int recorded_explain_empty(const struct options *o, struct record_reader *recording,
			   struct err *err);
/* Creates the source. -EINVAL: --from or --to is wrong. */
int recorded_open(struct configuration *config, struct backend *backend, struct err *err);
/* Sets display.note to the reason if counters of the current screen were not recorded, or could not
 * be counted when the recording was made. */
void recorded_note(struct setup *s);

/* ---- progress ----
 *
 * Shows how much of a recording was read, by recorded time; or how many refreshes were made.
 *
 *   reading_begin(); reading_note() after each step; reading_end()
 */

struct reading {
	struct progress progress;
	struct strbuf what;
	int64_t from_ns; /* recorded time of the first sample */
	bool refreshes;  /* refreshes are counted */
};

/* Call it before the recording is read. terminal: shows the progress; borrowed; NULL: not shown. */
void reading_begin(struct reading *r, const struct setup *s,
		   const struct progress_terminal *terminal);
/* The same for refreshes. wanted: their number; 0: unlimited. */
void reading_begin_refreshes(struct reading *r, long wanted,
			     const struct progress_terminal *terminal);
void reading_note(struct reading *r, const struct backend *backend, const struct pipeline *p);
void reading_end(struct reading *r);

/* ---- keys: pause, step, jump, speed ---- */

/* The action that the loop must do after replaying_handle(). */
enum replaying_effect {
	REPLAYING_PACE, /* compute the time of the next sample again */
	REPLAYING_STEP, /* take the next sample now */
	REPLAYING_JUMP  /* take the next sample now, without comparing it with earlier ones */
};

/* Handles REQUEST_REPLAY or REQUEST_JUMP. mono_ns: monotonic time of the sample shown. Returns 0,
 * or -errno with a sentence, for example if there is no such time. */
int replaying_handle(struct backend *backend, const struct request *request, uint64_t mono_ns,
		     enum replaying_effect *effect, struct err *err);
/* Inserts the position in the recording before the note; at its end, replaces the note, and says
 * how the command has ended. status: its exit status; below 0: unknown, or none has ended. */
void replaying_put_place(const struct setup *s, uint64_t wall_ns, bool at_end, int status,
			 char *note, size_t size);

#endif
