/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask - the talk in the last line of the screen: a prompt, whose answers become a request; a
 * question, to be answered by yes or no; or a message. There is one at a time; a later one takes
 * the place of the one that is there. Pure.
 *
 * A filter is looked at while it is typed: what is wrong with it is said below the place.
 *
 * A prompt or question takes all keys. A message takes none: any key removes it, and does its usual
 * work. A refused answer leaves its prompt open, with the answer in it and the reason above. A
 * prompt starts with what is set now; if that is too long for the prompt, it starts empty, and a
 * sentence says so.
 */
#ifndef TUI_ASK_H
#define TUI_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "screen/filter_list.h"
#include "tui/canvas.h"
#include "tui/live.h"
#include "view/view.h"

/* ---- prompt ----
 *
 * A line in which the user types an answer; pure.
 *
 * The initial text is selected at first: what is typed replaces it, moving the cursor
 * keeps it for editing.
 *
 * Text is UTF-8. A character that would make it too long is not taken, nor are bytes that
 * make no character.
 *
 * Invariants: text is terminated, len is its length in bytes; cursor <= len is where a
 * character starts.
 */

enum prompt_state { PROMPT_OPEN, PROMPT_ACCEPTED, PROMPT_CANCELLED };

struct prompt {
	const char *label; /* a string of the caller */
	char text[REQUEST_TEXT_MAX];
	size_t len, cursor;
	bool selected;
	char partial[4]; /* the first bytes of a character whose others have not come yet */
	size_t n_partial;
};

void prompt_open(struct prompt *p, const char *label, const char *initial);
/* Takes one key (enum key_code). Keys that have no meaning here change nothing. */
enum prompt_state prompt_key(struct prompt *p, int key);
/* The column of a canvas of this width at which the byte `at` of the text is painted, or would be.
 */
int prompt_column(const struct prompt *p, int width, size_t at);
/* Paints label and text on line y; of a text that is too long, the part around the cursor; else the
 * keys that end it. */
void prompt_paint(const struct prompt *p, struct canvas *c, int y);

/* ---- signame ----
 *
 * Signals by the names that people type.
 */

/* Reads "TERM" or "SIGTERM", in capital or small letters, or a number. -EINVAL: there is no such
 * signal. */
int signame_parse(const char *text, int *signal, struct err *err);

/* ---- ask ---- */

struct ui_state;

enum ask_mode { ASK_NOTHING, ASK_MESSAGE, ASK_QUESTION, ASK_PROMPT };

#define ASK_SUBJECT_MAX 64
#define ASK_LABEL_MAX   128

struct ask {
	enum ask_mode mode;
	/* The message or question; of a prompt, what is wrong with the answer, or "". */
	char text[ERR_TEXT_MAX];
	/* Of an answer that is looked at while it is typed: the column in which text says what is
	 * wrong, from 1 on; 0: nothing is, and text says what may be typed. */
	size_t fault;
	struct prompt prompt;
	size_t step;          /* the index of this prompt, as a request may need several */
	struct request draft; /* the request so far: the last answer, or yes, makes it ready */
	struct request ready;
	const struct screen *screen;       /* that is shown; NULL: none yet */
	const struct filter_list *filters; /* that have names; NULL: none */
	const struct ui_state *ui; /* whose screen gets a column; who opens its prompt sets it */
	const char *path;          /* the file that is offered for the configuration; NULL: none */
	/* The pid that is offered for a signal; whoever opens its prompt sets it; 0: none. */
	int32_t victim;
	/* What the prompt is about: "4711 cc1", "3 tagged tasks"; and the user of the current row.
	 * Who opens it sets them; "": none. */
	char subject[ASK_SUBJECT_MAX], row_user[ASK_SUBJECT_MAX];
	char label[ASK_LABEL_MAX]; /* of the prompt */
};

/* Opens the first prompt of this kind of request. */
void ask_open(struct ask *a, enum request_kind kind, const struct view *view);
/* The same, with this text in it. */
void ask_offer(struct ask *a, enum request_kind kind, const char *text);
void ask_message(struct ask *a, const char *text);
void ask_question(struct ask *a, const char *text, const struct request *yes);
/* Opens again the first prompt of a request that could not be done, with the answer that it had. */
void ask_refuse(struct ask *a, const struct request *refused, const char *reason);

/* Whether keys go to ask_key(). */
bool ask_takes_keys(const struct ask *a);
/* Takes one key. Returns the reactions. */
unsigned ask_key(struct ask *a, const struct view *view, int key);
/* Removes a message; returns the reactions. */
unsigned ask_clear(struct ask *a);

/* Paints over the last line of the canvas; a longer message takes more lines, half of them at most,
 * so that the header stays. What is wrong with an answer stands below its place. */
void ask_paint(const struct ask *a, struct canvas *c);

#endif
