/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live - the live screen: takes the terminal, paints frames, turns keys into reactions.
 *
 * The live screen is one of the outputs, and there is at most one. From open() to close() the
 * terminal belongs to it; close() restores the terminal. It never takes a sample: a key changes the
 * view, and the reaction tells the loop what to do.
 *
 * The loop blocks and reads the signals it handles: after SIGWINCH it calls live_repaint(l, true),
 * around a stop (SIGTSTP) live_suspend() and live_resume(). All other signals that would end the
 * program are caught here: the terminal is restored as well as possible, then the signal has its
 * usual effect.
 *
 * A program configured --without-ncurses has live_none.c in its place, in which open() fails
 * with a sentence.
 */
#ifndef TUI_LIVE_H
#define TUI_LIVE_H

#include "base/err.h"
#include "base/log.h"
#include "conf/theme.h"
#include "output/output.h"
#include "screen/filter_list.h"
#include "screen/screen.h"
#include "tui/live_info.h"
#include "tui/request.h"
#include "view/curve.h"
#include "view/frame.h"
#include "view/origin.h"
#include "view/page.h"

struct live;
struct setup_page;

/* open() fails if standard input and output are not a terminal of a known type. A frame must stay
 * valid until the next one, or close(). */
extern const struct sink_ops live_sink;

/* Returns the live screen of a sink; NULL for NULL. */
struct live *live_of(const struct sink *sink);
/* Sets what is shown beside the frame, from the next frame on. Everything that info points to must
 * stay valid until close(). */
void live_set_info(struct live *l, const struct live_info *info);
/* Announces that a signal ends the program: close() does not wait for a terminal that takes no
 * output. */
void live_at_once(struct live *l);
/* Returns the descriptor that becomes readable when a key is pressed. */
int live_fd(const struct live *l);
/* Paints the last frame again. resized: with the terminal's new size, after SIGWINCH. */
void live_repaint(struct live *l, bool resized);
/* Reads the pending keys, and changes the view. Returns the reactions. */
unsigned live_keys(struct live *l, struct view *view, const struct screen_list *screens);

/* Returns when live_time_out() is due (keys_timeout_ns()), in ns of CLOCK_MONOTONIC; 0: nothing is
 * pending. */
uint64_t live_deadline_ns(const struct live *l);
/* Handles the end of that time. Returns the reactions, as live_keys() does. */
unsigned live_time_out(struct live *l, struct view *view, const struct screen_list *screens);
/* See ui_state_is_away(). */
bool live_is_away(const struct live *l);
/* Takes the request that REACT_REQUEST announced; REQUEST_NONE if none is left. */
struct request live_take_request(struct live *l);
/* Returns the tasks that the last key acts on, valid until the next key. */
const struct live_task *live_tasks(const struct live *l, size_t *n);
/* Returns the state of the setup page, through which it requests changes and learns their results
 * (tui/setup_state.h). */
struct setup_page *live_setup(struct live *l);
/* Opens the prompt of this kind of request, with this initial text. */
void live_offer(struct live *l, enum request_kind kind, const char *text);
/* Shows a message, such as the result of a request, in the prompt's line until the next key. */
void live_message(struct live *l, const char *text);
/* Opens the panel of the page in live_info. */
void live_open_page(struct live *l);
/* Shows a message in the same line at once, over the painted screen, until the next painting. */
void live_acknowledge(struct live *l, const char *text);
/* Says that the request failed: its prompt reopens, with the answer and this reason. */
void live_refuse(struct live *l, const struct request *refused, const char *reason);
/* Asks a question ("... (y/n)") in the prompt's line; y makes `then` the next request. The question
 * of REQUEST_LEAVE has other answers: e turns it into REQUEST_END, l leaves it as it is. */
void live_confirm(struct live *l, const char *question, const struct request *then);

/* Appends a picture of the screen, in the format given by the suffix of the path. -EINVAL: not a
 * suffix of a picture. */
int live_picture(struct live *l, const char *path, struct strbuf *out, struct err *err);

/* Gives the terminal back before the program stops; takes it again, with its new size, when the
 * program continues. */
void live_suspend(struct live *l);
void live_resume(struct live *l);

#endif
