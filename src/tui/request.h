/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request - the results of keys for the loop: reactions, and requests, which have effects outside
 * the screen.
 */
#ifndef TUI_REQUEST_H
#define TUI_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

/* What the loop has to do after a key: a bit mask. */
enum reaction {
	REACT_NONE = 0,
	REACT_PAINT = 1,       /* paint the same frame again: help, scrolling, resize */
	REACT_REBUILD = 2,     /* build the frame again from the same delta: sorting, filters */
	REACT_RECONFIGURE = 4, /* open other counters: screen, threads, kernel */
	REACT_QUIT = 8,
	REACT_REQUEST = 16, /* carry out live_take_request() */
	REACT_REFRESH = 32, /* take a new sample now */
	REACT_LOST = 64     /* the terminal is gone: end */
};

/* What the user requested by a key, perhaps with an answer at a prompt; carried out by the loop. */
enum request_kind {
	REQUEST_NONE,
	REQUEST_DELAY,      /* text: the new delay in seconds */
	REQUEST_FILTER,     /* text: a pid or a part of a name; empty: all tasks */
	REQUEST_ROW_FILTER, /* text: in the syntax of row_filter_make(); empty: all rows */
	REQUEST_USER,       /* text: a login name or uid; empty: all users */
	REQUEST_WATCH,      /* text: a pid or a part of a name; empty: none */
	REQUEST_SCREEN,     /* text: its number or a part of its name */
	REQUEST_KILL,       /* text: a pid, perhaps the default one; signal */
	/* Holds the tasks of live_tasks() (by pidfds), as their ids may be reused; then continues
	 * with `then`. */
	REQUEST_HOLD,
	REQUEST_KILL_TAGGED, /* signal: for all tasks held */
	REQUEST_NICE,        /* text: a nice value for them */
	REQUEST_NICE_BY,     /* signal: the change of their nice values */
	REQUEST_CPUS,        /* text: the CPUs that they may run on */
	/* text: the path of the configuration file to write; asks before it overwrites one; ~ is
	 * the home directory */
	REQUEST_WRITE,
	/* text: the path of a picture of the screen, whose suffix selects its format; likewise */
	REQUEST_PICTURE,
	REQUEST_PICTURE_OVERWRITE, /* the same, after the user has agreed to overwrite */
	REQUEST_OVERWRITE,         /* like REQUEST_WRITE, after the user has agreed to overwrite */
	REQUEST_LEAVE,             /* quit, and leave the command running */
	REQUEST_REPLAY,            /* signal: enum replay_key */
	REQUEST_JUMP,              /* text: a time in the recording */
	REQUEST_RECORD,            /* end the recording, or ask for the file of a new one */
	REQUEST_RECORD_TO,         /* text: the file; ~ is the home directory */
	REQUEST_SEARCH,            /* text: the text to search; handled by the screen itself */
	REQUEST_SETUP,             /* collect what the setup page offers */
	REQUEST_CHANGE,            /* do the change wanted by the setup page, see live_setup() */
	/* These three are handled by the setup page, which turns them into a REQUEST_CHANGE: */
	REQUEST_SETTING, /* text: the value of an option */
	REQUEST_COLUMN,  /* text: a column of the user's own */
	REQUEST_COPY,    /* text: the name of a copy of a screen */
	REQUEST_QUIT,    /* quit with an unwritten setup; asks about a running command */
	REQUEST_END,     /* end the command, and quit once it has ended */
};

/* Movements in a recording, and its speed. */
enum replay_key {
	REPLAY_BACK, /* one sample back, and pause */
	REPLAY_ON,
	REPLAY_MINUTE_BACK,
	REPLAY_MINUTE_ON,
	REPLAY_SLOWER, /* or continue after a pause */
	REPLAY_FASTER,
	REPLAY_PAUSE /* or continue */
};

#define REQUEST_TEXT_MAX 256

struct request {
	enum request_kind kind;
	char text[REQUEST_TEXT_MAX];
	int signal;
	/* REQUEST_HOLD: the request that follows; REQUEST_WRITE: REQUEST_QUIT or REQUEST_NONE. */
	enum request_kind then;
	int32_t offered; /* the default pid of the prompt */
};

/* A task that a key acts on. */
struct live_task {
	int32_t pid, id;   /* of the process, and of the thread */
	uint64_t start_ns; /* since boot */
	bool whole;        /* the whole process: all its threads */
};

#endif
