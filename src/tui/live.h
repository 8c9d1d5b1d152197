/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live - the live screen: takes the terminal, paints frames, turns keys into reactions.
 *
 * The live screen is an output (output/output.h); there is at most one. From open() to close() the
 * terminal belongs to the live screen; close() restores the terminal. The live screen never takes a
 * sample: a key changes the view, and the reactions to the key tell the main loop what to do.
 *
 * The main loop blocks the signals that it handles, and reads them: after SIGWINCH it calls
 * live_repaint(l, true); before a stop by SIGTSTP live_suspend(), and after it live_resume(). This
 * module catches all other signals that would end the program: it restores the terminal as well as
 * possible, then the signal has its usual effect.
 *
 * A program configured --without-ncurses has live_none.c instead of live.c; open() then fails with
 * a sentence.
 */
#ifndef TUI_LIVE_H
#define TUI_LIVE_H

#include "base/err.h"
#include "base/log.h"
#include "conf/theme.h"
#include "output/output.h"
#include "screen/binding.h"
#include "screen/screen.h"
#include "tui/key.h"
#include "tui/ui_state.h"
#include "view/curve.h"
#include "view/frame.h"
#include "view/page.h"

struct live;
struct setup_page;

/* open() fails if standard input and output are not a terminal of a known type. A frame must stay
 * valid until the next one, or close(). */
extern const struct sink_ops live_sink;

/* Returns the live screen of a sink; NULL if the sink is NULL. */
struct live *live_of(const struct sink *sink);
/* Sets the data that is shown beside the frame, from the next frame on. Everything that info points
 * to must stay valid until close(). */
void live_set_info(struct live *l, const struct live_info *info);
/* Announces that a signal ends the program: close() does not wait for a terminal that takes no
 * output. */
void live_at_once(struct live *l);
/* Returns the descriptor that becomes readable when a key is pressed. */
int live_fd(const struct live *l);
/* Paints the last frame again. resized: with the terminal's new size, after SIGWINCH. */
void live_repaint(struct live *l, bool resized);
/* Reads the pending keys, and changes the view. Returns the reactions (enum reaction). */
unsigned live_keys(struct live *l, struct view *view, const struct screen_list *screens);

/* Returns when live_time_out() must be called, in ns of CLOCK_MONOTONIC; 0: it need not be called
 * (keys_timeout_ns()). */
uint64_t live_deadline_ns(const struct live *l);
/* Handles the end of the time that live_deadline_ns() returns. Returns the reactions (enum
 * reaction). */
unsigned live_time_out(struct live *l, struct view *view, const struct screen_list *screens);
/* Returns whether a dialog or panel hides the current moment, see ui_state_is_away(). */
bool live_is_away(const struct live *l);
/* Takes the request that REACT_REQUEST announced; REQUEST_NONE if none is left. */
struct request live_take_request(struct live *l);
/* Returns the tasks that the last key acts on, valid until the next key. */
const struct live_task *live_tasks(const struct live *l, size_t *n);
/* Returns the state of the setup page, through which the page requests changes and receives their
 * results (tui/ui_state.h). */
struct setup_page *live_setup(struct live *l);
/* Opens the prompt of this kind of request, with this initial text. */
void live_offer(struct live *l, enum request_kind kind, const char *text);
/* Shows a message, such as the result of a request, in the prompt's line until the next key. */
void live_message(struct live *l, const char *text);
/* Opens the panel that shows live_info.page. */
void live_open_page(struct live *l);
/* Shows a message in the last line at once, over the painted screen, until the next painting. */
void live_acknowledge(struct live *l, const char *text);
/* Reopens the prompt of a request that failed, with its answer and this reason. */
void live_refuse(struct live *l, const struct request *refused, const char *reason);
/* Asks a question ("... (y/n)") in the prompt's line; the answer y makes `then` the next request.
 * If `then` is REQUEST_LEAVE, the answers are l, for REQUEST_LEAVE, and e, for REQUEST_END. */
void live_confirm(struct live *l, const char *question, const struct request *then);

/* Appends a picture of the screen, in the format given by the suffix of the path. -EINVAL: not a
 * suffix of a picture. */
int live_picture(struct live *l, const char *path, struct strbuf *out, struct err *err);

/* live_suspend() restores the terminal before the program is stopped; live_resume() takes it again,
 * with its new size, when the program continues. */
void live_suspend(struct live *l);
void live_resume(struct live *l);

/* ---- screenshot ----
 *
 * An output that writes a picture of the live screen, without a terminal (screenshot.c). When the
 * output is closed, it writes the picture of the last frame.
 *
 * The suffix of the file that it writes selects the format (canvas.h).
 */

/* open() fails if the suffix is not that of a picture. A frame must stay valid until the next one,
 * or close(). */
extern const struct sink_ops shot_sink;

/* Parses columns and lines, as in "100x30". -EINVAL: not a size. */
int shot_parse_size(const char *text, int *width, int *height, struct err *err);
/* Sets the data that the screen shows beside the frame, and the size of the screen. info: borrowed
 * until close(). size: as "100x30"; NULL: the size of the terminal at standard output, or 80x24 if
 * there is no terminal. */
void shot_set_info(struct sink *sink, const struct live_info *info, const char *size);

#endif
