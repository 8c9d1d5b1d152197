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
#include "view/curve.h"
#include "view/frame.h"
#include "view/origin.h"
#include "view/page.h"

/* What the loop has to do after a key: bits that are or-ed. */
enum reaction {
	REACT_NONE = 0,
	REACT_PAINT = 1,       /* the same frame, painted again: help, scrolling, resize */
	REACT_REBUILD = 2,     /* the frame built again from the same delta: sorting, filters */
	REACT_RECONFIGURE = 4, /* other counters: screen, threads, kernel */
	REACT_QUIT = 8,
	REACT_REQUEST = 16, /* live_take_request() has something to do */
	REACT_REFRESH = 32, /* a new sample, now */
	REACT_LOST = 64     /* the terminal has gone away */
};

/* What the user asked for by a key and an answer at the prompt; the loop does it, since it
 * touches the world. */
enum request_kind {
	REQUEST_NONE,
	REQUEST_DELAY,      /* text: the new delay in seconds */
	REQUEST_FILTER,     /* text: a pid or a part of a name; empty: all tasks */
	REQUEST_ROW_FILTER, /* text: as row_filter_make() takes it; empty: all rows */
	REQUEST_USER,       /* text: a login name or uid; empty: all users */
	REQUEST_WATCH,      /* text: a pid or a part of a name; empty: none */
	REQUEST_SCREEN,     /* text: its number or a part of its name */
	REQUEST_KILL,       /* text: a pid, perhaps the offered one; signal */
	/* The tasks of the key that was pressed (live_tasks()) are to be held, as their numbers may
	 * come to mean others; then `then` follows. */
	REQUEST_HOLD,
	REQUEST_KILL_TAGGED, /* signal: to all that are held */
	REQUEST_NICE,        /* text: a nice value for them */
	REQUEST_NICE_BY,     /* signal: by how much it changes */
	REQUEST_CPUS,        /* text: the CPUs that they may run on */
	/* text: the path of the configuration file to write, which must not exist yet; ~ is a
	 * home */
	REQUEST_WRITE,
	/* text: the path of a picture of the screen, whose suffix says of what kind; ~ is a home */
	REQUEST_PICTURE,
	REQUEST_PICTURE_OVERWRITE, /* after the user has agreed to overwrite */
	REQUEST_OVERWRITE,         /* like REQUEST_WRITE, after the user has agreed to overwrite */
	REQUEST_LEAVE,             /* to quit, and to leave the command running */
	REQUEST_REPLAY,            /* signal: enum replay_key */
	REQUEST_JUMP,              /* text: a time in the recording */
	REQUEST_RECORD,            /* to end the recording, or to ask for the file of one */
	REQUEST_RECORD_TO,         /* text: the file; ~ is a home */
	/* text: what to look for; the screen does it by itself */
	REQUEST_SEARCH,
	REQUEST_SETUP,   /* to find what the page of the setup has to choose from */
	REQUEST_CHANGE,  /* to do what that page wants, see live_setup() */
	REQUEST_SETTING, /* text: the value of an option, likewise */
	REQUEST_COLUMN,  /* text: a column of one's own; the page turns it into such a change */
	REQUEST_COPY,    /* text: the name of a copy of a screen, likewise */
	REQUEST_QUIT, /* to quit, though the setup is not written; a running command is asked about
		       */
	REQUEST_END,  /* to end the command, and to quit once it has ended */
};

/* Where to go in a recording that is shown, or how fast. */
enum replay_key {
	REPLAY_BACK, /* one sample, and pause */
	REPLAY_ON,
	REPLAY_MINUTE_BACK,
	REPLAY_MINUTE_ON,
	REPLAY_SLOWER, /* or go on after a pause */
	REPLAY_FASTER,
	REPLAY_PAUSE /* or go on */
};

#define REQUEST_TEXT_MAX 256

struct request {
	enum request_kind kind;
	char text[REQUEST_TEXT_MAX];
	int signal;
	enum request_kind then;
	int32_t offered; /* the pid that was offered */
};

/* A task that something is to be done to. */
struct live_task {
	int32_t pid, id;   /* of the process, and of the thread */
	uint64_t start_ns; /* since boot */
	bool whole;        /* all threads of the process are meant */
};

struct setting_list;
struct setup_trial;

/* What the screen shows beside the frame. */
struct live_info {
	/* One sentence that must be seen (why hardware columns are missing), or NULL. */
	const char *note;
	const char *user;      /* whom the tasks belong to: "root", a login name; NULL: not said */
	const char *pmu;       /* what counts here: "skylake 4+3"; NULL: nothing, or not known */
	const char *conf_path; /* the file that the key W offers */
	const struct keymap *keymap; /* what keys do; NULL: what key_table says */
	bool readonly;               /* keys that act on the world are refused */
	bool replay;                 /* what is shown is a recording */
	bool mouse;                  /* clicks and the wheel are obeyed */
	/* How looks are shown, and how where there are no colours. */
	const struct theme *theme, *plain;
	const struct screen_list *screens;
	const struct filter_list *filters;   /* that have names */
	const struct screen_list *hidden;    /* screens without a tab; NULL: none */
	const struct screen_list *choices;   /* columns that can be taken; NULL: not known */
	const struct setting_list *settings; /* options that can be set; NULL: not known */
	const struct setup_trial *trial;     /* whom the setup asks what a column would show */
	const struct origins *origins;       /* what is behind the counters; NULL: not known */
	const struct page *page;             /* of the row whose page is open; NULL: none is */
	const struct curves *curves;         /* what is drawn on it; NULL: nothing is */
	const struct page *what;             /* what happened; NULL: nobody has asked */
	/* The faults so far: their number at the foot, all of them behind the key e. */
	const struct log *log;
};

struct keymap;
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
/* Takes the request that REACT_REQUEST announced; its kind is REQUEST_NONE where none is left. */
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
