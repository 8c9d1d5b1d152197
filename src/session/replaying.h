/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replaying - what keys do to a recording that is shown live: pause, step, jump, speed.
 */
#ifndef SESSION_REPLAYING_H
#define SESSION_REPLAYING_H

#include "session/setup.h"
#include "tui/live.h"

/* What the loop has to do then. */
enum replaying_effect {
	REPLAYING_PACE, /* the next sample is due at another time */
	REPLAYING_STEP, /* take the next sample now */
	REPLAYING_JUMP  /* the same, and nothing before is compared with it */
};

/* Does what REQUEST_REPLAY or REQUEST_JUMP asks for. mono_ns: of the sample that is shown. Fails
 * with a sentence where there is no such time. */
int replaying_handle(struct setup *s, const struct request *request, uint64_t mono_ns,
		     enum replaying_effect *effect, struct err *err);
/* Appends where it stands: "replay of r.db: 2026-11-22 14:03:20, paused". */
void replaying_put_state(const struct setup *s, uint64_t wall_ns, struct strbuf *out);

#endif
