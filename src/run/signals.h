/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signals - which signals tiptop takes, and what each means: one table.
 *
 * Signals that are taken are blocked and come as data, one by one, when the loop asks for them: no
 * code of tiptop runs in the middle of another. All others do what they did before.
 *
 * What tiptop changes for itself is not for the command: it gets the signals as tiptop was started
 * with them. Only SIGCHLD does what it does by default, in both: where it was ignored, nobody would
 * learn how a child has ended.
 */
#ifndef RUN_SIGNALS_H
#define RUN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#include "base/err.h"

enum signal_meaning {
	SIGNAL_NONE,   /* none waits */
	SIGNAL_END,    /* tiptop is to end */
	SIGNAL_CHILD,  /* the command may have ended */
	SIGNAL_RESIZE, /* the terminal has another size */
	/* Only taken where there is a command: its summary is to begin now. */
	SIGNAL_MARK,
	/* Only taken where there is a screen to give back: */
	SIGNAL_STOP, /* Ctrl-Z */
	/* It was stopped by somebody else (kill -STOP), and may find a terminal that a shell has
	 * used meanwhile. */
	SIGNAL_CONTINUE,
};

struct signals {
	int fd; /* readable while a signal waits; -1: none are taken */
	/* At the start: */
	sigset_t mask;
	sigset_t taken; /* the mask once they are taken */
	/* The signals that tiptop ignores and the program was started to ignore. */
	sigset_t ignored;
};

/* What signals there is a use for, beside those that end tiptop. */
enum signals_for { SIGNALS_PLAIN = 0, SIGNALS_SCREEN = 1, SIGNALS_COMMAND = 2 };

/* One signal that was taken. */
struct signal_event {
	enum signal_meaning meaning;
	int number;
	bool by_terminal; /* a key: the terminal has sent it to all processes in its foreground */
};

/* Notes with what signals the program was started; to be called before anything else. */
void signals_begin(struct signals *s);
/* Makes the signals what they were at the start; for the child that becomes the command. */
void signals_restore(const struct signals *s);
/* Begins to take signals. What was ignored at the start (nohup) stays ignored. uses: a sum of enum
 * signals_for: there is a screen to give back at a stop, or a command with a summary. */
int signals_block(struct signals *s, unsigned uses, struct err *err);
/* Takes the next signal that waits; SIGNAL_NONE where there is none. */
struct signal_event signals_next(const struct signals *s);
/* Returns whether a signal to end waits to be taken; it stays. */
bool signals_end_pending(void);
/* Lets signals do what they did before they were taken, or takes them again: while something is
 * waited for that nobody looks at, and nothing is begun that would have to be ended. */
void signals_unblock(const struct signals *s, bool through);
/* Stops the program, as Ctrl-Z would have done, until SIGCONT, which is taken, too. If no shell
 * could continue the program (a leader of a session, as in xterm -e), the kernel does not let it
 * stop. */
void signals_stop(void);
/* Ends the program by this signal, so that whoever started it sees that. */
void signals_die(int number);
void signals_done(struct signals *s);

#endif
