/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signals - the signals that tiptop handles and the meaning of each, in one table.
 *
 * These signals are blocked and read one by one from a signalfd by the loop, so no handler
 * interrupts other code. All other signals keep their effect.
 *
 * The command does not inherit these changes: its signals are as they were at the start of tiptop.
 * Only SIGCHLD gets its default action in tiptop and in the command: if SIGCHLD were ignored, the
 * exit status of a child could not be read.
 */
#ifndef RUN_SIGNALS_H
#define RUN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#include "base/err.h"

enum signal_meaning {
	SIGNAL_NONE,   /* none is pending */
	SIGNAL_END,    /* end tiptop */
	SIGNAL_CHILD,  /* the command may have ended */
	SIGNAL_RESIZE, /* the terminal has a new size */
	/* Begin the summary now; only with SIGNALS_COMMAND. */
	SIGNAL_MARK,
	/* SIGNAL_STOP and SIGNAL_CONTINUE are read only with SIGNALS_SCREEN. */
	SIGNAL_STOP, /* Ctrl-Z */
	/* tiptop runs again after a stop by other means (kill -STOP): a shell may have written to
	 * the terminal meanwhile. */
	SIGNAL_CONTINUE,
};

struct signals {
	int fd; /* a signalfd; readable while a signal is pending; -1: not begun */
	/* The mask at the start of tiptop. */
	sigset_t mask;
	sigset_t taken; /* the mask while the signals are blocked */
	/* The signals that tiptop ignores and that were ignored at its start. */
	sigset_t ignored;
};

/* The signals to block in addition to those that end tiptop. */
enum signals_for { SIGNALS_PLAIN = 0, SIGNALS_SCREEN = 1, SIGNALS_COMMAND = 2 };

/* A signal that was read. */
struct signal_event {
	enum signal_meaning meaning;
	int number;
	bool by_terminal; /* sent by a key, to all processes in the foreground of the terminal */
};

/* Saves the signal mask and the ignored signals that the program was started with; call it before
 * anything else. */
void signals_begin(struct signals *s);
/* Restores the signals of the start, in the child that becomes the command. */
void signals_restore(const struct signals *s);
/* Blocks the signals and opens the signalfd. Signals that were ignored at the start (nohup) stay
 * ignored. uses: a sum of enum signals_for: SIGNALS_SCREEN if a screen has to be restored at a
 * stop, SIGNALS_COMMAND if there is a command with a summary. Returns 0, or -errno with a
 * sentence. */
int signals_block(struct signals *s, unsigned uses, struct err *err);
/* Reads the next pending signal; SIGNAL_NONE: none. */
struct signal_event signals_next(const struct signals *s);
/* Returns whether a signal that ends tiptop is pending; does not read it. */
bool signals_end_pending(void);
/* Restores the signal mask of the start (through: true), so that signals act at once; or blocks the
 * signals again (false). For a wait in which tiptop reads no signals and has nothing to clean
 * up. */
void signals_unblock(const struct signals *s, bool through);
/* Stops the program, as Ctrl-Z would, until SIGCONT, and discards that pending SIGCONT. If no shell
 * could continue the program (a session leader, as in xterm -e), the kernel does not let it
 * stop. */
void signals_stop(void);
/* Ends the program by this signal, so that its parent sees that signal. */
void signals_die(int number);
void signals_done(struct signals *s);

#endif
