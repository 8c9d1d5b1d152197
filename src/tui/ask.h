/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask - the dialog in the last line of the screen: a prompt, whose answers become a request; a
 * question with a few answer keys; or a message. Only one is open at a time; opening another
 * replaces it. Pure.
 *
 * Some answers, such as a row filter, are checked at each key: a mark below the prompt shows the
 * place of an error, with a sentence.
 *
 * A prompt or question receives all keys. A message receives none: any key removes it and then has
 * its usual effect. A refused answer leaves its prompt open, with the answer in it and the reason
 * above. A prompt starts with the current setting; a setting too long for it leaves the prompt
 * empty, and a sentence says so.
 */
#ifndef TUI_ASK_H
#define TUI_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "screen/filter_list.h"
#include "tui/canvas.h"
#include "tui/request.h"
#include "view/view.h"

/* ---- prompt ----
 *
 * A line in which the user types an answer; pure.
 *
 * The initial text is selected at first: typing replaces it, moving the cursor keeps it for
 * editing.
 *
 * Text is UTF-8. A character that would make it too long is ignored, and so are bytes that are
 * not valid UTF-8.
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
/* Handles one key (enum key_code). Keys without a meaning here change nothing. */
enum prompt_state prompt_key(struct prompt *p, int key);
/* Returns the column of a canvas of this width at which byte `at` of the text is painted; of a byte
 * that is scrolled out of sight, the nearest column. */
int prompt_column(const struct prompt *p, int width, size_t at);
/* Paints label and text on line y: of a text that is too long, the part around the cursor; behind a
 * short one, the keys that end the prompt. */
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
	/* The message or question; of a prompt, the error in the answer or a hint about it, or "".
	 */
	char text[ERR_TEXT_MAX];
	/* Of an answer that is checked at each key: the column of the error that text describes,
	 * from 1 on; 0: no error with a place. */
	size_t fault;
	struct prompt prompt;
	size_t step;          /* the index of the open prompt among those of the request */
	struct request draft; /* the request so far: the last answer, or yes, makes it ready */
	struct request ready;
	const struct screen *screen;       /* the screen shown; NULL: none yet */
	const struct filter_list *filters; /* the named filters; NULL: none */
	/* Checks the answer to a prompt for a column or the name of a copy, and appends what it
	 * would show to `tell`; called with the ui below. Set by the code that opens such a prompt;
	 * NULL: any text is valid. */
	int (*check)(const struct ui_state *ui, const char *text, struct strbuf *tell,
		     struct err *err);
	const struct ui_state *ui;
	const char *path; /* the default file name for the configuration; NULL: none */
	/* The default pid for a signal, set by the code that opens the prompt; 0: none. */
	int32_t victim;
	/* The tasks that the prompt is about: "4711 cc1", "3 tagged tasks"; and the user of the
	 * current row. Set by the code that opens the prompt; "": none. */
	char subject[ASK_SUBJECT_MAX], row_user[ASK_SUBJECT_MAX];
	char label[ASK_LABEL_MAX]; /* the label of the prompt */
};

/* Opens the first prompt of this kind of request. */
void ask_open(struct ask *a, enum request_kind kind, const struct view *view);
/* The same, with this text as the initial answer. */
void ask_offer(struct ask *a, enum request_kind kind, const char *text);
void ask_message(struct ask *a, const char *text);
void ask_question(struct ask *a, const char *text, const struct request *yes);
/* Reopens the first prompt of a request that failed, with its answer and the reason. */
void ask_refuse(struct ask *a, const struct request *refused, const char *reason);

/* Returns whether a prompt or question is open: keys go to ask_key(). */
bool ask_takes_keys(const struct ask *a);
/* Handles one key. Returns the reactions. */
unsigned ask_key(struct ask *a, const struct view *view, int key);
/* Removes a message; returns the reactions. */
unsigned ask_clear(struct ask *a);

/* Paints over the last line of the canvas; a longer message takes more lines, at most half of the
 * canvas, so that the header stays. An error in an answer stands below its place. */
void ask_paint(const struct ask *a, struct canvas *c);

#endif
