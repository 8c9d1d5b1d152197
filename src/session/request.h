/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request - carries out requests from the prompt of the live screen.
 *
 * If the screen does not show the result by itself, a sentence on the line of the prompt does.
 * After a failure the prompt stays open, with the input and the reason. No request is partly
 * carried out.
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
	EFFECT_COUNT,  /* further tasks are to be counted: begin at once */
	EFFECT_QUIT,
	EFFECT_ASK_QUIT,   /* quit, after a question if a command is running */
	EFFECT_END_COMMAND /* end the command and quit */
};

/* Handles a request. targets: the tasks held for a key from one request to the next. */
enum request_effect request_handle(struct setup *s, struct live *live, struct targets *targets,
				   const struct request *request);

#endif
