/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replaying - keys that control a replay on the live screen: pause, step, jump, speed.
 */
#ifndef SESSION_REPLAYING_H
#define SESSION_REPLAYING_H

#include "session/setup.h"
#include "tui/live.h"

/* What the loop must do after replaying_handle(). */
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
