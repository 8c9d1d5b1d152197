/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask - the talk in the last line of the screen: a prompt whose answers become a request, a
 * question to be answered by yes or no, or a message. One at a time; a later one takes the place of
 * what is there. Pure.
 *
 * A prompt or question takes all keys. A message takes none: any key clears it, and does its
 * work. An answer that is refused leaves its prompt open, with the answer in it and the reason
 * above. A prompt begins with what is set now; what is too long for it is not offered, and a
 * sentence says so.
 */
#ifndef UI_ASK_H
#define UI_ASK_H

#include <stdint.h>

#include "base/err.h"
#include "ui/canvas.h"
#include "ui/live.h"
#include "ui/prompt.h"
#include "view/view.h"

enum ask_mode { ASK_NOTHING, ASK_MESSAGE, ASK_QUESTION, ASK_PROMPT };

struct ask {
	enum ask_mode mode;
	char text[ERR_TEXT_MAX]; /* of the message or question; of a prompt, what is wrong, or "" */
	struct prompt prompt;
	size_t step;          /* which of the request's prompts this is */
	struct request draft; /* what the answers, or yes, will make ready */
	struct request ready;
	const char *path; /* the file that is offered for the configuration; NULL: none */
	int32_t victim;   /* the pid that is offered for a signal, set by whoever paints; 0: none */
};

/* Opens the first prompt of this kind of request. */
void ask_open(struct ask *a, enum request_kind kind, const struct view *view);
void ask_message(struct ask *a, const char *text);
void ask_question(struct ask *a, const char *text, const struct request *yes);
/* Opens the first prompt of a request that could not be done, with the answer that it had. */
void ask_refuse(struct ask *a, const struct request *refused, const char *reason);

/* Whether keys go to ask_key(). */
bool ask_takes_keys(const struct ask *a);
/* One key; returns the reactions. */
unsigned ask_key(struct ask *a, const struct view *view, int key);
/* Removes a message; returns the reactions. */
unsigned ask_clear(struct ask *a);

/* Over what stands in the canvas' last line, or lines for a longer message: half of them at most,
 * so that the header stays. */
void ask_paint(const struct ask *a, struct canvas *c);

#endif
