/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask - the dialog in the last line of the screen: a prompt, whose answers become a request; a
 * question with a few answer keys; or a message. Only one dialog is open at a time; opening another
 * one replaces it. Pure.
 *
 * Some answers, such as a row filter, are checked at each key: below the prompt, a mark shows the
 * place of an error, and a sentence its cause.
 *
 * A prompt or question receives all keys but Ctrl-L. A message receives no keys: any key removes
 * the message and then has its usual effect. A refused answer stays in its prompt for editing, with
 * the reason above. A prompt starts with the current setting; if the setting is too long, the
 * prompt starts empty, and a sentence says so.
 */
#ifndef TUI_ASK_H
#define TUI_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "screen/screen.h"
#include "tui/canvas.h"
#include "tui/key.h"
#include "view/view.h"

/* ---- prompt ----
 *
 * A line in which the user types an answer; pure.
 *
 * The initial text is selected at first: typing replaces it, moving the cursor keeps it for
 * editing.
 *
 * Text is UTF-8. Characters that would make the text too long are ignored, and so are bytes that
 * are not valid UTF-8.
 *
 * Invariants: text is terminated, len is its length in bytes; cursor <= len is the start of a
 * character, or the end of the text.
 */

enum prompt_state { PROMPT_OPEN, PROMPT_ACCEPTED, PROMPT_CANCELLED };

struct prompt {
	const char *label; /* owned by the caller */
	char text[REQUEST_TEXT_MAX];
	size_t len, cursor;
	bool selected;
	char partial[4]; /* the bytes so far of an incomplete character */
	size_t n_partial;
};

void prompt_open(struct prompt *p, const char *label, const char *initial);
/* Handles one key (enum key_code). Keys that a prompt does not use change nothing. */
enum prompt_state prompt_key(struct prompt *p, int key);
/* Returns the column at which byte `at` of the text is painted on a canvas of this width; if the
 * byte is scrolled out of sight, the nearest visible column. */
int prompt_column(const struct prompt *p, int width, size_t at);
/* Paints label and text on line y. If the text is too long, paints only the part around the cursor;
 * if it leaves room, adds the keys that end the prompt. */
void prompt_paint(const struct prompt *p, struct canvas *c, int y);

/* ---- signame ----
 *
 * Signal names as users type them.
 */

/* Parses "TERM" or "SIGTERM", in upper or lower case, or a number. -EINVAL: no such signal. */
int signame_parse(const char *text, int *signal, struct err *err);

/* ---- ask ---- */

struct ui_state;

enum ask_mode { ASK_NOTHING, ASK_MESSAGE, ASK_QUESTION, ASK_PROMPT };

#define ASK_SUBJECT_MAX 64
#define ASK_LABEL_MAX   128

struct ask {
	enum ask_mode mode;
	/* The message or the question. In the mode ASK_PROMPT, the error in the answer, or a hint
	 * about the answer, or "". */
	char text[ERR_TEXT_MAX];
	/* If `text` describes an error at a place in the answer: the byte of the answer, from 1 on;
	 * else 0. */
	size_t fault;
	struct prompt prompt;
	size_t step; /* the index of the open prompt among those of the request */
	/* The request with the answers so far. The last answer, or yes, moves it to `ready`. */
	struct request draft;
	struct request ready;
	const struct screen *screen;       /* the screen shown; NULL: none yet */
	const struct filter_list *filters; /* the named filters; NULL: none */
	/* Checks the answer to a prompt of REQUEST_COLUMN or REQUEST_COPY, and appends a preview of
	 * its effect to `tell`. Called with the member `ui`. Set by the code that opens the prompt;
	 * NULL: any text is valid. */
	int (*check)(const struct ui_state *ui, const char *text, struct strbuf *tell,
		     struct err *err);
	const struct ui_state *ui;
	const char *path; /* the default file for writing the configuration; NULL: none */
	/* The default pid for a signal, set by the code that opens the prompt; 0: none. */
	int32_t victim;
	/* subject: the tasks or the screen that the prompt is about: "4711 cc1", "3 tagged tasks",
	 * "default". row_user: the user of the current row. Both are set by the code that opens the
	 * prompt; "": none. */
	char subject[ASK_SUBJECT_MAX], row_user[ASK_SUBJECT_MAX];
	char label[ASK_LABEL_MAX]; /* the label of the prompt */
};

/* Opens the first prompt of this kind of request. */
void ask_open(struct ask *a, enum request_kind kind, const struct view *view);
/* Opens the first prompt of this kind of request, with this text as the initial answer. */
void ask_offer(struct ask *a, enum request_kind kind, const char *text);
void ask_message(struct ask *a, const char *text);
void ask_question(struct ask *a, const char *text, const struct request *yes);
/* Reopens the first prompt of a request that failed, with the refused answer and the reason. */
void ask_refuse(struct ask *a, const struct request *refused, const char *reason);

/* Returns whether a prompt or question is open: keys go to ask_key(). */
bool ask_takes_keys(const struct ask *a);
/* Handles one key. Returns the reactions (enum reaction). */
unsigned ask_key(struct ask *a, const struct view *view, int key);
/* Removes a message. Returns the reactions (enum reaction). */
unsigned ask_clear(struct ask *a);

/* Paints the dialog over the last line of the canvas. A longer message takes more lines, but at
 * most half of the canvas, so that the header stays visible. An error in an answer is painted below
 * its place in the answer. */
void ask_paint(const struct ask *a, struct canvas *c);

#endif
