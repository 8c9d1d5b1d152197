/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * key - the keys of a terminal, their names in the help, in tiptoprc and in messages, and what they
 * make the main loop do. Pure.
 */
#ifndef TUI_KEY_H
#define TUI_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The code of a key: a byte of a character in UTF-8, or one of these constants. */
enum key_code {
	KEYCODE_OTHER = 0, /* any key that tiptop does not know */
	KEYCODE_CTRL_C = 0x03,
	KEYCODE_CTRL_G = 0x07,
	KEYCODE_CTRL_H = 0x08,
	KEYCODE_TAB = 0x09,
	KEYCODE_CTRL_L = 0x0c,
	KEYCODE_ENTER = 0x0d,
	KEYCODE_CTRL_R = 0x12,
	KEYCODE_CTRL_U = 0x15,
	KEYCODE_CTRL_W = 0x17,
	KEYCODE_ESC = 0x1b,
	KEYCODE_BACKSPACE = 0x7f,
	KEYCODE_FIRST = 0x100, /* from here on: keys that are not characters */
	KEYCODE_UP = KEYCODE_FIRST,
	KEYCODE_DOWN,
	KEYCODE_LEFT,
	KEYCODE_RIGHT,
	KEYCODE_PGUP,
	KEYCODE_PGDN,
	KEYCODE_HOME,
	KEYCODE_END,
	KEYCODE_DELETE,
	KEYCODE_S_LEFT,
	KEYCODE_S_RIGHT,
	KEYCODE_S_TAB,
	KEYCODE_F1,
	KEYCODE_F2,
	KEYCODE_F3,
	KEYCODE_F4,
	KEYCODE_F5,
	KEYCODE_F6,
	KEYCODE_F7,
	KEYCODE_F8,
	KEYCODE_F9,
	KEYCODE_F10,
	KEYCODE_F11,
	KEYCODE_F12,
	KEYCODE_MOUSE, /* not a key: an event of the mouse */
	KEYCODE_DIGIT  /* only in key_table: any key from 0 to 9 */
};

/* Returns the name of a key: "F5", "Ctrl-R", "SPACE", "a"; "": the key has no name. The result may
 * point to the buffer `letter`. */
#define KEY_NAME_MAX 8
const char *key_name_of(int key, char letter[KEY_NAME_MAX]);

/* Returns the key whose name begins the text and ends at a blank or the end of the text; -1: no
 * such key. */
int key_name_parse(const char *text);
/* Returns whether the key is in a list of names separated by blanks: "h ? F1". */
bool key_name_in(const char *names, int key);

/* ---- requests ----
 *
 * What keys make the main loop do: reactions, and requests, which have effects outside the screen.
 */

/* The work of the main loop after a key, as a bit mask. */
enum reaction {
	REACT_NONE = 0,
	REACT_PAINT = 1,       /* paint the same frame again: help, scrolling, resize */
	REACT_REBUILD = 2,     /* build the frame again from the same delta: sorting, filters */
	REACT_RECONFIGURE = 4, /* open other counters: screen, threads, kernel */
	REACT_QUIT = 8,
	REACT_REQUEST = 16, /* carry out the request that live_take_request() returns */
	REACT_REFRESH = 32, /* take a new sample now */
	REACT_LOST = 64     /* the terminal is gone: end */
};

/* The requests of the user, made by a key and perhaps an answer at a prompt; the main loop carries
 * them out. text, signal and then: the members of struct request that are used. */
enum request_kind {
	REQUEST_NONE,
	REQUEST_DELAY,      /* text: the new delay in seconds */
	REQUEST_FILTER,     /* text: a pid, or a part of a name or command line; empty: all */
	REQUEST_ROW_FILTER, /* text: in the syntax of row_filter_make(); empty: all rows */
	REQUEST_USER,       /* text: a login name or uid; empty: all users */
	REQUEST_WATCH,      /* text: a pid or a part of a name; empty: none */
	REQUEST_SCREEN,     /* text: the number of the screen, or a part of its name */
	REQUEST_KILL,       /* text: a pid; signal: the signal to send */
	/* Hold the tasks of live_tasks() by pidfds, as their ids may be reused while the user
	 * types. then: the request that follows, for these tasks. */
	REQUEST_HOLD,
	REQUEST_KILL_TAGGED, /* signal: the signal to send to all tasks of REQUEST_HOLD */
	REQUEST_NICE,        /* text: the nice value for these tasks */
	REQUEST_NICE_BY,     /* signal: the change of their nice values */
	REQUEST_CPUS,        /* text: the CPUs that they may run on */
	/* text: the path of the configuration file to write; ~ is the home directory. Asks before
	 * it overwrites a file. */
	REQUEST_WRITE,
	/* text: the path of a picture of the screen, whose suffix selects the format; ~ is the home
	 * directory. Asks before it overwrites a file. */
	REQUEST_PICTURE,
	/* Like REQUEST_PICTURE, after the user has agreed to overwrite the file. */
	REQUEST_PICTURE_OVERWRITE,
	REQUEST_OVERWRITE, /* like REQUEST_WRITE, after the user has agreed to overwrite the file */
	REQUEST_LEAVE,     /* quit, and leave the command running as it is */
	REQUEST_REPLAY,    /* signal: enum replay_key */
	REQUEST_JUMP,      /* text: a time in the recording */
	REQUEST_RECORD,    /* end the recording, or ask for the file of a new one */
	REQUEST_RECORD_TO, /* text: the file to record into; ~ is the home directory */
	REQUEST_SEARCH,    /* text: the text to search; handled by the screen itself */
	REQUEST_SETUP,     /* collect the columns and options that the setup page offers */
	REQUEST_CHANGE,    /* do the change wanted by the setup page, see live_setup() */
	/* The setup page handles the next three requests: it turns them into a REQUEST_CHANGE. */
	REQUEST_SETTING, /* text: the new value of the option */
	REQUEST_COLUMN,  /* text: the column, as "NAME = EXPRESSION" */
	REQUEST_COPY,    /* text: the name for a copy of the screen */
	REQUEST_QUIT,    /* quit without writing the setup; asks about a running command */
	REQUEST_END,     /* end the command, and quit once it has ended */
};

/* Movements in a recording, and changes of the replay speed. */
enum replay_key {
	REPLAY_BACK, /* one sample back, and pause */
	REPLAY_ON,
	REPLAY_MINUTE_BACK,
	REPLAY_MINUTE_ON,
	REPLAY_SLOWER, /* half the speed; after a pause, continue at the same speed */
	REPLAY_FASTER,
	REPLAY_PAUSE /* pause, or continue after a pause */
};

#define REQUEST_TEXT_MAX 256

struct request {
	enum request_kind kind;
	char text[REQUEST_TEXT_MAX];
	int signal;
	/* The request that follows: after REQUEST_HOLD, a request for the held tasks; after
	 * REQUEST_WRITE, REQUEST_QUIT or none (REQUEST_NONE). */
	enum request_kind then;
	int32_t offered; /* the default pid that the prompt has offered; 0: none */
};

/* A task that a key acts on. */
struct live_task {
	int32_t pid, id;   /* pid: of the process; id: of the thread, or of the process */
	uint64_t start_ns; /* since boot */
	bool whole;        /* the key acts on all threads of the process */
};

#endif
