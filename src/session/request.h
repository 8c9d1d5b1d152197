/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request - carries out requests from the prompt of the live screen.
 *
 * If the screen does not show the result by itself, a sentence on the line of the prompt does.
 * After a failure the prompt stays open, with the input and the reason. A failed request changes
 * nothing; only an action on several tasks may succeed for some of them.
 */
#ifndef SESSION_REQUEST_H
#define SESSION_REQUEST_H

#include "session/setup.h"
#include "session/target.h"
#include "tui/live.h"

/* What the loop must do after a request. */
enum request_effect {
	EFFECT_NONE,
	EFFECT_SHOW,   /* build the frame again */
	EFFECT_DELAY,  /* restart the timer and build the frame again */
	EFFECT_SCREEN, /* the screen needs other counters */
	EFFECT_COUNT,  /* more tasks are to be counted: take a sample at once */
	EFFECT_QUIT,
	EFFECT_ASK_QUIT,   /* quit, after a question if a command is running */
	EFFECT_END_COMMAND /* end the command and quit */
};

/* Handles a request. targets: the tasks selected for a key, kept until the request of its
 * prompt. */
enum request_effect request_handle(struct setup *s, struct live *live, struct targets *targets,
				   const struct request *request);

#endif
