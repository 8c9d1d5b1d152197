/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request - does what the user asked for at the prompt of the live screen.
 *
 * Where the screen does not show it by itself, a sentence in the line of the prompt says what
 * was done. What could not be done leaves the prompt open, with the answer and the reason.
 * Nothing is half done.
 */
#ifndef SESSION_REQUEST_H
#define SESSION_REQUEST_H

#include "session/setup.h"
#include "session/target.h"
#include "tui/live.h"

/* What the loop has to do after a request. */
enum request_effect {
	EFFECT_NONE,
	EFFECT_SHOW,   /* build the frame again */
	EFFECT_DELAY,  /* the same, and set the timer anew */
	EFFECT_SCREEN, /* another screen: other counters */
	EFFECT_COUNT,  /* some tasks are to be counted that were not: begin with them at once */
	EFFECT_QUIT,
	EFFECT_END_COMMAND /* and quit with it */
};

/* targets: the tasks that are held for a key, from one request to the next. */
enum request_effect request_handle(struct setup *s, struct live *live, struct targets *targets,
				   const struct request *request);

#endif
